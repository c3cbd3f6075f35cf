/* Memory that was never written: where it decides something, that is a finding.
 *
 * Blocks of malloc and locals without an initialiser begin as HD_WORD_FRESH.  To copy such bytes is
 * no mistake; a load makes a leaf of them (symbolic/undefined.h), which travels as values of inputs
 * do. What it meets in the end is one of the uses below.  The finding is noted and the execution
 * goes on with the bytes that lie there, which are the same in every execution.  A leaf is told of
 * once, and not at every line behind the first.
 *
 * N1. Fresh bytes hold HD_UNDEFINED_BYTE.  One that does not was written by somebody who moved no
 *     shadow: it is concrete (slow_memory.c). */
#include "machine/values/values.h"

_Static_assert(HD_WORD_FRESH == HD_WORD(HD_EXPR_FRESH, 0), "abi.h cannot see symbolic/");

/* A loop over a big block tells the same again and again: later ones are the same place, mostly. */
#define MOST_TOLD 1000

static void tell(hd_machine *m, hd_expr e, const char *use, uint32_t site) {
    if (!hd_undefined_tell(&m->expressions.undefined, e) || m->failing.n_undefined++ >= MOST_TOLD)
        return;
    if (m->options.checks_end)
        hd_end_finding(m, HD_FINDING_UNINITIALISED, site,
                       "%s depends on memory that was never written", use);
    hd_note_finding(m, HD_FINDING_UNINITIALISED, site,
                    "%s depends on memory that was never written", use);
}

/* With other inputs it may be otherwise: that is a check as those of clang are. */
static void check(hd_machine *m, hd_expr e, const char *use, uint32_t site) {
    hd_graph *g = m->graph;
    hd_expr bits = hd_undefined_bits(&m->expressions.undefined, e);
    HD_ASSERT(hd_expr_width(g, bits) == hd_expr_width(g, e));
    hd_expr holds = hd_expr_binary(g, HD_OP_EQ, bits, hd_expr_const(g, hd_expr_width(g, e), 0));
    bool is_written = hd_eval_value(m->expressions.eval, holds);
    if (!hd_expr_is_const(g, holds))
        hd_record_check(m, site ? site : hd_caller_site(m, __builtin_frame_address(0)), holds,
                        is_written);
    if (!is_written)
        tell(m, e, use, site);
}

hd_expr hd_define_slowly(hd_machine *m, hd_expr e, const char *use, uint32_t site) {
    if (!hd_expr_is_undefined(m->graph, e))
        return e;
    if (use && !m->execution.is_concrete)
        check(m, e, use, site);
    return hd_undefined_define(&m->expressions.undefined, e);
}

static void define_piece(hd_machine *m, uint64_t at, uint32_t size, const char *use) {
    HD_CHECK(size && size <= 8);
    if (!hd_any_word(at, size))
        return;
    hd_expr e = hd_load_expr(m, at, size);
    if (hd_expr_is_undefined(m->graph, e))
        hd_store_words(m, at, size, hd_define_slowly(m, e, use, 0));
}

void hd_define_memory(hd_machine *m, const void *p, uint64_t n, const char *use) {
    uint64_t address = (uint64_t)p;
    if (!m->may.see_undefined || !hd_in_region(address))
        return;
    for (uint64_t i = 0; i < n; i += 8)
        define_piece(m, address + i, n - i < 8 ? (uint32_t)(n - i) : 8, use);
}

uint64_t hd_define_arguments(hd_machine *m, uint64_t passed, const char *use) {
    for (unsigned i = 0; m->may.see_undefined && i < HD_MAX_ARGS - 1 && passed >> i; i++) {
        if (!(passed >> i & 1))
            continue;
        m->registers->args[i] = hd_define(m, m->registers->args[i], use, 0);
        if (!m->registers->args[i])
            passed &= ~(UINT64_C(1) << i);
    }
    return passed;
}

/* What follows sees no place any more: main is gone. */
void __hd_slow_status(hd_shadow status, uint32_t site) {
    hd_define(hd_enter(), status, HD_USE_STATUS, site);
}

hd_expr hd_fresh_leaf(hd_machine *m, uint64_t address, uint32_t size) {
    m->lessons.meets_undefined = true;
    uint64_t identity = hd_mix(address) | 1u << 15; /* none of the fixed ones */
    HD_ASSERT(size && size <= 8);
    return hd_expr_undefined(m->graph, 8 * size, (uint16_t)identity);
}

void hd_fresh_begin(hd_machine *m, void *p, uint64_t n) {
    if (!m->may.see_undefined || n > HD_FRESH_LIMIT)
        return;
    memset(p, HD_UNDEFINED_BYTE, n);
    hd_poison((uint64_t)p, n, HD_WORD_FRESH);
}
