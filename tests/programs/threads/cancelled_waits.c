/* A thread that is cancelled while it waits for a child or for a signal, or before: it ends, unless it has said that it does not want to.
 *
 * run: -DCHILD
 * verdict: complete
 * paths: 2
 * label: cancelled 2
 * no-label: returned
 *
 * run: -DCHILD --por none
 * verdict: complete
 * no-label: returned
 *
 * run: -DPAUSE
 * verdict: complete
 * paths: 2
 * label: cancelled 2
 * no-label: returned
 *
 * run: -DPAUSE --por none
 * verdict: complete
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
