/* Two-phase commit: a coordinator and two participants over TCP, two transactions.
 *
 * The coordinator asks both to prepare, and commits if both vote yes.  At the first "no" it aborts
 * without waiting for the other vote, and goes on with the next transaction; so a vote may arrive
 * late, and its transaction number says so.
 *
 * -DBUG: the coordinator counts votes without looking at their transaction.  The late "yes" of the
 * second participant to the first transaction is then taken for its vote on the second, which it
 * refuses.  It happens only if the "no" of the first participant arrives before that "yes".
 *
 * run: -- 21010
 * verdict: complete
 *
 * run: -DBUG -- 21010
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

enum { PARTICIPANTS = 2, TRANSACTIONS = 2 };
enum kind { HELLO = 'H', PREPARE = 'P', YES = 'Y', NO = 'N', COMMIT = 'C', ABORT = 'A' };

struct message {
    unsigned char kind;
    unsigned char number; /* of the participant in HELLO, else of the transaction */
};

/* How each participant votes on each transaction. */
static const bool agrees[PARTICIPANTS][TRANSACTIONS] = {{false, true}, {true, false}};

/* ---- Messages over a stream ---- */

static bool send_message(int fd, enum kind kind, int number) {
    struct message m = {(unsigned char)kind, (unsigned char)number};
    ssize_t n;
    do
        n = send(fd, &m, sizeof m, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n == sizeof m;
}

/* False at the end of the stream. */
static bool receive_message(int fd, struct message *m) {
    size_t have = 0;
    while (have < sizeof *m) {
        ssize_t n = recv(fd, (char *)m + have, sizeof *m - have, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        have += (size_t)n;
    }
    return true;
}

static struct sockaddr_in loopback(uint16_t port) {
    struct sockaddr_in a;
    memset(&a, 0, sizeof a);
    a.sin_family = AF_INET;
    a.sin_port = htons(port);
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return a;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

/* ---- A participant ---- */

/* Ends with the set of the transactions that were committed as its status. */
static int participate(int number, uint16_t port) {
    struct sockaddr_in a = loopback(port);
    int committed = 0, fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof a) != 0)
        fail("connect");
    send_message(fd, HELLO, number);
    struct message m;
    while (receive_message(fd, &m)) {
        int t = m.number;
        assert(t < TRANSACTIONS);
        if (m.kind == PREPARE) {
            send_message(fd, agrees[number][t] ? YES : NO, t);
        } else if (m.kind == COMMIT) {
            /* Who votes no has undone everything and cannot commit. */
            assert(agrees[number][t]); // BUG assertion
            committed |= 1 << t;
        }
    }
    close(fd);
    return committed;
}

/* ---- The coordinator ---- */

static struct pollfd links[PARTICIPANTS];

static void tell_all(enum kind kind, int transaction) {
    for (int i = 0; i < PARTICIPANTS; i++)
        send_message(links[i].fd, kind, transaction);
}

/* Takes one message from a participant who has one; answers who it was. */
static int next_vote(struct message *vote) {
    for (;;) {
        if (poll(links, PARTICIPANTS, -1) < 0)
            fail("poll");
        for (int i = 0; i < PARTICIPANTS; i++) {
            if (!(links[i].revents & (POLLIN | POLLHUP)))
                continue;
            if (!receive_message(links[i].fd, vote))
                fail("a participant is gone");
            return i;
        }
    }
}

static bool all_agree(int transaction) {
    int n_yes = 0;
    tell_all(PREPARE, transaction);
    while (n_yes < PARTICIPANTS) {
        struct message vote;
        next_vote(&vote);
#ifndef BUG
        if (vote.number != transaction)
            continue; /* a late one */
#endif
        if (vote.kind == NO)
            return false;
        n_yes++;
    }
    return true;
}

/* Connections come in any order; HELLO says whose it is. */
static void gather(int listener) {
    for (int i = 0; i < PARTICIPANTS; i++) {
        struct message hello;
        int fd = accept(listener, NULL, NULL);
        if (fd < 0 || !receive_message(fd, &hello))
            fail("accept");
        assert(hello.kind == HELLO && hello.number < PARTICIPANTS);
        links[hello.number] = (struct pollfd){fd, POLLIN, 0};
    }
    close(listener);
}

/* Says that nothing more comes, and waits until the participants have understood: closing at once
 * while votes are unread would break the connection, and the last decision could be lost. */
static void part(void) {
    for (int i = 0; i < PARTICIPANTS; i++)
        shutdown(links[i].fd, SHUT_WR);
    for (int i = 0; i < PARTICIPANTS; i++) {
        struct message late;
        while (receive_message(links[i].fd, &late))
            ;
        close(links[i].fd);
    }
}

static int coordinate(int listener) {
    int committed = 0;
    gather(listener);
    for (int t = 0; t < TRANSACTIONS; t++) {
        bool is_agreed = all_agree(t);
        tell_all(is_agreed ? COMMIT : ABORT, t);
        if (is_agreed)
            committed |= 1 << t;
    }
    part();
    return committed;
}

static int listen_on(uint16_t port) {
    struct sockaddr_in a = loopback(port);
    int yes = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0)
        fail("socket");
    if (bind(fd, (struct sockaddr *)&a, sizeof a) != 0 || listen(fd, PARTICIPANTS) != 0)
        fail("listen");
    return fd;
}

int main(int argc, char **argv) {
    uint16_t port = (uint16_t)(argc > 1 ? atoi(argv[1]) : 21010);
    int listener = listen_on(port);
    pid_t pid[PARTICIPANTS];
    for (int i = 0; i < PARTICIPANTS; i++) {
        pid[i] = fork();
        if (pid[i] < 0)
            fail("fork");
        if (pid[i] == 0) {
            close(listener);
            exit(participate(i, port));
        }
    }
    int committed = coordinate(listener);
    for (int i = 0; i < PARTICIPANTS; i++) {
        int status;
        waitpid(pid[i], &status, 0);
        assert(WIFEXITED(status) && WEXITSTATUS(status) == committed);
    }
    return 0;
}
