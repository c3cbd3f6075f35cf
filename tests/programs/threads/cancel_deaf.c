/* A thread that is cancelled while it waits for a child or for a signal: it would end on Linux, and here the execution does, which is said;
 * before it waits it ends.  No deadlock.
 *
 * run: -DCHILD
 * verdict: incomplete
 * reason: cancelling who waits for a child or a signal (executions end there)
 * label: cancelled 1
 * no-label: returned
 *
 * run: -DPAUSE
 * verdict: incomplete
 * reason: cancelling who waits for a child or a signal (executions end there)
 * label: cancelled 1
 * no-label: returned
 *
 * run: -DDISABLED
 * verdict: complete
 * no-label: cancelled
 * label: returned 2 */
#include <heddle.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int child, d[2];

static void *wait_for_it(void *unused) {
#ifdef DISABLED
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
#endif
#ifdef PAUSE
    pause();
#else
    waitpid(child, NULL, 0);
#endif
    return unused;
}

int main(void) {
    char c;
    void *answer;
    pthread_t t;
    pipe(d);
    child = fork();
    if (child == 0) {
        close(d[1]);
        _exit(read(d[0], &c, 1) > 0);
    }
    pthread_create(&t, NULL, wait_for_it, NULL);
    pthread_cancel(t);
#ifdef DISABLED
    close(d[1]);
#endif
    pthread_join(t, &answer);
    heddle_reach(answer == PTHREAD_CANCELED ? "cancelled" : "returned");
    return 0;
}
