/* The closing summary: what was done, what was found, and whether anything is left.
 * "Complete" is never said without what was lost on the way (design, promise 6). */
#include "base/shown.h"
#include "report/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const layer_names[] = {
#define X(name, symbol, what) #symbol,
    HD_LAYERS(X)
#undef X
};

static const char *plural(uint64_t n) {
    return n == 1 ? "" : "s";
}

/* A row of k + 1 sends is 2^k classes.  Said only where that makes up most of a great many. */
#define MANY_CLASSES 1e6
bool hd_cuts_explode(const hd_explorer_counters *x) {
    return x->open && x->estimate > MANY_CLASSES && (double)x->cut_places > log2(x->estimate) / 2;
}

void hd_cuts_advise(const hd_explorer_counters *x, hd_text *out) {
    hd_text_add(out,
                "most orders are about how streams are cut (%" PRIu64
                " places): 'segments: together' on the links bounds that (heddle help scenarios)",
                x->cut_places);
}

static void show_cut_places(FILE *out, const hd_explorer_counters *x) {
    hd_text text = {0};
    if (!hd_cuts_explode(x))
        return;
    hd_cuts_advise(x, &text);
    hd_print(out, "\nstreams     %s", hd_text_string(&text));
    hd_text_release(&text);
}

/* Messages that are under way count as threads, so that with several processes the number of
 * threads says nothing. */
static void show_threads(FILE *out, const hd_run_counters *c) {
    const hd_explorer_counters *x = &c->explore;
    bool has_processes = c->processes > 1;
    hd_print(out,
             "\n%s %" PRIu64 ", with %" PRIu64 " event%s (at most %" PRIu64 " in an execution)",
             has_processes ? "processes  " : "threads    ",
             has_processes ? c->processes : c->threads, x->events, plural(x->events), x->longest);
    if (!has_processes || x->races)
        hd_print(out, ", data races at %" PRIu64 " pair%s of places", x->races, plural(x->races));
    if (x->open && x->estimate > (double)x->paths)
        hd_print(out, "; about %.3g classes in all", x->estimate);
    show_cut_places(out, x);
}

#define LONG_NUMBER 30 /* digits that nobody reads; --json has all of them */

static void show_scenarios(FILE *out, const hd_batch *b) {
    hd_scenarios s = {0};
    size_t n;
    const void *bytes = hd_observed_find(b->observed, b->n_observed, "scenarios", &n);
    if (!bytes || !hd_scenarios_unpack(bytes, n, &s))
        return;
    size_t length = strlen(s.digits);
    hd_print(out, "\nscenarios   %s", s.are_possible ? "" : "at most ");
    if (length > LONG_NUMBER)
        hd_print(out, "%c.%.3se+%zu", s.digits[0], s.digits + 1, length - 1);
    else
        hd_print(out, "%s", s.digits);
    if (!s.are_possible)
        fputs(" (some may contradict themselves, or exceed a budget)", out);
    hd_scenarios_release(&s);
}

/* Virtual time orders what nodes do. */
static void show_nodes(FILE *out, const hd_batch *b, uint64_t n_nodes) {
    const hd_explorer_counters *x = &b->counters.explore;
    hd_print(out,
             "\nnodes       %" PRIu64 ", with %" PRIu64 " event%s in the order of virtual time",
             n_nodes, x->node_events, plural(x->node_events));
    if (x->states)
        hd_print(out,
                 "\nstates      %" PRIu64 " in %" PRIu64 " dstate%s, %" PRIu64
                 " contradicting deliver%s",
                 x->states, x->dstates, plural(x->dstates), x->contradictions,
                 x->contradictions == 1 ? "y" : "ies");
    show_scenarios(out, b);
}

/* Assumptions reject executions; so does what is not modelled and what is too many, of which the
 * verdict says where and why. */
static void show_rejected(FILE *out, const hd_batch *b) {
    uint64_t rejected = b->counters.explore.rejected, ended = 0;
    for (uint32_t i = 0; i < b->n_losses; i++)
        ended += hd_loss_kind_ends(b->losses[i].kind) ? b->losses[i].count : 0;
    ended = ended < rejected ? ended : rejected;
    hd_print(out, ", %" PRIu64 " rejected", rejected - ended);
    if (ended)
        hd_print(out, ", %" PRIu64 " ended early: see below", ended);
}

static void show_search(FILE *out, const hd_report *r) {
    const hd_run_counters *c = &r->state.counters;
    const hd_explorer_counters *x = &c->explore;
    bool is_threaded = c->threads > 1 && !x->node_events;
    const char *unit =
        is_threaded ? (x->paths == 1 ? "class" : "classes") : (x->paths == 1 ? "path" : "paths");
    hd_print(out, "executions  %" PRIu64 " (%" PRIu64 " %s", x->executions, x->paths, unit);
    show_rejected(out, &r->state);
    hd_print(out, is_threaded ? ", %" PRIu64 " redundant)" : ")", x->redundant);
    if (c->seconds > 0)
        hd_print(out, ", %.0f per second", (double)x->executions / c->seconds);
    if (x->sampled)
        hd_print(out, "; %" PRIu64 " sampled beside", x->sampled);
    if (c->units > 1)
        hd_print(out, "; shared in %" PRIu64 " units", c->units);
    if (c->repeated)
        hd_print(out, "; %" PRIu64 " repeated to rebuild", c->repeated);
    if (is_threaded)
        show_threads(out, c);
    else if (x->node_events)
        show_nodes(out, &r->state, r->n_nodes);
    hd_print(out, "\nbranches    %" PRIu64 " of %" PRIu64 " ways covered\n", c->branches_covered,
             c->branches);
    if (r->has_conditions)
        hd_print(out, "conditions  %u of %u covered (MC/DC)\n", r->conditions_covered,
                 r->conditions);
    hd_print(out,
             "solver      %" PRIu64 " quer%s: %" PRIu64 " with a solution, %" PRIu64
             " without, %" PRIu64 " unknown\n",
             c->solve.queries, c->solve.queries == 1 ? "y" : "ies", c->solve.sat, c->solve.unsat,
             c->solve.unknown);
    hd_print(out, "time        %.3g s, of which solver %.3g s\n", c->seconds, c->solve.seconds);
    hd_print(out, "tests       %" PRIu64 " in %s\n", r->n_tests, r->directory);
    hd_print(out, "seed        %" PRIu64 "\n", r->seed);
}

static void show_layers(FILE *out, const hd_chain_counters *c) {
    hd_print(out, "\n%-14s %10s %10s %10s %10s %10s\n", "solver layer", "asked", "sat", "unsat",
             "unknown", "seconds");
    for (int i = 0; i < HD_N_LAYERS; i++) {
        const hd_layer_counters *l = &c->layer[i];
        hd_print(out, "%-14s %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10.3f\n",
                 layer_names[i], l->asked, l->sat, l->unsat, l->unknown, l->seconds);
    }
    hd_print(out, "constraints before slicing %" PRIu64 ", after %" PRIu64 "\n",
             c->constraints_before, c->constraints_after);
}

static void show_details(FILE *out, const hd_run_counters *c) {
    const hd_explorer_counters *x = &c->explore;
    hd_print(out,
             "ways        %" PRIu64 " infeasible, %" PRIu64 " unknown, %" PRIu64
             " mispredicted, %" PRIu64 " open; deepest path %" PRIu32 " decisions\n",
             x->infeasible, x->unknown, x->mispredicted, x->open, x->deepest);
    hd_print(out, "cpu time    %.3g s\n", c->cpu_seconds);
}

static void show_labels(FILE *out, const hd_batch *b) {
    for (uint32_t i = 0; i < b->n_labels; i++)
        hd_print(out, "reached     '%s' in %" PRIu64 " execution%s\n", b->labels[i].name,
                 b->labels[i].count, b->labels[i].count == 1 ? "" : "s");
}

static void show_findings(FILE *out, const hd_batch *b) {
    if (b->n_findings)
        hd_print(out, "\n%" PRIu32 " finding%s\n", b->n_findings, b->n_findings == 1 ? "" : "s");
    for (uint32_t i = 0; i < b->n_findings; i++) {
        fputs("  ", out);
        hd_finding_line(out, &b->findings[i]);
    }
}

static const char *what_was_explored(const hd_run_counters *c) {
    return c->explore.node_events ? "path in the order of virtual time"
           : c->processes > 1     ? "path and every order of messages that matters"
           : c->threads > 1       ? "path and every order of threads that matters"
                                  : "path";
}

static bool has_one_way(const hd_run_counters *c) {
    return c->inputs == 0 && c->explore.executions > 0 && c->explore.paths <= 1 &&
           c->threads <= 1 && c->processes <= 1;
}

/* Nothing was chosen, so that "every path" would promise more than what a plain run shows. */
void hd_verdict_add(const hd_batch *state, hd_text *out) {
    const hd_run_counters *c = &state->counters;
    if (!state->is_complete)
        hd_text_add(out, "not complete");
    else if (has_one_way(c))
        hd_text_add(out, "complete: the program has no inputs, its only path was run");
    else
        hd_text_add(out, "complete: every %s was explored", what_was_explored(c));
    if (!state->n_findings)
        hd_text_add(out, ", nothing was found");
}

/* Numbers that nobody can know depend on no inputs (machine/libc/entropy.c). */
static bool is_random(const hd_loss *l) {
    return strstr(l->what, "which are always the same") != NULL;
}

static bool has_fixed(const hd_batch *b, bool random) {
    for (uint32_t i = 0; i < b->n_losses; i++)
        if (b->losses[i].kind == HD_LOSS_VALUE && is_random(&b->losses[i]) == random)
            return true;
    return false;
}

/* Inputs of types that are not followed are inputs too. */
static bool has_fixed_values(const hd_batch *b) {
    return has_fixed(b, false) || has_fixed(b, true);
}

static void show_standard_input(FILE *out, const hd_batch *b) {
    const hd_run_counters *c = &b->counters;
    if (c->stdin_bytes)
        hd_print(out,
                 "  note: %" PRIu64
                 " byte%s of standard input %s read as %s, in every execution the "
                 "same; '--stdin %" PRIu64 "' makes inputs of them\n",
                 c->stdin_bytes, plural(c->stdin_bytes), c->stdin_bytes == 1 ? "was" : "were",
                 c->stdin_bytes == 1 ? "it is" : "they are", c->stdin_bytes);
    else if (has_one_way(c) && !has_fixed_values(b))
        fputs(
            "  note: inputs are declared with heddle_input() ('heddle help inputs'), made of a "
            "function's arguments\n        with --function, or of standard input with --stdin N\n",
            out);
}

/* Where an option would help: few bits are few paths. */
static void show_values(FILE *out, const hd_batch *b) {
    if (has_fixed(b, true))
        fputs(
            "  note: random numbers are inputs if a C file beside the program defines the function "
            "that gives\n        them by heddle_choose() or heddle_bytes() ('heddle help "
            "inputs')\n",
            out);
    if (has_fixed(b, false))
        fputs("  note: '--values BITS' makes a path of each value there that at most BITS bits of "
              "inputs "
              "decide\n",
              out);
}

/* Nobody waits for a million orders; in one of them inputs and faults are few. */
static void show_orders(FILE *out, const hd_report *r) {
    const hd_explorer_counters *x = &r->state.counters.explore;
    if (r->n_nodes && x->open && x->estimate > MANY_CLASSES && !x->node_events)
        fputs("  note: '--orders time' takes one order of messages, that of virtual time, and "
              "explores inputs and\n        faults in it ('heddle help systems')\n",
              out);
}

static void show_verdict(FILE *out, const hd_report *r) {
    hd_text verdict = {0};
    hd_verdict_add(&r->state, &verdict);
    hd_print_colour(out, !r->state.is_complete ? HD_COLOUR_WARN
                         : r->state.n_findings ? HD_COLOUR_STRONG
                                               : HD_COLOUR_GOOD);
    hd_print(out, r->state.is_complete ? "%s" : "%s:", hd_text_string(&verdict));
    hd_print_colour(out, HD_COLOUR_NONE);
    fputc('\n', out);
    hd_text_release(&verdict);
    for (size_t i = 0; i < r->n_reasons; i++)
        hd_print(out, "  - %s\n", r->reasons[i]);
    show_values(out, &r->state);
    show_standard_input(out, &r->state);
    show_orders(out, r);
    if (r->state.counters.explore.open)
        hd_print(out, "  go on with: heddle run --resume %s\n", r->directory);
}

static void show_warnings(FILE *out, const char *lines) {
    if (lines && *lines)
        fputs("\nwarnings\n", out);
    while (lines && *lines) {
        size_t length = strcspn(lines, "\n");
        hd_print(out, "  %.*s\n", (int)length, lines);
        lines += length + (lines[length] == '\n');
    }
}

void hd_summary_show(FILE *out, const hd_report *r, bool verbose) {
    fputc('\n', out);
    show_search(out, r);
    if (verbose)
        show_details(out, &r->state.counters);
    show_labels(out, &r->state);
    if (verbose)
        show_layers(out, &r->state.counters.solve);
    show_findings(out, &r->state);
    show_warnings(out, r->state.warnings);
    fputc('\n', out);
    show_verdict(out, r);
}

void hd_summary_brief(FILE *out, const hd_report *r) {
    for (uint32_t i = 0; i < r->state.n_findings; i++)
        hd_finding_line(out, &r->state.findings[i]);
    show_verdict(out, r);
}
