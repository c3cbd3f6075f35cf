/* A binomial heap (paper 003): sequences of insert, find-min, extract-min, decrease-key and delete.
 *
 * Operations on an empty heap do nothing.
 *
 * paths: -DSTEPS=2 -> 27
 * paths: -DSTEPS=3 -> 153 */
#include <heddle.h>
#include <stdbool.h>
#include <stddef.h>
#ifndef STEPS
#define STEPS 4
#endif

struct node {
    int key, degree;
    struct node *parent, *child, *next; /* next: of the list of roots, or of children */
};

static struct node pool[STEPS];
static int n_nodes;
static struct node *heap;

/* Both lists by degree. */
static struct node *merge_roots(struct node *a, struct node *b) {
    struct node *first = NULL, **end = &first;
    while (a && b) {
        struct node **least = a->degree <= b->degree ? &a : &b;
        *end = *least;
        *least = (*least)->next;
        end = &(*end)->next;
    }
    *end = a ? a : b;
    return first;
}

static void hang_below(struct node *child, struct node *parent) {
    child->parent = parent;
    child->next = parent->child;
    parent->child = child;
    parent->degree++;
}

static struct node *unite(struct node *a, struct node *b) {
    struct node *first = merge_roots(a, b), *before = NULL, *at = first;
    while (at && at->next) {
        struct node *next = at->next;
        if (at->degree != next->degree || (next->next && next->next->degree == at->degree)) {
            before = at;
            at = next;
        } else if (at->key <= next->key) {
            at->next = next->next;
            hang_below(next, at);
        } else {
            if (before)
                before->next = next;
            else
                first = next;
            hang_below(at, next);
            at = next;
        }
    }
    return first;
}

static void insert(int key) {
    struct node *n = &pool[n_nodes++];
    n->key = key;
    heap = unite(heap, n);
}

static struct node *find_min(void) {
    struct node *least = heap;
    for (struct node *n = heap; n; n = n->next)
        if (n->key < least->key)
            least = n;
    return least;
}

static void remove_root(struct node *root) {
    struct node **at = &heap, *children = NULL;
    while (*at != root)
        at = &(*at)->next;
    *at = root->next;
    for (struct node *c = root->child, *next; c; c = next) {
        next = c->next;
        c->parent = NULL;
        c->next = children;
        children = c;
    }
    heap = unite(heap, children);
}

static void extract_min(void) {
    struct node *least = find_min();
    if (least)
        remove_root(least);
}

/* The deepest node of the first tree: any will do. */
static struct node *some_node(void) {
    struct node *n = heap;
    while (n && n->child)
        n = n->child;
    return n;
}

static struct node *rise(struct node *n, bool to_the_top) {
    for (; n->parent && (to_the_top || n->key < n->parent->key); n = n->parent) {
        int key = n->key;
        n->key = n->parent->key;
        n->parent->key = key;
    }
    return n;
}

static void decrease(int key) {
    struct node *n = some_node();
    if (!n || key > n->key)
        return;
    n->key = key;
    rise(n, false);
}

static void delete_one(void) {
    struct node *n = some_node();
    if (n)
        remove_root(rise(n, true));
}

int main(void) {
    for (int i = 0; i < STEPS; i++) {
        long operation = heddle_choose(0, 4);
        int key;
        heddle_input(key);
        switch (operation) {
        case 0:
            insert(key);
            break;
        case 1:
            (void)find_min();
            break;
        case 2:
            extract_min();
            break;
        case 3:
            decrease(key);
            break;
        default:
            delete_one();
        }
        for (struct node *n = heap; n; n = n->next)
            heddle_assert(!n->parent && (!n->next || n->degree < n->next->degree));
    }
    return 0;
}
