/* The same bug through call sequences: lists are built by the operations themselves, the
 * operations are chosen by inputs.
 *
 * Three of the operations push-a, push-b, pop-a, concat in every order: 4^3 = 64 sequences,
 * those that meet the bug end early.
 *
 * run: -DBUG
 * verdict: complete
 * finding: null-pointer 1
 *
 * run:
 * verdict: complete
 * paths: 64 */
#include <heddle.h>
#include <stdlib.h>

struct cell {
    int value;
    struct cell *next, *prev;
};

static struct cell *push(struct cell *first, int value) {
    struct cell *c = malloc(sizeof *c);
    *c = (struct cell){value, first, NULL};
    if (first)
        first->prev = c;
    return c;
}

static struct cell *pop(struct cell *first) {
    struct cell *rest = first->next;
    if (rest)
        rest->prev = NULL;
    free(first);
    return rest;
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

static void check(const struct cell *c) {
    for (; c && c->next; c = c->next)
        heddle_assert(c->next->prev == c);
}

int main(void) {
    struct cell *a = NULL, *b = NULL;
    for (int i = 0; i < 3; i++) {
        switch (heddle_choose(0, 3)) {
        case 0:
            a = push(a, i);
            break;
        case 1:
            b = push(b, i);
            break;
        case 2:
            if (a)
                a = pop(a);
            break;
        default:
            a = concat(a, b);
            b = NULL;
        }
        check(a);
        check(b);
    }
    while (a)
        a = pop(a);
    while (b)
        b = pop(b);
    return 0;
}
