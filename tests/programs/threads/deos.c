/* DEOS (paper 002, Table VII): a real-time kernel gives each thread a budget of ticks per period.
 * A thread that is deleted gives its budget back to a pool at once, although it has used some of
 * it: whoever takes from the pool in the same period makes the period too long.
 *
 * Threads of the kernel are pthreads that ask for ticks; a clock thread begins periods.  Which
 * thread is deleted after how many ticks is an input.  -DFIXED gives the budget back in the next
 * period.  Six threads with the default: main, the clock, four users.
 *
 * run: -DUSERS=2
 * finding: assertion
 *
 * run: --schedule random --samples 500
 * verdict: incomplete
 * finding: assertion
 *
 * run: -DFIXED -DUSERS=2
 * verdict: complete
 * exit: 0 */
#include <heddle.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#ifndef USERS
#define USERS 4
#endif
enum { BUDGET = 2, PERIODS = 2, PERIOD_TICKS = BUDGET * USERS };

static pthread_mutex_t kernel = PTHREAD_MUTEX_INITIALIZER;
static int left[USERS];      /* ticks of the budget that are left in this period */
static int used[USERS];      /* ticks used in this period */
static int pool;             /* ticks that belong to nobody in this period */
static bool deleted[USERS];
static int last_tick[USERS]; /* the user deletes itself after so many ticks */

static void begin_period(void) {
    pool = 0;
    for (int i = 0; i < USERS; i++) {
        used[i] = 0;
        left[i] = deleted[i] ? 0 : BUDGET;
        pool += deleted[i] ? BUDGET : 0;
    }
}

static void check(void) {
    int sum = 0;
    for (int i = 0; i < USERS; i++)
        sum += used[i];
    heddle_assert(sum <= PERIOD_TICKS); // BUG assertion
}

/* One tick for a user: from its own budget, else from the pool. */
static bool run_tick(int self) {
    if (left[self] > 0) {
        left[self]--;
    } else if (pool > 0) {
        pool--;
    } else {
        return false;
    }
    used[self]++;
    check();
    return true;
}

static void delete_user(int self) {
    deleted[self] = true;
    left[self] = 0;
#ifndef FIXED
    pool += BUDGET; /* in the period in which some of it was used */
#endif
}

static void *user(void *number) {
    int self = (int)(intptr_t)number;
    for (int tick = 0; tick < BUDGET + 1; tick++) {
        pthread_mutex_lock(&kernel);
        if (tick == last_tick[self])
            delete_user(self);
        else if (!deleted[self])
            run_tick(self);
        pthread_mutex_unlock(&kernel);
    }
    return NULL;
}

static void *clock_interrupt(void *unused) {
    for (int period = 1; period < PERIODS; period++) {
        pthread_mutex_lock(&kernel);
        begin_period();
        pthread_mutex_unlock(&kernel);
    }
    return unused;
}

int main(void) {
    pthread_t threads[USERS + 1];
    begin_period();
    for (int i = 0; i < USERS; i++)
        last_tick[i] = (int)heddle_choose(1, BUDGET + 1);
    pthread_create(&threads[USERS], NULL, clock_interrupt, NULL);
    for (intptr_t i = 0; i < USERS; i++)
        pthread_create(&threads[i], NULL, user, (void *)i);
    for (int i = 0; i <= USERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
