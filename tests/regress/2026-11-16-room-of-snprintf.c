/* The room for snprintf depends on an input: each is a path.  It was one constant, and the search not
 * complete.
 *
 * run:
 * verdict: complete
 * paths: 4
 * finding: out-of-bounds 1 */
#include <heddle.h>
#include <stdio.h>

int main(void) {
    unsigned n;
    char to[6];
    heddle_input(n);
    heddle_assume(n >= 4 && n < 8);
    snprintf(to, n, "%s", "abcdefghijkl"); // BUG out-of-bounds
    return to[0] != 'a';
}
