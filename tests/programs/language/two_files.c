/* A program of two sources; values stay symbolic across them.
 *
 * run: tests/programs/language/two_files/other.c
 * verdict: complete
 * paths: 3
 * label: other 1 */
#include <heddle.h>

extern unsigned shared_state;
unsigned other(unsigned x);

int main(void) {
    unsigned x;
    heddle_input(x);
    if (other(x) == 99)
        heddle_reach("other");
    heddle_assert(shared_state == x);
    return 0;
}
