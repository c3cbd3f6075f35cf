/* A loop that looks at something under a lock until it has changed: an iteration in vain locks,
 * unlocks and leaves everything as it was, so the loop waits.  Every number of rounds up to a bound
 * was a class of its own, and the verdict was not complete.  By hand: the taker takes after each
 * item or after both. With -DTRIED the lock is also tried, which can fail only while the loop holds
 * it: that iteration was seen, and counts.  By hand: it succeeds; it fails, and the loop looks
 * before or after it is told. With -DSPINLOCK the lock is another one, with -DNOBODY nobody puts
 * anything there.
 *
 * run: --por none
 * verdict: complete
 * paths: 2
 *
 * run: --por flip
 * verdict: complete
 * paths: 2
 *
 * run: --por dpor
 * verdict: complete
 * paths: 2
 *
 * run:
 * verdict: complete
 * paths: 2
 *
 * run: -DSPINLOCK
 * verdict: complete
 * paths: 2
 *
 * run: -DTRIED --por none
 * verdict: complete
 * finding: assertion
 * paths: 3
 *
 * run: -DTRIED
 * verdict: complete
 * finding: assertion
 * paths: 3
 *
 * run: -DNOBODY
 * verdict: complete
 * finding: livelock */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef SPINLOCK
static pthread_spinlock_t lock;
#define LOCK   pthread_spin_lock(&lock)
#define UNLOCK pthread_spin_unlock(&lock)
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define LOCK   pthread_mutex_lock(&lock)
#define UNLOCK pthread_mutex_unlock(&lock)
#endif

#ifdef TRIED
static atomic_int is_told, has_failed;

static void *work(void *unused) {
    for (;;) {
        LOCK;
        int told = is_told;
        UNLOCK;
        if (told)
            break;
    }
    assert(!has_failed); // BUG assertion
    return unused;
}

static void rest(void) {
    if (pthread_mutex_trylock(&lock))
        has_failed = 1;
    else
        UNLOCK;
    is_told = 1;
}
#else
static int n_items;

static void *work(void *unused) {
    int n_taken = 0;
    while (n_taken < 2) { // BUG livelock
        LOCK;
        if (n_items > 0) {
            n_items--;
            n_taken++;
        }
        UNLOCK;
    }
    return unused;
}

static void rest(void) {
    for (int i = 0; i < 2; i++) {
        LOCK;
#ifndef NOBODY
        n_items++;
#endif
        UNLOCK;
    }
}
#endif

int main(void) {
    pthread_t thread;
#ifdef SPINLOCK
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
#endif
    pthread_create(&thread, NULL, work, NULL);
    rest();
    pthread_join(thread, NULL);
    return 0;
}
