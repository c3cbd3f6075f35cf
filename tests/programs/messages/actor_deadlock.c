/* Two actors that both wait for the other to begin.  With -DORDERED one of them begins.
 *
 * run: --por none
 * verdict: complete
 * executions: 1
 * paths: 1
 * finding: deadlock 1
 *
 * run: --por message
 * verdict: complete
 * executions: 1
 * paths: 1
 * finding: deadlock 1
 *
 * run:
 * verdict: complete
 * executions: 1
 * paths: 1
 * finding: deadlock 1
 *
 * run: -DORDERED --por none
 * verdict: complete
 * executions: 1
 * paths: 1
 *
 * run: -DORDERED --por message
 * verdict: complete
 * executions: 1
 * paths: 1
 *
 * run: -DORDERED
 * verdict: complete
 * executions: 1
 * paths: 1 */
#include <heddle.h>

static void follower(void *unused) {
    (void)unused;
    char ball;
    heddle_receive(&ball, sizeof ball); // BUG deadlock
    heddle_send(heddle_sender(), &ball, sizeof ball);
}

int main(void) {
    char ball = 0;
    heddle_actor other = heddle_spawn(follower, 0, 0);
#ifdef ORDERED
    heddle_send(other, &ball, sizeof ball);
#endif
    heddle_receive(&ball, sizeof ball); // BUG deadlock
#ifndef ORDERED
    heddle_send(other, &ball, sizeof ball);
#endif
}
