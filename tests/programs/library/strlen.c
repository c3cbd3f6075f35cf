/* strlen of four symbolic bytes and a NUL: five lengths, five paths.
 *
 * run:
 * verdict: complete
 * paths: 5
 * label: three 1 */
#include <heddle.h>
#include <string.h>

int main(void) {
    char s[5];
    heddle_input(s);
    s[4] = 0;
    switch (strlen(s)) {
    case 0:
    case 1:
    case 2:
        break;
    case 3:
        heddle_reach("three");
        break;
    case 4:
        break;
    default:
        heddle_assert(0);
    }
    return 0;
}
