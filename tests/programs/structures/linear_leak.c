/* Linear expressions a1*x1 + ... + c, as a concolic tester keeps them: the sum of two that
 * cancel is constant, and `add` forgets to free what it made (the leak of paper 002, 7.1).
 * Found by a sequence of create, negate and add chosen by inputs.
 *
 * run: -DBUG
 * verdict: complete
 * finding: leak 1
 *
 * run:
 * verdict: complete */
#include <heddle.h>
#include <stdlib.h>

enum { MAX_TERMS = 3, SLOTS = 2, STEPS = 4 };

struct linear {
    int count, constant;
    struct {
        int variable, coefficient;
    } terms[MAX_TERMS];
};

static struct linear *create(int variable) {
    struct linear *l = calloc(1, sizeof *l);
    l->count = 1;
    l->terms[0].variable = variable;
    l->terms[0].coefficient = 1;
    return l;
}

static void negate(struct linear *l) {
    l->constant = -l->constant;
    for (int i = 0; i < l->count; i++)
        l->terms[i].coefficient = -l->terms[i].coefficient;
}

static void append(struct linear *l, int variable, int coefficient) {
    for (int i = 0; i < l->count; i++)
        if (l->terms[i].variable == variable) {
            l->terms[i].coefficient += coefficient;
            if (l->terms[i].coefficient == 0)
                l->terms[i] = l->terms[--l->count];
            return;
        }
    if (l->count < MAX_TERMS) {
        l->terms[l->count].variable = variable;
        l->terms[l->count++].coefficient = coefficient;
    }
}

/* NULL if the sum is constant. */
static struct linear *add(const struct linear *a, const struct linear *b) {
    struct linear *sum = malloc(sizeof *sum);
    *sum = *a;
    sum->constant += b->constant;
    for (int i = 0; i < b->count; i++)
        append(sum, b->terms[i].variable, b->terms[i].coefficient);
    if (sum->count > 0)
        return sum;
#ifndef BUG
    free(sum);
#endif
    return NULL;
}

static void put(struct linear **slot, struct linear *l) {
    free(*slot);
    *slot = l;
}

int main(void) {
    struct linear *slots[SLOTS] = {0};
    for (int i = 0; i < STEPS; i++) {
        struct linear **slot = &slots[heddle_choose(0, 1) != 0];
        switch (heddle_choose(0, 2)) {
        case 0:
            put(slot, create(0));
            break;
        case 1:
            if (*slot)
                negate(*slot);
            break;
        default:
            if (slots[0] && slots[1])
                put(slot, add(slots[0], slots[1]));
        }
    }
    put(&slots[0], NULL);
    put(&slots[1], NULL);
    return 0;
}
