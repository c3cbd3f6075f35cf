/* Locks made of atomics: test-and-set, test and test-and-set, compare-and-exchange.
 *
 * run: -DWAY=1
 * verdict: complete
 * exit: 0
 *
 * run: -DWAY=2
 * verdict: complete
 * exit: 0
 *
 * run: -DWAY=3
 * verdict: complete
 * exit: 0
 *
 * run: -DWAY=4
 * finding: assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef WAY
#define WAY 1
#endif

static atomic_flag flag = ATOMIC_FLAG_INIT;
static atomic_int word;
static int counter;

static void lock(void) {
#if WAY == 1
    while (atomic_flag_test_and_set(&flag)) {
    }
#elif WAY == 2
    do {
        while (atomic_load(&word)) {
        }
    } while (atomic_exchange(&word, 1));
#elif WAY == 3
    int expected = 0;
    while (!atomic_compare_exchange_weak(&word, &expected, 1))
        expected = 0;
#else /* wrong: test and set are two steps */
    while (atomic_load(&word)) {
    }
    atomic_store(&word, 1);
#endif
}

static void unlock(void) {
#if WAY == 1
    atomic_flag_clear(&flag);
#else
    atomic_store(&word, 0);
#endif
}

static void *work(void *unused) {
    lock();
#if WAY == 4
    static atomic_int inside;
    assert(atomic_fetch_add(&inside, 1) == 0); // BUG assertion
    atomic_fetch_sub(&inside, 1);
#else
    counter++;
#endif
    unlock();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
#if WAY != 4
    assert(counter == 2);
#endif
    (void)flag;
    (void)word;
    (void)counter;
    return 0;
}
