/* A thread ends the program: main is not heard of again, in any order.
 *
 * run:
 * verdict: complete
 * no-label: after-join
 *
 * run: --fail-on-exit
 * verdict: complete
 * finding: exit-status */
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused) {
    (void)unused;
    exit(3); // BUG exit-status
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    heddle_reach("after-join");
    return 0;
}
