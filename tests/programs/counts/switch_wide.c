/* Case ranges, 64-bit and negative case values, a switch without default: three switches of
 * 3, 4 and 2 ways; 24 paths (independent inputs).
 *
 * run:
 * verdict: complete
 * paths: 24
 * label: digit 8
 * label: far 6
 * label: minus 12 */
#include <heddle.h>

int main(void) {
    unsigned char c;
    long long w;
    signed char s;
    heddle_input(c);
    heddle_input(w);
    heddle_input(s);
    switch (c) {
    case '0' ... '9':
        heddle_reach("digit");
        break;
    case 'a' ... 'f':
        heddle_reach("hex");
        break;
    }
    switch (w) {
    case 0x123456789abcdefLL:
        heddle_reach("far");
        break;
    case -1:
        heddle_reach("one-less");
        break;
    case 7:
        heddle_reach("seven");
        break;
    default:
        break;
    }
    switch (s) {
    case -5:
        heddle_reach("minus");
    }
    return 0;
}
