/* Null pointers where the declaration forbids them; what follows is still seen.
 *
 * run:
 * verdict: complete
 * finding: null-argument 3
 * finding: overflow 1
 *
 * run: --checks overflow
 * verdict: complete
 * finding: overflow 1 */
#include <heddle.h>
#include <string.h>

static volatile int sink;

__attribute__((nonnull(2))) static void take(int n, const char *p) {
    sink += (int)sizeof p + (n == 4);
}

__attribute__((returns_nonnull)) static char *give(char *p) {
    return p; // BUG null-argument
}

int main(void) {
    int x, which;
    char keep[4] = "abc", *p = keep;
    heddle_input(x);
    heddle_input(which);
    if (x == 5)
        p = 0;
    if (which == 0) {
        take(x, p); // BUG null-argument
    } else if (which == 1) {
        memcpy(keep, p, 0); // BUG null-argument
        sink = 2147483647 + (x == 6); // BUG overflow
    } else {
        sink += sizeof give(p);
        p = give(p);
    }
    return 0;
}
