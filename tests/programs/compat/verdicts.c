/* How verification benchmarks end: reach_error is a failure though its body is empty, and abort
 * leaves out what is not asked about, also in threads.
 *
 * run: --no-races
 * verdict: complete
 * finding: assertion 1
 *
 * run: -DSEQUENTIAL
 * verdict: complete
 * paths: 2
 * finding: assertion 1
 *
 * run: -DPLAIN --no-races
 * verdict: complete
 * finding: abort 1 */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef PLAIN
#define reach_error() ((void)0)
#define assume_that(c)                                                                             \
    if (!(c))                                                                                      \
    abort()
#else
extern int __VERIFIER_nondet_int(void);

void reach_error(void) {
}

void assume_abort_if_not(int condition) {
    if (!condition)
        abort();
}
#define assume_that(c) assume_abort_if_not(c)
#endif

static int lock, count;

void __VERIFIER_atomic_take(void) {
    assume_that(lock == 0); // BUG abort
    lock = 1;
}

static void *add(void *unused) {
    __VERIFIER_atomic_take();
    int old = count;
    count = old + 1;
    lock = 0;
    return unused;
}

int main(void) {
#ifdef SEQUENTIAL
    int x = __VERIFIER_nondet_int();
    assume_abort_if_not(x > 0 && x < 10);
    if (x == 7)
        reach_error(); // BUG assertion
    return 0;
#endif
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    if (count == 2)
        reach_error(); // BUG assertion
    return 0;
}
