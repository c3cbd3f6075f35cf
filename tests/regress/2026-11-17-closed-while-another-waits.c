/* A thread waits for a pipe whose reading end another thread closes.  Linux keeps that end until
 * the call returns; here it is gone at once, and nothing was said about it.
 *
 * run:
 * verdict: incomplete
 * reason: close of a file that another thread waits for
 * label: nobody-reads
 *
 * run: -DKEPT
 * verdict: complete
 * label: read */
#include <heddle.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int both[2];

static void *waits(void *unused) {
    char c;
    if (read(both[0], &c, 1) == 1)
        heddle_reach("read");
    return unused;
}

int main(void) {
    pthread_t t;
    signal(SIGPIPE, SIG_IGN);
    pipe(both);
#ifdef KEPT
    dup(both[0]);
#endif
    pthread_create(&t, NULL, waits, NULL);
    close(both[0]); // LOSS
    if (write(both[1], "x", 1) < 0)
        heddle_reach("nobody-reads");
    close(both[1]);
    pthread_join(t, NULL);
    return 0;
}
