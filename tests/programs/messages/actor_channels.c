/* Selective receive: the reader takes the message on the control channel first, whatever has
 * arrived on the data channel before, and then the two data messages in either order.
 *
 * -DANY takes what comes: the control message may then come last.
 *
 * run: --por none
 * verdict: complete
 * executions: 2
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
 * paths: 1
 *
 * run: -DANY --por none
 * verdict: complete
 * executions: 4
 * paths: 4
 * finding: assertion 1
 *
 * run: -DANY --por message
 * verdict: complete
 * executions: 4
 * paths: 4
 * finding: assertion 1
 *
 * run: -DANY
 * verdict: complete
 * executions: 4
 * paths: 4
 * finding: assertion 1
 *
 * run: -DANY -DFIFO --por none
 * verdict: complete
 * executions: 2
 * paths: 2
 * finding: assertion 1
 *
 * run: -DANY -DFIFO --por message
 * verdict: complete
 * executions: 2
 * paths: 2
 * finding: assertion 1
 *
 * run: -DANY -DFIFO
 * verdict: complete
 * executions: 2
 * paths: 2
 * finding: assertion 1 */
#include <assert.h>
#include <heddle.h>
enum { DATA = 7, CONTROL = 63 };

static void reader(void *unused) {
    (void)unused;
    int limit, data;
#ifdef ANY
    heddle_receive(&limit, sizeof limit);
#else
    heddle_receive_on(CONTROL, &limit, sizeof limit);
#endif
    assert(heddle_channel() == CONTROL); // BUG assertion
    for (int i = 0; i < 2; i++) {
        heddle_receive(&data, sizeof data);
        assert(heddle_channel() == DATA && data < limit);
    }
}

int main(void) {
#ifdef FIFO
    heddle_fifo(DATA);
#endif
    heddle_actor to = heddle_spawn(reader, 0, 0);
    int data[] = {1, 2}, limit = 10;
    heddle_send_on(DATA, to, &data[0], sizeof data[0]);
    heddle_send_on(DATA, to, &data[1], sizeof data[1]);
    heddle_send_on(CONTROL, to, &limit, sizeof limit);
}
