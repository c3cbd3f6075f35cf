/* Pipeline (paper 002, Table VII): stages pass numbers on through connectors of one place, until
 * the stop value.  The receiving side reads the number after it gave the place back.
 *
 * Main feeds the first of STAGES stages, the last one checks the order: five threads with the
 * default.  -DFIXED reads in time.
 *
 * run: -DSTAGES=1
 * finding: data-race
 * finding: assertion
 *
 * run: --no-races --schedule random --samples 300
 * verdict: incomplete
 * finding: assertion
 *
 * run: -DFIXED -DSTAGES=2
 * verdict: complete
 * exit: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#ifndef STAGES
#define STAGES 4
#endif
enum { NUMBERS = 2, STOP = -1 };

static struct connector {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool full;
    int data;
} connectors[STAGES];

static void add(struct connector *c, int number) {
    pthread_mutex_lock(&c->lock);
    while (c->full)
        pthread_cond_wait(&c->changed, &c->lock);
    c->data = number; // BUG data-race
    c->full = true;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->lock);
}

static int take(struct connector *c) {
    pthread_mutex_lock(&c->lock);
    while (!c->full)
        pthread_cond_wait(&c->changed, &c->lock);
    c->full = false;
#ifdef FIXED
    int number = c->data;
#endif
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->lock);
#ifndef FIXED
    int number = c->data; // BUG data-race
#endif
    return number;
}

static void *stage(void *own) {
    struct connector *from = own, *to = from + 1;
    int number, previous = 0;
    while ((number = take(from)) != STOP) {
        assert(number == previous + 1); // BUG assertion
        previous = number;
        if (to < connectors + STAGES)
            add(to, number);
    }
    assert(previous == NUMBERS); // BUG assertion
    if (to < connectors + STAGES)
        add(to, STOP);
    return NULL;
}

int main(void) {
    pthread_t threads[STAGES];
    for (int i = 0; i < STAGES; i++) {
        pthread_mutex_init(&connectors[i].lock, NULL);
        pthread_cond_init(&connectors[i].changed, NULL);
    }
    for (int i = 0; i < STAGES; i++)
        pthread_create(&threads[i], NULL, stage, &connectors[i]);
    for (int i = 1; i <= NUMBERS; i++)
        add(&connectors[0], i);
    add(&connectors[0], STOP);
    for (int i = 0; i < STAGES; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
