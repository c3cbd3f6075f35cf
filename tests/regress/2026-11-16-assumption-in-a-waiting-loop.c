/* An assumption in a loop changes nothing, if it holds: the loop waits like others.  It was not
 * recognised, and every number of rounds up to a bound was a class of its own.  By hand: the thread
 * waits until there is something to take.
 *
 * run: --por none
 * verdict: complete
 * paths: 1
 *
 * run:
 * verdict: complete
 * paths: 1 */
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

static atomic_int count, next = 7;

static void *work(void *unused) {
    for (;;)
        while (count > 1) {
            int taken = atomic_exchange(&next, -1);
            __VERIFIER_assume(taken != -1);
            if (taken >= 0)
                return unused;
        }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    count = 1;
    count = 2;
    pthread_join(thread, NULL);
    return 0;
}
