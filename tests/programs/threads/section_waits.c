/* A loop that waits in atomic sections, and sections that lock, which are ordered with everything.
 *
 * run:
 * verdict: complete
 *
 * run: --por none
 * verdict: complete
 *
 * run: -DNEVER
 * verdict: complete
 * finding: livelock
 *
 * run: -DLOCKS
 * verdict: incomplete
 * paths: 2
 *
 * run: -DLOCKS --por none
 * verdict: incomplete
 * paths: 2
 *
 * run: -DCREATES
 * verdict: complete */
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int flag, other;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int look(void) {
    __VERIFIER_atomic_begin();
    int now = flag;
    __VERIFIER_atomic_end();
    return now;
}

static void *sets(void *unused) {
    __VERIFIER_atomic_begin();
#ifndef NEVER
    flag = 1;
#endif
    __VERIFIER_atomic_end();
    return unused;
}

static void *waits(void *unused) {
#if defined CREATES
    pthread_t thread;
    __VERIFIER_atomic_begin();
    pthread_create(&thread, NULL, sets, NULL);
    other = 1;
    __VERIFIER_atomic_end();
    pthread_join(thread, NULL);
#elif defined LOCKS
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&mutex);
    other++;
    pthread_mutex_unlock(&mutex);
    __VERIFIER_atomic_end();
#else
    while (!look()) // BUG livelock
        ;
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, waits, NULL);
    pthread_create(&threads[1], NULL, sets, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return other > 1;
}
