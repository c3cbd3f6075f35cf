/* trees.c -- <search.h>: binary trees.  They are not balanced: what is found is the same, how deep
 * it lies is not, and who asks for that is told.
 *
 * Weak: a program's own function of the same name wins. */
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>

#define WEAK __attribute__((weak))

void __heddle_bound(const char *words);

typedef struct tree_node {
    const void *key; /* the first member: what is found is a pointer to it */
    struct tree_node *left, *right;
} tree_node;

/* Where the key is, or would be; *parent: whose child that is, or NULL. */
static tree_node **find(const void *key, tree_node **at, __compar_fn_t compare,
                        tree_node **parent) {
    *parent = NULL;
    for (int order; *at && (order = compare(key, (*at)->key)) != 0;) {
        *parent = *at;
        at = order < 0 ? &(*at)->left : &(*at)->right;
    }
    return at;
}

WEAK void *tfind(const void *key, void *const *root, __compar_fn_t compare) {
    tree_node *parent;
    return root ? *find(key, (tree_node **)root, compare, &parent) : NULL;
}

WEAK void *tsearch(const void *key, void **root, __compar_fn_t compare) {
    tree_node *parent;
    if (!root)
        return NULL;
    tree_node **at = find(key, (tree_node **)root, compare, &parent);
    if (!*at && (*at = malloc(sizeof **at)))
        **at = (tree_node){key, NULL, NULL};
    return *at;
}

/* The next larger one takes the place of a node with two children. */
WEAK void *tdelete(const void *key, void **root, __compar_fn_t compare) {
    tree_node *parent, **at = root ? find(key, (tree_node **)root, compare, &parent) : NULL;
    if (!at || !*at)
        return NULL;
    tree_node *gone = *at, **next = at;
    if (gone->left && gone->right) {
        for (next = &gone->right; (*next)->left;)
            next = &(*next)->left;
        gone->key = (*next)->key;
        gone = *next;
    }
    *next = gone->left ? gone->left : gone->right;
    free(gone);
    return parent ? parent : (void *)root;
}

static void visit(const tree_node *n, int depth, void (*action)(const void *, VISIT, void *),
                  void (*plain)(const void *, VISIT, int), void *closure) {
#define TELL(when) (plain ? plain(n, when, depth) : action(n, when, closure))
    if (!n->left && !n->right) {
        TELL(leaf);
        return;
    }
    TELL(preorder);
    if (n->left)
        visit(n->left, depth + 1, action, plain, closure);
    TELL(postorder);
    if (n->right)
        visit(n->right, depth + 1, action, plain, closure);
    TELL(endorder);
}

/* Two nodes and less lie alike in all trees that are made the same way. */
static void tell_shape(const tree_node *root) {
    if ((root->left && root->right) || (root->left && (root->left->left || root->left->right)) ||
        (root->right && (root->right->left || root->right->right)))
        __heddle_bound("where nodes lie that twalk visits: trees are not balanced here");
}

WEAK void twalk(const void *root, void (*action)(const void *, VISIT, int)) {
    if (!root || !action)
        return;
    tell_shape(root);
    visit(root, 0, NULL, action, NULL);
}

WEAK void twalk_r(const void *root, void (*action)(const void *, VISIT, void *), void *closure) {
    if (!root || !action)
        return;
    tell_shape(root);
    visit(root, 0, action, NULL, closure);
}

WEAK void tdestroy(void *root, void (*release)(void *)) {
    tree_node *n = root;
    if (!n)
        return;
    tdestroy(n->left, release);
    tdestroy(n->right, release);
    release((void *)n->key);
    free(n);
}
