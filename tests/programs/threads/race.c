/* The lost update: two threads add to a plain counter.  The race is told, and the order that breaks
 * the assertion is found.
 *
 * Four classes: one thread wholly first, or both reads before the writes, in either order.
 *
 * run:
 * verdict: complete
 * paths: 4
 * finding: data-race
 * finding: assertion 1
 *
 * run: --no-races
 * verdict: complete
 * paths: 4
 * finding: assertion 1
 *
 * run: --no-races --por none
 * verdict: complete
 * executions: 6
 * paths: 4
 * finding: assertion 1
 *
 * run: --no-races --preemptions 0
 * verdict: incomplete
 * exit: 3
 *
 * run: --no-races --preemptions 1
 * verdict: incomplete
 * finding: assertion 1
 *
 * run: --no-races --schedule random --samples 200
 * verdict: incomplete
 * finding: assertion 1
 *
 * run: --no-races --schedule pct --samples 200
 * verdict: incomplete
 * finding: assertion 1 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static volatile int counter;

static void *work(void *unused) {
    int old = counter; // BUG data-race
    counter = old + 1; // BUG data-race
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(counter == 2); // BUG assertion
    return 0;
}
