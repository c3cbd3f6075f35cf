/* A map in a red-black tree (paper 003): sequences of put, remove, get, last-key and
 * contains-value.
 *
 * Left-leaning: the red one of two children is the left one.
 *
 * paths: -DSTEPS=2 -> 32
 * paths: -DSTEPS=3 -> 279 */
#include <heddle.h>
#include <stdbool.h>
#include <stddef.h>
#ifndef STEPS
#define STEPS 4
#endif

struct node {
    int key, value;
    bool is_red;
    struct node *left, *right;
};

static struct node pool[STEPS];
static int n_nodes;
static struct node *root;

static bool is_red(const struct node *n) {
    return n && n->is_red;
}

static struct node *rotate_left(struct node *n) {
    struct node *top = n->right;
    n->right = top->left;
    top->left = n;
    top->is_red = n->is_red;
    n->is_red = true;
    return top;
}

static struct node *rotate_right(struct node *n) {
    struct node *top = n->left;
    n->left = top->right;
    top->right = n;
    top->is_red = n->is_red;
    n->is_red = true;
    return top;
}

static void flip(struct node *n) {
    n->is_red = !n->is_red;
    n->left->is_red = !n->left->is_red;
    n->right->is_red = !n->right->is_red;
}

static struct node *balance(struct node *n) {
    if (is_red(n->right) && !is_red(n->left))
        n = rotate_left(n);
    if (is_red(n->left) && is_red(n->left->left))
        n = rotate_right(n);
    if (is_red(n->left) && is_red(n->right))
        flip(n);
    return n;
}

static struct node *put(struct node *n, int key, int value) {
    if (!n) {
        n = &pool[n_nodes++];
        *n = (struct node){.key = key, .value = value, .is_red = true};
        return n;
    }
    if (key < n->key)
        n->left = put(n->left, key, value);
    else if (key > n->key)
        n->right = put(n->right, key, value);
    else
        n->value = value;
    return balance(n);
}

static struct node *move_red_left(struct node *n) {
    flip(n);
    if (is_red(n->right->left)) {
        n->right = rotate_right(n->right);
        n = rotate_left(n);
        flip(n);
    }
    return n;
}

static struct node *move_red_right(struct node *n) {
    flip(n);
    if (is_red(n->left->left)) {
        n = rotate_right(n);
        flip(n);
    }
    return n;
}

static struct node *remove_least(struct node *n) {
    if (!n->left)
        return NULL;
    if (!is_red(n->left) && !is_red(n->left->left))
        n = move_red_left(n);
    n->left = remove_least(n->left);
    return balance(n);
}

static const struct node *get(int key) {
    const struct node *n = root;
    while (n && n->key != key)
        n = key < n->key ? n->left : n->right;
    return n;
}

/* The key is there. */
static struct node *remove_from(struct node *n, int key) {
    if (key < n->key) {
        if (!is_red(n->left) && !is_red(n->left->left))
            n = move_red_left(n);
        n->left = remove_from(n->left, key);
        return balance(n);
    }
    if (is_red(n->left))
        n = rotate_right(n);
    if (key == n->key && !n->right)
        return NULL;
    if (!is_red(n->right) && !is_red(n->right->left))
        n = move_red_right(n);
    if (key == n->key) {
        struct node *next = n->right;
        while (next->left)
            next = next->left;
        n->key = next->key;
        n->value = next->value;
        n->right = remove_least(n->right);
    } else {
        n->right = remove_from(n->right, key);
    }
    return balance(n);
}

static void remove_key(int key) {
    if (!get(key))
        return;
    if (!is_red(root->left) && !is_red(root->right))
        root->is_red = true;
    root = remove_from(root, key);
    if (root)
        root->is_red = false;
}

static int last_key(void) {
    const struct node *n = root;
    while (n && n->right)
        n = n->right;
    return n ? n->key : 0;
}

static bool contains(const struct node *n, int value) {
    return n && (n->value == value || contains(n->left, value) || contains(n->right, value));
}

/* How many black nodes every way down has; -1 if not all have as many. */
static int height(const struct node *n) {
    if (!n)
        return 0;
    int left = height(n->left), right = height(n->right);
    return left < 0 || left != right || (n->is_red && is_red(n->left)) ? -1 : left + !n->is_red;
}

int main(void) {
    for (int i = 0; i < STEPS; i++) {
        long operation = heddle_choose(0, 4);
        int key, value;
        heddle_input(key);
        heddle_input(value);
        switch (operation) {
        case 0:
            root = put(root, key, value);
            root->is_red = false;
            break;
        case 1:
            remove_key(key);
            break;
        case 2:
            (void)get(key);
            break;
        case 3:
            (void)last_key();
            break;
        default:
            (void)contains(root, value);
        }
        heddle_assert(height(root) >= 0);
    }
    return 0;
}
