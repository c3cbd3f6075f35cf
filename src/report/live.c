/* A run while it goes.  Words of the program and of its sources are shown, as in reports
 * (page.h). */
#include "report/live.h"

#include "base/panic.h"
#include "report/json_values.h"
#include "report/page.h"
#include "report/template.h"

#include <string.h>

#define MOST_SAMPLES 400

/* ---- samples ---- */

static void thin_out(hd_live *l) {
    size_t n = 0;
    for (size_t i = 0; i < l->history.n; i += 2)
        l->history.at[n++] = l->history.at[i];
    l->history.n = n;
}

void hd_live_note(hd_live *l, hd_live_sample now) {
    const hd_live_sample *last = l->history.n ? &l->history.at[l->history.n - 1] : NULL;
    if (last && (now.executions < last->executions || now.seconds < last->seconds)) {
        hd_vec_clear(&l->history);
        last = NULL;
    }
    if (last && now.executions == last->executions && now.findings == last->findings)
        return;
    if (l->history.n >= MOST_SAMPLES)
        thin_out(l);
    hd_vec_push(&l->history, now);
}

void hd_live_release(hd_live *l) {
    hd_vec_release(&l->history);
    hd_vec_release(&l->units);
}

/* ---- what is answered ---- */

static json_t *shown(const char *text) {
    return hd_json_shown(text, text ? strlen(text) : 0);
}

static json_t *finding_row(const hd_found *f) {
    json_t *o = json_object();
    hd_json_put(o, "number", hd_json_integer(f->number));
    hd_json_put(o, "kind", shown(hd_finding_kind_name(f->kind)));
    hd_json_put(o, "message",
                shown(f->message && f->message[0] ? f->message : hd_finding_kind_words(f->kind)));
    hd_json_put(o, "file", shown(f->file));
    hd_json_put(o, "line", hd_json_integer(f->line));
    hd_json_put(o, "function", shown(f->function));
    hd_json_put(o, "count", hd_json_integer(f->count));
    hd_json_put(o, "test", hd_json_integer(f->test));
    hd_json_put(o, "harmless", json_boolean(f->kind == HD_FINDING_DATA_RACE && !f->leads_to));
    return o;
}

static json_t *finding_rows(const hd_batch *b) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < b->n_findings && i < HD_LIVE_FINDINGS; i++)
        json_array_append_new(list, finding_row(&b->findings[i]));
    return list;
}

static json_t *units_object(const hd_live *l) {
    json_t *o = json_object(), *rows = json_array();
    for (hd_unit_state s = 0; s < HD_N_UNIT_STATES; s++)
        hd_json_put(o, hd_unit_state_words(s), hd_json_integer(l->n_units[s]));
    for (size_t i = 0; i < l->units.n; i++) {
        const hd_unit_cost *u = &l->units.at[i];
        json_array_append_new(rows, json_pack("[o, o, f, f, o]", hd_json_integer(u->number),
                                              hd_json_integer(u->parent), u->begun, u->seconds,
                                              hd_json_integer(u->executions)));
    }
    hd_json_put(o, "rows", rows);
    return o;
}

static json_t *history_rows(const hd_live *l) {
    json_t *list = json_array();
    for (size_t i = 0; i < l->history.n; i++) {
        const hd_live_sample *s = &l->history.at[i];
        json_array_append_new(list,
                              json_pack("[f, o, o, o]", s->seconds, hd_json_integer(s->executions),
                                        hd_json_integer(s->covered), hd_json_integer(s->findings)));
    }
    return list;
}

static json_t *reason_rows(const hd_report *r) {
    json_t *list = json_array();
    for (size_t i = 0; i < r->n_reasons; i++)
        json_array_append_new(list, shown(r->reasons[i]));
    return list;
}

static void put_counters(json_t *o, const hd_run_counters *c) {
    const hd_explorer_counters *x = &c->explore;
#define X(name, value) hd_json_put(o, name, hd_json_integer(value));
    X("executions", x->executions)
    X("paths", x->paths)
    X("rejected", x->rejected)
    X("redundant", x->redundant)
    X("open", x->open)
    X("events", x->events)
    X("threads", c->threads)
    X("processes", c->processes)
    X("branches", c->branches)
    X("covered", c->branches_covered)
    X("workers", c->workers)
    X("queries", c->solve.queries)
#undef X
    hd_json_put(o, "seconds", json_real(c->seconds));
    hd_json_put(o, "cpu", json_real(c->cpu_seconds));
    hd_json_put(o, "estimate", x->estimate > 0 ? json_real(x->estimate) : json_null());
}

static void put_run(json_t *o, const hd_live *l) {
    const hd_report *r = l->report;
    hd_text verdict = {0};
    hd_verdict_add(&r->state, &verdict);
    hd_json_put(o, "verdict", shown(hd_text_string(&verdict)));
    hd_text_release(&verdict);
    hd_json_put(o, "program", shown(r->program));
    hd_json_put(o, "command", shown(l->command));
    hd_json_put(o, "directory", shown(r->directory));
    hd_json_put(o, "complete", json_boolean(r->state.is_complete));
    hd_json_put(o, "stopped", r->state.stop_reason ? shown(r->state.stop_reason) : json_null());
    hd_json_put(o, "reasons", reason_rows(r));
    hd_json_put(o, "tests", hd_json_integer(r->n_tests));
    hd_json_put(o, "n_findings", hd_json_integer(r->state.n_findings));
    hd_json_put(o, "findings", finding_rows(&r->state));
    hd_json_put(o, "units", units_object(l));
    hd_json_put(o, "history", history_rows(l));
    put_counters(o, &r->state.counters);
}

static int append(const char *bytes, size_t n, void *out) {
    hd_text_add_bytes(out, bytes, n);
    return 0;
}

void hd_live_write(const hd_live *l, hd_text *out) {
    static const char *const states[] = {
#define X(name, words) words,
        HD_LIVE_STATES(X)
#undef X
    };
    json_t *o = json_object();
    hd_json_put(o, "state", json_string(states[l->state]));
    hd_json_put(o, "problem", l->problem ? shown(l->problem) : json_null());
    hd_json_put(o, "report", json_boolean(l->is_report_ready));
    hd_json_put(o, "unreported", l->unreported ? shown(l->unreported) : json_null());
    if (l->state != HD_LIVE_GONE)
        put_run(o, l);
    json_dump_callback(o, append, out, JSON_COMPACT | JSON_REAL_PRECISION(6));
    json_decref(o);
}

/* ---- the page ---- */

typedef struct live_maker {
    hd_text *out;
    char nonce[HD_NONCE_SIZE];
} live_maker;

static void fill(void *context, const char *name, size_t n) {
    live_maker *m = context;
    if (n == 5 && strncmp(name, "nonce", n) == 0)
        hd_text_add(m->out, "%s", m->nonce);
    else if (n == 5 && strncmp(name, "style", n) == 0)
        hd_text_add(m->out, "%s", hd_page_css);
    else if (n == 6 && strncmp(name, "script", n) == 0)
        hd_text_add(m->out, "%s%s", hd_draw_js, hd_live_js);
    else
        HD_BUG("the page has a place that nobody fills");
}

void hd_live_page(hd_text *out) {
    live_maker m = {.out = out};
    hd_nonce_make(m.nonce);
    hd_template_fill(hd_live_html, out, fill, &m);
}
