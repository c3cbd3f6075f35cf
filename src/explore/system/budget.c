/* Budgets that nodes share (see budget.h). */
#include "explore/system/budget.h"

#include "base/panic.h"

static void list_receivers(const hd_fault *f, uint32_t rule, hd_shared_budgets *out) {
    uint32_t node;
    HD_SET_EACH(node, f->to)
    hd_vec_push(out, ((hd_shared_budget){rule, node, f->per_node}));
}

/* Does a node choose that is not the one whose budget it is? */
static bool is_of_senders(const hd_fault *f) {
    hd_fault_subject subject = hd_fault_subject_of(f->kind);
    return subject == HD_FAULT_OF_SENDS || subject == HD_FAULT_OF_CONNECTIONS;
}

void hd_shared_budgets_list(const hd_explorer_options *o, hd_shared_budgets *out) {
    for (uint32_t i = 0; i < o->n_faults; i++) {
        const hd_fault *f = &o->faults[i];
        if (f->total != HD_NO_BUDGET)
            hd_vec_push(out, ((hd_shared_budget){i, HD_ALL_NODES, f->total}));
        if (f->per_node != HD_NO_BUDGET && is_of_senders(f) && hd_set_count(f->from) > 1)
            list_receivers(f, i, out);
    }
}

void hd_shared_budgets_spent(const hd_shared_budgets *b, hd_machine *machine, hd_indices *spent) {
    hd_vec_clear(spent);
    for (size_t k = 0; k < b->n; k++)
        hd_vec_push(spent, hd_machine_spent(machine, b->at[k].rule, b->at[k].node));
}

/* A state that has not begun has used nothing. */
bool hd_shared_budgets_add(const hd_shared_budgets *b, const hd_indices *spent, uint32_t *sum) {
    bool fits = true;
    HD_INVARIANT(U1, spent->n == 0 || spent->n == b->n);
    for (size_t k = 0; k < spent->n; k++)
        fits &= (sum[k] += spent->at[k]) <= b->at[k].most;
    return fits;
}

void hd_shared_budgets_take(const hd_shared_budgets *b, const hd_indices *spent, uint32_t *sum) {
    HD_INVARIANT(U1, spent->n == 0 || spent->n == b->n);
    for (size_t k = 0; k < spent->n; k++)
        sum[k] -= spent->at[k];
}
