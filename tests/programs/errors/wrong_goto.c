/* Computed gotos: to labels of their function, to another function's, and between two.
 *
 * run:
 * verdict: complete
 * paths: 4
 * finding: wrong-goto 1 */
#include <heddle.h>

static volatile int sink;

static void *other(int x) {
    static void *const labels[] = {&&first, &&second};
    if (x > 7)
        goto *labels[x & 1];
    return labels[x & 1];
first:
    sink++;
second:
    return labels[0];
}

int main(void) {
    unsigned x;
    heddle_input(x);
    heddle_assume(x < 4);
    void *labels[] = {&&one, &&two, (char *)&&two + 1, other(0)};
    void *target = labels[0];
    if (x == 1)
        target = labels[1];
    if (x == 2)
        target = labels[2];
    if (x == 3)
        target = labels[3];
    goto *target; // BUG wrong-goto
one:
    sink += 1;
    return 0;
two:
    sink += 2;
    return 0;
}
