/* That fork beside other threads is no choice of order was said at the child's next call, and the
 * fork was said to have a symbolic argument.
 *
 * run:
 * verdict: incomplete
 * reason: fork while other threads run is no choice of order
 * reason-at: // LOSS
 * no-reason: symbolic argument */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static _Atomic int seen;

static void *look(void *unused) {
    seen++;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, look, NULL);
    int child = fork(); // LOSS
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    pthread_join(t, NULL);
    return 0;
}
