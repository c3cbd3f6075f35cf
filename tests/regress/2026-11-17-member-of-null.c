/* The address of a member of nothing was no finding, unless somebody used it.
 *
 * run:
 * verdict: complete
 * paths: 2
 * finding: null-pointer 1
 *
 * The pointer is an input.
 * run: -DINPUT
 * verdict: complete
 * finding: null-pointer 1
 *
 * Used on the same line: one finding, of the access or of the member.
 * run: -DUSED
 * verdict: complete
 * finding: null-pointer 1
 *
 * run: --checks all -DFINE
 * verdict: complete
 *
 * run: --checks alignment
 * verdict: complete
 */
#include <heddle.h>
#include <stddef.h>

struct pair {
    int x, y[3];
};

static int *member(struct pair *p) {
    return &p->y[1];
}

int main(void) {
    static struct pair one;
    int *found = NULL;
#ifdef INPUT
    struct pair *p;
    heddle_input(p);
    found = member(p);
#else
    unsigned i;
    heddle_input(i);
    heddle_assume(i < 3);
    struct pair *p = i == 1 ? NULL : &one;
#ifdef FINE
    p = p ? p : &one;
#endif
#ifdef USED
    return p->y[i] == 7;
#else
    found = i ? member(p) : NULL;
#endif
#endif
    return found == &one.x;
}
