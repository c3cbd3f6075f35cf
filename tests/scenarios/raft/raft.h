/* A replicated log in the manner of programs that are around: several files, select, gettimeofday, rand, packed structs,
 * messages from malloc, handlers of signals, a file that is written anew and renamed.  For tests/protocols.sh: what such a program
 * asks of Heddle.  Nothing is wrong with it. */
#ifndef RAFT_H
#define RAFT_H
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include <netinet/in.h>
#include <sys/socket.h>

#define RAFT_MAX_PEERS 9
#define RAFT_LOG_SIZE 64
#define RAFT_CHUNK 128
#define NOBODY (-1)

#define DEBUG(...) do { if (raft_verbose) { fprintf(stderr, __VA_ARGS__); } } while (0)
extern int raft_verbose;

typedef struct raft_config {
	int peernum_max;
	int heartbeat_ms;
	int election_ms_min;
	int election_ms_max;
	const char *datadir;
	void (*apply)(void *ctx, const void *data, size_t size);
	void *ctx;
} raft_config_t;

typedef enum { MSG_UPDATE, MSG_DONE, MSG_CLAIM, MSG_VOTE } msg_type_t;

typedef struct __attribute__((packed)) msg_header {
	uint8_t type;
	uint8_t from;
	uint16_t seqno;
	uint32_t term;
} msg_header_t;

typedef struct __attribute__((packed)) msg_claim {
	msg_header_t h;
	uint32_t last_index;
	uint32_t last_term;
} msg_claim_t;

typedef struct __attribute__((packed)) msg_vote {
	msg_header_t h;
	uint8_t granted;
} msg_vote_t;

typedef struct __attribute__((packed)) msg_update {
	msg_header_t h;
	uint32_t prev_index;
	uint32_t prev_term;
	uint32_t commit;
	uint32_t entry_term;
	uint16_t len;
	char data[];
} msg_update_t;

typedef struct __attribute__((packed)) msg_done {
	msg_header_t h;
	uint32_t index;
	uint8_t success;
} msg_done_t;

typedef struct raft_entry {
	uint32_t term;
	uint16_t len;
	char *data;
} raft_entry_t;

typedef struct raft_peer {
	bool up;
	char *host;
	int port;
	struct sockaddr_in addr;
	uint32_t next;   /* index of the next entry to send */
	uint32_t match;
	uint16_t seqno;
} raft_peer_t;

typedef enum { FOLLOWER, CANDIDATE, LEADER } role_t;

typedef struct raft {
	raft_config_t config;
	role_t role;
	uint32_t term;
	int me, leader, vote;
	int sock;
	int peernum;
	int votes;
	int timer;
	struct { raft_entry_t *entries[RAFT_LOG_SIZE]; uint32_t n; uint32_t acked, applied; } log;
	raft_peer_t peers[RAFT_MAX_PEERS];
} raft_t;

raft_t *raft_init(raft_config_t *config);
void raft_free(raft_t *r);
bool raft_peer_up(raft_t *r, int id, const char *host, int port, bool self);
int raft_create_udp_socket(raft_t *r);
void raft_tick(raft_t *r, int msec);
void *raft_recv_message(raft_t *r, int timeout_ms, size_t *len);
void raft_handle_message(raft_t *r, void *msg, size_t len);
int raft_emit(raft_t *r, const void *data, size_t len);
bool raft_is_leader(raft_t *r);

/* persist.c */
void raft_save(raft_t *r);
bool raft_load(raft_t *r);
#endif
