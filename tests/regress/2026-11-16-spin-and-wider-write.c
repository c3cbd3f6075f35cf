/* A loop waits for a word that others write alone or together with its neighbour.  What was there
 * before the wider write was not known, so source sets tried the loop right before it, where it
 * waits, and not before the write that came first: two of four classes were missed.
 *
 * run: --por none
 * verdict: complete
 * paths: 4
 * finding: livelock
 *
 * run: --por dpor
 * verdict: complete
 * paths: 4
 * finding: livelock
 *
 * run:
 * verdict: complete
 * paths: 4
 * finding: livelock
 *
 * run: -DWIDE --por dpor
 * verdict: complete
 * paths: 4
 * finding: livelock
 * finding: data-race 2
 *
 * run: -DWIDE
 * verdict: complete
 * paths: 4
 * finding: livelock
 * finding: data-race 2 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

static union {
    _Atomic uint64_t both;
    _Atomic uint32_t one[4];
} words;
static _Atomic int other;

static void *write_both(void *unused) {
#ifdef WIDE
    static const uint32_t twos[4] = {2, 2, 2, 2};
    memcpy(&words, twos, sizeof words); // BUG data-race
#else
    atomic_store(&words.both, UINT64_C(0x200000002));
#endif
    return unused;
}

static void *wait_for_one(void *unused) {
    while (atomic_load(&words.one[0]) == 2) // BUG livelock data-race
        ;
    return unused;
}

static void *write_one(void *unused) {
    int expected = 1;
    atomic_compare_exchange_strong(&other, &expected, 1);
    atomic_store(&words.one[0], 2); // BUG data-race
    return unused;
}

int main(void) {
    void *(*const bodies[])(void *) = {write_both, wait_for_one, write_one};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
