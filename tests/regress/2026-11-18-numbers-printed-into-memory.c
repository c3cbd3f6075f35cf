/* What was printed into memory, into a file or into a pipe was one value of a number, a character or a text that depends on inputs, which was said; also if it was one value on that path
 * anyway.  Sign and number of digits are decisions, and the digits keep what they depend on.
 *
 * run:
 * verdict: complete
 * paths: 10
 * label: minus 1
 * label: seven 1
 * label: 42 1
 *
 * run: -DHEXADECIMAL
 * verdict: complete
 * paths: 3
 * label: 2f 1
 *
 * run: -DOVERFLOWN
 * verdict: complete
 * finding: out-of-bounds
 *
 * run: -DDECIDED
 * verdict: complete
 * paths: 2
 *
 * run: -DNULLS
 * verdict: complete
 * paths: 2
 * label: null 1
 *
 * run: -DPOSITIONS
 * verdict: complete
 * label: both 1
 *
 * run: -DSTREAM
 * verdict: complete
 * label: thirty 1 */
#include <heddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    signed char x;
    char text[16] = "";
    heddle_input(x);
#ifdef HEXADECIMAL
    snprintf(text, sizeof text, "%02x", (unsigned char)x);
    if (!strcmp(text, "2f"))
        heddle_reach("2f");
#elif defined OVERFLOWN
    sprintf(text + 12, "%d", x); // BUG out-of-bounds
#elif defined DECIDED
    if (x == 3)
        snprintf(text, sizeof text, "%d", x);
#elif defined NULLS
    snprintf(text, sizeof text, "%s", x ? "a" : NULL);
    if (text[0] == '(')
        heddle_reach("null");
#elif defined POSITIONS
    snprintf(text, sizeof text, "%2$-6d|%1$+.3d", x, x);
    if (!strcmp(text, "-17   |-017"))
        heddle_reach("both");
#elif defined STREAM
    FILE *f = tmpfile();
    int y;
    fprintf(f, "%hhd", x);
    rewind(f);
    if (fscanf(f, "%d", &y) == 1 && y == 30)
        heddle_reach("thirty");
    fclose(f);
#else
    int n = snprintf(text, sizeof text, "%d", x);
    if (text[0] == '-' && n == 3)
        heddle_reach("minus");
    if (!strcmp(text, "7"))
        heddle_reach("seven");
    if (atoi(text) == 42)
        heddle_reach("42");
#endif
    return 0;
}
