/* Two squares: one is 61 times the other, and one more.  The least such numbers have ten digits, so
 * that there are none below BELOW; with a factor of 2 there are.
 *
 * brute: -DBELOW=40 -DFACTOR=61 ints 0-45 -> 5
 * brute: -DBELOW=40 -DFACTOR=2 ints 0-45 -> 6
 * paths: -DBELOW=40 -DFACTOR=61 -> 5
 * paths: -DBELOW=20000 -DFACTOR=61 -> 5
 * paths: -DBELOW=20000 -DFACTOR=2 -> 6 */
#include <heddle.h>
#ifndef BELOW
#define BELOW  20000
#define FACTOR 61
#endif

int main(void) {
    unsigned x[2];
    heddle_input(x);
    if (x[0] >= BELOW)
        return 1;
    if (x[1] >= BELOW)
        return 2;
    if (x[1] == 0)
        return 3;
    if (x[0] < x[1])
        return 4;
    if ((unsigned long)x[0] * x[0] == (unsigned long)x[1] * x[1] * FACTOR + 1)
        heddle_reach("found");
    return 0;
}
