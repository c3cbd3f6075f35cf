/* heddle_halt ends one actor, from any depth; messages to it that come later are lost and stop
 * nobody.  The other two go on.
 *
 * run:
 * verdict: complete
 * paths: 1
 * label: halted
 * no-label: after */
#include <assert.h>
#include <heddle.h>

static void stop(int depth) {
    if (depth == 0) {
        heddle_reach("halted");
        heddle_halt();
    }
    stop(depth - 1);
    heddle_reach("after");
}

static void middle(void *unused) {
    (void)unused;
    int n;
    heddle_receive(&n, sizeof n);
    heddle_send(2, &n, sizeof n);
    stop(n);
}

static void last(void *unused) {
    (void)unused;
    int n;
    heddle_receive(&n, sizeof n);
    assert(n == 3 && heddle_sender() == 1);
    heddle_send(1, &n, sizeof n);
    heddle_send(0, &n, sizeof n);
}

int main(void) {
    int n = 3, answer;
    heddle_spawn(middle, 0, 0);
    heddle_spawn(last, 0, 0);
    heddle_send(1, &n, sizeof n);
    heddle_receive(&answer, sizeof answer);
    assert(answer == n);
}
