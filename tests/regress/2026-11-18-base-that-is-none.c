/* strtol and its like leave *end alone if there is no such base, as glibc does: a pointer that
 * nobody wrote is used then.  Here *end was the beginning of the text, and nothing was found.
 *
 * run:
 * verdict: complete
 * finding: uninitialised 1
 * finding: out-of-bounds 1 */
#include <heddle.h>
#include <stdlib.h>

int main(void) {
    unsigned char base;
    char *end;
    heddle_input(base);
    heddle_assume(base < 40);
    long value = strtol("12", &end, base);
    if (*end) // BUG uninitialised // BUG out-of-bounds
        return (int)value;
    return 0;
}
