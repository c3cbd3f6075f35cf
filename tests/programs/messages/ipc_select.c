/* A collector with select: two workers compute one half of a sum each and write it to their pipes.
 *
 * -DBUG: the collector takes the first result for that of the first worker.
 *
 * run:
 * verdict: complete
 *
 * run: -DBUG
 * verdict: complete
 * finding: assertion */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 2, PART = 5 };

struct result {
    int worker, sum;
};

static void work(int worker, int out) {
    struct result r = {worker, 0};
    for (int i = worker * PART; i < (worker + 1) * PART; i++)
        r.sum += i;
    ssize_t n = write(out, &r, sizeof r);
    assert(n == sizeof r);
}

/* Waits for those who have not answered; takes one result. */
static struct result take_one(const int in[WORKERS], int is_done[WORKERS]) {
    fd_set ready;
    int highest = -1;
    FD_ZERO(&ready);
    for (int i = 0; i < WORKERS; i++) {
        if (is_done[i])
            continue;
        FD_SET(in[i], &ready);
        highest = in[i] > highest ? in[i] : highest;
    }
    int n_ready = select(highest + 1, &ready, NULL, NULL, NULL);
    assert(n_ready > 0);
    for (int i = WORKERS - 1; i >= 0; i--) { /* the last first, for once */
        struct result r;
        if (is_done[i] || !FD_ISSET(in[i], &ready))
            continue;
        ssize_t n = read(in[i], &r, sizeof r);
        assert(n == sizeof r);
        is_done[i] = 1;
        return r;
    }
    abort();
}

int main(void) {
    int in[WORKERS], is_done[WORKERS] = {0}, sums[WORKERS], status;
    for (int i = 0; i < WORKERS; i++) {
        int ends[2];
        status = pipe(ends);
        assert(status == 0);
        if (fork() == 0) {
            close(ends[0]);
            work(i, ends[1]);
            exit(0);
        }
        close(ends[1]);
        in[i] = ends[0];
    }
    for (int i = 0; i < WORKERS; i++) {
        struct result r = take_one(in, is_done);
#ifdef BUG
        sums[i] = r.sum;
#else
        sums[r.worker] = r.sum;
#endif
    }
    assert(sums[0] == 0 + 1 + 2 + 3 + 4 && sums[1] == 5 + 6 + 7 + 8 + 9); // BUG assertion
    for (int i = 0; i < WORKERS; i++)
        wait(&status);
    return 0;
}
