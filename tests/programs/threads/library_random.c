/* Two threads take from one generator: who is first gets the first number, and that is no data race.
 *
 * run:
 * verdict: complete
 * paths: 2
 * finding: assertion 1
 *
 * run: --por dpor
 * verdict: complete
 * paths: 2
 * finding: assertion 1
 *
 * run: --por none
 * verdict: complete
 * paths: 2
 * finding: assertion 1
 *
 * run: -DFORTY_EIGHT
 * verdict: complete
 * paths: 2
 * finding: assertion 1
 *
 * run: -DFORTY_EIGHT --por none
 * verdict: complete
 * paths: 2
 * finding: assertion 1 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef FORTY_EIGHT
#define SEED(x) srand48(x)
#define NEXT()  lrand48()
#else
#define SEED(x) srand(x)
#define NEXT()  rand()
#endif

static void *work(void *out) {
    *(long *)out = NEXT();
    return NULL;
}

int main(void) {
    pthread_t thread;
    SEED(7);
    long first = NEXT(), mine, other;
    SEED(7);
    pthread_create(&thread, NULL, work, &other);
    work(&mine);
    pthread_join(thread, NULL);
    assert(mine == first); // BUG assertion
    return 0;
}
