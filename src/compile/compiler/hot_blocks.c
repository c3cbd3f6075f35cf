/* hot_blocks.c -- which blocks of a long function are worth code that is fast.
 *
 * Questions that are inlined take LLVM ten times as long as calls of stubs that ask them, and more
 * than that in long functions: registers are shared out over all of it.  A function of more than
 * some hundred instructions is not the inner part of anything, but its short loops may be.
 * Their blocks are hot; all others ask in stubs, as code that runs seldom does (b->is_aside).  A
 * function without any such loop, or one that is longer still, is compiled as such code.  In short
 * functions all blocks are hot: who calls them, and how often, is not known here. */
#include "compile/compiler/build.h"

/* Instructions, before they are instrumented: of a function that is long, of a loop that is worth
 * it, and of a function that is too long for anything but the quick way.  For tests all are small,
 * so that functions of small programs are of every kind. */
typedef struct lengths {
    size_t function, loop, longest;
} lengths;

static lengths all_lengths(void) {
    return getenv("HEDDLE_COMPILE_DIVIDE") ? (lengths){20, 30, 150} : (lengths){600, 150, 1500};
}

bool hd_function_is_long(size_t size) {
    return size > all_lengths().function;
}

static uint64_t key_of(LLVMBasicBlockRef block) {
    return (uint64_t)(uintptr_t)block;
}

static size_t size_of(LLVMBasicBlockRef block) {
    size_t n = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        n++;
    return n;
}

/* The blocks of a loop, as far as they are short together. */
typedef struct loop_blocks {
    hd_code_blocks blocks;
    size_t size, most;
} loop_blocks;

static void add_block(loop_blocks *l, LLVMBasicBlockRef block) {
    for (size_t n = 0; n < l->blocks.n; n++)
        if (l->blocks.at[n] == block)
            return;
    hd_vec_push(&l->blocks, block);
    l->size += size_of(block);
}

/* What leads back to the header, and all that leads there. */
static void find_blocks(const hd_build *b, loop_blocks *l, LLVMBasicBlockRef header) {
    hd_code_blocks from = {0};
    add_block(l, header);
    hd_block_predecessors(b, header, &from);
    for (size_t n = 0; n < from.n; n++)
        if (hd_block_dominates(b, header, from.at[n]))
            add_block(l, from.at[n]);
    for (size_t n = 1; n < l->blocks.n && l->size <= l->most; n++) {
        hd_block_predecessors(b, l->blocks.at[n], &from);
        for (size_t k = 0; k < from.n; k++)
            add_block(l, from.at[k]);
    }
    hd_vec_release(&from);
}

static void consider(hd_build *b, LLVMBasicBlockRef header) {
    loop_blocks l = {.most = all_lengths().loop};
    find_blocks(b, &l, header);
    for (size_t n = 0; n < l.blocks.n && l.size <= l.most; n++)
        hd_map_put(&b->hot_blocks, key_of(l.blocks.at[n]), 1);
    hd_vec_release(&l.blocks);
}

void hd_hot_blocks_find(hd_build *b, const hd_code_blocks *headers, size_t size) {
    hd_map_clear(&b->hot_blocks);
    for (size_t n = 0; n < headers->n && size <= all_lengths().longest; n++)
        consider(b, headers->at[n]);
}

bool hd_block_is_hot(const hd_build *b, LLVMBasicBlockRef block) {
    return hd_map_find(&b->hot_blocks, key_of(block)) != NULL;
}
