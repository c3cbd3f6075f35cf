/* Paper 002, 4.3.5: the first condition must not spoil the second.
 *
 * No square of a 32-bit number is 8 modulo 2^32 and no odd square is 7, so the first error does
 * not exist; x == 10 does.  Two paths.
 *
 * run:
 * verdict: complete
 * paths: 2
 * no-label: eight
 * label: ten 1 */
#include <heddle.h>

int main(void) {
    unsigned x;
    heddle_input(x);
    unsigned z = x * x + x % 2;
    if (z == 8)
        heddle_reach("eight");
    if (x == 10)
        heddle_reach("ten");
    return 0;
}
