/* Dining philosophers: PHILOSOPHERS threads in a ring, a mutex between each two neighbours, each
 * eats MEALS times.
 *
 * The last one takes the forks in the other order; with -DDEADLOCK all take the left one first,
 * and they starve when each has one.
 *
 * paths: -DPHILOSOPHERS=2 -> 2
 * paths: -DPHILOSOPHERS=3 -> 6
 * paths: -DPHILOSOPHERS=4 -> 14
 * paths: -DPHILOSOPHERS=6 -> 62
 * paths: -DPHILOSOPHERS=3 -DMEALS=2 -> 90
 *
 * run: -DDEADLOCK -DPHILOSOPHERS=2
 * verdict: complete
 * paths: 3
 * finding: deadlock
 *
 * run: -DDEADLOCK -DPHILOSOPHERS=4
 * verdict: complete
 * paths: 15
 * finding: deadlock */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#ifndef PHILOSOPHERS
#define PHILOSOPHERS 6
#endif
#ifndef MEALS
#define MEALS 1
#endif

static pthread_mutex_t fork_of[PHILOSOPHERS];
static int meals[PHILOSOPHERS];

static void *dine(void *number) {
    int self = (int)(intptr_t)number;
    pthread_mutex_t *first = &fork_of[self], *second = &fork_of[(self + 1) % PHILOSOPHERS];
#ifndef DEADLOCK
    if (self == PHILOSOPHERS - 1) {
        pthread_mutex_t *other = first;
        first = second;
        second = other;
    }
#endif
    for (int i = 0; i < MEALS; i++) {
        pthread_mutex_lock(first);
        pthread_mutex_lock(second);
        meals[self]++;
        pthread_mutex_unlock(second);
        pthread_mutex_unlock(first);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[PHILOSOPHERS];
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_mutex_init(&fork_of[i], NULL);
    for (intptr_t i = 0; i < PHILOSOPHERS; i++)
        pthread_create(&threads[i], NULL, dine, (void *)i);
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
