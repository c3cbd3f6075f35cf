/* Assertions about all processes together: variables that they export, and what must hold of these
 * at the end, at every moment, or some time.
 *
 * A moment is what somebody could have written down who sees all processes at once: the values that
 * each of them had before the last operation that it stood before.  So a process shows what it
 * exported before it does anything else that others notice, if that has changed, and every rule
 * about moments is asked then.
 *
 * G1. Rules about moments look at what was shown, never at memory that its process has changed
 *     since.
 * G2. To show is an event that writes HD_TOKEN_SHOWN.  Two of them conflict, so that every order of
 *     changes is explored, and what a rule sees is the same in all executions of a class.
 * G3. Nothing of it happens in a module without rules about moments.  A node that runs alone shows
 *     without events: what it has shown says which executions of all nodes are alike (outside.h).
 * Values that a process has in between, while it computes, are no moments. */
#include "machine/channels/ipc.h"
#include "machine/core/kinds.h"
#include "machine/core/parts.h"
#include "machine/tasks/time_order.h"

#include "base/hash.h"
#include "heddle.h"

#include <stdio.h>

/* An object that a process has made known. */
typedef struct export {
    const char *name;
    uint64_t address, size;
    uint32_t next; /* 1 + the next one of its process; 0: it is the last */
    bool is_shown;
    uint8_t *bytes; /* as shown last */
    hd_word *words;
}
export;

typedef struct exporter {
    uint32_t first, last; /* 1 + the index of its exports; 0: none */
    bool is_showing;      /* a thread of it stands before it */
} exporter;

/* What must hold at the end. */
typedef struct check {
    int (*holds)(void);
    uint32_t process, site;
} check;

/* What must hold at every moment, or at one of them. */
typedef struct rule {
    int (*holds)(void);
    const char *text;
    uint64_t deadline; /* of the moment; HD_RULE_ALWAYS: it is about all of them */
    uint32_t site;
    bool has_held, has_failed;
} rule;

struct hd_globals {
    hd_vec(export) exports;
    hd_vec(exporter) exporters; /* by process */
    hd_vec(check) checks;
    hd_vec(rule) rules;
    uint64_t history, last; /* of a node that runs alone: what it showed and when; and what last */
    bool is_symbolic;       /* some of that depends on inputs */
    bool is_looking;        /* rules are asked */
};

static void begin(hd_machine *m) {
    struct hd_globals *g = m->globals;
    if (!g)
        return;
    hd_vec_clear(&g->exports);
    hd_vec_clear(&g->exporters);
    hd_vec_clear(&g->checks);
    hd_vec_clear(&g->rules);
    g->history = g->last = 0;
    g->is_symbolic = g->is_looking = false;
}

static void release(hd_machine *m) {
    if (!m->globals)
        return;
    hd_vec_release(&m->globals->exports);
    hd_vec_release(&m->globals->exporters);
    hd_vec_release(&m->globals->checks);
    hd_vec_release(&m->globals->rules);
    free(m->globals);
    m->globals = NULL;
}

static void visit(hd_machine *m, hd_visitor *v) {
    struct hd_globals *g = m->globals;
    if (!g)
        return;
    hd_visit_list(v, &g->exports);
    hd_visit_list(v, &g->exporters);
    hd_visit_list(v, &g->checks);
    hd_visit_list(v, &g->rules);
    hd_visit_bytes(v, &g->history, sizeof g->history);
    hd_visit_bytes(v, &g->last, sizeof g->last);
    hd_visit_bytes(v, &g->is_symbolic, sizeof g->is_symbolic);
    hd_visit_bytes(v, &g->is_looking, sizeof g->is_looking);
}

static bool is_simple(const hd_machine *m) {
    return !m->globals;
}

const hd_part hd_part_globals = {"globals",
                                 {begin, NULL, release, visit},
                                 {is_simple, NULL, NULL},
                                 HD_PART_NOT_ISOLATED,
                                 HD_PART_NO_TASKS};

static hd_machine *enter(void) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    if (!m->globals) {
        m->globals = calloc(1, sizeof *m->globals);
        if (!m->globals)
            hd_out_of_memory();
    }
    return m;
}

static const char *keep_text(hd_machine *m, const char *text) {
    size_t n = strlen(text) + 1;
    char *copy = hd_execution_alloc(m, n);
    memcpy(copy, text, n);
    return copy;
}

/* ---- exports ---- */

static exporter *exporter_of(struct hd_globals *g, uint32_t process) {
    while (g->exporters.n <= process)
        hd_vec_push(&g->exporters, (exporter){0});
    return &g->exporters.at[process];
}

static export *first_export(struct hd_globals *g, uint32_t process) {
    uint32_t first = process < g->exporters.n ? g->exporters.at[process].first : 0;
    return first ? &g->exports.at[first - 1] : NULL;
}

static export *next_export(struct hd_globals *g, const export *e) {
    return e->next ? &g->exports.at[e->next - 1] : NULL;
}

/* What crashes leave behind, and what others change, is not seen at every moment. */
static void tell_bounds(hd_machine *m, uint64_t address) {
    uint32_t site = hd_caller_site(m, __builtin_frame_address(0));
    if (m->options.n_faults && hd_is_threaded(m))
        hd_bound(m, site,
                 "crashes of threads that wait before another one exports are explored once");
    if (m->may.watch && hd_is_shared(address))
        hd_bound(m, site,
                 "what others write to an exported variable is shown when its process "
                 "goes on");
}

void heddle_export(const char *name, const void *address, size_t size) {
    hd_machine *m = enter();
    struct hd_globals *g = m->globals;
    hd_check_range(m, (uint64_t)address, size, false, 0);
    tell_bounds(m, (uint64_t)address);
    hd_process_at(m, hd_process_current(m))->has_exported = true;
    export made = {keep_text(m, name), (uint64_t)address, size, 0, false, NULL, NULL};
    made.bytes = hd_execution_alloc(m, size + 1);
    made.words = hd_execution_alloc(m, (size + 1) * sizeof *made.words);
    hd_vec_push(&g->exports, made);
    exporter *x = exporter_of(g, hd_process_current(m));
    if (x->last)
        g->exports.at[x->last - 1].next = (uint32_t)g->exports.n;
    else
        x->first = (uint32_t)g->exports.n;
    x->last = (uint32_t)g->exports.n;
}

static void put(hd_machine *m, void *to, const uint8_t *bytes, const hd_word *words, uint64_t n) {
    memcpy(to, bytes, n);
    hd_memory_note_symbolic(m, (uint64_t)to, n);
    HD_CHECK(hd_in_region((uint64_t)to));
    memcpy(HD_SHADOW_OF(to), words, n * sizeof *words);
}

/* As it was shown (G1), or as it is now. */
static void give(hd_machine *m, uint32_t process, const export *e, void *value, uint64_t n) {
    if (m->globals->is_looking) {
        put(m, value, e->bytes, e->words, n);
        return;
    }
    uint8_t *bytes = hd_execution_alloc(m, n + 1);
    hd_word *words = hd_execution_alloc(m, (n + 1) * sizeof *words);
    hd_space_read(m, process, e->address, n, bytes, words);
    put(m, value, bytes, words, n);
}

int heddle_exported(const char *name, int nth, void *value, size_t size) {
    hd_machine *m = enter();
    struct hd_globals *g = m->globals;
    hd_check_range(m, (uint64_t)value, size, true, 0);
    for (uint32_t p = 0; p < g->exporters.n; p++)
        for (const export *e = first_export(g, p); e; e = next_export(g, e)) {
            if (g->is_looking && !e->is_shown)
                continue;
            if (strcmp(e->name, name) != 0 || nth-- != 0)
                continue;
            give(m, p, e, value, e->size < size ? e->size : size);
            return 1;
        }
    return 0;
}

/* ---- rules about moments ---- */

static void note_failed(hd_machine *m, int (*holds)(void), uint32_t thread) {
    hd_finding *f = &m->call.outcome->finding;
    f->stack[0] = (uint64_t)holds + 1; /* the place is the assertion itself */
    f->n_stack = 1;
    m->call.outcome->failed_thread = thread;
    m->call.outcome->failed_event = m->execution.n_events;
    hd_failure_keep(m);
    m->call.outcome->end = HD_END_EXIT;
}

static void fail_always(hd_machine *m, rule *r) {
    hd_finding_fill(m, HD_FINDING_ASSERTION, 0);
    snprintf(m->call.outcome->finding.message, sizeof m->call.outcome->finding.message,
             "assertion '%s' does not hold at every moment", r->text);
    r->has_failed = true;
    note_failed(m, r->holds, m->threads.current + 1);
}

static void fail_eventually(hd_machine *m, rule *r) {
    hd_finding_fill(m, HD_FINDING_ASSERTION, 0);
    char *message = m->call.outcome->finding.message;
    size_t room = sizeof m->call.outcome->finding.message;
    if (r->deadline == HD_RULE_EVENTUALLY)
        snprintf(message, room, "assertion '%s' holds at no moment", r->text);
    else
        snprintf(message, room, "assertion '%s' does not hold at any moment of the first %.9g s",
                 r->text, (double)r->deadline / 1e9);
    r->has_failed = true;
    note_failed(m, r->holds, 0);
}

/* In the middle of what the thread does, on its stack: like a handler of a signal. */
static bool ask(hd_machine *m, rule r) {
    uint32_t me = hd_thread_current(m), n_spins = m->thread[me].n_spins;
    int number = *(int *)m->running.errno_at;
    hd_parts_interrupt(m, me);
    m->thread[me].n_spins = 0;
    m->registers->passed = m->registers->returned = 0;
    int result = r.holds();
    hd_shadow shadow = m->registers->returned & 1 ? m->registers->rets[0] : HD_NONE;
    m->registers->passed = m->registers->returned = 0;
    if (shadow) {
        hd_expr zero = hd_expr_const(m->graph, 32, 0);
        hd_expr fails = hd_expr_binary(m->graph, HD_OP_EQ, shadow, zero);
        hd_record(m, r.site, fails, result == 0, HD_BRANCH_PROGRAM);
    }
    m->thread[me].n_spins = n_spins;
    hd_parts_resume(m, me);
    *(int *)m->running.errno_at = number;
    return result != 0;
}

static bool is_open(const rule *r, uint64_t now) {
    return r->deadline == HD_RULE_ALWAYS ? !r->has_failed
                                         : !r->has_held && !r->has_failed && now <= r->deadline;
}

static void ask_rules(hd_machine *m) {
    struct hd_globals *g = m->globals;
    HD_INVARIANT(G1, !g->is_looking);
    g->is_looking = true;
    for (size_t i = 0; i < g->rules.n; i++) {
        if (!is_open(&g->rules.at[i], hd_time_now(m)))
            continue;
        bool holds = ask(m, g->rules.at[i]);
        rule *r = &g->rules.at[i];
        r->has_held |= holds;
        if (!holds && r->deadline == HD_RULE_ALWAYS)
            fail_always(m, r);
    }
    g->is_looking = false;
}

/* A node that starts again makes its rules again. */
void __heddle_global_rule(int (*holds)(void), const char *text, unsigned long long deadline) {
    hd_machine *m = enter();
    struct hd_globals *g = m->globals;
    uint32_t site = hd_caller_site(m, __builtin_frame_address(0));
    for (size_t i = 0; i < g->rules.n; i++)
        if (g->rules.at[i].holds == holds && g->rules.at[i].deadline == deadline)
            return;
    for (size_t i = 0; i < g->exports.n; i++)
        if (g->exports.at[i].is_shown)
            hd_bound(m, site,
                     "an assertion about moments that is made after something was "
                     "exported does not see all of them");
    hd_vec_push(&g->rules, ((rule){holds, keep_text(m, text), deadline, site, false, false}));
}

void hd_globals_pass(hd_machine *m, uint64_t time) {
    struct hd_globals *g = m->globals;
    for (size_t i = 0; g && i < g->rules.n && !m->call.sink->outside; i++) {
        rule *r = &g->rules.at[i];
        if (r->deadline != HD_RULE_ALWAYS && r->deadline < time && !r->has_held && !r->has_failed)
            fail_eventually(m, r);
    }
}

/* ---- showing ---- */

static bool is_alone(const hd_machine *m) {
    return m->call.sink->outside != NULL;
}

static bool is_as_shown(const export *e) {
    return e->is_shown && memcmp((const void *)e->address, e->bytes, e->size) == 0 &&
           memcmp(HD_SHADOW_OF(e->address), e->words, e->size * sizeof *e->words) == 0;
}

bool hd_globals_have_changed(hd_machine *m) {
    struct hd_globals *g = m->globals;
    uint32_t me = hd_process_current(m);
    if (!m->may.watch && !is_alone(m))
        return false; /* G3 */
    if (!g || g->is_looking || me >= g->exporters.n || g->exporters.at[me].is_showing)
        return false;
    for (const export *e = first_export(g, me); e; e = next_export(g, e))
        if (!is_as_shown(e))
            return true;
    return false;
}

/* The history of a node that runs alone. */
static void add_history(hd_machine *m, const export *e) {
    struct hd_globals *g = m->globals;
    uint64_t h = hd_hash_bytes(g->last, e->name, strlen(e->name));
    g->last = hd_hash_bytes(h, e->bytes, e->size);
    for (uint64_t i = 0; i < e->size; i++)
        g->is_symbolic |= e->words[i] != 0;
}

static void copy_values(hd_machine *m) {
    struct hd_globals *g = m->globals;
    g->last = 0;
    for (export *e = first_export(g, hd_process_current(m)); e; e = next_export(g, e)) {
        memcpy(e->bytes, (const void *)e->address, e->size);
        memcpy(e->words, HD_SHADOW_OF(e->address), e->size * sizeof *e->words);
        e->is_shown = true;
        if (is_alone(m))
            add_history(m, e);
    }
    g->history = hd_hash_add(hd_hash_add(g->history, g->last), hd_time_now(m));
}

static void stand_before_showing(hd_machine *m) {
    hd_action a = {.kind = HD_DO_SHOW,
                   .site = hd_caller_site(m, __builtin_frame_address(0)),
                   .n_accesses = 1,
                   .access = {{HD_TOKEN_SHOWN, 1, HD_MODE_WRITE, true, 0}}};
    uint32_t me = hd_process_current(m);
    exporter_of(m->globals, me)->is_showing = true;
    hd_visible(m, &a);
    exporter_of(m->globals, me)->is_showing = false;
    HD_INVARIANT(G2, hd_process_current(m) == me);
}

void hd_globals_show(hd_machine *m) {
    if (!hd_globals_have_changed(m))
        return;
    if (is_alone(m)) {
        copy_values(m); /* G3 */
        return;
    }
    if (hd_is_threaded(m))
        hd_bound(m, hd_caller_site(m, __builtin_frame_address(0)),
                 "what a node with threads exports is shown when one of them comes to an operation "
                 "that others notice");
    stand_before_showing(m);
    copy_values(m);
    ask_rules(m);
}

static void forget(hd_machine *m, uint32_t process) {
    struct hd_globals *g = m->globals;
    if (g && process < g->exporters.n)
        g->exporters.at[process] = (exporter){0};
}

void hd_globals_forget(hd_machine *m, uint32_t process) {
    struct hd_globals *g = m->globals;
    bool is_seen = g && first_export(g, process);
    bool is_event = is_seen && m->may.watch && !is_alone(m);
    if (is_event)
        stand_before_showing(m);
    forget(m, process);
    if (is_event)
        ask_rules(m);
    else if (is_seen && is_alone(m))
        copy_values(m);
}

uint64_t hd_machine_shown(const hd_machine *m, bool *is_symbolic) {
    const struct hd_globals *g = m->globals;
    *is_symbolic = g && g->is_symbolic;
    return !g ? 0 : m->may.watch ? g->history : g->last;
}

/* ---- the end ---- */

void heddle_global_assert(int (*holds)(void)) {
    hd_machine *m = enter();
    hd_vec_push(&m->globals->checks, ((check){holds, hd_process_current(m),
                                              hd_caller_site(m, __builtin_frame_address(0))}));
}

static void note_failed_check(hd_machine *m, const check *c) {
    hd_finding_fill(m, HD_FINDING_ASSERTION, 0);
    snprintf(m->call.outcome->finding.message, sizeof m->call.outcome->finding.message,
             "a global assertion does not hold when nobody can go on any more");
    note_failed(m, c->holds, 0);
}

typedef struct check_call {
    hd_machine *m;
    const check *check;
    void *caller;
    bool fails;
} check_call;

static void call_check(void *context) {
    check_call *c = context;
    hd_machine *m = c->m;
    m->registers->passed = m->registers->returned = 0;
    int result = c->check->holds();
    hd_shadow shadow = m->registers->returned & 1 ? m->registers->rets[0] : HD_NONE;
    m->registers->returned = 0;
    if (shadow) {
        hd_expr zero = hd_expr_const(m->graph, 32, 0);
        hd_expr fails = hd_expr_binary(m->graph, HD_OP_EQ, shadow, zero);
        hd_record(m, c->check->site, fails, result == 0, HD_BRANCH_PROGRAM);
    }
    c->fails = result == 0;
    if (c->fails)
        note_failed_check(m, c->check);
    hd_fiber_leave(c->caller);
}

/* How many fail.  On the host's stack; each check runs below what is on the stack of its process.
 */
static uint32_t run_checks(void *machine, hd_threads *threads) {
    hd_machine *m = machine;
    uint32_t caller = threads->current, n_failed = 0;
    hd_thread_set alive = threads->alive;
    threads->alive = HD_SET_EMPTY; /* a finding in a check is the end */
    for (size_t i = 0; i < m->globals->checks.n; i++) {
        const check *x = &m->globals->checks.at[i];
        const hd_process *p = hd_process_at(m, x->process);
        const hd_thread *t = &m->thread[p->main_thread];
        check_call c = {m, x, NULL, false};
        hd_thread_take_over(m, p->main_thread);
        hd_space_enter(m, x->process);
        m->process.is_ending = true;
        bool is_free = p->has_ended && p->main_thread != caller;
        uint64_t stack = is_free ? t->stack_top - HD_STACK_ENTRY : (uint64_t)t->saved - 256;
        hd_memory_forget_frames(t);
        hd_fiber_run(&c.caller, (void *)(stack & ~UINT64_C(63)), call_check, &c);
        n_failed += c.fails;
    }
    threads->alive = alive;
    /* Whoever called this has its stack back. */
    hd_thread_take_over(m, caller);
    hd_space_enter(m, hd_process_of(m, caller));
    HD_ASSERT(threads->current == caller);
    return n_failed;
}

void hd_globals_check(hd_machine *m) {
    struct hd_globals *g = m->globals;
    if (is_alone(m) || !g || m->system.has_checked)
        return; /* they are about all nodes */
    hd_globals_pass(m, UINT64_MAX);
    if (g->checks.n) {
        m->system.has_checked = true;
        m->thread[m->threads.current].saved = (char *)__builtin_frame_address(0) - HD_FRAME_ROOM;
        if (hd_fiber_call(m->call.host_stack, run_checks, m, &m->threads) > 0)
            hd_threads_leave(m);
    }
}
