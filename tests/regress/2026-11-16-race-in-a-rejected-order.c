/* A data race that first showed in an execution whose assumption was rejected was never reported,
 * and the run was called complete with nothing found.
 *
 * run:
 * verdict: complete
 * finding: data-race 1 */
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static int ready;

static void *work(void *unused) {
    ready = 1; // BUG data-race
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    heddle_assume(ready == 1); // BUG data-race
    pthread_join(thread, NULL);
    return 0;
}
