/* web_server.h -- answers to browsers of this machine: sockets on loopback, one short request on
 * each.
 *
 * Everything is bounded: connections, bytes of a request, the time that a client may take for
 * sending one or for reading its answer.  Nothing of a request names a file.  A connection is
 * closed behind its answer.
 *
 * B1. Sockets are bound to loopback.
 * B2. A connection ends: its request has HD_WEB_PATIENCE seconds, its answer HD_WEB_READING.
 * Not here: what a request may say (request.h), what is answered (the caller). */
#ifndef HD_SERVE_WEB_SERVER_H
#define HD_SERVE_WEB_SERVER_H
#include "base/err.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_WEB_MOST     32 /* connections at a time */
#define HD_WEB_PATIENCE 5.0
#define HD_WEB_READING  30.0

/* What is said about a path. */
typedef struct hd_web_answer {
    int status; /* of HTTP */
    const char *type;
    hd_text body;
} hd_web_answer;

typedef struct hd_web_calls {
    void *context;
    void (*answer)(void *context, const char *path, hd_web_answer *answer);
    /* Asked a few times a second; the server ends when it says false. */
    bool (*goes_on)(void *context);
} hd_web_calls;

typedef struct hd_web_server hd_web_server;
/* Listens on 127.0.0.1; port 0 is any that is free. */
hd_web_server *hd_web_server_open(uint16_t port, hd_err *err);
uint16_t hd_web_server_port(const hd_web_server *s);
void hd_web_server_run(hd_web_server *s, const hd_web_calls *calls);
void hd_web_server_close(hd_web_server *s);
#endif
