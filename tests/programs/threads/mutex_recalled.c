/* Executions that consist of what threads did before, in another order, are told and not run: what is
 * at their ends is seen all the same.
 *
 * LEFT: main, which has joined all, looks at what the last of two and of two others have left: the
 * fourth of four classes has nothing new but that.  AGAIN: it writes without events then, and creates
 * once more.  OTHERS: a thread joins another one, and the last look is main's.  EXIT: main leaves
 * while others run, and what it has seen decides how.
 *
 * run: -DLEFT=11
 * verdict: complete
 * paths: 4
 * finding: assertion 1
 *
 * run: -DLEFT=12
 * verdict: complete
 * paths: 4
 * finding: assertion 1
 *
 * run: -DLEFT=21
 * verdict: complete
 * paths: 4
 * finding: assertion 1
 *
 * run: -DLEFT=22
 * verdict: complete
 * paths: 4
 * finding: assertion 1
 *
 * run: -DAGAIN
 * verdict: complete
 * paths: 4
 * finding: assertion 1
 *
 * run: -DOTHERS
 * verdict: complete
 * paths: 9
 * finding: assertion 1
 *
 * run: -DEXIT --fail-on-exit
 * verdict: complete
 * paths: 12
 * finding: exit-status 1 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_int turn, steps, one, other;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

/* The number is of base 4: who came first is its first digit. */
static void *count(void *number) {
    turn = 4 * turn + (int)(intptr_t)number;
    return NULL;
}

static void *add(void *number) {
    pthread_mutex_lock(&lock);
    sum = 3 * sum + (int)(intptr_t)number;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *leave_one(void *number) {
    one = (int)(intptr_t)number;
    return NULL;
}

static void *leave_other(void *number) {
    other = (int)(intptr_t)number;
    return NULL;
}

static pthread_t start(void *(*function)(void *), intptr_t number) {
    pthread_t t;
    pthread_create(&t, NULL, function, (void *)number);
    return t;
}

static void *middle(void *other) {
    atomic_fetch_add(&steps, 1);
    pthread_join((pthread_t)(uintptr_t)other, NULL);
    turn = turn + 1;
    return NULL;
}

int main(void) {
#ifdef LEFT
    pthread_t t[4] = {start(leave_one, 1), start(leave_one, 2), start(leave_other, 1),
                      start(leave_other, 2)};
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    assert(10 * one + other != LEFT);
#elif defined AGAIN
    pthread_t t[2] = {start(add, 1), start(add, 2)};
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    sum = 10 * sum;
    t[0] = start(add, 1), t[1] = start(add, 2);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(sum != 635);
#elif defined OTHERS
    pthread_t first = start(count, 1), second = start(count, 2);
    pthread_t last = start(middle, (intptr_t)first);
    pthread_join(second, NULL);
    pthread_join(last, NULL);
    assert(turn != 4 * 1 + 2);
#else
    start(count, 1), start(count, 2);
    if (turn == 4 * 2 + 1)
        exit(3);
#endif
    return 0;
}
