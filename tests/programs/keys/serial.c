/* A serial number as people write them: four groups of checks on six characters, each of
 * which ends the test when it fails.
 *
 * Paths: 6 characters that are each too small or too large (12), a wrong sum, a wrong
 * product, the licence: 15.
 *
 * run:
 * verdict: complete
 * paths: 15
 * label: licensed 1 */
#include <heddle.h>

int main(void) {
    unsigned char s[6];
    unsigned sum = 0;
    heddle_input(s);
    for (int i = 0; i < 6; i++) {
        if (s[i] < '0')
            return 0;
        if (s[i] > '9')
            return 0;
        sum += s[i] - '0';
    }
    if (sum != 33)
        return 0;
    if ((s[0] - '0') * 100 + (s[1] - '0') * 10 + (s[2] - '0') != (s[3] - '0') * (s[4] - '0') * 9u)
        return 0;
    heddle_reach("licensed");
    return 0;
}
