/* A red-black tree: insert N keys, drop the ones that are there already, then check the shape.
 *
 * A run learns exactly the weak order of the keys, as with a plain search tree (bst.c): the
 * ordered set partitions.  Rotations and the check at the end are concrete work between the
 * few symbolic comparisons.
 *
 * brute: -DN=4 ints 0,1,2,3 -> 75
 * brute: -DN=5 ints 0,1,2,3,4 -> 541
 * brute: -DN=6 ints 0-5 -> 4683
 * paths: -DN=4 -> 75
 * paths: -DN=5 -> 541
 * paths: -DN=6 -> 4683 */
#include <heddle.h>
#include <stdbool.h>
#ifndef N
#define N 6
#endif

struct node {
    int key;
    bool red;
    struct node *parent, *child[2];
};

static struct node pool[N];
static int n_nodes;
static struct node *root;

static int side_of(const struct node *n) {
    return n->parent->child[1] == n;
}

/* Put `n` where `old` hangs. */
static void replace(struct node *old, struct node *n) {
    n->parent = old->parent;
    if (old->parent)
        old->parent->child[side_of(old)] = n;
    else
        root = n;
}

/* Turn n's other child up into its place; n goes down to `side`. */
static void rotate(struct node *n, int side) {
    struct node *up = n->child[!side];
    replace(n, up);
    n->child[!side] = up->child[side];
    if (up->child[side])
        up->child[side]->parent = n;
    up->child[side] = n;
    n->parent = up;
}

/* `n` is red; so may be its parent.  Push the clash upwards or rotate it away. */
static void repair(struct node *n) {
    while (n->parent && n->parent->red) {
        struct node *grand = n->parent->parent;
        int side = side_of(n->parent);
        struct node *uncle = grand->child[!side];
        if (uncle && uncle->red) {
            n->parent->red = uncle->red = false;
            grand->red = true;
            n = grand;
            continue;
        }
        if (side_of(n) != side) {
            n = n->parent;
            rotate(n, side);
        }
        n->parent->red = false;
        grand->red = true;
        rotate(grand, !side);
    }
    root->red = false;
}

static void insert(int key) {
    struct node *parent = NULL, **place = &root;
    while (*place) {
        parent = *place;
        if (key == parent->key)
            return;
        if (key < parent->key)
            place = &parent->child[0];
        else
            place = &parent->child[1];
    }
    struct node *n = &pool[n_nodes++];
    *n = (struct node){.key = key, .red = true, .parent = parent};
    *place = n;
    repair(n);
}

/* The number of black nodes on every way down from `n`, or -1 if there is no such number. */
static int black_height(const struct node *n) {
    if (!n)
        return 0;
    int left = black_height(n->child[0]), right = black_height(n->child[1]);
    if (left < 0 || left != right)
        return -1;
    if (n->red && ((n->child[0] && n->child[0]->red) || (n->child[1] && n->child[1]->red)))
        return -1;
    return left + !n->red;
}

int main(void) {
    int keys[N];
    heddle_input(keys);
    for (int i = 0; i < N; i++)
        insert(keys[i]);
    heddle_assert(black_height(root) >= 0);
    return n_nodes;
}
