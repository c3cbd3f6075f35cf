/* Floating-point values that hold symbolic bytes may be copied without loss.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: pattern 1 */
#include <heddle.h>
#include <string.h>

struct reading {
    float value;
    int number;
};

int main(void) {
    struct reading a = {1.5f, 0}, b;
    unsigned bits;
    heddle_input(bits);
    memcpy(&a.value, &bits, sizeof bits);
    b = a;
    memcpy(&bits, &b.value, sizeof bits);
    if (bits == 0x7fc00001)
        heddle_reach("pattern");
    return 0;
}
