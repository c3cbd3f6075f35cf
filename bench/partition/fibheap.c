/* A Fibonacci heap (paper 003): sequences of insert, remove-min, decrease-key and delete.
 *
 * Which operation it is comes as two flags.  Operations on an empty heap do nothing.
 *
 * paths: -DSTEPS=2 -> 18
 * paths: -DSTEPS=3 -> 86 */
#include <heddle.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#ifndef STEPS
#define STEPS 4
#endif

struct node {
    int key, degree;
    bool is_marked;
    struct node *parent, *child, *left, *right; /* rings of siblings */
};

static struct node pool[STEPS];
static int n_nodes;
static struct node *least;

static void alone(struct node *n) {
    n->left = n->right = n;
}

static void put_beside(struct node *n, struct node *where) {
    n->left = where;
    n->right = where->right;
    where->right->left = n;
    where->right = n;
}

static void take_out(struct node *n) {
    n->left->right = n->right;
    n->right->left = n->left;
    alone(n);
}

static void add_root(struct node *n) {
    n->parent = NULL;
    n->is_marked = false;
    if (!least) {
        alone(n);
        least = n;
        return;
    }
    put_beside(n, least);
    if (n->key < least->key)
        least = n;
}

static void insert(int key) {
    struct node *n = &pool[n_nodes++];
    n->key = key;
    add_root(n);
}

static void hang_below(struct node *child, struct node *parent) {
    child->parent = parent;
    child->is_marked = false;
    if (parent->child)
        put_beside(child, parent->child);
    else {
        alone(child);
        parent->child = child;
    }
    parent->degree++;
}

/* Trees of the same degree are linked until there is one of each. */
static void consolidate(struct node *roots) {
    struct node *by_degree[STEPS + 1] = {NULL};
    while (roots) {
        struct node *n = roots;
        roots = n->right == n ? NULL : n->right;
        take_out(n);
        for (struct node *other; (other = by_degree[n->degree]);) {
            by_degree[n->degree] = NULL;
            struct node *lower = other->key < n->key ? other : n;
            hang_below(lower == n ? other : n, lower);
            n = lower;
        }
        by_degree[n->degree] = n;
    }
    least = NULL;
    for (int i = 0; i <= STEPS; i++)
        if (by_degree[i])
            add_root(by_degree[i]);
}

static void remove_min(void) {
    struct node *old = least;
    if (!old)
        return;
    while (old->child) {
        struct node *c = old->child;
        old->child = c->right == c ? NULL : c->right;
        take_out(c);
        c->parent = NULL;
        put_beside(c, old);
    }
    struct node *rest = old->right == old ? NULL : old->right;
    take_out(old);
    old->degree = 0;
    consolidate(rest);
}

static void cut(struct node *n) {
    struct node *parent = n->parent;
    if (parent->child == n)
        parent->child = n->right == n ? NULL : n->right;
    take_out(n);
    parent->degree--;
    add_root(n);
    if (parent->parent && parent->is_marked)
        cut(parent);
    else if (parent->parent)
        parent->is_marked = true;
}

static void decrease(struct node *n, int key) {
    if (key > n->key)
        return;
    n->key = key;
    if (n->parent && key < n->parent->key)
        cut(n);
    else if (!n->parent && key < least->key)
        least = n;
}

/* The deepest node below the least one: any will do. */
static struct node *some_node(void) {
    struct node *n = least;
    while (n && n->child)
        n = n->child;
    return n;
}

int main(void) {
    for (int i = 0; i < STEPS; i++) {
        _Bool grows, is_simple;
        int key;
        heddle_input(grows);
        heddle_input(is_simple);
        heddle_input(key);
        struct node *n = some_node();
        if (grows) {
            if (is_simple)
                insert(key);
            else if (n)
                decrease(n, key);
        } else {
            if (!is_simple && n) {
                decrease(n, INT_MIN);
                least = n;
            }
            remove_min();
        }
    }
    return 0;
}
