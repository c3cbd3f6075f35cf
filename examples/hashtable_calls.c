/* hashtable_calls.c -- testing a data structure by sequences of calls.
 *
 * Try it:     heddle run --max-steps 1000 examples/hashtable_calls.c
 *
 * The inputs are the operations themselves: which function is called next, and with which
 * element.  Heddle goes through all sequences of STEPS calls, and the keys are whatever makes
 * a difference.  No crash is needed for a bug: here one sequence leads into a loop without
 * end.  An element that is added twice becomes its own successor in the bucket; looking for
 * another element of that bucket then goes round for ever.  The finding names the loop.
 *
 * run: --max-steps 1000
 * finding: non-termination
 *
 * run: --max-steps 1000 -DFIXED
 * verdict: complete
 * exit: 0 */
#include <heddle.h>

enum { BUCKETS = 10, STEPS = 3 };

struct element {
    unsigned char key;
    struct element *next;
};

static struct element *buckets[BUCKETS];

static struct element **bucket_of(const struct element *e) {
    return &buckets[e->key % BUCKETS];
}

static int is_member(const struct element *wanted) {
    for (const struct element *e = *bucket_of(wanted); e; e = e->next) // BUG non-termination
        if (e->key == wanted->key)                                     // BUG non-termination
            return 1;
    return 0;
}

static void add(struct element *e) {
    e->next = *bucket_of(e);
    *bucket_of(e) = e;
}

static void add_if_not_member(struct element *e) {
    if (!is_member(e))
        add(e);
}

int main(void) {
    struct element elements[2] = {0};
    heddle_input(elements[0].key);
    heddle_input(elements[1].key);
    for (int i = 0; i < STEPS; i++) {
        struct element *e = heddle_choose(0, 1) ? &elements[1] : &elements[0];
        switch (heddle_choose(0, 2)) {
        case 0:
            add_if_not_member(e);
            break;
        case 1:
#ifdef FIXED
            add_if_not_member(e);
#else
            add(e);
#endif
            break;
        default:
            is_member(e);
        }
    }
    return 0;
}
