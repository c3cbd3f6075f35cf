/* Pointer arithmetic from null, to null, and round the address space; accesses on the same line say
 * it themselves.
 *
 * run:
 * verdict: complete
 * finding: pointer-overflow 3
 * finding: null-pointer 1
 *
 * run: --checks overflow
 * verdict: complete
 * finding: null-pointer 1 */
#include <heddle.h>
#include <stdint.h>

static char text[8] = "abcdefg";
static volatile long sink;

int main(void) {
    int which, x;
    heddle_input(which);
    heddle_input(x);
    char *p = x == 7 ? 0 : text;
    if (which == 0) {
        p++; // BUG pointer-overflow
        sink += p != 0;
    } else if (which == 1) {
        char *q = (char *)(uintptr_t)(x == 3 ? 1 : 9);
        q--; // BUG pointer-overflow
        sink += q != 0;
    } else if (which == 2) {
        int *q = (int *)(uintptr_t)(x == 3 ? -8l : 16l);
        q += 4; // BUG pointer-overflow
        sink += q != 0;
    } else {
        sink += p[2]; // BUG null-pointer
    }
    return 0;
}
