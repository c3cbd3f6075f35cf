/* A replicated key-value store over TCP: a primary, who makes updates, a backup, who has a copy,
 * and a client, who writes to the primary and reads from the backup.
 *
 * The primary numbers each update and sends it to the backup.  The link between them breaks once,
 * before the first acknowledgement; the primary then connects again and sends the update a second
 * time, and the backup leaves out what it has seen.  An update is answered when the backup has it,
 * so the client reads what it wrote.
 *
 * -DBUG: the primary answers before the backup has acknowledged the update.  A client that is quick
 * asks the backup before the update is there; or is gone, and the backup with it, while the primary
 * still tries to hand the update over.
 *
 * run: -- 21000
 * verdict: complete
 *
 * run: -DUPDATES=1 -- 21000
 * verdict: complete
 *
 * run: -DUPDATES=1 -DBUG -- 21000
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
#ifndef UPDATES
#define UPDATES 2
#endif

enum { KEYS = 4, MAX_CONNECTIONS = 3, MAX_TRIES = 3 };
enum operation { ADD = 1, GET, REPLICATE, REPLY };

struct packet {
    uint32_t operation;
    uint32_t sequence; /* of an update, from 1 */
    uint32_t key;
    uint32_t value;
};

static uint32_t store[KEYS];

/* ---- Packets over a stream ---- */

static bool write_packet(int fd, const struct packet *p) {
    const char *at = (const char *)p;
    size_t left = sizeof *p;
    while (left > 0) {
        ssize_t n = send(fd, at, left, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        left -= (size_t)n;
    }
    return true;
}

/* False at the end of the stream, or if the connection broke. */
static bool read_packet(int fd, struct packet *p) {
    char *at = (char *)p;
    size_t left = sizeof *p;
    while (left > 0) {
        ssize_t n = recv(fd, at, left, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        left -= (size_t)n;
    }
    return true;
}

/* ---- Addresses ---- */

static struct sockaddr_in loopback(uint16_t port) {
    struct sockaddr_in a;
    memset(&a, 0, sizeof a);
    a.sin_family = AF_INET;
    a.sin_port = htons(port);
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return a;
}

static int listen_on(uint16_t port) {
    struct sockaddr_in a = loopback(port);
    int yes = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(fd, (struct sockaddr *)&a, sizeof a) != 0 || listen(fd, 4) != 0) {
        perror("listen");
        exit(1);
    }
    return fd;
}

/* -1 if nobody answers. */
static int connect_to(uint16_t port) {
    struct sockaddr_in a = loopback(port);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof a) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* ---- The primary ---- */

/* Sends the update until the backup acknowledges it; a link that breaks is made again. */
static bool replicate(int *link, uint16_t backup_port, const struct packet *update) {
    for (int tries = 0; tries < MAX_TRIES; tries++) {
        struct packet answer;
        if (*link < 0)
            *link = connect_to(backup_port);
        if (*link >= 0 && write_packet(*link, update) && read_packet(*link, &answer)) {
            assert(answer.operation == REPLY && answer.sequence == update->sequence);
            return true;
        }
        if (*link >= 0)
            close(*link);
        *link = -1;
    }
    return false;
}

static int run_primary(int listener, uint16_t backup_port) {
    int link = -1, client = accept(listener, NULL, NULL);
    struct packet p;
    bool is_replicated = true;
    close(listener);
    for (uint32_t n = 1; is_replicated && read_packet(client, &p); n++) {
        if (p.operation != ADD || p.key >= KEYS)
            return 1;
        store[p.key] += p.value;
        struct packet update = {REPLICATE, n, p.key, p.value};
        struct packet answer = {REPLY, n, p.key, store[p.key]};
#ifdef BUG
        write_packet(client, &answer);
        is_replicated = replicate(&link, backup_port, &update);
#else
        is_replicated = replicate(&link, backup_port, &update);
        write_packet(client, &answer);
#endif
    }
    if (link >= 0)
        close(link);
    close(client);
    return is_replicated ? 0 : 1;
}

/* ---- The backup ---- */

struct backup {
    struct pollfd fds[1 + MAX_CONNECTIONS]; /* the listener first */
    nfds_t n;
    uint32_t last_sequence;
    bool has_broken_link, had_client;
};

static void drop(struct backup *b, nfds_t i) {
    close(b->fds[i].fd);
    b->fds[i] = b->fds[--b->n];
}

/* False if the connection is to be closed. */
static bool serve(struct backup *b, int fd) {
    struct packet p;
    if (!read_packet(fd, &p) || p.key >= KEYS)
        return false;
    if (p.operation == GET) {
        b->had_client = true;
        struct packet answer = {REPLY, 0, p.key, store[p.key]};
        return write_packet(fd, &answer);
    }
    if (p.sequence > b->last_sequence) {
        assert(p.sequence == b->last_sequence + 1);
        b->last_sequence = p.sequence;
        store[p.key] += p.value;
    }
    if (!b->has_broken_link) {
        b->has_broken_link = true;
        return false; /* once, before the acknowledgement */
    }
    struct packet answer = {REPLY, p.sequence, p.key, store[p.key]};
    return write_packet(fd, &answer);
}

static int run_backup(int listener) {
    struct backup b = {.n = 1};
    b.fds[0].fd = listener;
    b.fds[0].events = POLLIN;
    while (!(b.had_client && b.n == 1)) {
        if (poll(b.fds, b.n, -1) < 0) {
            perror("poll");
            return 1;
        }
        for (nfds_t i = b.n - 1; i > 0; i--)
            if (b.fds[i].revents && !serve(&b, b.fds[i].fd))
                drop(&b, i);
        if (b.fds[0].revents && b.n <= MAX_CONNECTIONS) {
            int fd = accept(listener, NULL, NULL);
            if (fd >= 0)
                b.fds[b.n++] = (struct pollfd){fd, POLLIN, 0};
        }
    }
    close(listener);
    return 0;
}

/* ---- The client ---- */

static bool request(int fd, enum operation operation, uint32_t key, uint32_t value,
                    struct packet *answer) {
    struct packet p = {operation, 0, key, value};
    return write_packet(fd, &p) && read_packet(fd, answer);
}

static void run_client(uint16_t primary_port, uint16_t backup_port) {
    struct packet answer;
    uint32_t sum = 0;
    int primary = connect_to(primary_port), backup = -1;
    assert(primary >= 0);
    for (uint32_t n = 1; n <= UPDATES; n++) {
        bool is_answered = request(primary, ADD, 1, n, &answer);
        sum += n;
        assert(is_answered && answer.operation == REPLY && answer.value == sum);
        if (backup < 0)
            backup = connect_to(backup_port);
        assert(backup >= 0);
        is_answered = request(backup, GET, 1, 0, &answer);
        assert(is_answered);
        assert(answer.value == sum); // BUG assertion
    }
    close(primary);
    close(backup);
}

static pid_t start(int (*body)(int, uint16_t), int mine, int other, uint16_t port) {
    pid_t pid = fork();
    if (pid == 0) {
        close(other);
        exit(body(mine, port));
    }
    return pid;
}

static int start_backup(int listener, uint16_t unused) {
    (void)unused;
    return run_backup(listener);
}

int main(int argc, char **argv) {
    uint16_t port = (uint16_t)(argc > 1 ? atoi(argv[1]) : 21000), backup_port = port + 1;
    int primary_listener = listen_on(port), backup_listener = listen_on(backup_port);
    pid_t primary = start(run_primary, primary_listener, backup_listener, backup_port);
    pid_t backup = start(start_backup, backup_listener, primary_listener, 0);
    close(primary_listener);
    close(backup_listener);
    run_client(port, backup_port);
    int status;
    waitpid(primary, &status, 0);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 0); // BUG assertion
    waitpid(backup, &status, 0);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 0;
}
