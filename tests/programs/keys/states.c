/* A protocol machine over four events: each state branches over a switch.  The count is that of
 * brute force over all events (tests/brute/paths): 16 paths.
 *
 * run:
 * verdict: complete
 * paths: 16
 * label: done
 * label: error */
#include <heddle.h>

enum state { IDLE, OPEN, SENT, DONE, ERROR };

static enum state step(enum state s, unsigned char event) {
    switch (s) {
    case IDLE:
        return event == 0 ? OPEN : IDLE;
    case OPEN:
        switch (event) {
        case 1:
            return SENT;
        case 2:
        case 3:
            return IDLE;
        default:
            return ERROR;
        }
    case SENT:
        return event == 4 ? DONE : SENT;
    default:
        return s;
    }
}

int main(void) {
    unsigned char events[4];
    enum state s = IDLE;
    heddle_input(events);
    for (int i = 0; i < 4; i++)
        s = step(s, events[i]);
    if (s == DONE)
        heddle_reach("done");
    if (s == ERROR)
        heddle_reach("error");
    return 0;
}
