/* Which lifted states can be handed out whole, and what is left of them (whole.h). */
#include "fleet/whole.h"

#include "explore/events/action_bytes.h"
#include "fleet/coordinator.h"

static bool is_all_planned(const hd_lifted_tree *tree, uint32_t state) {
    const hd_lifted *l = &tree->at.at[state];
    bool is_it = l->kind == HD_LIFTED_PLANNED;
    for (size_t i = 0; i < l->kids.n && is_it; i++)
        is_it = is_all_planned(tree, l->kids.at[i]);
    return is_it;
}

static uint32_t n_done_kids(const hd_lifted_tree *tree, uint32_t state) {
    const hd_lifted *l = &tree->at.at[state];
    uint32_t n = 0;
    while (n < l->kids.n && tree->at.at[l->kids.at[n]].kind == HD_LIFTED_DONE)
        n++;
    return n;
}

/* The child behind those that are done, if it is lifted as well. */
static bool has_lifted_kid(const hd_lifted_tree *tree, uint32_t state, uint32_t n_done) {
    const hd_lifted *l = &tree->at.at[state];
    return n_done < l->kids.n && tree->at.at[l->kids.at[n_done]].kind == HD_LIFTED_KNOWN;
}

/* D9, but for what is below that child. */
static bool is_in_order(const hd_lifted_tree *tree, uint32_t state) {
    const hd_lifted *l = &tree->at.at[state];
    uint32_t first = n_done_kids(tree, state);
    bool is_it = !hd_lifted_is_root(tree, state) && l->kind == HD_LIFTED_KNOWN && l->is_known;
    for (size_t i = first + has_lifted_kid(tree, state, first); i < l->kids.n && is_it; i++)
        is_it = is_all_planned(tree, l->kids.at[i]);
    return is_it;
}

uint32_t hd_whole_find(const hd_lifted_tree *tree, uint32_t end) {
    uint32_t best = HD_NO_STATE, state = end;
    while (tree->at.at[state].kind == HD_LIFTED_PLANNED)
        state = tree->at.at[state].parent;
    for (uint32_t kid = HD_NO_STATE; is_in_order(tree, state); state = tree->at.at[state].parent) {
        const hd_lifted *l = &tree->at.at[state];
        uint32_t n = n_done_kids(tree, state);
        if (has_lifted_kid(tree, state, n) ? l->kids.at[n] != kid : kid != HD_NO_STATE)
            return best;
        if (l->is_free || hd_lifted_is_settled(tree, state))
            best = state;
        kid = state;
    }
    return best;
}

/* Later commits come from units that were handed out later, nearly always. */
static hd_gift later_gift(hd_gift a, hd_gift b) {
    if (a.giver == HD_NO_UNIT || b.giver == HD_NO_UNIT)
        return a.giver == HD_NO_UNIT ? b : a;
    return a.giver > b.giver || (a.giver == b.giver && a.at > b.at) ? a : b;
}

/* As restore_trees() reads it; *given: who gave the last of it. */
static void write_trees(const hd_lifted_tree *tree, uint32_t state, uint32_t first, hd_text *out,
                        hd_gift *given) {
    const hd_lifted *l = &tree->at.at[state];
    hd_pack_u32(out, (uint32_t)l->kids.n - first);
    for (size_t i = first; i < l->kids.n; i++) {
        const hd_lifted *kid = &tree->at.at[l->kids.at[i]];
        *given = later_gift(*given, kid->given);
        hd_journal_save_action(&kid->action, out);
        write_trees(tree, l->kids.at[i], 0, out, given);
    }
}

void hd_whole_write(const hd_lifted_tree *tree, uint32_t state, hd_text *out, hd_gift *given) {
    uint32_t n = n_done_kids(tree, state);
    const uint32_t *kids = tree->at.at[state].kids.at;
    bool has_lifted = has_lifted_kid(tree, state, n);
    hd_pack_u32(out, n);
    for (uint32_t i = 0; i < n; i++)
        hd_journal_save_action(&tree->at.at[kids[i]].action, out);
    hd_pack_u8(out, has_lifted);
    if (has_lifted) {
        hd_journal_save_action(&tree->at.at[kids[n]].action, out);
        hd_whole_write(tree, kids[n], out, given);
    }
    write_trees(tree, state, n + has_lifted, out, given);
}
