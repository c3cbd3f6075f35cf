/* Sections overwrite what inputs decide: what the exchanges would have met before them is known all
 * the same.
 *
 * run:
 * verdict: complete
 * executions: 35
 * paths: 35
 *
 * run: --por dpor
 * verdict: complete
 * paths: 35
 *
 * run: --por flip
 * verdict: complete
 * paths: 35
 *
 * run: --por none
 * verdict: complete
 * paths: 35 */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_uint left;
static _Atomic unsigned long right;
static unsigned char number;

static void *exchange(void *unused) {
    unsigned expected = 2;
    atomic_compare_exchange_strong((atomic_uint *)&right, &expected, 0);
    return unused;
}

static void *exchange_whole(void *unused) {
    unsigned long expected = 1;
    atomic_compare_exchange_strong(&right, &expected, 1);
    return unused;
}

static void *sections(void *unused) {
    unsigned long none = 0;
    unsigned zero = 0;
    __VERIFIER_atomic_begin();
    atomic_compare_exchange_strong(&right, &none, number);
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    atomic_compare_exchange_strong((atomic_uint *)&right, &zero, 2);
    atomic_fetch_add(&left, 1);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    void *(*const work[])(void *) = {exchange, exchange_whole, sections};
    pthread_t threads[3];
    heddle_input(number);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
