/* Remote agent (paper 002, Table VII): two tasks signal each other's events.  Each looks whether
 * its event came before it waits, but looks outside the monitor: the signal may come in between.
 *
 * A race on the counter of an event, and a task that waits for a signal that was given already.
 * -DFIXED looks inside.
 *
 * run: --no-races
 * verdict: complete
 * finding: lost-wakeup
 *
 * run:
 * verdict: complete
 * finding: data-race
 * finding: lost-wakeup
 *
 * run: -DFIXED
 * verdict: complete
 * exit: 0 */
#include <pthread.h>
#include <stddef.h>
enum { ROUNDS = 2 };

static struct event {
    pthread_mutex_t lock;
    pthread_cond_t signalled;
    int count;
} events[2];

static void wait_for(struct event *e, int *seen) {
#ifdef FIXED
    pthread_mutex_lock(&e->lock);
    while (*seen == e->count)
        pthread_cond_wait(&e->signalled, &e->lock);
    ++*seen;
    pthread_mutex_unlock(&e->lock);
#else
    int count = *(volatile int *)&e->count; // BUG data-race
    if (*seen == count) {
        pthread_mutex_lock(&e->lock);
        pthread_cond_wait(&e->signalled, &e->lock); // BUG lost-wakeup
        pthread_mutex_unlock(&e->lock);
    }
    ++*seen;
#endif
}

static void signal_event(struct event *e) {
    pthread_mutex_lock(&e->lock);
    e->count++; // BUG data-race
    pthread_cond_broadcast(&e->signalled);
    pthread_mutex_unlock(&e->lock);
}

static void *planner(void *unused) {
    int seen = 0;
    for (int i = 0; i < ROUNDS; i++) {
        signal_event(&events[1]);
        wait_for(&events[0], &seen);
    }
    return unused;
}

static void *executive(void *unused) {
    int seen = 0;
    for (int i = 0; i < ROUNDS; i++) {
        wait_for(&events[1], &seen);
        signal_event(&events[0]);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&events[i].lock, NULL);
        pthread_cond_init(&events[i].signalled, NULL);
    }
    pthread_create(&threads[0], NULL, planner, NULL);
    pthread_create(&threads[1], NULL, executive, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL); // BUG lost-wakeup
    return 0;
}
