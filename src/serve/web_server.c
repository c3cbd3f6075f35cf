/* One loop around poll().  A connection reads until its request is whole or refused, writes its
 * answer, and then reads what may still come, because closing a socket with unread bytes would take
 * the answer back. */
#include "serve/web_server.h"

#include "base/clock.h"
#include "base/panic.h"
#include "base/vec.h"
#include "serve/request.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define TICK      200 /* milliseconds */
#define LINGERS   1.0 /* seconds for what is behind a request */
#define IN_ONE_GO 4096

typedef enum connection_stage { READS, WRITES, DRAINS } connection_stage;

typedef struct connection {
    int fd;
    connection_stage stage;
    double deadline;
    hd_text in, out;
    size_t sent;
} connection;

struct hd_web_server {
    int fd;
    uint16_t port;
    connection all[HD_WEB_MOST];
    size_t n;
};

/* ---- the door ---- */

static bool cannot_listen(uint16_t port, hd_err *err) {
    int failure = errno;
    hd_err_set(err, "cannot listen on 127.0.0.1:%u: %s", port, strerror(failure));
    return hd_err_hint(err, failure == EADDRINUSE || failure == EACCES
                                ? "name another port with '--port N'; 0 is any that is free"
                                : "check that this machine has a loopback interface");
}

/* B1 */
static bool bind_to_loopback(int fd, uint16_t *port) {
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(*port)};
    socklen_t n = sizeof here;
    int on = 1;
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, (struct sockaddr *)&here, n) != 0 || listen(fd, HD_WEB_MOST) != 0 ||
        getsockname(fd, (struct sockaddr *)&here, &n) != 0)
        return false;
    HD_INVARIANT(B1, here.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
    *port = ntohs(here.sin_port);
    return true;
}

hd_web_server *hd_web_server_open(uint16_t port, hd_err *err) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || !bind_to_loopback(fd, &port)) {
        cannot_listen(port, err);
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    hd_web_server *s = calloc(1, sizeof *s);
    if (!s)
        hd_out_of_memory();
    s->fd = fd;
    s->port = port;
    return s;
}

uint16_t hd_web_server_port(const hd_web_server *s) {
    return s->port;
}

/* ---- connections ---- */

static void end_connection(hd_web_server *s, size_t i) {
    connection *c = &s->all[i];
    close(c->fd);
    hd_text_release(&c->in);
    hd_text_release(&c->out);
    s->all[i] = s->all[--s->n];
}

static void welcome(hd_web_server *s) {
    int fd = accept4(s->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    HD_ASSERT(s->n < HD_WEB_MOST);
    s->all[s->n++] = (connection){.fd = fd, .deadline = hd_clock_now() + HD_WEB_PATIENCE};
}

/* Headers say that nobody else may use, guess about, keep or frame what is answered. */
static void begin_answer(connection *c, const hd_web_answer *a) {
    hd_text_add(
        &c->out,
        "HTTP/1.1 %d %s\r\nContent-Type: %s; charset=utf-8\r\nContent-Length: %zu\r\n"
        "Connection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
        "X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\n%s\r\n",
        a->status, hd_status_words(a->status), a->type, a->body.n,
        a->status == 405 ? "Allow: GET\r\n" : "");
    hd_text_add_bytes(&c->out, hd_text_string(&a->body), a->body.n);
    c->stage = WRITES;
    c->deadline = hd_clock_now() + HD_WEB_READING;
}

static void answer(connection *c, const hd_web_calls *calls, int status, const char *path) {
    hd_web_answer a = {.status = status, .type = "text/plain"};
    if (status == 200)
        calls->answer(calls->context, path, &a);
    if (a.status != 200 && !a.body.n)
        hd_text_add(&a.body, "%s\n", hd_status_words(a.status));
    begin_answer(c, &a);
    hd_text_release(&a.body);
}

/* ---- what is ready ---- */

typedef enum step_taken { WAITS, MOVES, ENDS } step_taken;

static step_taken receive(connection *c, bool is_kept) {
    char piece[IN_ONE_GO];
    ssize_t n = recv(c->fd, piece, sizeof piece, 0);
    if (n < 0)
        return errno == EAGAIN || errno == EINTR ? WAITS : ENDS;
    if (n > 0 && is_kept)
        hd_text_add_bytes(&c->in, piece, (size_t)n);
    return n > 0 ? MOVES : ENDS;
}

static step_taken read_request(connection *c, const hd_web_calls *calls) {
    hd_request request;
    step_taken p = receive(c, true);
    int status = p == MOVES ? hd_request_read(&request, hd_text_string(&c->in), c->in.n) : 0;
    HD_ASSERT(c->in.n < HD_REQUEST_MOST + IN_ONE_GO);
    if (status)
        answer(c, calls, status, request.path);
    return p;
}

static step_taken write_answer(connection *c) {
    ssize_t n = send(c->fd, c->out.at + c->sent, c->out.n - c->sent, MSG_NOSIGNAL);
    if (n < 0)
        return errno == EAGAIN || errno == EINTR ? WAITS : ENDS;
    c->sent += (size_t)n;
    if (c->sent == c->out.n) {
        shutdown(c->fd, SHUT_WR);
        c->stage = DRAINS;
        c->deadline = hd_clock_now() + LINGERS;
    }
    return MOVES;
}

static step_taken go_on(connection *c, const hd_web_calls *calls) {
    switch (c->stage) {
    case READS:
        return read_request(c, calls);
    case WRITES:
        return write_answer(c);
    case DRAINS:
        return receive(c, false);
    }
    return ENDS;
}

/* Whoever is late is told, or forgotten. */
static bool is_over(connection *c, const hd_web_calls *calls, double now) {
    HD_INVARIANT(B2, c->deadline > 0 && c->deadline <= hd_clock_now() + HD_WEB_READING);
    if (now < c->deadline)
        return false;
    if (c->stage == READS && c->in.n) {
        answer(c, calls, 408, "");
        return false;
    }
    return true;
}

static void look_at_all(hd_web_server *s, const hd_web_calls *calls, const struct pollfd *ready) {
    double now = hd_clock_now();
    for (size_t i = s->n; i-- > 0;) {
        step_taken p = ready[i].revents ? go_on(&s->all[i], calls) : WAITS;
        if (p == ENDS || is_over(&s->all[i], calls, now))
            end_connection(s, i);
    }
}

/* While there are too many nobody else is let in. */
static size_t list_ready(const hd_web_server *s, struct pollfd ready[HD_WEB_MOST + 1]) {
    for (size_t i = 0; i < s->n; i++)
        ready[i] = (struct pollfd){s->all[i].fd, s->all[i].stage == WRITES ? POLLOUT : POLLIN, 0};
    ready[s->n] = (struct pollfd){s->fd, POLLIN, 0};
    return s->n + (s->n < HD_WEB_MOST);
}

void hd_web_server_run(hd_web_server *s, const hd_web_calls *calls) {
    struct pollfd ready[HD_WEB_MOST + 1];
    while (calls->goes_on(calls->context)) {
        size_t n = list_ready(s, ready);
        if (poll(ready, n, TICK) < 0)
            continue; /* a signal: who goes on is asked again */
        bool is_knocked = n > s->n && ready[s->n].revents;
        look_at_all(s, calls, ready);
        if (is_knocked)
            welcome(s);
    }
}

void hd_web_server_close(hd_web_server *s) {
    while (s->n)
        end_connection(s, s->n - 1);
    close(s->fd);
    free(s);
}
