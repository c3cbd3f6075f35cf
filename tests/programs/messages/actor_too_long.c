/* A message that is longer than the buffer of the receiver is a finding; a shorter one, and an
 * empty one, are not.
 *
 * run: -DSIZE=8
 * verdict: complete
 * executions: 1
 *
 * run: -DSIZE=0
 * verdict: complete
 * executions: 1
 *
 * run: -DSIZE=9
 * verdict: complete
 * finding: bad-message 1 */
#include <assert.h>
#include <heddle.h>

static void reader(void *unused) {
    (void)unused;
    char text[8];
    size_t n = heddle_receive(text, sizeof text); // BUG bad-message
    assert(n == SIZE);
    for (size_t i = 0; i < n; i++)
        assert(text[i] == 'x');
}

int main(void) {
    static const char text[] = "xxxxxxxxxxxx";
    heddle_send(heddle_spawn(reader, 0, 0), text, SIZE);
}
