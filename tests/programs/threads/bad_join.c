/* Wrong uses of a thread: joined twice, joined though detached, detached twice, joining oneself.
 *
 * run: -DWHICH=1
 * verdict: complete
 * finding: bad-thread 1
 *
 * run: -DWHICH=2
 * verdict: complete
 * finding: bad-thread 1
 *
 * run: -DWHICH=3
 * verdict: complete
 * finding: bad-thread 1
 *
 * run: -DWHICH=4
 * verdict: complete
 * finding: bad-thread 1 */
#include <pthread.h>
#include <stddef.h>
#ifndef WHICH
#define WHICH 4
#endif

static void *work(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    if (WHICH == 1) {
        pthread_join(thread, NULL);
        pthread_join(thread, NULL); // BUG bad-thread
    } else if (WHICH == 2) {
        pthread_detach(thread);
        pthread_join(thread, NULL); // BUG bad-thread
    } else if (WHICH == 3) {
        pthread_detach(thread);
        pthread_detach(thread); // BUG bad-thread
    } else {
        pthread_join(thread, NULL);
        pthread_join(pthread_self(), NULL); // BUG bad-thread
    }
    return 0;
}
