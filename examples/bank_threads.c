/* bank_threads.c -- a transfer that gets lost between two others.
 *
 * Try it:     heddle run examples/bank_threads.c
 *
 * Two tellers move money between three accounts at once.  Each account has a lock, and each
 * balance is read and written with its lock held, so there is no data race.  But the lock is given
 * back between reading the balance and writing the new one.  Heddle runs each order of the threads
 * that matters once, and finds the one after which the bank has more money than before; it tells it
 * as a short story with few switches between the tellers, and can replay it.  `-DFIXED` keeps
 * the lock: explored completely, nothing found.
 *
 * run:
 * verdict: complete
 * finding: assertion 1
 *
 * run: -DFIXED
 * verdict: complete
 * exit: 0 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct account {
    pthread_mutex_t lock;
    int balance; /* in cents */
};

static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 1000};
static struct account rent = {PTHREAD_MUTEX_INITIALIZER, 0};
static struct account holiday = {PTHREAD_MUTEX_INITIALIZER, 0};

static void add(struct account *account, int amount) {
    pthread_mutex_lock(&account->lock);
    int balance = account->balance;
#ifndef FIXED
    pthread_mutex_unlock(&account->lock); /* computing interest takes a while */
    pthread_mutex_lock(&account->lock);
#endif
    account->balance = balance + amount;
    pthread_mutex_unlock(&account->lock);
}

static void transfer(struct account *from, struct account *to, int amount) {
    add(from, -amount);
    add(to, amount);
}

static void *pay_rent(void *unused) {
    transfer(&savings, &rent, 700);
    return unused;
}

static void *save_for_holiday(void *unused) {
    transfer(&savings, &holiday, 200);
    return unused;
}

int main(void) {
    pthread_t tellers[2];
    pthread_create(&tellers[0], NULL, pay_rent, NULL);
    pthread_create(&tellers[1], NULL, save_for_holiday, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(tellers[i], NULL);
    assert(savings.balance + rent.balance + holiday.balance == 1000); // BUG assertion
    return 0;
}
