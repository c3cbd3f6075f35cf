/* Paper 002, 4.3.1: a loop over chars overwrites a field through a cast pointer.
 *
 * Three paths: no object, c is not 1, c is 1 (and then always the error).
 *
 * run:
 * verdict: complete
 * paths: 3
 * finding: assertion 1 */
#include <heddle.h>

struct record {
    int i;
    char c;
};

static void *fill(void *s, char c, size_t n) {
    for (size_t i = 0; i < n; i++)
        ((char *)s)[i] = c;
    return s;
}

int main(void) {
    struct record *a;
    heddle_input(a);
    if (a && a->c == 1) {
        fill(a, 0, sizeof *a);
        heddle_assert(a->c == 1); // BUG assertion
    }
    return 0;
}
