/* Messages to an actor that has ended are lost: nobody waits for them to arrive, and they are no
 * deadlock.  Those that were on their way when it ended are lost too.
 *
 * run: --por none
 * verdict: complete
 * executions: 3
 * paths: 3
 *
 * run: --por message
 * verdict: complete
 * executions: 3
 * paths: 3
 *
 * run:
 * verdict: complete
 * executions: 3
 * paths: 3
 *
 * run: -DFIFO --por none
 * verdict: complete
 * executions: 1
 * paths: 1
 *
 * run: -DFIFO --por message
 * verdict: complete
 * executions: 1
 * paths: 1
 *
 * run: -DFIFO
 * verdict: complete
 * executions: 1
 * paths: 1 */
#include <assert.h>
#include <heddle.h>

static void brief(void *unused) {
    (void)unused;
    int n;
    heddle_receive(&n, sizeof n);
    heddle_send(0, &n, sizeof n);
}

int main(void) {
#ifdef FIFO
    heddle_fifo(-1);
#endif
    heddle_actor to = heddle_spawn(brief, 0, 0);
    for (int i = 0; i < 3; i++)
        heddle_send(to, &i, sizeof i);
    int n;
    heddle_receive(&n, sizeof n);
    assert(n >= 0 && n < 3);
    heddle_send(to, &n, sizeof n);
}
