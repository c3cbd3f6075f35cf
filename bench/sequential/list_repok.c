/* A sorted doubly linked list by its invariant: every valid list of at most N nodes is built
 * from an input pointer, a key is inserted, and the invariant must hold again.
 *
 * The invariant has one passing path per length, and a list of length n has n + 1 places for
 * the key: (N + 1)(N + 2) / 2 paths that pass, all others are rejected by the assumption.  The
 * check afterwards can only fail on a bug and does not branch otherwise.
 *
 * The brute force lays N nodes out in a pool and tries all pointers and keys.
 *
 * brute: -DN=2 bytes 0 -> 6
 * brute: -DN=3 bytes 0 -> 10
 * paths: -DN=3 -> 10
 * paths: -DN=6 -> 28
 * paths: -DN=8 -> 45 */
#include <heddle.h>
#include <stdbool.h>
#ifndef N
#define N 8
#endif

struct node {
    int key;
    struct node *next, *previous;
};

#ifdef BRUTE
static struct node pool[N];

static struct node *choose_node(void) {
    struct node *all[N + 1] = {0};
    for (int i = 0; i < N; i++)
        all[i + 1] = &pool[i];
    return all[heddle_choose(0, N)];
}

static struct node *choose_list(void) {
    for (int i = 0; i < N; i++)
        pool[i] = (struct node){(int)heddle_choose(0, N), choose_node(), choose_node()};
    return choose_node();
}
#endif

static bool is_sorted_list(const struct node *head, int limit) {
    const struct node *previous = NULL;
    for (const struct node *n = head; n; n = n->next) {
        if (limit-- == 0)
            return false;
        if (n->previous != previous)
            return false;
        if (previous && previous->key > n->key)
            return false;
        previous = n;
    }
    return true;
}

static struct node *insert(struct node *head, struct node *n) {
    struct node *before = NULL, *after = head;
    while (after && after->key < n->key) {
        before = after;
        after = after->next;
    }
    n->previous = before;
    n->next = after;
    if (after)
        after->previous = n;
    if (!before)
        return n;
    before->next = n;
    return head;
}

int main(void) {
    struct node *list;
    struct node fresh = {0};
#ifdef BRUTE
    list = choose_list();
    fresh.key = (int)heddle_choose(0, N);
#else
    heddle_input(list);
    heddle_input(fresh.key);
#endif
    heddle_assume(is_sorted_list(list, N));
    list = insert(list, &fresh);
    heddle_assert(is_sorted_list(list, N + 1));
    return 0;
}
