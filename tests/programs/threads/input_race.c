/* Inputs and orders together: the threads meet only if both inputs name the same account, and the
 * update is lost only for an amount that is not zero.
 *
 * run:
 * verdict: complete
 * finding: data-race
 * finding: assertion 1
 * label: apart
 *
 * run: --por dpor
 * verdict: complete
 * finding: data-race
 * finding: assertion 1 */
#include <heddle.h>
#include <pthread.h>

static int balance[2];
static unsigned char account[2];
static int amount;

static void *deposit(void *which) {
    int i = *(unsigned char *)which ? 1 : 0;
    int old = balance[i];      // BUG data-race
    balance[i] = old + amount; // BUG data-race
    return NULL;
}

int main(void) {
    pthread_t thread;
    heddle_input(account);
    heddle_input(amount);
    heddle_assume(amount >= 0 && amount < 1000);
    pthread_create(&thread, NULL, deposit, &account[0]);
    deposit(&account[1]);
    pthread_join(thread, NULL);
    if (!account[0] != !account[1])
        heddle_reach("apart");
    heddle_assert(balance[0] + balance[1] == 2 * amount); // BUG assertion
    return 0;
}
