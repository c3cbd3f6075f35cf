#include "raft.h"

#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#ifdef __HEDDLE__
#include <heddle.h>
#endif

static volatile sig_atomic_t stop;
static int leads_term, applied, checksum;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

static void applier(void *ctx, const void *data, size_t len)
{
	int value;
	(void)ctx;
	if (len != sizeof(value)) return;
	memcpy(&value, data, sizeof(value));
	applied++;
	checksum = checksum * 31 + value;
}

static long long now_ms(void)
{
	struct timeval tv;
	gettimeofday(&tv, NULL);
	return (long long)tv.tv_sec * 1000 + tv.tv_usec / 1000;
}

static bool parse_peer(raft_t *r, int myid, char *arg)
{
	char *save = NULL;
	char *id = strtok_r(arg, ":", &save), *host = strtok_r(NULL, ":", &save), *port = strtok_r(NULL, ":", &save);
	if (!id || !host || !port) return false;
	return raft_peer_up(r, atoi(id), host, atoi(port), atoi(id) == myid);
}

static void usage(const char *name)
{
	fprintf(stderr, "usage: %s -i ID -r ID:HOST:PORT [-r ID:HOST:PORT ...] [-d DIR] [-t MS] [-n VALUES] [-v]\n", name);
	exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
	raft_config_t rc = {.peernum_max = RAFT_MAX_PEERS, .heartbeat_ms = 20, .election_ms_min = 100,
		.election_ms_max = 200, .datadir = ".", .apply = applier};
	int opt, myid = NOBODY, duration = 300, values = 1, emitted = 0, npeers = 0;
	char *peers[RAFT_MAX_PEERS];
	while ((opt = getopt(argc, argv, "i:r:d:t:n:v")) != -1) {
		switch (opt) {
		case 'i': myid = atoi(optarg); break;
		case 'r':
			if (npeers == RAFT_MAX_PEERS) usage(argv[0]);
			peers[npeers++] = strdup(optarg);
			break;
		case 'd': rc.datadir = optarg; break;
		case 't': duration = atoi(optarg); break;
		case 'n': values = atoi(optarg); break;
		case 'v': raft_verbose = 1; break;
		default: usage(argv[0]);
		}
	}
	if (myid == NOBODY || !npeers) usage(argv[0]);
	srand(myid + 1);
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	raft_t *r = raft_init(&rc);
	for (int i = 0; i < npeers; i++) {
		if (!parse_peer(r, myid, peers[i])) usage(argv[0]);
		free(peers[i]);
	}
	raft_load(r);
	if (raft_create_udp_socket(r) == -1) return EXIT_FAILURE;
#ifdef __HEDDLE__
	heddle_export("leads", &leads_term, sizeof leads_term);
	heddle_export("applied", &applied, sizeof applied);
	heddle_export("checksum", &checksum, sizeof checksum);
#endif
	long long last = now_ms(), end = last + duration;
	while (!stop) {
		size_t len;
		void *m = raft_recv_message(r, 10, &len);
		long long now = now_ms();
		raft_tick(r, (int)(now - last));
		last = now;
		if (m) {
			raft_handle_message(r, m, len);
			free(m);
		}
		leads_term = raft_is_leader(r) ? (int)r->term : 0;
		if (raft_is_leader(r) && emitted < values) {
			int value = myid * 100 + emitted++;
			if (raft_emit(r, &value, sizeof(value)) < 0) fprintf(stderr, "the log is full\n");
		}
		if (now >= end) break;
	}
	fprintf(stderr, "node %d: term %u, %d applied\n", myid, r->term, applied);
	close(r->sock);
	raft_free(r);
	return 0;
}
