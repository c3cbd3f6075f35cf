/* Many messages under way at the same time, more than any of them is received: a message that is
 * received first makes a class.
 *
 * run: -DN=100
 * verdict: complete
 * paths: 100
 *
 * run: -DN=100 --por dpor
 * verdict: complete
 * paths: 100
 *
 * run: --max-executions=3
 * verdict: incomplete
 * paths: 3 */
#include <heddle.h>

#ifndef N
#define N 4096
#endif

static void takes_one(void *unused) {
    (void)unused;
    int n;
    heddle_receive(&n, sizeof n);
}

int main(void) {
    heddle_actor to = heddle_spawn(takes_one, 0, 0);
    for (int i = 0; i < N; i++)
        heddle_send(to, &i, sizeof i);
    return 0;
}
