/* Live progress: one line that tells whether the run gets anywhere, and what it spends its
 * time on.  Only a carriage return and "erase to end of line" are used, so that whatever
 * ends the process leaves the terminal as it was. */
#include "base/shown.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define PLAIN_SECONDS 5.0

hd_live_line hd_live_line_begin(FILE *out) {
    hd_live_line p = {.out = out, .next = PLAIN_SECONDS};
    p.is_terminal = out && isatty(fileno(out));
    return p;
}

static unsigned terminal_width(FILE *out) {
    struct winsize size;
    return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

static void print_time(hd_text *t, double seconds) {
    unsigned whole = (unsigned)seconds;
    if (whole >= 3600)
        hd_text_add(t, "%u:%02u:%02u", whole / 3600, whole / 60 % 60, whole % 60);
    else
        hd_text_add(t, "%u:%02u", whole / 60, whole % 60);
}

/* Executions that differ in inputs or in the order of what matters are classes. */
static void print_classes(hd_text *t, const hd_explorer_counters *x) {
    hd_text_add(t, "  %" PRIu64 " classes", x->paths);
    if (x->estimate > (double)x->paths)
        hd_text_add(t, " of about %.3g", x->estimate);
    hd_text_add(t, "  races %" PRIu64, x->races);
}

/* Whole systems: how far virtual time has come, and what that took. */
static void print_states(hd_text *t, const hd_explorer_counters *x) {
    hd_text_add(t, "  %.6g s: %" PRIu64 " states in %" PRIu64 " dstates, %" PRIu64 " events",
                (double)x->moment / 1e9, x->states, x->dstates, x->node_events);
}

/* "26823/s: 13000 13823 -": the last one has nothing to do. */
static void print_rates(hd_text *t, const hd_live_line *p) {
    hd_text_add(t, "%.0f/s", p->rate);
    for (uint32_t i = 0; i < p->n_workers; i++)
        if (p->workers[i].unit)
            hd_text_add(t, "%s%.0f", i ? " " : ": ", p->workers[i].rate);
        else
            hd_text_add(t, "%s-", i ? " " : ": ");
}

static void print_line(hd_text *t, const hd_live_line *p, const hd_run_counters *c,
                       uint64_t findings, double elapsed) {
    double share = c->seconds > 0 ? 100 * c->solve.seconds / c->seconds : 0;
    print_time(t, elapsed);
    hd_text_add(t, "  %" PRIu64 " executions (", c->explore.executions);
    print_rates(t, p);
    hd_text_add(t, ")");
    if (c->explore.states)
        print_states(t, &c->explore);
    else if (c->threads > 1 && !c->explore.node_events)
        print_classes(t, &c->explore);
    hd_text_add(t, "  branches %" PRIu64 "/%" PRIu64, c->branches_covered, c->branches);
    hd_text_add(t, "  open %" PRIu64 "  solver %.0f%%", c->explore.open, share > 100 ? 100 : share);
    hd_text_add(t, "  findings %" PRIu64, findings);
}

static void measure_workers(hd_live_line *p, double seconds) {
    for (uint32_t i = 0; i < p->n_workers; i++) {
        struct hd_worker_rate *w = &p->workers[i];
        if (w->executions >= w->last)
            w->rate = (double)(w->executions - w->last) / seconds;
        w->last = w->executions;
    }
}

/* Executions per second since the line before. */
static void measure_rate(hd_live_line *p, uint64_t executions, double elapsed) {
    double seconds = elapsed - p->last_elapsed;
    if (seconds < 0.05 && p->last_executions)
        return;
    if (seconds > 0 && executions >= p->last_executions)
        p->rate = (double)(executions - p->last_executions) / seconds;
    if (seconds > 0)
        measure_workers(p, seconds);
    p->last_elapsed = elapsed;
    p->last_executions = executions;
}

static void rewrite_line(hd_live_line *p, const char *line) {
    hd_print(p->out, "\r\033[K%.*s", (int)terminal_width(p->out) - 1, line);
    fflush(p->out);
    p->is_line_open = true;
}

void hd_live_line_update(hd_live_line *p, const hd_run_counters *c, uint64_t findings,
                         double elapsed) {
    if (!p->out || (!p->is_terminal && elapsed < p->next))
        return;
    measure_rate(p, c->explore.executions, elapsed);
    hd_text line = {0};
    print_line(&line, p, c, findings, elapsed);
    if (p->is_terminal)
        rewrite_line(p, hd_text_string(&line));
    else
        hd_print(p->out, "heddle: %s\n", hd_text_string(&line));
    p->next = elapsed + PLAIN_SECONDS;
    hd_text_release(&line);
}

void hd_live_line_workers(hd_live_line *p, const hd_worker_progress *workers, uint32_t n) {
    if (p->n_workers != n) {
        free(p->workers);
        p->workers = calloc(n, sizeof *p->workers);
        p->n_workers = p->workers ? n : 0;
    }
    for (uint32_t i = 0; i < p->n_workers; i++) {
        p->workers[i].unit = workers[i].unit;
        p->workers[i].executions = workers[i].executions;
    }
}

void hd_live_line_end(hd_live_line *p) {
    hd_live_line_clear(p);
    free(p->workers);
    p->workers = NULL;
    p->n_workers = 0;
}

void hd_live_line_clear(hd_live_line *p) {
    if (p->is_line_open)
        hd_print(p->out, "\r\033[K");
    if (p->out)
        fflush(p->out);
    p->is_line_open = false;
}
