/* A binary search tree (paper 003): sequences of add, remove and find.
 *
 * Keys are asked for where an operation needs one.
 *
 * paths: -DSTEPS=2 -> 15
 * paths: -DSTEPS=3 -> 117 */
#include <heddle.h>
#ifndef STEPS
#define STEPS 4
#endif

struct node {
    int key;
    struct node *left, *right;
};

static struct node pool[STEPS];
static int n_nodes;
static struct node *root;

static struct node **find(int key) {
    struct node **at = &root;
    while (*at && (*at)->key != key)
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    return at;
}

static void add(int key) {
    struct node **at = find(key);
    if (*at)
        return;
    *at = &pool[n_nodes++];
    (*at)->key = key;
}

static void remove_key(int key) {
    struct node **at = find(key), *old = *at;
    if (!old)
        return;
    if (!old->left || !old->right) {
        *at = old->left ? old->left : old->right;
        return;
    }
    struct node **next = &old->right;
    while ((*next)->left)
        next = &(*next)->left;
    old->key = (*next)->key;
    *next = (*next)->right;
}

int main(void) {
    for (int i = 0; i < STEPS; i++) {
        long operation = heddle_choose(0, 2);
        int key;
        heddle_input(key);
        switch (operation) {
        case 0:
            add(key);
            break;
        case 1:
            remove_key(key);
            break;
        default:
            (void)find(key);
        }
    }
    return 0;
}
