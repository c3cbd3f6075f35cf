/* A harness as it is written for GenMC: threads by its functions, a stack with marks and hazard
 * pointers, a waiting loop with marks.
 *
 * run: --no-leaks
 * verdict: complete
 *
 * run: --no-leaks -DBUG
 * verdict: complete
 * finding: assertion */
#include <assert.h>
#include <genmc.h>
#include <stdatomic.h>

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;
static atomic_int is_pushed, taken;

static void *push(void *unused) {
    struct node *node = malloc(sizeof *node);
    __VERIFIER_local_write(node->value = 7);
    struct node *old = __VERIFIER_speculative_read(atomic_load(&top));
    do
        node->next = old;
    while (!__VERIFIER_confirming_CAS(atomic_compare_exchange_strong(&top, &old, node)));
    __VERIFIER_final_write(is_pushed = 1);
    return unused;
}

static void *pop(void *unused) {
    for (__VERIFIER_loop_begin(); __VERIFIER_spin_start(), !is_pushed;
         __VERIFIER_spin_end(is_pushed))
        __VERIFIER_optional(taken = 99);
    __VERIFIER_hp_t *hazard = __VERIFIER_hp_alloc();
    struct node *node = __VERIFIER_hp_protect(hazard, &top);
    if (node && atomic_compare_exchange_strong(&top, &node, node->next)) {
        taken += node->value;
        __VERIFIER_hp_retire(node);
    }
    __VERIFIER_hp_free(hazard);
    return unused;
}

int main(void) {
    int input = __VERIFIER_nondet_int();
    __VERIFIER_assume(input == 7 || input == 8);
    __VERIFIER_thread_t first = __VERIFIER_spawn(push, NULL), second = __VERIFIER_spawn(pop, NULL);
    __VERIFIER_thread_t third = __VERIFIER_spawn_symmetric(pop, NULL, second);
    assert(__VERIFIER_join(first) == NULL);
    __VERIFIER_join_symmetric(second);
    __VERIFIER_join_symmetric(third);
#ifdef BUG
    assert(taken == input); // BUG assertion
#else
    assert(taken == 7);
#endif
    return 0;
}
