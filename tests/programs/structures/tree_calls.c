/* A binary search tree by call sequences: insert or remove, chosen by inputs, with symbolic
 * keys.  The bug: removing a node with two children forgets the right subtree of the
 * successor.  It takes four insertions and a removal.
 *
 * run: -DBUG --stop-at-first
 * finding: assertion 1
 *
 * run: -DSTEPS=3
 * verdict: complete */
#include <heddle.h>
#include <stdlib.h>
#ifndef STEPS
#define STEPS 5
#endif

struct node {
    signed char key;
    struct node *left, *right;
};

static struct node **find(struct node **at, signed char key) {
    while (*at && (*at)->key != key)
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    return at;
}

static int insert(struct node **root, signed char key) {
    struct node **at = find(root, key);
    if (*at)
        return 0;
    *at = calloc(1, sizeof **at);
    (*at)->key = key;
    return 1;
}

static int remove_key(struct node **root, signed char key) {
    struct node **at = find(root, key), *gone = *at;
    if (!gone)
        return 0;
    if (gone->left && gone->right) {
        struct node **next = &gone->right;
        while ((*next)->left)
            next = &(*next)->left;
        struct node *successor = *next;
        gone->key = successor->key;
#ifdef BUG
        *next = NULL;
#else
        *next = successor->right;
#endif
        gone = successor;
    } else {
        *at = gone->left ? gone->left : gone->right;
    }
    free(gone);
    return 1;
}

static int size(const struct node *n) {
    return n ? 1 + size(n->left) + size(n->right) : 0;
}

static void free_all(struct node *n) {
    if (!n)
        return;
    free_all(n->left);
    free_all(n->right);
    free(n);
}

int main(void) {
    struct node *root = NULL;
    int expected = 0;
    for (int i = 0; i < STEPS; i++) {
        signed char key;
        heddle_input(key);
        if (heddle_choose(0, 1))
            expected += insert(&root, key);
        else
            expected -= remove_key(&root, key);
    }
    heddle_assert(size(root) == expected);
    free_all(root);
    return 0;
}
