/* Work-stealing deque after Chase and Lev, with sequentially consistent atomics and a fixed array:
 * the owner pushes ITEMS items at the bottom and pops as often, THIEVES threads steal once each
 * from the top.
 *
 * No item is taken twice.  With -DBROKEN the owner takes the last item without asking.
 *
 * paths: -DITEMS=1 -DTHIEVES=1 -> 8
 * paths: -DITEMS=2 -DTHIEVES=1 -> 17
 * paths: -DITEMS=2 -DTHIEVES=2 -> 288
 * paths: -DITEMS=3 -DTHIEVES=2 -> 804
 *
 * run: -DBROKEN
 * verdict: complete
 * finding: assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef THIEVES
#define THIEVES 2
#endif
enum { NONE = -1 };

static atomic_int top, bottom;
static atomic_int slot[ITEMS];
static atomic_int taken[ITEMS]; /* how often */

static void push(int item) {
    int b = atomic_load(&bottom);
    atomic_store(&slot[b], item);
    atomic_store(&bottom, b + 1);
}

static int pop(void) {
    int b = atomic_load(&bottom) - 1;
    atomic_store(&bottom, b);
    int t = atomic_load(&top);
    if (t > b) {
        atomic_store(&bottom, t);
        return NONE;
    }
    int item = atomic_load(&slot[b]);
    if (t < b)
        return item;
#ifndef BROKEN
    if (!atomic_compare_exchange_strong(&top, &t, t + 1))
        item = NONE;
#endif
    atomic_store(&bottom, b + 1);
    return item;
}

static int steal(void) {
    int t = atomic_load(&top);
    int b = atomic_load(&bottom);
    if (t >= b)
        return NONE;
    int item = atomic_load(&slot[t]);
    return atomic_compare_exchange_strong(&top, &t, t + 1) ? item : NONE;
}

static void use(int item) {
    if (item != NONE)
        assert(atomic_fetch_add(&taken[item], 1) == 0);
}

static void *own(void *unused) {
    for (int i = 0; i < ITEMS; i++)
        push(i);
    for (int i = 0; i < ITEMS; i++)
        use(pop());
    return unused;
}

static void *thieve(void *unused) {
    use(steal());
    return unused;
}

int main(void) {
    pthread_t owner, thieves[THIEVES];
    pthread_create(&owner, NULL, own, NULL);
    for (int i = 0; i < THIEVES; i++)
        pthread_create(&thieves[i], NULL, thieve, NULL);
    pthread_join(owner, NULL);
    for (int i = 0; i < THIEVES; i++)
        pthread_join(thieves[i], NULL);
    return 0;
}
