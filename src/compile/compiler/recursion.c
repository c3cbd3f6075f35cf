/* recursion.c -- functions that may call themselves, by whatever way.
 *
 * Those are the functions on circles of calls; circles are found for all functions at once, in time
 * that grows with the calls.  Who calls by a pointer calls, by way of a node that stands for all
 * pointers, every function whose address somebody has.
 *
 * Their calls are counted like iterations of loops: an execution may go on for longer than anybody
 * waits without a single loop. */
#include "compile/compiler/build.h"

static bool has_address(LLVMValueRef f) {
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != f)
            return true;
    }
    return false;
}

/* One node for each function, and the last for pointers. */
typedef struct call_node {
    hd_vec(size_t) callees;
    size_t number, low; /* order of discovery, from 1; the earliest that it leads back to */
    size_t next;        /* callee to look at */
    bool is_open, is_on_circle;
} call_node;

typedef struct calls {
    hd_values functions;
    hd_map index;
    hd_vec(call_node) nodes;
    hd_vec(size_t) way, open; /* from the first to here; not yet known to be on no circle */
    size_t n_seen;
} calls;

static void add_callee(calls *c, size_t from, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    uint64_t *known = hd_map_find(&c->index, (uint64_t)(uintptr_t)callee);
    if (known)
        hd_vec_push(&c->nodes.at[from].callees, *known);
    else if (!LLVMIsAFunction(callee) && !LLVMIsAInlineAsm(callee))
        hd_vec_push(&c->nodes.at[from].callees, c->functions.n);
}

static void add_callees(calls *c, size_t from) {
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(c->functions.at[from]);
    for (; block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i))
                add_callee(c, from, i);
}

static void list_calls(hd_build *b, calls *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) {
            hd_map_put(&c->index, (uint64_t)(uintptr_t)f, c->functions.n);
            hd_vec_push(&c->functions, f);
        }
    for (size_t n = 0; n <= c->functions.n; n++)
        hd_vec_push(&c->nodes, ((call_node){0}));
    for (size_t n = 0; n < c->functions.n; n++) {
        add_callees(c, n);
        if (has_address(c->functions.at[n]))
            hd_vec_push(&c->nodes.at[c->functions.n].callees, n);
    }
}

static void visit(calls *c, size_t n) {
    call_node *at = &c->nodes.at[n];
    at->number = at->low = ++c->n_seen;
    at->is_open = true;
    hd_vec_push(&c->way, n);
    hd_vec_push(&c->open, n);
}

static void look_back(call_node *at, size_t low) {
    at->low = low < at->low ? low : at->low;
}

/* All that was opened behind `n` leads back to it, and is on circles with it, if there is more than
 * one. */
static void close_node(calls *c, size_t n) {
    bool is_circle = c->open.at[c->open.n - 1] != n;
    size_t last;
    do {
        last = c->open.at[--c->open.n];
        c->nodes.at[last].is_open = false;
        c->nodes.at[last].is_on_circle |= is_circle;
    } while (last != n);
}

static void leave(calls *c) {
    size_t n = c->way.at[--c->way.n];
    if (c->nodes.at[n].low == c->nodes.at[n].number)
        close_node(c, n);
    if (c->way.n)
        look_back(&c->nodes.at[c->way.at[c->way.n - 1]], c->nodes.at[n].low);
}

static void follow(calls *c, size_t from, size_t to) {
    if (to == from)
        c->nodes.at[from].is_on_circle = true;
    else if (!c->nodes.at[to].number)
        visit(c, to);
    else if (c->nodes.at[to].is_open)
        look_back(&c->nodes.at[from], c->nodes.at[to].number);
}

static void find_circles(calls *c, size_t first) {
    if (!c->nodes.at[first].number)
        visit(c, first);
    while (c->way.n) {
        size_t n = c->way.at[c->way.n - 1];
        call_node *at = &c->nodes.at[n];
        if (at->next < at->callees.n)
            follow(c, n, at->callees.at[at->next++]);
        else
            leave(c);
    }
}

static void release(calls *c) {
    for (size_t n = 0; n < c->nodes.n; n++)
        hd_vec_release(&c->nodes.at[n].callees);
    hd_vec_release(&c->nodes);
    hd_vec_release(&c->functions);
    hd_vec_release(&c->way);
    hd_vec_release(&c->open);
    hd_map_release(&c->index);
}

void hd_recursion_find(hd_build *b) {
    calls c = {0};
    list_calls(b, &c);
    for (size_t n = 0; n < c.functions.n; n++) {
        find_circles(&c, n);
        if (c.nodes.at[n].is_on_circle)
            hd_map_put(&b->recursive, (uint64_t)(uintptr_t)c.functions.at[n], 1);
    }
    release(&c);
}

void hd_instrument_recursion(hd_build *b, LLVMValueRef function) {
    if (!hd_map_find(&b->recursive, (uint64_t)(uintptr_t)function))
        return;
    hd_emit(b, HD_HOOK_STEP, hd_const32(b, hd_site_add(b, b->body, UINT32_MAX, HD_SITE_CALL)));
}
