/* memcpy to one of two places in a local, from elsewhere: the question whether the two overlap was
 * taken away twice, and the compiler ended by a signal.
 *
 * run:
 * verdict: complete
 * paths: 2 */
#include <heddle.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int x[2], y[2];
};

int main(void) {
    struct pair a = {{1, 2}, {3, 4}};
    int *other = calloc(2, sizeof *other);
    _Bool b;
    heddle_input(b);
    if (!other)
        return 0;
    memcpy(b ? a.x : a.y, other, sizeof a.x);
    heddle_assert(b ? a.x[0] == 0 && a.y[0] == 3 : a.x[0] == 1 && a.y[0] == 0);
    free(other);
    return 0;
}
