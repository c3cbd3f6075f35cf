/* A table of slots by the high bits of a product: keys that are inputs go on where a slot is taken.
 *
 * brute: -DN=2 ints 0-20 -> 5
 * brute: -DN=3 ints 0-40 -> 17
 * paths: -DN=2 -> 5
 * paths: -DN=3 -> 17
 * paths: -DN=4 -> 79 */
#include <heddle.h>
#ifndef N
#define N 4
#endif
enum { SLOTS = 7 };

int main(void) {
    unsigned keys[N], slots[SLOTS] = {0};
    heddle_input(keys);
    for (int i = 0; i < N; i++) {
        unsigned at = (keys[i] * 2654435761u >> 16) % SLOTS;
        if (keys[i] == 0)
            return 1;
        while (slots[at] && slots[at] != keys[i])
            at = (at + 1) % SLOTS;
        slots[at] = keys[i];
    }
    return 0;
}
