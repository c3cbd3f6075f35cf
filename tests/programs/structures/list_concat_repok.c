/* Doubly linked lists from their invariant (repOk): concatenation fails for an empty second
 * list (a bug of this shape was found by paper 002 in a published library).
 *
 * The invariant n->next->prev == n is solved for, not searched.  LENGTH bounds the lists.
 * Each list is empty or has up to LENGTH cells; nothing else is asked about the lists, so with
 * LENGTH+1 shapes for each, (LENGTH+1)^2 accepted pairs, of which the second is empty for
 * LENGTH lists that are not: those end in the bug.
 *
 * run: -DLENGTH=3 -DBUG
 * verdict: complete
 * paths: 16
 * finding: null-pointer 1
 *
 * run: -DLENGTH=3
 * verdict: complete
 * paths: 16 */
#include <heddle.h>

struct cell {
    int value;
    struct cell *next, *prev;
};

/* A proper list of at most LENGTH cells: backward links mirror the forward ones. */
static int is_list(const struct cell *first) {
    int n = 0;
    if (!first)
        return 1;
    if (first->prev)
        return 0;
    for (const struct cell *c = first; c->next; c = c->next) {
        if (c->next->prev != c)
            return 0;
        if (++n == LENGTH)
            return 0;
    }
    return 1;
}

static struct cell *concat(struct cell *first, struct cell *second) {
    if (!first)
        return second;
    struct cell *last = first;
    while (last->next)
        last = last->next;
    last->next = second;
#ifndef BUG
    if (second)
#endif
        second->prev = last; // BUG null-pointer
    return first;
}

static int length(const struct cell *c) {
    int n = 0;
    for (; c; c = c->next)
        n++;
    return n;
}

int main(void) {
    struct cell *a, *b;
    heddle_input(a);
    heddle_input(b);
    heddle_assume(is_list(a));
    heddle_assume(is_list(b));
    heddle_assume(!a || a != b);
    int total = length(a) + length(b);
    heddle_assert(length(concat(a, b)) == total);
    return 0;
}
