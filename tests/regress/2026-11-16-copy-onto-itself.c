/* A copy from a place to itself was dropped before it was checked, however long.
 *
 * run:
 * verdict: complete
 * finding: out-of-bounds 1
 *
 * run: -DFIXED
 * verdict: complete
 * finding: out-of-bounds 1
 *
 * run: -DLATER
 * verdict: complete
 * finding: out-of-bounds 1 */
#include <heddle.h>
#include <string.h>

static unsigned char *place;

int main(void) {
    unsigned char t[4] = {1, 2, 3, 4}, n;
    heddle_input(n);
    n &= 7;
    place = t;
#ifdef FIXED
    memmove(t, t, 8); // BUG out-of-bounds
#elif defined LATER
    unsigned char *from = place, *to = place; /* that they are equal is found out later */
    memmove(to, from, n);                     // BUG out-of-bounds
#else
    memmove(t, t, n); // BUG out-of-bounds
#endif
    return t[2];
}
