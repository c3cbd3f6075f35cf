/* Sorted singly linked lists from their invariant: insertion keeps them sorted.
 *
 * Lists of 0 to 3 cells; inserting into n sorted cells stops at any of n+1 places: with the
 * bound 3 there are 1 + 2 + 3 + 4 = 10 paths that the invariant accepts.
 *
 * run:
 * verdict: complete
 * paths: 10 */
#include <heddle.h>

enum { LENGTH = 3 };

struct cell {
    int key;
    struct cell *next;
};

static int is_sorted(const struct cell *c) {
    int n = 0;
    for (; c; c = c->next) {
        if (++n > LENGTH)
            return 0;
        if (c->next && c->next->key < c->key)
            return 0;
    }
    return 1;
}

static void insert(struct cell **at, struct cell *new_cell) {
    while (*at && (*at)->key < new_cell->key)
        at = &(*at)->next;
    new_cell->next = *at;
    *at = new_cell;
}

int main(void) {
    struct cell *list, extra;
    heddle_input(list);
    heddle_assume(is_sorted(list));
    heddle_input(extra.key);
    insert(&list, &extra);
    int n = 0;
    for (struct cell *c = list; c; c = c->next, n++)
        heddle_assert(!c->next || c->key <= c->next->key);
    heddle_assert(n <= LENGTH + 1);
    return 0;
}
