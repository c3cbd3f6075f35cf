/* Pipes whose ends everybody inherits and closes, in the three shapes that are usual: a ring,
 * workers that write to the parent, and workers that read from it.  Who closes which unused end
 * when makes no difference, as long as the one that reads is there; what is left is in which order
 * the parent sees its children end.
 *
 * run: -DRING
 * verdict: complete
 * paths: 16
 *
 * run: -DRING --por dpor
 * verdict: complete
 * paths: 16
 *
 * run: -DRING --isolation fork
 * verdict: complete
 * paths: 16
 *
 * run: -DWORKERS_WRITE
 * verdict: complete
 * paths: 16
 *
 * run: -DWORKERS_WRITE --por flip
 * verdict: complete
 * paths: 16
 *
 * run: -DWORKERS_READ
 * verdict: complete
 * paths: 16
 *
 * run: -DWORKERS_READ --isolation fork --por dpor
 * verdict: complete
 * paths: 16 */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 3 };

static int pipes[N][2];

/* Everything but one read end and one write end (-1: none). */
static void close_all_but(int reads, int writes) {
    for (int i = 0; i < N; i++) {
        if (i != reads)
            close(pipes[i][0]);
        if (i != writes)
            close(pipes[i][1]);
    }
}

static void put(int i) {
    assert(write(pipes[i][1], "x", 1) == 1);
}

static void take(int i) {
    char c;
    assert(read(pipes[i][0], &c, 1) == 1);
}

static void work(int i) {
#if defined RING
    int next = (i + 1) % N;
    close_all_but(i, next);
    if (i == 0)
        put(next);
    take(i);
    if (i != 0)
        put(next);
#elif defined WORKERS_WRITE
    close_all_but(-1, i);
    put(i);
    put(i);
#else
    char c;
    close_all_but(i, -1);
    while (read(pipes[i][0], &c, 1) == 1)
        ;
#endif
    _exit(0);
}

int main(void) {
    for (int i = 0; i < N; i++)
        assert(pipe(pipes[i]) == 0);
    for (int i = 0; i < N; i++)
        if (fork() == 0)
            work(i);
#if defined RING
    close_all_but(-1, -1);
#elif defined WORKERS_WRITE
    for (int i = 0; i < N; i++)
        close(pipes[i][1]);
    for (int i = 0; i < N; i++) {
        char c;
        while (read(pipes[i][0], &c, 1) == 1)
            ;
    }
#else
    for (int i = 0; i < N; i++)
        close(pipes[i][0]);
    for (int i = 0; i < 2 * N; i++)
        put(i % N);
    for (int i = 0; i < N; i++)
        close(pipes[i][1]);
#endif
    for (int i = 0; i < N; i++)
        wait(NULL);
    return 0;
}
