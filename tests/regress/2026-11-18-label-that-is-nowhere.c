/* A label that cannot be read ended the process of the execution, at an unknown place.
 *
 * run:
 * verdict: complete
 * paths: 3
 * finding: null-pointer
 * finding: out-of-bounds */
#include <heddle.h>

int main(void) {
    char x;
    heddle_input(x);
    if (x == 1)
        heddle_reach((const char *)16);
    if (x == 2)
        heddle_reach((const char *)0x700000000000);
    return 0;
}
