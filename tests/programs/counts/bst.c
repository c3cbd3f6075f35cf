/* Binary search tree, keys compared by == and <: the ordered Bell numbers 75 and 541, one per
 * ranking with ties (tests/brute/paths agrees).
 *
 * run: -DN=4
 * verdict: complete
 * paths: 75
 *
 * run: -DN=5
 * verdict: complete
 * paths: 541 */
#include <heddle.h>

struct node {
    int key;
    struct node *left, *right;
};

static struct node pool[N], *root;
static int n_nodes;

static void insert(int key) {
    struct node **at = &root;
    while (*at) {
        if (key == (*at)->key)
            return;
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    }
    *at = &pool[n_nodes++];
    (*at)->key = key;
}

int main(void) {
    int keys[N];
    heddle_input(keys);
    for (int i = 0; i < N; i++)
        insert(keys[i]);
    return 0;
}
