/* Atomic sections are ordered only with what touches the same memory.
 *
 * The first thread writes a, then reads it and writes b; the second does the same with c and d: one
 * class.  A third one, WITNESS, reads a, and writes d if it was set, which counts as a write of d in
 * any case: before or after a = 1, before or after d = c, 4 classes.
 *
 * run:
 * verdict: complete
 * executions: 1
 * paths: 1
 *
 * run: --por none
 * verdict: complete
 * executions: 6
 * paths: 1
 *
 * run: -DWITNESS
 * verdict: complete
 * executions: 4
 * paths: 4
 *
 * run: -DWITNESS --isolation fork
 * verdict: complete
 * executions: 4
 * paths: 4
 *
 * run: -DWITNESS --por dpor
 * verdict: complete
 * paths: 4
 *
 * run: -DWITNESS --por flip
 * verdict: complete
 * paths: 4
 *
 * run: -DWITNESS --por none
 * verdict: complete
 * executions: 30
 * paths: 4 */
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int a, b, c, d;

static void *first(void *unused) {
    __VERIFIER_atomic_begin();
    a = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    b = a;
    __VERIFIER_atomic_end();
    return unused;
}

static void *second(void *unused) {
    __VERIFIER_atomic_begin();
    c = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    d = c;
    __VERIFIER_atomic_end();
    return unused;
}

static void *witness(void *unused) {
    __VERIFIER_atomic_begin();
    if (a)
        d = 2;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t threads[3];
    int n = 2;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
#ifdef WITNESS
    pthread_create(&threads[n++], NULL, witness, NULL);
#else
    (void)witness;
#endif
    while (n--)
        pthread_join(threads[n], NULL);
    return 0;
}
