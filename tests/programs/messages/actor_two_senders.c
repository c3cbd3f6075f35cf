/* FIFO keeps the order between two actors only: the messages of two senders mix in every way.  Each
 * of the two is told to start, and which hears it first does not matter: 4!/(2!2!) = 6 classes with
 * FIFO channels.  Without, there are 6 more in which the reader stops at a message that overtook.
 *
 * run: --por none
 * verdict: complete
 * executions: 40
 * paths: 12
 * finding: assertion 1
 *
 * run: --por message
 * verdict: complete
 * executions: 20
 * paths: 12
 * finding: assertion 1
 *
 * run:
 * verdict: complete
 * executions: 12
 * paths: 12
 * finding: assertion 1
 *
 * run: -DFIFO --por none
 * verdict: complete
 * executions: 20
 * paths: 6
 *
 * run: -DFIFO --por message
 * verdict: complete
 * executions: 10
 * paths: 6
 *
 * run: -DFIFO
 * verdict: complete
 * executions: 6
 * paths: 6 */
#include <assert.h>
#include <heddle.h>

enum { MESSAGES = 2 };
static heddle_actor reader_id = 1;

static void reader(void *unused) {
    (void)unused;
    int next[2] = {0, 0};
    for (int i = 0; i < 2 * MESSAGES; i++) {
        int number;
        size_t size = heddle_receive(&number, sizeof number);
        assert(size == sizeof number);
        assert(number == next[heddle_sender() - 2]++); // BUG assertion
    }
}

static void writer(void *unused) {
    (void)unused;
    char start;
    heddle_receive(&start, sizeof start);
    assert(heddle_sender() == 0 && heddle_channel() == 0);
    for (int i = 0; i < MESSAGES; i++)
        heddle_send(reader_id, &i, sizeof i);
}

int main(void) {
#ifdef FIFO
    heddle_fifo(-1);
#endif
    reader_id = heddle_spawn(reader, 0, 0);
    assert(reader_id == 1 && heddle_self() == 0);
    for (int i = 0; i < 2; i++) {
        heddle_actor to = heddle_spawn(writer, 0, 0);
        assert(to == 2 + i);
        heddle_send(to, "", 1);
    }
}
