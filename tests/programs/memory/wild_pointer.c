/* A pointer made from a number touches nothing of ours and nothing of Heddle's.
 *
 * run:
 * finding: out-of-bounds 1 */
#include <heddle.h>
#include <stdint.h>

int main(void) {
    int x;
    heddle_input(x);
    if (x == 31337)
        *(volatile int *)(uintptr_t)0x1234567890 = 1; // BUG out-of-bounds
    return 0;
}
