/* Reads that must belong together are read again if they do not: an iteration that goes round because
 * something has changed in between was in vain too, and no class.  A stack of three places to look
 * at, and a loop around, is not too much to wait for.  By hand: the reader sees both or none, 2; and
 * with an exchange that fails because another was faster, each of the two orders once.
 *
 * run: --por none
 * verdict: complete
 * paths: 2
 *
 * run:
 * verdict: complete
 * paths: 2
 *
 * run: -DEXCHANGE --por none
 * verdict: complete
 * paths: 2
 *
 * run: -DEXCHANGE
 * verdict: complete
 * paths: 2 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sequence, first, second, sum;

#ifdef EXCHANGE
static void *work(void *unused) {
    for (;;) {
        int old = sum;
        if (atomic_compare_exchange_strong(&sum, &old, 2 * old + 1))
            return unused;
    }
}

static void *other(void *unused) {
    return work(unused);
}
#else
static void *work(void *unused) {
    for (;;) {
        int before = sequence;
        if (before & 1)
            continue;
        int a = first, b = second;
        if (sequence != before)
            continue;
        assert(a == b);
        return unused;
    }
}

static void *other(void *unused) {
    sequence = 1;
    first = 1;
    second = 1;
    sequence = 2;
    return unused;
}
#endif

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
