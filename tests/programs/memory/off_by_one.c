/* The loop that runs one too far, only for the longest name.
 *
 * run:
 * verdict: complete
 * finding: out-of-bounds 1 */
#include <heddle.h>

static void copy_name(char *to, const char *from) {
    while (*from)
        *to++ = *from++;
    *to = 0; // BUG out-of-bounds
}

int main(void) {
    char name[5], copy[4];
    heddle_input(name);
    name[4] = 0;
    copy_name(copy, name);
    return 0;
}
