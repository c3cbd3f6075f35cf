/* A hash table of ten buckets, by call sequences: adding one element twice makes its bucket's
 * list a cycle, and looking for another element of that bucket never ends (paper 002 found a
 * bug of this shape in a published library).
 *
 * run: --max-steps 1000
 * finding: non-termination */
#include <heddle.h>

enum { BUCKETS = 10, STEPS = 3 };

struct element {
    int key;
    struct element *next;
};

static struct element *table[BUCKETS];

static struct element **bucket(const struct element *e) {
    return &table[(unsigned)e->key % BUCKETS];
}

static int is_member(const struct element *wanted) {
    for (struct element *e = *bucket(wanted); e; e = e->next) // BUG non-termination
        if (e->key == wanted->key) // BUG non-termination
            return 1;
    return 0;
}

static void add(struct element *e) {
    e->next = *bucket(e);
    *bucket(e) = e;
}

static void add_if_not_member(struct element *e) {
    if (!is_member(e))
        add(e);
}

int main(void) {
    struct element e[2] = {0};
    heddle_input(e[0].key);
    heddle_input(e[1].key);
    for (int i = 0; i < STEPS; i++) {
        struct element *which = &e[0];
        if (heddle_choose(0, 1))
            which = &e[1];
        switch (heddle_choose(0, 2)) {
        case 0:
            add_if_not_member(which);
            break;
        case 1:
            add(which);
            break;
        default:
            is_member(which);
        }
    }
    return 0;
}
