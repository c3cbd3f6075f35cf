/* An actor that is told n > 0 creates two more, tells both n - 1, and adds up what they answer.
 * Creation in receivers, three levels deep; main asserts the sum of the leaves.
 *
 * Each inner actor can hear its two children in either order: 2 to the number of inner actors,
 * which is 2 to the LEVELS minus one, gives the number of classes.
 *
 * run: -DLEVELS=1 --por none
 * verdict: complete
 * executions: 6
 * paths: 2
 *
 * run: -DLEVELS=1 --por message
 * verdict: complete
 * executions: 3
 * paths: 2
 *
 * run: -DLEVELS=1
 * verdict: complete
 * executions: 2
 * paths: 2
 *
 * run: -DLEVELS=2
 * verdict: complete
 * executions: 8
 *
 * run: -DLEVELS=2 --por message
 * verdict: complete
 * paths: 8
 *
 * run: -DLEVELS=3
 * verdict: complete
 * executions: 128 */
#include <assert.h>
#include <heddle.h>

static int received;

static int next_number(void) {
    int n;
    heddle_receive(&n, sizeof n);
    received++;
    return n;
}

static void grow(void *unused) {
    (void)unused;
    received = 0; /* so far the creator's */
    int n = next_number();
    heddle_actor parent = heddle_sender();
    int sum = 1, less = n - 1;
    if (n > 0) {
        for (int i = 0; i < 2; i++)
            heddle_send(heddle_spawn(grow, 0, 0), &less, sizeof less);
        sum = next_number();
        sum += next_number();
    }
    assert(received == (n > 0 ? 3 : 1)); /* globals are the actor's own */
    heddle_send(parent, &sum, sizeof sum);
}

int main(void) {
    int levels = LEVELS;
    heddle_send(heddle_spawn(grow, 0, 0), &levels, sizeof levels);
    assert(next_number() == 1 << LEVELS);
    assert(received == 1);
}
