/* A token ring over UDP.  Three stations pass a token round; who has it does its work for the
 * round. Station 0 watches: if the token does not come back in time, it is taken for lost, and a
 * new one of the next generation starts the round again.
 *
 * "In time" is a guess: a token may just be late.  So the watcher drops tokens of an older
 * generation, and a station works once in a round, however many tokens come by.
 *
 * -DBUG: the watcher takes any token that comes back for the one it waits for.  A late token and
 * its replacement then count as two rounds: the watcher ends a round that a station has not worked
 * in. It takes a timeout while the token is still on its way, so the default, in which time passes
 * only when nothing else can happen, does not show it.  -DLOSSY: the first token is really lost.
 *
 * run: -- 21020
 * verdict: incomplete
 *
 * run: -DLOSSY -- 21020
 * verdict: incomplete
 *
 * run: --timeouts any -- 21020
 *
 * run: -DBUG -- 21020
 * verdict: incomplete
 *
 * run: -DBUG --timeouts any -- 21020
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

enum { STATIONS = 3, ROUNDS = 2, PATIENCE = 200 /* ms */, MAX_GENERATION = 3 };
enum { STOP = 255 }; /* instead of a round */

struct token {
    unsigned char generation; /* of the token, from 1 */
    unsigned char round;      /* from 1 */
    unsigned char n_worked;   /* stations that have done their work in this round */
};

static int sockets[STATIONS];
static uint16_t first_port;

static struct sockaddr_in address_of(int station) {
    struct sockaddr_in a;
    memset(&a, 0, sizeof a);
    a.sin_family = AF_INET;
    a.sin_port = htons((uint16_t)(first_port + station));
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return a;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int open_socket(int station) {
    struct sockaddr_in a = address_of(station);
    int yes = 1, fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(fd, (struct sockaddr *)&a, sizeof a) != 0)
        fail("bind");
    return fd;
}

/* The sockets of the other stations were inherited, and are theirs. */
static void keep_only(int station) {
    for (int i = 0; i < STATIONS; i++)
        if (i != station)
            close(sockets[i]);
}

static void pass_on(int station, const struct token *t) {
    struct sockaddr_in a = address_of((station + 1) % STATIONS);
    if (sendto(sockets[station], t, sizeof *t, 0, (struct sockaddr *)&a, sizeof a) != sizeof *t)
        fail("sendto");
}

static void take(int station, struct token *t) {
    ssize_t n;
    do
        n = recv(sockets[station], t, sizeof *t, 0);
    while (n < 0 && errno == EINTR);
    if (n != sizeof *t)
        fail("recv");
}

/* ---- An ordinary station ---- */

/* Its exit status is the number of rounds that it has worked in. */
static int run_station(int station) {
    int last_round = 0, n_worked = 0;
#ifdef LOSSY
    bool has_lost = station != 1;
#else
    bool has_lost = true;
#endif
    for (;;) {
        struct token t;
        take(station, &t);
        if (t.round == STOP) {
            if (station + 1 < STATIONS)
                pass_on(station, &t);
            return n_worked;
        }
        if (!has_lost) {
            has_lost = true;
            continue;
        }
        if (t.round > last_round) {
            last_round = t.round;
            n_worked++;
        }
        if (t.round == last_round) {
            t.n_worked++;
            pass_on(station, &t);
        }
    }
}

/* ---- The watcher ---- */

static bool comes_in_time(struct token *t) {
    struct pollfd p = {sockets[0], POLLIN, 0};
    int n = poll(&p, 1, PATIENCE);
    if (n < 0)
        fail("poll");
    if (n == 0)
        return false;
    take(0, t);
    return true;
}

#ifdef BUG
enum { TRUSTS_ANY = true };
#else
enum { TRUSTS_ANY = false };
#endif

/* Waits until the token of this round is back.  A new generation is sent when it takes too long;
 * the last one is waited for without a limit, so that this ends. */
static struct token await_return(struct token current) {
    for (;;) {
        struct token back;
        if (current.generation == MAX_GENERATION) {
            take(0, &back);
        } else if (!comes_in_time(&back)) {
            current.generation++;
            pass_on(0, &current);
            continue;
        }
        if (TRUSTS_ANY || (back.generation == current.generation && back.round == current.round))
            return back;
    }
}

static void watch(void) {
    struct token t = {1, 0, 0};
    for (unsigned char round = 1; round <= ROUNDS; round++) {
        t.round = round;
        t.n_worked = 1;
        pass_on(0, &t);
        t = await_return(t);
        assert(t.round == round && t.n_worked == STATIONS); // BUG assertion
    }
    t.round = STOP;
    pass_on(0, &t);
}

int main(int argc, char **argv) {
    first_port = (uint16_t)(argc > 1 ? atoi(argv[1]) : 21020);
    for (int i = 0; i < STATIONS; i++)
        sockets[i] = open_socket(i);
    pid_t pid[STATIONS];
    for (int i = 1; i < STATIONS; i++) {
        pid[i] = fork();
        if (pid[i] < 0)
            fail("fork");
        if (pid[i] == 0) {
            keep_only(i);
            exit(run_station(i));
        }
    }
    keep_only(0);
    watch();
    for (int i = 1; i < STATIONS; i++) {
        int status;
        waitpid(pid[i], &status, 0);
        assert(WIFEXITED(status) && WEXITSTATUS(status) == ROUNDS);
    }
    return 0;
}
