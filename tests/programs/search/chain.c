/* Every way of leaving layers of the solver chain out gives the same paths: 23 by
 * brute force over both bytes.
 *
 * run: --solver-chain all
 * verdict: complete
 * paths: 23
 *
 * run: --solver-chain blast
 * verdict: complete
 * paths: 23
 *
 * run: --solver-chain z3
 * verdict: complete
 * paths: 23
 *
 * run: --solver-chain -cache
 * verdict: complete
 * paths: 23 */
#include <heddle.h>

int main(void) {
    unsigned char a, b;
    heddle_input(a);
    heddle_input(b);
    unsigned sum = a * 3u + b;
    if (a > b)
        sum ^= 0x55;
    if (sum % 5 == 2)
        sum += a;
    if (a == 77)
        sum -= b;
    if ((sum & 0x30) == 0x10)
        sum *= 2;
    if (sum > 600)
        return 1;
    return 0;
}
