/* deadlock.c -- two transfers in opposite directions, each waiting for the other.
 *
 * Try it:     heddle run examples/deadlock.c
 *
 * A transfer locks both accounts, first the one that pays.  Which accounts take part is an input.
 * Heddle finds the inputs and the order of the threads for which nobody can go on, and says who
 * holds what and who waits for what.  `-DFIXED` locks the account with the lower number first:
 * explored completely, nothing found.
 *
 * run:
 * verdict: complete
 * finding: deadlock
 *
 * run: -DFIXED
 * verdict: complete
 * exit: 0 */
#include <heddle.h>
#include <pthread.h>

enum { ACCOUNTS = 3 };
static pthread_mutex_t lock_of[ACCOUNTS];
static int balance[ACCOUNTS] = {50, 50, 50};

struct order {
    int from, to;
};

static void *transfer(void *argument) {
    const struct order *order = argument;
    int first = order->from, second = order->to;
#ifdef FIXED
    if (second < first) {
        first = order->to;
        second = order->from;
    }
#endif
    pthread_mutex_lock(&lock_of[first]);
    pthread_mutex_lock(&lock_of[second]); // BUG deadlock
    balance[order->from] -= 10;
    balance[order->to] += 10;
    pthread_mutex_unlock(&lock_of[second]);
    pthread_mutex_unlock(&lock_of[first]);
    return NULL;
}

int main(void) {
    pthread_t clerks[2];
    struct order orders[2];
    for (int i = 0; i < ACCOUNTS; i++)
        pthread_mutex_init(&lock_of[i], NULL);
    for (int i = 0; i < 2; i++) {
        orders[i].from = (int)heddle_choose(0, ACCOUNTS - 1);
        orders[i].to = (int)heddle_choose(0, ACCOUNTS - 1);
        heddle_assume(orders[i].from != orders[i].to);
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&clerks[i], NULL, transfer, &orders[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(clerks[i], NULL); // BUG deadlock
    heddle_assert(balance[0] + balance[1] + balance[2] == 150);
    return 0;
}
