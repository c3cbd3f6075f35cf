/* Decisions: branches, switches. */
#include "machine/core/parts.h"
#include "machine/values/values.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* What a condition of this kind is for, in words of uninitialised.c. */
static const char *use_of(hd_branch_kind kind) {
    return kind == HD_BRANCH_CHECK     ? NULL
           : kind == HD_BRANCH_ADDRESS ? HD_USE_ADDRESS
           : kind == HD_BRANCH_PROGRAM ? "a branch"
                                       : "a decision";
}

void hd_record(hd_machine *m, uint32_t site, hd_expr condition, bool taken, hd_branch_kind kind) {
    if (__builtin_expect(m->lessons.meets_undefined, 0))
        condition = hd_define(m, condition, use_of(kind), site);
    if (!condition || hd_expr_is_const(m->graph, condition) || m->running.looping_left ||
        m->execution.is_concrete)
        return; /* beyond the step limit the search is not complete: decisions no longer matter */
    if ((kind == HD_BRANCH_ADDRESS || kind == HD_BRANCH_VALUE) && hd_is_pinned(m, condition))
        return;
    HD_CHECK(kind <= HD_BRANCH_SPENT && m->call.sink);
    if (++m->execution.n_decisions == m->options.max_decisions) {
        m->execution.is_concrete = true;
        hd_approximate(m, site, "everything after decision %" PRIu64 " of an execution",
                       m->execution.n_decisions);
    }
    HD_CHECK(hd_expr_width(m->graph, condition) == 1);
    HD_CHECK_INVARIANT(V2, hd_eval_value(m->expressions.eval, condition) == taken);
    m->execution.hash =
        hd_hash_add(m->execution.hash, (uint64_t)site << 8 | (uint64_t)kind << 1 | taken);
    if (m->call.sink->script)
        hd_vec_push(&m->execution.decided, ((hd_decided){{site, condition, taken, (uint8_t)kind, 0},
                                                         (uint32_t)m->execution.n_events}));
    unsigned flags = __builtin_expect(m->may.read_flags, 0) ? __builtin_ia32_stmxcsr() : 0;
    m->call.sink->branch(m->call.sink->context, site, condition, taken, kind);
    if (__builtin_expect(m->may.read_flags, 0))
        hd_keep_flags(flags);
}

/* Once per site and kind of operation; later ones only count. */
void hd_approximate_as(hd_machine *m, hd_loss_kind kind, uint32_t site, const char *what) {
    if (m->call.is_running)
        site = hd_users_site(m, site, __builtin_frame_address(0));
    hd_approximation a = {.kind = kind, .site = site, .count = 1};
    m->execution.has_approximated = true;
    snprintf(a.what, sizeof a.what, "%s", what);
    uint64_t key = hd_hash_bytes(hd_hash_add(site, kind), a.what, strlen(a.what)) & INT64_MAX;
    uint64_t *known = hd_map_find(&m->told.approximation_at, key);
    HD_ASSERT(!known || *known < m->told.approximations.n);
    if (known) {
        m->told.approximations.at[*known].count++;
        return;
    }
    hd_map_put(&m->told.approximation_at, key, m->told.approximations.n);
    hd_vec_push(&m->told.approximations, a);
}

static void release(hd_machine *m) {
    hd_vec_release(&m->told.approximations);
    hd_map_release(&m->told.approximation_at);
    hd_vec_release(&m->told.weak_orders);
}

/* Approximations are counted over all executions. */
static bool is_simple(const hd_machine *m) {
    return !m->execution.has_approximated;
}

static void leave(hd_machine *m, hd_box *b) {
    hd_box_put_list(b, &m->told.approximations);
    hd_box_put_list(b, &m->told.weak_orders);
}

/* The child's list is ours with higher counts, and new ones behind. */
static void take(hd_machine *m, hd_box *b) {
    hd_vec(hd_approximation) all = {0};
    hd_box_take_list(b, &all);
    HD_ASSERT(all.n >= m->told.approximations.n);
    for (size_t i = 0; i < all.n; i++) {
        if (i >= m->told.approximations.n)
            hd_approximate_as(m, all.at[i].kind, all.at[i].site, all.at[i].what);
        m->told.approximations.at[i].count = all.at[i].count;
    }
    hd_vec_release(&all);
    hd_vec_clear(&m->told.weak_orders);
    hd_box_take_list(b, &m->told.weak_orders);
}

const hd_part hd_part_told = {"what is told",
                              {NULL, NULL, release, NULL},
                              {is_simple, NULL, NULL},
                              {leave, take},
                              HD_PART_NO_TASKS};

void hd_approximate(hd_machine *m, uint32_t site, const char *format, ...) {
    char what[sizeof m->calls.pending->what];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    hd_approximate_as(m, HD_LOSS_VALUE, site, what);
}

void hd_bound(hd_machine *m, uint32_t site, const char *format, ...) {
    char what[sizeof m->calls.pending->what];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    hd_approximate_as(m, HD_LOSS_LEFT_OUT, site, what);
}

void hd_end_at_limit(hd_machine *m, uint32_t site, const char *format, ...) {
    char what[sizeof m->calls.pending->what];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    hd_approximate_as(m, HD_LOSS_LIMIT, site, what);
    hd_end_rejected(m);
}

/* With threads each side is a path of its own, so a thread that has failed here is not asked again:
 * what it does with the inputs of both sides is the same, and so is the finding.  By thread, so
 * that it does not depend on their order. */
static bool has_failed_before(hd_machine *m, uint32_t site, bool holds) {
    if (!hd_image_is_concurrent(m->image, m->options.n_nodes))
        return false;
    uint64_t key = (uint64_t)m->threads.current << 32 | site;
    bool known = hd_map_find(&m->failing.failed_checks, key) != NULL;
    if (!holds && !known)
        hd_map_put(&m->failing.failed_checks, key, 1);
    return known;
}

void hd_record_check(hd_machine *m, uint32_t site, hd_expr holds, bool taken) {
    if (!has_failed_before(m, site, taken))
        hd_record(m, site, holds, taken, HD_BRANCH_CHECK);
}

/* Not a branch of the program. */
static __attribute__((noinline)) void
branch_at_check(hd_machine *m, hd_shadow condition, uint32_t taken, uint32_t site, uint32_t kind) {
    condition = hd_define_computed(m, condition, NULL, site);
    if (!condition)
        return;
    if (m->options.checks_end)
        hd_record(m, site, condition, taken, HD_BRANCH_PROGRAM);
    else if (kind == HD_SITE_CHECK_HOLDS)
        hd_record_check(m, site, condition, taken);
    else
        hd_record_check(m, site, hd_expr_not(m->graph, condition), !taken);
}

void __hd_slow_branch(hd_shadow condition, uint32_t taken, uint32_t site) {
    hd_machine *m = hd_enter();
    HD_CHECK(site < m->image->n_sites);
    uint32_t kind = m->image->sites[site].kind;
    if (kind == HD_SITE_CHECK_HOLDS || kind == HD_SITE_CHECK_FAILS)
        branch_at_check(m, condition, taken, site, kind);
    else if (condition)
        hd_record(m, site, condition, taken, HD_BRANCH_PROGRAM);
}

void __hd_slow_callee(hd_shadow callee, uint64_t concrete, uint32_t site) {
    HD_CHECK(callee);
    hd_pin_value(hd_now, callee, concrete, site);
}

void __hd_slow_concretize(hd_shadow value, uint64_t concrete, uint32_t width, const char *what,
                          uint32_t site) {
    (void)concrete, (void)width;
    if (!hd_value_is_decided(hd_now, hd_define(hd_now, value, NULL, site), site))
        hd_approximate(hd_now, site, "%s", what);
}

/* ---- switch ---- */

/* "The value is one of the cases of this target." */
static hd_expr is_target(hd_machine *m, hd_expr value, const hd_switch *table, uint32_t target) {
    HD_CHECK(target && target < table->n_targets);
    hd_graph *g = m->graph;
    hd_expr any = HD_NONE;
    for (uint32_t i = 0; i < table->n_cases; i++) {
        if (table->cases[i].target != target)
            continue;
        HD_CHECK(hd_expr_width(g, value) == table->width);
        hd_expr here = hd_expr_const(g, table->width, table->cases[i].value);
        hd_expr hit = hd_expr_binary(g, HD_OP_EQ, value, here);
        any = any ? hd_expr_binary(g, HD_OP_OR, any, hit) : hit;
    }
    return any ? any : hd_expr_const(g, 1, 0);
}

static uint32_t target_of(const hd_switch *table, uint64_t value) {
    for (uint32_t i = 0; i < table->n_cases; i++)
        if (table->cases[i].value == value)
            return table->cases[i].target;
    return 0;
}

/* A chain of two-way decisions, one for each distinct target, as far as the taken one.
 * Cases that lead to the default's block are part of "none of the others". */
void __hd_slow_switch(hd_shadow value, uint64_t concrete, const hd_switch *table) {
    hd_machine *m = hd_enter();
    uint32_t taken = target_of(table, concrete & hd_mask(table->width));
    HD_CHECK(taken < table->n_targets);
    value = hd_define(m, value, "a switch", 0); /* its sites are those of the cases */
    if (!value)
        return;
    for (uint32_t k = 1; k < table->n_targets; k++) {
        hd_record(m, table->first_site + k, is_target(m, value, table, k), k == taken,
                  HD_BRANCH_PROGRAM);
        if (k == taken)
            return;
    }
}
