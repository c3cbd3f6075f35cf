/* server.h -- a NATS server of our own on loopback, for one run on one machine.
 *
 * It ends with the process that started it, whatever ends that. */
#ifndef HD_FLEET_CLUSTER_SERVER_H
#define HD_FLEET_CLUSTER_SERVER_H
#include "fleet/cluster/scratch.h"

#include <sys/types.h>

typedef struct hd_server {
    char directory[HD_SCRATCH_SIZE]; /* where it keeps what it knows */
    pid_t pid;                       /* 0: it does not run */
    int port;
    char url[64];
} hd_server;

/* A directory for it, and the server: with JetStream, and with the words of `more` (ended by NULL,
 * or NULL). */
bool hd_server_start(hd_server *s, const char *const *more, hd_err *err);
/* Again, on its port and with what it has kept. */
bool hd_server_restart(hd_server *s, const char *const *more, hd_err *err);
/* Ends it with a signal; what it has kept stays. */
void hd_server_end(hd_server *s, int signal);
/* Ends it, and removes what it has kept. */
void hd_server_stop(hd_server *s);
#endif
