/* A state machine in code: a door lock that takes N key presses.
 *
 * The state is concrete on every path; every press is compared until it fits.  No closed
 * formula: the brute force tries the keys with a meaning, the ends of the digits and a byte
 * beyond each.
 *
 * brute: -DN=3 bytes 0-255 -> 36
 * brute: -DN=5 bytes 35,42,47,48,49,52,55,57,58 -> 430
 * brute: -DN=6 bytes 35,42,47,48,49,52,55,57,58 -> 1474
 * brute: -DN=7 bytes 35,42,47,48,49,52,55,57,58 -> 5055
 * paths: -DN=5 -> 430
 * paths: -DN=6 -> 1474
 * paths: -DN=7 -> 5055 */
#include <heddle.h>
#ifndef N
#define N 7
#endif

enum state { LOCKED, FIRST, SECOND, OPEN, ALARM };

static enum state begin(unsigned char key, enum state other) {
    if (key == '1')
        return FIRST;
    return other;
}

static enum state press(enum state now, unsigned char key) {
    if (key == '*')
        return LOCKED;
    switch (now) {
    case LOCKED:
        return begin(key, LOCKED);
    case FIRST:
        if (key == '4')
            return SECOND;
        return begin(key, LOCKED);
    case SECOND:
        if (key == '7')
            return OPEN;
        if (key < '0')
            return ALARM;
        if (key > '9')
            return ALARM;
        return begin(key, LOCKED);
    case OPEN:
        if (key == '#')
            return LOCKED;
        return OPEN;
    case ALARM:
        break;
    }
    return ALARM;
}

int main(void) {
    unsigned char keys[N];
    enum state now = LOCKED;
    heddle_input(keys);
    for (int i = 0; i < N; i++)
        now = press(now, keys[i]);
    if (now == OPEN)
        heddle_reach("open");
    return now;
}
