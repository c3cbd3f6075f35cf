#include "raft.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rand_between(int min, int max)
{
	return min + rand() % (max - min + 1);
}

static void reset_timer(raft_t *r)
{
	if (r->role == LEADER)
		r->timer = r->config.heartbeat_ms;
	else
		r->timer = rand_between(r->config.election_ms_min, r->config.election_ms_max);
}

raft_t *raft_init(raft_config_t *config)
{
	raft_t *r = calloc(1, sizeof(*r));
	if (!r) return NULL;
	memcpy(&r->config, config, sizeof(*config));
	r->me = r->leader = r->vote = NOBODY;
	r->sock = -1;
	r->role = FOLLOWER;
	reset_timer(r);
	return r;
}

void raft_free(raft_t *r)
{
	int i;
	for (i = 0; i < (int)r->log.n; i++) {
		free(r->log.entries[i]->data);
		free(r->log.entries[i]);
	}
	for (i = 0; i < r->config.peernum_max; i++) free(r->peers[i].host);
	free(r);
}

bool raft_is_leader(raft_t *r)
{
	return r->role == LEADER;
}

static uint32_t last_term(raft_t *r)
{
	return r->log.n ? r->log.entries[r->log.n - 1]->term : 0;
}

static void raft_send(raft_t *r, int dst, void *msg, size_t len)
{
	msg_header_t *h = msg;
	raft_peer_t *p = r->peers + dst;
	assert(dst != r->me && p->up);
	h->from = r->me;
	h->term = htonl(r->term);
	h->seqno = htons(p->seqno++);
	ssize_t sent = sendto(r->sock, msg, len, 0, (struct sockaddr *)&p->addr, sizeof(p->addr));
	if (sent == -1)
		DEBUG("failed to send to %d: %s\n", dst, strerror(errno));
}

static void become_follower(raft_t *r, uint32_t term)
{
	if (term > r->term) {
		r->term = term;
		r->vote = NOBODY;
		raft_save(r);
	}
	r->role = FOLLOWER;
	r->leader = NOBODY;
	reset_timer(r);
}

static void send_update(raft_t *r, int dst)
{
	raft_peer_t *p = r->peers + dst;
	raft_entry_t *e = p->next < r->log.n ? r->log.entries[p->next] : NULL;
	size_t len = sizeof(msg_update_t) + (e ? e->len : 0);
	msg_update_t *m = malloc(len);
	m->h.type = MSG_UPDATE;
	m->prev_index = htonl(p->next);
	m->prev_term = htonl(p->next ? r->log.entries[p->next - 1]->term : 0);
	m->commit = htonl(r->log.acked);
	m->entry_term = htonl(e ? e->term : 0);
	m->len = htons(e ? e->len : 0);
	if (e) memcpy(m->data, e->data, e->len);
	raft_send(r, dst, m, len);
	free(m);
}

static void beat(raft_t *r)
{
	int i;
	for (i = 0; i < r->config.peernum_max; i++)
		if (i != r->me && r->peers[i].up) send_update(r, i);
}

static void become_leader(raft_t *r)
{
	int i;
	DEBUG("[%d] leads term %u\n", r->me, r->term);
	r->role = LEADER;
	r->leader = r->me;
	for (i = 0; i < r->config.peernum_max; i++) {
		r->peers[i].next = r->log.n;
		r->peers[i].match = 0;
	}
	reset_timer(r);
	beat(r);
}

static void claim(raft_t *r)
{
	int i;
	msg_claim_t m;
	r->role = CANDIDATE;
	r->term++;
	r->leader = NOBODY;
	r->vote = r->me;
	r->votes = 1;
	raft_save(r);
	reset_timer(r);
	for (i = 0; i < r->config.peernum_max; i++) {
		if (i == r->me || !r->peers[i].up) continue;
		memset(&m, 0, sizeof(m));
		m.h.type = MSG_CLAIM;
		m.last_index = htonl(r->log.n);
		m.last_term = htonl(last_term(r));
		raft_send(r, i, &m, sizeof(m));
	}
}

void raft_tick(raft_t *r, int msec)
{
	r->timer -= msec;
	while (r->timer < 0) {
		if (r->role == LEADER) {
			beat(r);
			reset_timer(r);
		} else {
			claim(r);
		}
	}
}

static void apply(raft_t *r)
{
	while (r->log.applied < r->log.acked) {
		raft_entry_t *e = r->log.entries[r->log.applied++];
		r->config.apply(r->config.ctx, e->data, e->len);
	}
}

static bool append(raft_t *r, uint32_t term, const void *data, size_t len)
{
	raft_entry_t *e;
	if (r->log.n == RAFT_LOG_SIZE) return false;
	e = malloc(sizeof(*e));
	e->term = term;
	e->len = len;
	e->data = malloc(len);
	memcpy(e->data, data, len);
	r->log.entries[r->log.n++] = e;
	raft_save(r);
	return true;
}

static void truncate_log(raft_t *r, uint32_t n)
{
	while (r->log.n > n) {
		raft_entry_t *e = r->log.entries[--r->log.n];
		free(e->data);
		free(e);
	}
}

int raft_emit(raft_t *r, const void *data, size_t len)
{
	assert(r->role == LEADER);
	if (len > RAFT_CHUNK || !append(r, r->term, data, len)) return -1;
	beat(r);
	reset_timer(r);
	return r->log.n;
}

static int compare_indices(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

static void advance(raft_t *r)
{
	uint32_t have[RAFT_MAX_PEERS];
	int i, n = 0;
	for (i = 0; i < r->config.peernum_max; i++)
		if (r->peers[i].up) have[n++] = i == r->me ? r->log.n : r->peers[i].match;
	qsort(have, n, sizeof(*have), compare_indices);
	uint32_t common = have[(n - 1) / 2];
	if (common <= r->log.acked) return;
	if (r->log.entries[common - 1]->term != r->term) return;
	r->log.acked = common;
	apply(r);
}

static void handle_update(raft_t *r, msg_update_t *m, size_t len)
{
	msg_done_t reply;
	uint32_t prev = ntohl(m->prev_index), commit = ntohl(m->commit);
	memset(&reply, 0, sizeof(reply));
	reply.h.type = MSG_DONE;
	if (len != sizeof(*m) + ntohs(m->len)) return;
	if (ntohl(m->h.term) == r->term) {
		if (r->role != FOLLOWER) become_follower(r, r->term);
		r->leader = m->h.from;
		reset_timer(r);
		if (prev <= r->log.n && (prev == 0 || r->log.entries[prev - 1]->term == ntohl(m->prev_term))) {
			reply.success = 1;
			if (m->len && (prev == r->log.n || r->log.entries[prev]->term != ntohl(m->entry_term))) {
				truncate_log(r, prev);
				append(r, ntohl(m->entry_term), m->data, ntohs(m->len));
			}
			reply.index = htonl(prev + (m->len ? 1 : 0));
			if (commit > ntohl(reply.index)) commit = ntohl(reply.index);
			if (commit > r->log.acked) {
				r->log.acked = commit;
				apply(r);
			}
		}
	}
	raft_send(r, m->h.from, &reply, sizeof(reply));
}

static void handle_done(raft_t *r, msg_done_t *m)
{
	raft_peer_t *p = r->peers + m->h.from;
	if (r->role != LEADER || ntohl(m->h.term) != r->term) return;
	if (m->success) {
		p->match = ntohl(m->index) > p->match ? ntohl(m->index) : p->match;
		p->next = p->match;
		advance(r);
		if (p->next < r->log.n) send_update(r, m->h.from);
	} else if (p->next > 0) {
		p->next--;
		send_update(r, m->h.from);
	}
}

static void handle_claim(raft_t *r, msg_claim_t *m)
{
	msg_vote_t reply;
	uint32_t term = ntohl(m->h.term);
	bool is_fresh = ntohl(m->last_term) > last_term(r) ||
		(ntohl(m->last_term) == last_term(r) && ntohl(m->last_index) >= r->log.n);
	memset(&reply, 0, sizeof(reply));
	reply.h.type = MSG_VOTE;
	if (term == r->term && is_fresh && (r->vote == NOBODY || r->vote == m->h.from)) {
		r->vote = m->h.from;
		raft_save(r);
		reset_timer(r);
		reply.granted = 1;
	}
	raft_send(r, m->h.from, &reply, sizeof(reply));
}

static void handle_vote(raft_t *r, msg_vote_t *m)
{
	if (r->role != CANDIDATE || ntohl(m->h.term) != r->term || !m->granted) return;
	r->votes++;
	if (r->votes * 2 > r->peernum) become_leader(r);
}

void raft_handle_message(raft_t *r, void *msg, size_t len)
{
	msg_header_t *h = msg;
	if (len < sizeof(*h) || h->from >= r->config.peernum_max) return;
	if (ntohl(h->term) > r->term) become_follower(r, ntohl(h->term));
	switch (h->type) {
	case MSG_UPDATE:
		if (len >= sizeof(msg_update_t)) handle_update(r, msg, len);
		break;
	case MSG_DONE:
		if (len == sizeof(msg_done_t)) handle_done(r, msg);
		break;
	case MSG_CLAIM:
		if (len == sizeof(msg_claim_t)) handle_claim(r, msg);
		break;
	case MSG_VOTE:
		if (len == sizeof(msg_vote_t)) handle_vote(r, msg);
		break;
	default:
		DEBUG("unknown message type %d\n", h->type);
	}
}
