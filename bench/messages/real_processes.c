/* The exchange of bench/messages/exchange.c with real processes, as a tool would have to do it that
 * does not have all nodes in one process: what Heddle's executions per second are compared with.
 *
 *     real_processes EXECUTIONS
 *
 * For each execution a controller forks main and two workers, with a pipe to and from each.  Who
 * sends gives the message to the controller, who delivers one pending message at a time, chosen at
 * random, and waits until its receiver stands before its next receive.  What a process sends
 * between two receives is one write, so there are as few system calls as possible.
 *
 * Prints executions, elapsed seconds, and processor seconds of all processes together. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NODES = 3, JOBS = 3, MAIN = 0, WAITS = -1, ENDS = -2, MAX_RECORDS = 16 };

struct record {
    int to; /* a node, or WAITS or ENDS */
    int number;
};

static void fail(const char *what) {
    fprintf(stderr, "real_processes: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* ---- A node: what it says goes out at its next receive ---- */

static struct record said[MAX_RECORDS];
static int n_said;
static int from_controller, to_controller;

static void say(int to, int number) {
    said[n_said++] = (struct record){to, number};
}

static void flush(void) {
    size_t size = (size_t)n_said * sizeof *said;
    if (write(to_controller, said, size) != (ssize_t)size)
        _exit(1);
    n_said = 0;
}

static int receive(void) {
    int number;
    say(WAITS, 0);
    flush();
    if (read(from_controller, &number, sizeof number) != sizeof number)
        _exit(1);
    return number;
}

static _Noreturn void be_node(int node) {
    if (node == MAIN) {
        for (int job = 0; job < JOBS; job++)
            for (int worker = 1; worker < NODES; worker++)
                say(worker, job);
        for (int i = 0; i < (NODES - 1) * JOBS; i++)
            receive();
    } else {
        for (int i = 0; i < JOBS; i++)
            say(MAIN, receive() + 1);
    }
    say(ENDS, 0);
    flush();
    _exit(0);
}

/* ---- The controller ---- */

static int to_node[NODES], from_node[NODES];
static struct record pending[NODES * MAX_RECORDS];
static int n_pending;

static void start(int node) {
    int down[2], up[2];
    if (pipe(down) != 0 || pipe(up) != 0)
        fail("pipe");
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        from_controller = down[0];
        to_controller = up[1];
        be_node(node);
    }
    close(down[0]);
    close(up[1]);
    to_node[node] = down[1];
    from_node[node] = up[0];
}

/* Takes what a node says until it waits or ends. */
static void listen_to(int node) {
    struct record records[MAX_RECORDS];
    ssize_t size = read(from_node[node], records, sizeof records);
    if (size <= 0 || size % (ssize_t)sizeof *records != 0)
        fail("a node said nothing");
    for (size_t i = 0; i < (size_t)size / sizeof *records; i++)
        if (records[i].to >= 0)
            pending[n_pending++] = records[i];
}

static unsigned random_below(unsigned limit) {
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % limit;
}

static void run_once(void) {
    int n_delivered = 0;
    n_pending = 0;
    for (int node = 0; node < NODES; node++)
        start(node);
    for (int node = 0; node < NODES; node++)
        listen_to(node);
    for (; n_pending > 0; n_delivered++) {
        unsigned chosen = random_below((unsigned)n_pending);
        struct record message = pending[chosen];
        pending[chosen] = pending[--n_pending];
        if (write(to_node[message.to], &message.number, sizeof message.number) !=
            sizeof message.number)
            fail("write");
        listen_to(message.to);
    }
    for (int node = 0, status; node < NODES; node++) {
        close(to_node[node]);
        close(from_node[node]);
        if (wait(&status) < 0 || status != 0)
            fail("a node did not end well");
    }
    if (n_delivered != 2 * (NODES - 1) * JOBS) {
        fprintf(stderr, "real_processes: %d messages were delivered\n", n_delivered);
        exit(1);
    }
}

static double processor_seconds(int who) {
    struct rusage u;
    getrusage(who, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
    long executions = argc > 1 ? atol(argv[1]) : 1000;
    double begin = now();
    for (long i = 0; i < executions; i++)
        run_once();
    printf("%ld %.3f %.3f\n", executions, now() - begin,
           processor_seconds(RUSAGE_SELF) + processor_seconds(RUSAGE_CHILDREN));
    return 0;
}
