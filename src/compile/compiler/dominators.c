/* dominators.c -- which block every way to a block leads through, last of all.
 *
 * The iterative algorithm over reverse post-order: the immediate dominator of a block is where the
 * known ways to its predecessors meet, until nothing changes.  In what clang makes that is the
 * second round. */
#include "compile/compiler/build.h"

static uint64_t key_of(LLVMBasicBlockRef block) {
    return (uint64_t)(uintptr_t)block;
}

bool hd_block_is_reached(const hd_build *b, LLVMBasicBlockRef block) {
    return hd_map_find(&b->rank, key_of(block)) != NULL;
}

static uint64_t rank_of(const hd_build *b, LLVMBasicBlockRef block) {
    return *(uint64_t *)hd_map_find(&b->rank, key_of(block));
}

LLVMBasicBlockRef hd_block_dominator(const hd_build *b, LLVMBasicBlockRef block) {
    uint64_t *found = hd_map_find(&b->dominators, key_of(block));
    return found ? (LLVMBasicBlockRef)(uintptr_t)*found : NULL;
}

bool hd_block_dominates(const hd_build *b, LLVMBasicBlockRef first, LLVMBasicBlockRef block) {
    while (block && block != first)
        block = hd_block_dominator(b, block);
    return block != NULL;
}

void hd_block_predecessors(const hd_build *b, LLVMBasicBlockRef block, hd_code_blocks *out) {
    hd_vec_clear(out);
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    for (; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsATerminatorInst(user) && hd_block_is_reached(b, LLVMGetInstructionParent(user)))
            hd_vec_push(out, LLVMGetInstructionParent(user));
    }
}

/* Where the ways to both meet. */
static LLVMBasicBlockRef meet(const hd_build *b, LLVMBasicBlockRef x, LLVMBasicBlockRef y) {
    while (x != y) {
        if (rank_of(b, x) > rank_of(b, y))
            x = hd_block_dominator(b, x);
        else
            y = hd_block_dominator(b, y);
    }
    return x;
}

static bool improve(hd_build *b, LLVMBasicBlockRef block, hd_code_blocks *from) {
    LLVMBasicBlockRef all = NULL;
    hd_block_predecessors(b, block, from);
    for (size_t n = 0; n < from->n; n++) {
        bool is_known = rank_of(b, from->at[n]) == 0 || hd_block_dominator(b, from->at[n]);
        if (is_known)
            all = all ? meet(b, all, from->at[n]) : from->at[n];
    }
    if (all == hd_block_dominator(b, block))
        return false;
    hd_map_put(&b->dominators, key_of(block), key_of(all));
    return true;
}

void hd_dominators_find(hd_build *b, const hd_code_blocks *order) {
    hd_code_blocks from = {0};
    bool changed = true;
    hd_map_clear(&b->rank);
    hd_map_clear(&b->dominators);
    for (size_t n = 0; n < order->n; n++)
        hd_map_put(&b->rank, key_of(order->at[n]), n);
    while (changed) {
        changed = false;
        for (size_t n = 1; n < order->n; n++)
            changed |= improve(b, order->at[n], &from);
    }
    hd_vec_release(&from);
}
