/* Decisions: branches, switches, symbolic values that must be one value, and loops. */
#include "machine/endless.h"
#include "machine/threads.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* Iterations watched after the step limit, for a state that repeats (endless.h) and to name the
 * loops: some, and a tenth of the limit. */
#define LEAST_SAMPLE   1024
#define MOST_SAMPLE    200000
#define MAX_LOOP_LINES 16

/* What a condition of this kind is for, in words of uninitialised.c. */
static const char *use_of(hd_branch_kind kind) {
    return kind == HD_BRANCH_CHECK     ? NULL
           : kind == HD_BRANCH_ADDRESS ? HD_USE_ADDRESS
           : kind == HD_BRANCH_PROGRAM ? "a branch"
                                       : "a decision";
}

void hd_record(hd_machine *m, uint32_t site, hd_expr condition, bool taken, hd_branch_kind kind) {
    condition = hd_define_computed(m, condition, use_of(kind), site);
    if (!condition || hd_expr_is_const(m->graph, condition) || m->looping_left || m->is_concrete)
        return; /* beyond the step limit the search is not complete: decisions no longer matter */
    if (++m->n_decisions == m->options.max_decisions) {
        m->is_concrete = true;
        hd_approximate(m, site, "everything after decision %" PRIu64 " of an execution",
                       m->n_decisions);
    }
    HD_CHECK(hd_eval_value(m->eval, condition) == taken);
    m->hash = hd_hash_add(m->hash, (uint64_t)site << 8 | (uint64_t)kind << 1 | taken);
    if (m->sink->script)
        hd_vec_push(&m->decided,
                    ((hd_decided){{site, condition, taken, (uint8_t)kind}, (uint32_t)m->n_events}));
    m->sink->branch(m->sink->context, site, condition, taken, kind);
}

/* Bit by bit, highest first: a chain of decisions that depends on the value alone, so that
 * an execution with another value shares the decisions on the bits above the first that
 * differs.  Bits that are the same for all inputs fold away. */
void hd_pin_value(hd_machine *m, hd_expr value, uint64_t concrete, uint32_t site) {
    for (unsigned bit = hd_expr_width(m->graph, value); bit-- > 0;)
        hd_record(m, site, hd_expr_extract(m->graph, value, bit, 1), concrete >> bit & 1,
                  HD_BRANCH_VALUE);
}

/* Once per site and kind of operation; later ones only count. */
void hd_approximate_as(hd_machine *m, hd_approximation_kind kind, uint32_t site, const char *what) {
    if (m->is_running)
        site = hd_users_site(m, site, __builtin_frame_address(0));
    hd_approximation a = {.kind = kind, .site = site, .count = 1};
    m->has_approximated = true;
    snprintf(a.what, sizeof a.what, "%s", what);
    uint64_t key = hd_hash_bytes(hd_hash_add(site, kind), a.what, strlen(a.what)) & INT64_MAX;
    uint64_t *known = hd_map_find(&m->approximation_at, key);
    if (known) {
        m->approximations.at[*known].count++;
        return;
    }
    hd_map_put(&m->approximation_at, key, m->approximations.n);
    hd_vec_push(&m->approximations, a);
}

void hd_approximate(hd_machine *m, uint32_t site, const char *format, ...) {
    char what[sizeof m->pending->what];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    hd_approximate_as(m, HD_APPROXIMATE_VALUE, site, what);
}

void hd_bound(hd_machine *m, uint32_t site, const char *format, ...) {
    char what[sizeof m->pending->what];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    hd_approximate_as(m, HD_APPROXIMATE_BOUND, site, what);
}

void hd_end_at_limit(hd_machine *m, uint32_t site, const char *format, ...) {
    char what[sizeof m->pending->what];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    hd_approximate_as(m, HD_APPROXIMATE_LIMIT, site, what);
    hd_end_rejected(m);
}

/* With threads each side is a path of its own, so a thread that has failed here is not asked again:
 * what it does with the inputs of both sides is the same, and so is the finding.  By thread, so
 * that it does not depend on their order. */
static bool has_failed_before(hd_machine *m, uint32_t site, bool holds) {
    if (!hd_image_is_concurrent(m->image, m->options.n_nodes))
        return false;
    uint64_t key = (uint64_t)m->threads.current << 32 | site;
    bool known = hd_map_find(&m->failed_checks, key) != NULL;
    if (!holds && !known)
        hd_map_put(&m->failed_checks, key, 1);
    return known;
}

void hd_record_check(hd_machine *m, uint32_t site, hd_expr holds, bool taken) {
    if (!has_failed_before(m, site, taken))
        hd_record(m, site, holds, taken, HD_BRANCH_CHECK);
}

void __hd_slow_branch(hd_shadow condition, uint32_t taken, uint32_t site) {
    hd_machine *m = hd_enter();
    uint32_t kind = m->image->sites[site].kind;
    if (kind == HD_SITE_CHECK_HOLDS || kind == HD_SITE_CHECK_FAILS)
        condition = hd_define_computed(m, condition, NULL, site); /* not a branch of the program */
    if (!condition)
        return;
    if (m->options.checks_end)
        kind = HD_SITE_OTHER;
    if (kind == HD_SITE_CHECK_HOLDS)
        hd_record_check(m, site, condition, taken);
    else if (kind == HD_SITE_CHECK_FAILS)
        hd_record_check(m, site, hd_expr_not(m->graph, condition), !taken);
    else
        hd_record(m, site, condition, taken, HD_BRANCH_PROGRAM);
}

void __hd_slow_callee(hd_shadow callee, uint64_t concrete, uint32_t site) {
    hd_pin_value(hd_now, callee, concrete, site);
}

void __hd_slow_concretize(hd_shadow value, uint64_t concrete, uint32_t width, const char *what,
                          uint32_t site) {
    (void)concrete, (void)width;
    if (hd_define(hd_now, value, NULL, site))
        hd_approximate(hd_now, site, "%s", what);
}

/* ---- switch ---- */

/* "The value is one of the cases of this target." */
static hd_expr is_target(hd_machine *m, hd_expr value, const hd_switch *table, uint32_t target) {
    hd_graph *g = m->graph;
    hd_expr any = HD_NONE;
    for (uint32_t i = 0; i < table->n_cases; i++) {
        if (table->cases[i].target != target)
            continue;
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

/* ---- the step limit ---- */

static void note_loop(hd_machine *m, uint32_t site) {
    for (size_t i = 0; i < m->looping.n; i++)
        if (m->looping.at[i] == site)
            return;
    hd_vec_push(&m->looping, site);
}

static int compare_sites(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static _Noreturn void end_looping(hd_machine *m, uint32_t site) {
    char lines[400] = "";
    size_t n = 0;
    qsort(m->looping.at, m->looping.n, sizeof *m->looping.at, compare_sites);
    for (size_t i = 0; i < m->looping.n && i < MAX_LOOP_LINES; i++) {
        const hd_site *s = &m->image->sites[m->looping.at[i]];
        if (!s->line)
            continue;
        bool is_model = hd_finding_is_model(s->file);
        int added =
            is_model
                ? snprintf(lines + n, sizeof lines - n, "%s%s", n ? ", " : "", s->function)
                : snprintf(lines + n, sizeof lines - n, "%s%s:%u", n ? ", " : "", s->file, s->line);
        if (added < 0 || n + (size_t)added >= sizeof lines)
            break;
        n += (size_t)added;
    }
    hd_end_finding(m, HD_FINDING_NON_TERMINATION, site,
                   "no end: the same state again after %lu loop iteration%s, in %s",
                   hd_endless_period(m), hd_endless_period(m) == 1 ? "" : "s", lines);
}

static void note_limit(hd_machine *m) {
    char what[sizeof m->pending->what];
    bool is_recursive = false;
    for (size_t i = 0; i < m->looping.n; i++)
        is_recursive |= m->image->sites[m->looping.at[i]].kind == HD_SITE_CALL;
    snprintf(what, sizeof what, "more than %lu %s (--max-steps raises that)",
             (unsigned long)m->options.max_steps,
             is_recursive ? "loop iterations and recursive calls" : "loop iterations");
    hd_approximate_as(m, HD_APPROXIMATE_LIMIT, m->looping.at[0], what);
    hd_vec_clear(&m->looping);
}

/* It may end later: nobody knows. */
static _Noreturn void end_at_limit(hd_machine *m) {
    note_limit(m);
    hd_end_rejected(m);
}

/* What an execution decides while it is watched is not noted, and it may come to an end. */
void hd_steps_finish(hd_machine *m) {
    const hd_outcome *o = m->outcome;
    bool is_endless = o->end == HD_END_FINDING && o->finding.kind == HD_FINDING_NON_TERMINATION;
    if (m->looping.n && m->inputs.n && !is_endless && o->end != HD_END_STOPPED &&
        o->end != HD_END_RETRY)
        note_limit(m);
}

static uint32_t sample_size(uint64_t max_steps) {
    uint64_t n = LEAST_SAMPLE + max_steps / 10;
    return n < MOST_SAMPLE ? (uint32_t)n : MOST_SAMPLE;
}

/* A state is made of registers too.  What a caller keeps in them goes to the stack, below its frame
 * and above that of hd_slow_step_below, which is given the place. */
__asm__(".text\n"
        ".globl __hd_slow_step\n"
        ".type __hd_slow_step, @function\n"
        "__hd_slow_step:\n"
        "    push %rbp\n"
        "    mov %rsp, %rbp\n"
        "    push %rbx\n"
        "    push %r12\n"
        "    push %r13\n"
        "    push %r14\n"
        "    push %r15\n"
        "    push $0\n" /* for alignment */
        "    mov %rsp, %rsi\n"
        "    call hd_slow_step_below\n"
        "    add $8, %rsp\n"
        "    pop %r15\n"
        "    pop %r14\n"
        "    pop %r13\n"
        "    pop %r12\n"
        "    pop %rbx\n"
        "    pop %rbp\n"
        "    ret\n"
        ".size __hd_slow_step, .-__hd_slow_step\n");

void hd_slow_step_below(uint32_t site, uint64_t frame);
__attribute__((used)) void hd_slow_step_below(uint32_t site, uint64_t frame) {
    hd_machine *m = hd_enter();
    if (m->options.max_steps == 0) { /* no limit */
        m->registers->fuel = m->fuel;
        return;
    }
    if (hd_thread_is_idle(m)) {
        hd_bound(m, site,
                 "a thread that runs on when the program is about to end is "
                 "stopped at the step limit");
        hd_thread_halt(m);
    }
    if (m->looping_left == 0) {
        m->looping_left = sample_size(m->options.max_steps);
        hd_endless_begin(m);
    }
    note_loop(m, site);
    bool is_loop = m->image->sites[site].kind == HD_SITE_LOOP;
    if (is_loop && hd_endless_repeats(m, site, frame))
        end_looping(m, site);
    if (--m->looping_left == 0)
        end_at_limit(m);
    m->registers->fuel = 1;
}
