/* The step limit: loops and recursions that have gone round so often that they may have no end. */
#include "machine/tasks/endless.h"
#include "machine/tasks/process.h"
#include "machine/tasks/threads.h"

#include <stdio.h>

/* Iterations watched after the step limit, for a state that repeats (endless.h) and to name the
 * loops: some, and a tenth of the limit. */
#define LEAST_SAMPLE   1024
#define MOST_SAMPLE    200000
#define MAX_LOOP_LINES 16

static void note_loop(hd_machine *m, uint32_t site) {
    HD_ASSERT(site < m->image->n_sites);
    for (size_t i = 0; i < m->execution.looping.n; i++)
        if (m->execution.looping.at[i] == site)
            return;
    hd_vec_push(&m->execution.looping, site);
}

static int compare_sites(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static _Noreturn void end_looping(hd_machine *m, uint32_t site) {
    char lines[400] = "";
    size_t n = 0;
    qsort(m->execution.looping.at, m->execution.looping.n, sizeof *m->execution.looping.at,
          compare_sites);
    for (size_t i = 0; i < m->execution.looping.n && i < MAX_LOOP_LINES; i++) {
        HD_ASSERT(m->execution.looping.at[i] < m->image->n_sites);
        const hd_site *s = &m->image->sites[m->execution.looping.at[i]];
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

/* Whose event it is that does not end; nothing without a scenario. */
static const char *node_of(hd_machine *m) {
    uint32_t node = hd_process_at(m, hd_process_current(m))->node;
    return node && node <= m->options.n_nodes ? m->options.nodes[node - 1].name : NULL;
}

static void note_limit(hd_machine *m) {
    char what[sizeof m->calls.pending->what];
    const char *node = node_of(m);
    bool is_recursive = false;
    HD_ASSERT(m->execution.looping.n);
    for (size_t i = 0; i < m->execution.looping.n; i++)
        is_recursive |= m->image->sites[m->execution.looping.at[i]].kind == HD_SITE_CALL;
    snprintf(what, sizeof what, "more than %lu %s (--max-steps raises that)%s%s%s",
             (unsigned long)m->options.max_steps,
             is_recursive ? "loop iterations and recursive calls" : "loop iterations",
             node ? " in node '" : "", node ? node : "", node ? "'" : "");
    hd_approximate_as(m, HD_LOSS_LIMIT, m->execution.looping.at[0], what);
    hd_vec_clear(&m->execution.looping);
}

/* The loop may end later: nobody knows. */
static _Noreturn void end_at_limit(hd_machine *m) {
    note_limit(m);
    hd_end_rejected(m);
}

/* What an execution decides while it is watched is not noted, and it may come to an end. */
void hd_steps_finish(hd_machine *m) {
    const hd_outcome *o = m->call.outcome;
    bool is_endless = o->end == HD_END_FINDING && o->finding.kind == HD_FINDING_NON_TERMINATION;
    if (m->execution.looping.n && m->input.used.n && !is_endless && o->end != HD_END_STOPPED &&
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
        m->registers->fuel = m->execution.fuel;
        return;
    }
    if (hd_thread_is_idle(m)) {
        hd_bound(m, site,
                 "a thread that runs on when the program is about to end is "
                 "stopped at the step limit");
        hd_thread_halt(m);
    }
    if (m->running.looping_left == 0) {
        m->running.looping_left = sample_size(m->options.max_steps);
        hd_endless_begin(m);
    }
    note_loop(m, site);
    bool is_loop = m->image->sites[site].kind == HD_SITE_LOOP;
    if (is_loop && hd_endless_repeats(m, site, frame))
        end_looping(m, site);
    if (--m->running.looping_left == 0)
        end_at_limit(m);
    m->registers->fuel = 1;
}
