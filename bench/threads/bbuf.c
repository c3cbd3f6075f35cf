/* Bounded buffer with condition variables: PRODUCERS threads put ITEMS items each, CONSUMERS
 * threads take them all, at most CAPACITY wait in between.
 *
 * Two broken variants: -DONE_CONDITION has a single condition for "not full" and "not empty" and
 * wakes one waiter, who may be the wrong one; -DIF_WAIT does not look again after it was woken.
 *
 * run: -DPRODUCERS=1 -DCONSUMERS=1 -DITEMS=2 -DCAPACITY=1
 * verdict: complete
 *
 * run: -DPRODUCERS=2 -DCONSUMERS=1 -DITEMS=1 -DCAPACITY=1
 * verdict: complete
 *
 * run: -DPRODUCERS=2 -DCONSUMERS=2 -DITEMS=1 -DCAPACITY=1 -DIF_WAIT
 * verdict: complete
 * finding: assertion
 *
 * run: -DPRODUCERS=2 -DCONSUMERS=2 -DITEMS=1 -DCAPACITY=1 -DONE_CONDITION
 * verdict: complete
 * finding: deadlock */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef CAPACITY
#define CAPACITY 2
#endif
#ifdef IF_WAIT
#define WHILE if
#else
#define WHILE while
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
#ifdef ONE_CONDITION
#define not_full not_empty
#else
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
#endif
static int buffer[CAPACITY], count, first, last;

static void put(int item) {
    pthread_mutex_lock(&lock);
    WHILE(count == CAPACITY)
    pthread_cond_wait(&not_full, &lock);
    assert(count < CAPACITY);
    buffer[last] = item;
    last = (last + 1) % CAPACITY;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static int get(void) {
    pthread_mutex_lock(&lock);
    WHILE(count == 0)
    pthread_cond_wait(&not_empty, &lock);
    assert(count > 0);
    int item = buffer[first];
    first = (first + 1) % CAPACITY;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return item;
}

static void *produce(void *unused) {
    for (int i = 1; i <= ITEMS; i++)
        put(i);
    return unused;
}

static void *consume(void *unused) {
    for (int i = 0; i < PRODUCERS * ITEMS / CONSUMERS; i++) {
        int item = get();
        assert(item > 0);
    }
    return unused;
}

int main(void) {
    pthread_t threads[PRODUCERS + CONSUMERS];
    for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
        pthread_create(&threads[i], NULL, i < PRODUCERS ? produce : consume, NULL);
    for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
