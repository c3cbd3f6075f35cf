/* A thread that is neither joined nor detached: told when asked for.
 *
 * run:
 * verdict: complete
 * exit: 0
 *
 * run: --thread-leaks
 * verdict: complete
 * finding: thread-leak 1
 *
 * run: --thread-leaks -DDETACH
 * verdict: complete
 * exit: 0 */
#include <pthread.h>
#include <stddef.h>

static void *work(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#ifdef DETACH
    pthread_detach(thread);
#endif
    return 0;
}
