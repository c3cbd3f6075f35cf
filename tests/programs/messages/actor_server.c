/* A server that waits for ever is no deadlock if it says that it may, and is one otherwise.  Two
 * clients ask, so there are two orders; that of the answers does not matter.
 *
 * run: --por none
 * verdict: complete
 * executions: 6
 * paths: 2
 *
 * run: --por message
 * verdict: complete
 * executions: 2
 * paths: 2
 *
 * run:
 * verdict: complete
 * executions: 2
 * paths: 2
 *
 * run: -DFORGOTTEN --por none
 * verdict: complete
 * executions: 6
 * paths: 2
 * finding: deadlock 1
 *
 * run: -DFORGOTTEN --por message
 * verdict: complete
 * executions: 2
 * paths: 2
 * finding: deadlock 1
 *
 * run: -DFORGOTTEN
 * verdict: complete
 * executions: 2
 * paths: 2
 * finding: deadlock 1 */
#include <assert.h>
#include <heddle.h>

static void server(void *unused) {
    (void)unused;
#ifndef FORGOTTEN
    heddle_may_idle();
#endif
    for (;;) {
        int n;
        heddle_receive(&n, sizeof n); // BUG deadlock
        n *= 2;
        heddle_send(heddle_sender(), &n, sizeof n);
    }
}

static void client(void *number) {
    int n = *(int *)number, answer;
    heddle_send(1, &n, sizeof n);
    heddle_receive(&answer, sizeof answer);
    assert(answer == 2 * n);
}

int main(void) {
    heddle_spawn(server, 0, 0);
    for (int i = 1; i <= 2; i++)
        heddle_spawn(client, &i, sizeof i);
}
