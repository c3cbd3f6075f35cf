/* Data races of atomic sections: only with accesses outside, and only of what a section has done.
 *
 * ONE_SIDED reads `shared` outside of a section.  RARE writes in a section only if `flag` is set,
 * which the other thread does after its access, in a section: no race.
 *
 * run:
 * verdict: complete
 * finding: data-race
 *
 * run: -DBOTH
 * verdict: complete
 *
 * run: -DRARE
 * verdict: complete */
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int shared, flag, seen;

static void *writer(void *unused) {
    __VERIFIER_atomic_begin();
#ifdef RARE
    if (flag)
#endif
        shared = 1;
    __VERIFIER_atomic_end();
    return unused;
}

static void *reader(void *unused) {
#ifdef BOTH
    __VERIFIER_atomic_begin();
    seen = shared;
    __VERIFIER_atomic_end();
#else
    seen = shared; // BUG data-race
#endif
    __VERIFIER_atomic_begin();
    flag = 1;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
