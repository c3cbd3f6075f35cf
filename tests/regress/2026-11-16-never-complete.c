/* Things that are not modelled must not end in "complete", nor in a finding that is none: a pipe
 * that a real writer would find full, fork while another thread runs.  Text that is printed into a
 * pipe was one of them.
 *
 * run: -DPRINT
 * verdict: complete
 *
 * run: -DREDIRECT
 * verdict: complete
 *
 * run: -DFULL
 * verdict: incomplete
 * reason: more than 65536 bytes in a pipe
 *
 * run: -DTHREAD
 * verdict: incomplete
 * reason: fork while other threads run */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char big[65537];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    int ends[2];
    if (pipe(ends) != 0)
        return 1;
#ifdef THREAD
    pthread_t thread;
    pthread_create(&thread, NULL, hold, NULL);
#endif
    if (fork() == 0) {
#if defined PRINT
        dprintf(ends[1], "%s", "text");
#elif defined REDIRECT
        dup2(ends[1], 1);
        printf("text");
        fflush(stdout);
#elif defined FULL
        if (write(ends[1], big, sizeof big) != sizeof big)
            exit(1);
#else
        hold(NULL); /* for ever, if the thread held the lock when memory was copied */
#endif
        exit(0);
    }
    wait(NULL);
#ifdef THREAD
    pthread_join(thread, NULL);
#else
    char c;
    close(ends[1]);
    ssize_t n = read(ends[0], &c, 1);
    assert(n == 1);
#endif
    return 0;
}
