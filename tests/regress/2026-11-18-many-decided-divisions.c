/* Slow compile: of many divisions by constants in one function each was a branch, and time grew
 * with the square of their number.  They are no branches now; the two divisions that can go wrong
 * are still found, and so is one that always does.
 *
 * run: -w
 * verdict: complete
 * paths: 4
 * finding: division-by-zero 2
 * finding: overflow 1 */
#include <heddle.h>

#define FOUR(k)    sum ^= x / (k), sum ^= x % (k + 1), sum ^= 7u / (k), sum ^= (k) / 3
#define SIXTEEN(k) FOUR(k), FOUR(k + 1), FOUR(k + 2), FOUR(k + 3)
#define MANY       SIXTEEN(1), SIXTEEN(5), SIXTEEN(9), SIXTEEN(13), SIXTEEN(17)

int main(void) {
    int x = heddle_choose(0, 3), sum = 0;
    MANY;
    if (x < 2)
        sum ^= 100 / x;
    if (x == 2)
        sum ^= (-2147483647 - 1) / (x - 3);
    if (x == 3)
        sum ^= x / 0;
    return sum & 1;
}
