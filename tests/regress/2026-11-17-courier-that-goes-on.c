/* With FIFO channels a courier may bring another message at once.  A bounded search went on with the
 * actor that had the first one, and counted that as a preemption of the courier: it had more than
 * allowed then, and took its worker down.
 *
 * run: --preemptions 0
 * verdict: incomplete
 * reason: preemptions
 *
 * run: --preemptions 9
 * verdict: complete
 * paths: 6 */
#include <assert.h>
#include <heddle.h>

enum { MESSAGES = 2 };

static void reader(void *unused) {
    (void)unused;
    int next[2] = {0, 0};
    for (int i = 0; i < 2 * MESSAGES; i++) {
        int number;
        heddle_receive(&number, sizeof number);
        assert(number == next[heddle_sender() - 2]++);
    }
}

static void writer(void *unused) {
    (void)unused;
    char start;
    heddle_receive(&start, sizeof start);
    for (int i = 0; i < MESSAGES; i++)
        heddle_send(1, &i, sizeof i);
}

int main(void) {
    heddle_fifo(-1);
    heddle_spawn(reader, 0, 0);
    heddle_actor writers[] = {heddle_spawn(writer, 0, 0), heddle_spawn(writer, 0, 0)};
    for (int i = 0; i < 2; i++)
        heddle_send(writers[i], "s", 1);
    return 0;
}
