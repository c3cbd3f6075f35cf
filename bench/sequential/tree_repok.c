/* A binary search tree by its invariant: every valid tree of at most N nodes is built from an
 * input pointer, then a key is looked up.
 *
 * The invariant has one passing path per shape, and the look-up in a tree of n nodes ends at
 * one of n nodes or in one of n + 1 gaps: the sum over n <= N of Catalan(n) (2 n + 1) paths
 * that pass.  Keys are strictly ordered, so no shared or cyclic structure passes.
 * N=2: 1 + 3 + 2*5 = 14.  N=3: 14 + 5*7 = 49.  N=4: 49 + 14*9 = 175.  N=5: 175 + 42*11 = 637.
 *
 * The brute force lays N nodes out in a pool and tries all pointers and keys.
 *
 * brute: -DN=2 bytes 0 -> 14
 * paths: -DN=2 -> 14
 * paths: -DN=3 -> 49
 * paths: -DN=4 -> 175
 * paths: -DN=5 -> 637 */
#include <heddle.h>
#include <limits.h>
#include <stdbool.h>
#ifndef N
#define N 4
#endif

struct node {
    int key;
    struct node *left, *right;
};

#ifdef BRUTE
static struct node pool[N];

static struct node *choose_node(void) {
    struct node *all[N + 1] = {0};
    for (int i = 0; i < N; i++)
        all[i + 1] = &pool[i];
    return all[heddle_choose(0, N)];
}

static struct node *choose_tree(void) {
    for (int i = 0; i < N; i++)
        pool[i] = (struct node){(int)heddle_choose(0, 2 * N), choose_node(), choose_node()};
    return choose_node();
}
#endif

/* All keys strictly between low and high, and at most *limit nodes. */
static bool is_search_tree(const struct node *n, long low, long high, int *limit) {
    if (!n)
        return true;
    if ((*limit)-- == 0)
        return false;
    if (n->key <= low)
        return false;
    if (n->key >= high)
        return false;
    return is_search_tree(n->left, low, n->key, limit) &&
           is_search_tree(n->right, n->key, high, limit);
}

static bool contains(const struct node *n, int key) {
    while (n) {
        if (key == n->key)
            return true;
        if (key < n->key)
            n = n->left;
        else
            n = n->right;
    }
    return false;
}

int main(void) {
    struct node *tree;
    int key, limit = N;
#ifdef BRUTE
    tree = choose_tree();
    key = (int)heddle_choose(0, 2 * N);
#else
    heddle_input(tree);
    heddle_input(key);
#endif
    heddle_assume(is_search_tree(tree, (long)INT_MIN - 1, (long)INT_MAX + 1, &limit));
    return contains(tree, key);
}
