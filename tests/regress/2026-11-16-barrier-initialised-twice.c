/* A barrier that is initialised again while it is in use: undefined, and not reported.  With
 * -DWAITED a thread waits at it, which was forgotten; with -DLOCAL the second one is another
 * variable, which has the place of the first.
 *
 * run:
 * verdict: complete
 * finding: bad-lock
 *
 * run: -DWAITED
 * verdict: complete
 * finding: bad-lock
 *
 * run: -DLOCAL
 * verdict: complete
 * paths: 1 */
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *at) {
    pthread_barrier_wait(at);
    return NULL;
}

static void use_local(void) {
    pthread_t thread;
    pthread_barrier_t mine;
    pthread_barrier_init(&mine, NULL, 2);
    pthread_create(&thread, NULL, work, &mine);
    pthread_barrier_wait(&mine);
    pthread_join(thread, NULL);
}

int main(void) {
#ifdef LOCAL
    use_local();
    use_local();
#else
    pthread_barrier_init(&barrier, NULL, 2);
#ifdef WAITED
    pthread_t thread;
    pthread_create(&thread, NULL, work, &barrier);
#endif
    pthread_barrier_init(&barrier, NULL, 1); // BUG bad-lock
#endif
    return 0;
}
