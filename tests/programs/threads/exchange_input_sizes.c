/* What an exchange would meet in another order is put together from the bytes of accesses of other
 * sizes: some depend on inputs, some do not.
 *
 * run:
 * verdict: complete
 * executions: 16
 * paths: 16
 *
 * run: --por dpor
 * verdict: complete
 * paths: 16
 *
 * run: --por flip
 * verdict: complete
 * paths: 16
 *
 * run: --por none
 * verdict: complete
 * paths: 16 */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static union {
    _Atomic unsigned long whole;
    _Atomic unsigned half[2];
    _Atomic unsigned char byte[8];
} place;
static unsigned number;
static unsigned char small;

static void *exchange_whole(void *unused) {
    unsigned long expected = 1;
    atomic_compare_exchange_strong(&place.whole, &expected, 7ul << 32);
    return unused;
}

static void *exchange_half(void *unused) {
    unsigned expected = 0;
    atomic_compare_exchange_strong(&place.half[1], &expected, 1);
    return unused;
}

static void *store_half(void *unused) {
    atomic_store(&place.half[0], number);
    return unused;
}

static void *store_byte(void *unused) {
    atomic_store(&place.byte[0], small);
    return unused;
}

int main(void) {
    void *(*const work[])(void *) = {exchange_whole, exchange_half, store_half, store_byte};
    pthread_t threads[4];
    heddle_input(number);
    heddle_input(small);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
