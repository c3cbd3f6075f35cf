/* Two calls before a common end were made one, which has no line: findings inside of the function
 * stood at the beginning of main.
 *
 * run:
 * verdict: complete
 * finding: out-of-bounds 2 */
#include <heddle.h>
#include <string.h>

static volatile int sink;

int main(void) {
    int which;
    char to[4], text[16] = "abcdefgh";
    heddle_input(which);
    to[0] = '\0';
    switch (which) {
    case 0:
        strcpy(to, text); // BUG out-of-bounds
        break;
    case 1:
        strcpy(to, text + 1); // BUG out-of-bounds
        break;
    default:
        break;
    }
    sink += to[0];
    return 0;
}
