/* A binary search tree: insert N keys, drop the ones that are there already.
 *
 * A run learns exactly the weak order of the keys, so the paths are the ordered set partitions
 * of N things (Fubini numbers).
 *
 * brute: -DN=4 ints 0,1,2,3 -> 75
 * brute: -DN=5 ints 0,1,2,3,4 -> 541
 * brute: -DN=6 ints 0-5 -> 4683
 * paths: -DN=4 -> 75
 * paths: -DN=5 -> 541
 * paths: -DN=6 -> 4683 */
#include <heddle.h>
#ifndef N
#define N 6
#endif

struct node {
    int key;
    struct node *left, *right;
};

static struct node pool[N];
static int n_nodes;
static struct node *root;

static void insert(int key) {
    struct node **place = &root;
    while (*place) {
        if (key == (*place)->key)
            return;
        if (key < (*place)->key)
            place = &(*place)->left;
        else
            place = &(*place)->right;
    }
    struct node *n = &pool[n_nodes++];
    n->key = key;
    n->left = n->right = NULL;
    *place = n;
}

int main(void) {
    int keys[N];
    heddle_input(keys);
    for (int i = 0; i < N; i++)
        insert(keys[i]);
    return n_nodes;
}
