/* Values that their type does not have, or that do not fit another one.
 *
 * run:
 * verdict: complete
 * finding: bad-value 1
 * finding: float-overflow 1
 *
 * run: --checks float
 * verdict: complete
 * finding: float-overflow 1 */
#include <heddle.h>
#include <stdbool.h>
#include <string.h>

static volatile long sink;

int main(void) {
    unsigned char byte;
    bool truth;
    double real = 1.5;
    heddle_input(byte);
    if (byte == 9)
        real = 1e10;
    sink += (int)real; // BUG float-overflow
    memcpy(&truth, &byte, 1);
    if (truth) // BUG bad-value
        sink++;
    return byte == 200;
}
