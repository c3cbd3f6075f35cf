/* Atomic sections of verification benchmarks, by calls and by the name of a function.
 *
 * run:
 * verdict: complete
 * paths: 2
 *
 * run: --por none
 * verdict: complete
 * paths: 2
 *
 * run: -DAPART
 * verdict: complete
 * paths: 1
 *
 * run: -DBROKEN --no-races
 * verdict: complete
 * finding: assertion */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int count, other;

static void __VERIFIER_atomic_add(int *where) {
    int old = *where;
    *where = old + 1;
}

static void *first(void *unused) {
#ifdef BROKEN
    int old = count;
    count = old + 1;
#else
    __VERIFIER_atomic_begin();
    int old = count;
    count = old + 1;
    __VERIFIER_atomic_end();
#endif
    return unused;
}

static void *second(void *unused) {
#ifdef APART
    __VERIFIER_atomic_add(&other);
#else
    __VERIFIER_atomic_add(&count);
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(count + other == 2); // BUG assertion
    return 0;
}
