/* list_repok.c -- testing an operation on a data structure without building the structure.
 *
 * Try it:     heddle run examples/list_repok.c
 *
 * The input is a whole doubly linked list.  A function that says whether a list is well formed
 * (called repOk in the literature) is all that is needed to get every well-formed list: it
 * goes into heddle_assume, and Heddle solves it.  Note that `next->prev == node` is solved
 * directly; nobody tries all nodes for each prev.
 *
 * The operation under test removes a node.  The bug: removing the last node leaves its
 * predecessor pointing to it.  Lists of up to three nodes are enough to show it.
 *
 * run:
 * verdict: complete
 * finding: assertion
 *
 * run: -DFIXED
 * verdict: complete
 * exit: 0 */
#include <heddle.h>

enum { LONGEST = 3 };

struct node {
    int value;
    struct node *next, *prev;
};

static int is_list(const struct node *first) {
    int n = 1;
    if (!first)
        return 1;
    if (first->prev)
        return 0;
    for (const struct node *at = first; at->next; at = at->next)
        if (at->next->prev != at || ++n > LONGEST)
            return 0;
    return 1;
}

static int length(const struct node *at) {
    int n = 0;
    for (; at; at = at->next)
        n++;
    return n;
}

/* Take the first node with this value out; answers the list that remains. */
static struct node *remove_value(struct node *first, int value) {
    struct node *at = first;
    while (at && at->value != value)
        at = at->next;
    if (!at)
        return first;
    if (at->next) {
        at->next->prev = at->prev;
        if (at->prev)
            at->prev->next = at->next;
    }
#ifdef FIXED
    else if (at->prev)
        at->prev->next = NULL;
#endif
    return at == first ? at->next : first;
}

int main(void) {
    struct node *list;
    int value;
    heddle_input(list);
    heddle_assume(is_list(list));
    heddle_input(value);

    int before = length(list), found = 0;
    for (struct node *at = list; at; at = at->next)
        if (at->value == value)
            found = 1;
    list = remove_value(list, value);
    heddle_assert(is_list(list));
    heddle_assert(length(list) == before - found); // BUG assertion
    return 0;
}
