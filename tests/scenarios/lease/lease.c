/* A lease: who misses heartbeats asks the others for their votes of the next term, and who has more
 * than half holds the lease and sends heartbeats.  No two may hold the lease of a term, so that a
 * vote must not be forgotten: it is kept in a file, unless -DFORGET says otherwise. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <heddle.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { ASK = 1, GRANT, BEAT };
struct message {
    int kind, term, from;
};
#define N 3

static int self, sock, term, voted_for = -1, votes, holds;
static int led1, led2; /* terms that this node held the lease of */
static struct sockaddr_in peers[N];
static long deadline;

static long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void save(void) {
#ifndef FORGET
    char name[32];
    snprintf(name, sizeof name, "vote.%d", self);
    int f = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600), both[2] = {term, voted_for};
    write(f, both, sizeof both);
    close(f);
#endif
}

static void load(void) {
    char name[32];
    snprintf(name, sizeof name, "vote.%d", self);
    int f = open(name, O_RDONLY), both[2];
    if (f < 0)
        return;
    if (read(f, both, sizeof both) == sizeof both)
        term = both[0], voted_for = both[1];
    close(f);
}

static void tell(int to, int kind, int t) {
    struct message m = {kind, t, self};
    sendto(sock, &m, sizeof m, 0, (void *)&peers[to], sizeof peers[to]);
}

static void all(int kind) {
    for (int i = 0; i < N; i++)
        if (i != self)
            tell(i, kind, term);
}

static void later(void) {
    deadline = now() + 150 + 100 * self;
}

static void lead(void) {
    holds = 1;
    if (term == 1)
        led1 = 1;
    if (term == 2)
        led2 = 1;
    all(BEAT);
    deadline = now() + 50;
}

static void run(void) {
    term++;
    voted_for = self;
    votes = 1;
    save();
    all(ASK);
    later();
}

static void take(struct message *m) {
    if (m->term > term) {
        term = m->term;
        voted_for = -1;
        holds = 0;
    }
    if (m->term < term)
        return;
    if (m->kind == ASK && (voted_for == -1 || voted_for == m->from)) {
        voted_for = m->from;
        save();
        tell(m->from, GRANT, term);
        later();
    } else if (m->kind == GRANT && !holds && voted_for == self) {
        if (++votes == 2)
            lead();
    } else if (m->kind == BEAT)
        later();
}

int main(int argc, char **argv) {
    (void)argc;
    self = atoi(argv[1]);
    heddle_export("led1", &led1, sizeof led1);
    heddle_export("led2", &led2, sizeof led2);
    sock = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in me = {.sin_family = AF_INET, .sin_port = htons(700)};
    bind(sock, (void *)&me, sizeof me);
    for (int i = 0; i < N; i++) {
        char name[8];
        snprintf(name, sizeof name, "n%d", i);
        struct hostent *h = gethostbyname(name);
        peers[i] = me;
        memcpy(&peers[i].sin_addr, h->h_addr_list[0], 4);
    }
    load();
    later();
    for (;;) {
        long left = deadline - now();
        struct pollfd p = {sock, POLLIN, 0};
        int n = poll(&p, 1, left > 0 ? left : 0);
        if (n > 0) {
            struct message m;
            if (recv(sock, &m, sizeof m, 0) == sizeof m)
                take(&m);
        } else if (holds) {
            all(BEAT);
            deadline = now() + 50;
        } else
            run();
    }
}
