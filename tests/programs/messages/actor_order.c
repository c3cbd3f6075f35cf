/* Messages of one actor to another overtake each other unless their channel is FIFO.
 * The reader stops at the first that is wrong, so there are 4 orders of three messages, not 6.
 *
 * run: -DMESSAGES=2 --por none
 * verdict: complete
 * executions: 2
 * paths: 2
 * finding: assertion 1
 *
 * run: -DMESSAGES=2 --por message
 * verdict: complete
 * executions: 2
 * paths: 2
 * finding: assertion 1
 *
 * run: -DMESSAGES=2
 * verdict: complete
 * executions: 2
 * paths: 2
 * finding: assertion 1
 *
 * run: -DMESSAGES=3 --por none
 * verdict: complete
 * executions: 4
 * paths: 4
 * finding: assertion 1
 *
 * run: -DMESSAGES=3 --por message
 * verdict: complete
 * executions: 4
 * paths: 4
 * finding: assertion 1
 *
 * run: -DMESSAGES=3
 * verdict: complete
 * executions: 4
 * paths: 4
 * finding: assertion 1
 *
 * run: -DMESSAGES=3 -DFIFO --por none
 * verdict: complete
 * executions: 1
 * paths: 1
 *
 * run: -DMESSAGES=3 -DFIFO --por message
 * verdict: complete
 * executions: 1
 * paths: 1
 *
 * run: -DMESSAGES=3 -DFIFO
 * verdict: complete
 * executions: 1
 * paths: 1 */
#include <assert.h>
#include <heddle.h>

static void reader(void *unused) {
    (void)unused;
    for (int i = 0; i < MESSAGES; i++) {
        int number;
        heddle_receive(&number, sizeof number);
        assert(number == i); // BUG assertion
    }
}

int main(void) {
#ifdef FIFO
    heddle_fifo(0);
#endif
    heddle_actor to = heddle_spawn(reader, 0, 0);
    for (int i = 0; i < MESSAGES; i++)
        heddle_send(to, &i, sizeof i);
}
