/* channel_calls.h -- calls on what carries bytes between two: counters, pipes, sockets, queues. */
#ifndef HD_TESTS_PAIRS_CHANNEL_CALLS_H
#define HD_TESTS_PAIRS_CHANNEL_CALLS_H
#include "worked_on.h"

/* ---- eventfd ---- */

static void begin_event(void) {
    d[0] = eventfd(1, EFD_NONBLOCK);
}
static int event_take(void) {
    eventfd_t v = 0;
    return eventfd_read(d[0], &v) < 0 ? -1 : (int)v;
}
static int event_add(void) {
    return eventfd_write(d[0], 2);
}
static int event_fill(void) {
    return eventfd_write(d[0], (eventfd_t)-3);
}
static int event_poll(void) {
    return is_ready(d[0], POLLIN | POLLOUT);
}

/* ---- pipes ---- */

static void begin_pipe(void) {
    pipe2(d, O_NONBLOCK);
    write(d[1], "a", 1);
}
static int pipe_read(void) {
    return get(D(0));
}
static int pipe_write(void) {
    return (int)write(D(1), "bc", 2);
}
static int pipe_ask(void) {
    return unread(D(0));
}
static int pipe_poll(void) {
    return is_ready(D(0), POLLIN);
}
static int pipe_shut(void) {
    return close(D(1));
}
static int pipe_copy(void) {
    return dup2(D(1), D(0)) < 0;
}
static int pipe_flags(void) {
    return fcntl(D(0), F_SETFL, O_NONBLOCK);
}
static int pipe_tell(void) {
    return (fcntl(D(0), F_GETFL) & O_NONBLOCK) != 0;
}
static int pipe_deafen(void) {
    return close(D(0));
}
static int pipe_name(void) {
    return dup(D(0));
}
static int pipe_mark(void) {
    return fcntl(D(0), F_SETFD, FD_CLOEXEC) < 0 ? -1 : fcntl(D(0), F_GETFD);
}

/* ---- pairs of sockets ---- */

static void begin_socket(void) {
    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, d);
    write(d[1], "a", 1);
}
static int socket_receive(void) {
    return get(d[0]);
}
static int socket_send(void) {
    return (int)send(d[1], "b", 1, MSG_NOSIGNAL);
}
static int socket_answer(void) {
    return (int)send(d[0], "c", 1, MSG_NOSIGNAL);
}
static int socket_end(void) {
    return shutdown(d[1], SHUT_WR);
}
static int socket_deafen(void) {
    return shutdown(d[0], SHUT_RD);
}
static int socket_poll(void) {
    return is_ready(d[0], POLLIN | POLLRDHUP);
}
static int socket_error(void) {
    int v = 0;
    socklen_t n = sizeof v;
    return getsockopt(d[0], SOL_SOCKET, SO_ERROR, &v, &n) < 0 ? -1 : v;
}

/* ---- names of sockets ---- */

static struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "pairs"};
#define NAME ((struct sockaddr *)&name), sizeof name
static void begin_name(void) {
    d[0] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    d[1] = socket(AF_UNIX, SOCK_STREAM, 0);
    d[2] = socket(AF_UNIX, SOCK_STREAM, 0);
}
static int name_bind(void) {
    return bind(d[0], NAME);
}
static int name_listen(void) {
    return bind(d[0], NAME) < 0 ? -1 : listen(d[0], 1);
}
static int name_take(void) {
    return bind(d[2], NAME);
}
static int name_connect(void) {
    return connect(d[1], NAME);
}
static int name_unlink(void) {
    return unlink("pairs");
}
static int name_accept(void) {
    return accept(d[0], NULL, NULL) < 0 ? -1 : 1;
}

/* ---- queues of messages ---- */

static void begin_queue(void) {
    struct mq_attr a = {.mq_maxmsg = 2, .mq_msgsize = 8};
    q = mq_open("/pairs", O_RDWR | O_CREAT | O_NONBLOCK, 0600, &a);
    mq_send(q, "a", 1, 5);
}
static int queue_receive(void) {
    char b[8] = "";
    return mq_receive(q, b, 8, NULL) < 0 ? -1 : b[0];
}
static int queue_send(void) {
    return mq_send(q, "b", 1, 5);
}
static int queue_overtake(void) {
    return mq_send(q, "c", 1, 9);
}
static int queue_ask(void) {
    struct mq_attr a;
    return mq_getattr(q, &a) < 0 ? -1 : (int)a.mq_curmsgs;
}
static int queue_wait(void) {
    struct mq_attr a = {.mq_flags = O_NONBLOCK};
    return mq_setattr(q, &a, NULL);
}
static int queue_unlink(void) {
    return mq_unlink("/pairs");
}
static int queue_open(void) {
    return mq_open("/pairs", O_RDWR) < 0 ? -1 : 1;
}

/* ---- connections ---- */

static struct sockaddr_in port;
#define PORT (struct sockaddr *)&port, sizeof port
static void begin_port(void) {
    port = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(77)};
    d[0] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    d[1] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    d[2] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    bind(d[0], PORT);
    listen(d[0], 1);
    connect(d[1], PORT);
}
static int port_accept(void) {
    return accept(d[0], NULL, NULL) < 0 ? -1 : 1;
}
static int port_connect(void) {
    return connect(d[2], PORT);
}
static int port_shut(void) {
    return close(d[0]);
}
static int port_poll(void) {
    return is_ready(d[0], POLLIN);
}
static int port_send(void) {
    return (int)send(d[1], "a", 1, MSG_NOSIGNAL);
}
static int port_peer(void) {
    struct sockaddr_in a;
    socklen_t n = sizeof a;
    return getpeername(d[2], (struct sockaddr *)&a, &n);
}
static int port_name(void) {
    struct sockaddr_in a = {0};
    socklen_t n = sizeof a;
    return getsockname(d[2], (struct sockaddr *)&a, &n) < 0 ? -1 : a.sin_port != 0;
}
static int port_option(void) {
    int v = 0;
    socklen_t n = sizeof v;
    return getsockopt(d[1], SOL_SOCKET, SO_REUSEADDR, &v, &n) < 0 ? -1 : v;
}
static int port_set(void) {
    int v = 1;
    return setsockopt(d[1], SOL_SOCKET, SO_REUSEADDR, &v, sizeof v);
}

/* ---- datagrams ---- */

static void begin_datagram(void) {
    socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, d);
    send(d[1], "ab", 2, 0);
}
static int datagram_send(void) {
    return (int)send(d[1], "cde", 3, MSG_NOSIGNAL);
}
static int datagram_receive(void) {
    char b[4];
    return (int)recv(d[0], b, 4, MSG_TRUNC);
}
static int datagram_peek(void) {
    char b[4];
    return (int)recv(d[0], b, 1, MSG_PEEK | MSG_TRUNC);
}
static int datagram_end(void) {
    return shutdown(d[0], SHUT_RD);
}
static int datagram_shut(void) {
    return close(d[1]);
}
static int datagram_ask(void) {
    return unread(d[0]);
}
#endif
