/* A toy chat: a server with poll over TCP, and two clients.  A client says who it is ("NAME ann"),
 * is greeted ("WELCOME ann"), says something, and leaves when it has seen its own line come back.
 * What is said goes to everybody who has been greeted.
 *
 * -DBUG: it goes to everybody who is connected.  Who has connected but was not greeted yet then
 * hears another's line before its welcome, if the other was quick.
 *
 * run: -- 21030
 * verdict: complete
 *
 * run: -DCLIENTS=1 -- 21030
 * verdict: complete
 *
 * run: -DBUG -- 21030
 * verdict: complete
 * finding: assertion */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifndef CLIENTS
#define CLIENTS 2
#endif

enum { LINE = 64, NAME = 16 };
static const char *const names[] = {"ann", "bob", "cem"};

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static struct sockaddr_in loopback(uint16_t port) {
    struct sockaddr_in a;
    memset(&a, 0, sizeof a);
    a.sin_family = AF_INET;
    a.sin_port = htons(port);
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return a;
}

/* ---- Lines over a stream ---- */

struct lines {
    int fd;
    size_t n; /* bytes that were read and not yet taken */
    char bytes[2 * LINE];
};

/* Reads once; false at the end of the stream, or if a line is too long. */
static bool fill(struct lines *l) {
    ssize_t n;
    if (l->n == sizeof l->bytes)
        return false;
    do
        n = recv(l->fd, l->bytes + l->n, sizeof l->bytes - l->n, 0);
    while (n < 0 && errno == EINTR);
    if (n <= 0)
        return false;
    l->n += (size_t)n;
    return true;
}

/* Takes a whole line, without its end; false if there is none yet. */
static bool take_line(struct lines *l, char line[LINE]) {
    char *end = memchr(l->bytes, '\n', l->n);
    if (!end)
        return false;
    size_t length = (size_t)(end - l->bytes);
    if (length >= LINE)
        length = LINE - 1;
    memcpy(line, l->bytes, length);
    line[length] = 0;
    l->n -= (size_t)(end + 1 - l->bytes);
    memmove(l->bytes, end + 1, l->n);
    return true;
}

/* Who cannot be written to any more will be noticed when it is read from. */
static void put_line(int fd, const char *first, const char *second) {
    char line[LINE];
    int n = snprintf(line, sizeof line, "%s%s\n", first, second);
    for (int at = 0; at < n;) {
        ssize_t sent = send(fd, line + at, (size_t)(n - at), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return;
        at += (int)sent;
    }
}

/* ---- The server ---- */

struct guest {
    struct lines lines;
    char name[NAME]; /* "" until it has said who it is */
    bool is_here;
};

static struct guest guests[CLIENTS];
static int n_guests; /* that have come so far */

static void tell_everybody(const char *who, const char *what) {
    char prefix[LINE];
    snprintf(prefix, sizeof prefix, "%s: ", who);
    for (int i = 0; i < n_guests; i++) {
        if (!guests[i].is_here)
            continue;
#ifndef BUG
        if (!guests[i].name[0])
            continue;
#endif
        put_line(guests[i].lines.fd, prefix, what);
    }
}

static void handle_line(struct guest *g, const char *line) {
    if (strncmp(line, "NAME ", 5) == 0) {
        snprintf(g->name, sizeof g->name, "%.*s", NAME - 1, line + 5);
        put_line(g->lines.fd, "WELCOME ", g->name);
    } else if (g->name[0] && strncmp(line, "SAY ", 4) == 0) {
        tell_everybody(g->name, line + 4);
    }
}

static void hear(struct guest *g) {
    char line[LINE];
    if (!fill(&g->lines)) {
        close(g->lines.fd);
        g->is_here = false;
        return;
    }
    while (take_line(&g->lines, line))
        handle_line(g, line);
}

static void let_in(int listener) {
    int fd = accept(listener, NULL, NULL);
    if (fd < 0)
        fail("accept");
    guests[n_guests].lines.fd = fd;
    guests[n_guests].is_here = true;
    n_guests++;
}

/* Those who may have something to say; the listener is one of them while guests are expected. */
static nfds_t collect(struct pollfd *fds, int *who, int listener) {
    nfds_t n = 0;
    for (int i = 0; i < n_guests; i++) {
        if (!guests[i].is_here)
            continue;
        who[n] = i;
        fds[n++] = (struct pollfd){guests[i].lines.fd, POLLIN, 0};
    }
    if (n_guests < CLIENTS) {
        who[n] = -1;
        fds[n++] = (struct pollfd){listener, POLLIN, 0};
    }
    return n;
}

static void serve(int listener) {
    struct pollfd fds[CLIENTS + 1];
    int who[CLIENTS + 1];
    nfds_t n;
    while ((n = collect(fds, who, listener)) > 0) {
        if (poll(fds, n, -1) < 0)
            fail("poll");
        for (nfds_t i = 0; i < n; i++) {
            if (!fds[i].revents)
                continue;
            if (who[i] < 0)
                let_in(listener);
            else
                hear(&guests[who[i]]);
        }
    }
    close(listener);
}

/* ---- A client ---- */

static void next_line(struct lines *l, char line[LINE]) {
    while (!take_line(l, line))
        if (!fill(l))
            fail("the server is gone");
}

static void chat(uint16_t port, const char *name) {
    struct sockaddr_in a = loopback(port);
    struct lines l = {.fd = socket(AF_INET, SOCK_STREAM, 0)};
    char line[LINE], expected[LINE];
    if (l.fd < 0 || connect(l.fd, (struct sockaddr *)&a, sizeof a) != 0)
        fail("connect");
    put_line(l.fd, "NAME ", name);
    next_line(&l, line);
    snprintf(expected, sizeof expected, "WELCOME %s", name);
    assert(strcmp(line, expected) == 0); // BUG assertion
    put_line(l.fd, "SAY ", "hello");
    snprintf(expected, sizeof expected, "%s: hello", name);
    do
        next_line(&l, line);
    while (strcmp(line, expected) != 0);
    close(l.fd);
}

static int listen_on(uint16_t port) {
    struct sockaddr_in a = loopback(port);
    int yes = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0)
        fail("socket");
    if (bind(fd, (struct sockaddr *)&a, sizeof a) != 0 || listen(fd, CLIENTS) != 0)
        fail("listen");
    return fd;
}

int main(int argc, char **argv) {
    uint16_t port = (uint16_t)(argc > 1 ? atoi(argv[1]) : 21030);
    int listener = listen_on(port);
    pid_t pid[CLIENTS];
    for (int i = 0; i < CLIENTS; i++) {
        pid[i] = fork();
        if (pid[i] < 0)
            fail("fork");
        if (pid[i] == 0) {
            close(listener);
            chat(port, names[i]);
            exit(0);
        }
    }
    serve(listener);
    for (int i = 0; i < CLIENTS; i++) {
        int status;
        waitpid(pid[i], &status, 0);
        assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    return 0;
}
