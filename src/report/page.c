/* The places of the page that are filled with HTML.  A place of page.html is "<!--@NAME-->", and a
 * row of PLACES here; a part of the report that the script draws is a row of PARTS. */
#include "report/page.h"

#include "base/panic.h"
#include "base/shown.h"
#include "report/html.h"
#include "report/template.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define EXCERPT_AROUND 4
#define VALUES_SHOWN   400 /* inputs of a test, in its table */

typedef struct page_maker {
    hd_page *page;
    hd_text *out;
    hd_err *err;
    char nonce[HD_NONCE_SIZE];
    bool ok;
} page_maker;

static const char *plural(uint64_t n) {
    return n == 1 ? "" : "s";
}

/* ---- sources ---- */

static const hd_page_source *source_of(const hd_page *p, const char *file) {
    const hd_source_text *s = file && *file ? hd_sources_find(&p->sources, file) : NULL;
    for (size_t i = 0; s && i < p->shown.n; i++)
        if (p->shown.at[i].kept == s)
            return &p->shown.at[i];
    return NULL;
}

static const char *line_end(const char *at) {
    return at + strcspn(at, "\n");
}

static void add_line(hd_text *out, const char *line, uint32_t number, bool is_at) {
    hd_text_add(out, "<div class=\"row%s\"><span class=\"no\">%" PRIu32 "</span><span>",
                is_at ? " at" : "", number);
    for (const char *end = line_end(line); line < end;) {
        size_t n = strcspn(line, "\t\n");
        hd_html_add_bytes(out, line, n && line[n - 1] == '\r' ? n - 1 : n);
        hd_text_add(out, "%s", line[n] == '\t' ? "    " : "");
        line += n + (line[n] == '\t');
    }
    hd_text_add(out, "</span></div>");
}

static const char *words_of_state(hd_source_state state) {
    static const char *const words[HD_N_SOURCE_STATES] = {
        [HD_SOURCE_SAME] = NULL,
        [HD_SOURCE_CHANGED] =
            "This file has changed since: the lines are those that were compiled.",
        [HD_SOURCE_GONE] = "This file is gone: the lines are those that were compiled.",
        [HD_SOURCE_UNKEPT] = "The run kept no copy of this file: the lines are those of now.",
    };
    return words[state];
}

void hd_page_excerpt(const hd_page *p, const char *file, uint32_t line, hd_text *out) {
    const hd_page_source *s = source_of(p, file);
    if (!s || !line)
        return;
    hd_text_add(out, "<div class=\"source\" role=\"region\" aria-label=\"source\" tabindex=\"0\">"
                     "<div class=\"name\">");
    hd_html_add(out, s->kept->path);
    hd_text_add(out, ":%" PRIu32 "</div>", line);
    uint32_t first = line > EXCERPT_AROUND ? line - EXCERPT_AROUND : 1, n = 1;
    for (const char *at = s->kept->text; *at && n <= line + EXCERPT_AROUND; n++) {
        if (n >= first)
            add_line(out, at, n, n == line);
        at = line_end(at);
        at += *at == '\n';
    }
    hd_text_add(out, "</div>");
    if (words_of_state(s->state))
        hd_text_add(out, "<p class=\"note\">%s</p>", words_of_state(s->state));
}

/* A place that leads to its line, where the page has the file. */
static void add_place(const hd_page *p, const hd_found *f, hd_text *out) {
    const hd_page_source *s = source_of(p, f->file);
    if (!f->file || !f->file[0]) {
        hd_text_add(out, "unknown place");
        return;
    }
    if (s) {
        hd_text_add(out, "<a href=\"#sources\" data-line=\"%" PRIu32 "\" data-file=\"", f->line);
        hd_html_add(out, s->kept->path);
        hd_text_add(out, "\">");
    }
    hd_html_add(out, f->file);
    hd_text_add(out, ":%" PRIu32 "%s", f->line, s ? "</a>" : "");
}

/* ---- the summary ---- */

static const char *class_of_verdict(const hd_batch *b) {
    return b->n_findings ? "bad" : b->is_complete ? "good" : "warn";
}

static void add_tile(hd_text *out, const char *name, const char *note, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void add_tile(hd_text *out, const char *name, const char *note, const char *format, ...) {
    char value[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    hd_text_add(out, "<div class=\"tile\"><dt>%s</dt><dd>%s<small>%s</small></dd></div>", name,
                value, note);
}

/* "12 345": digits in groups. */
static const char *grouped(uint64_t n, char buffer[32]) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, n), k = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            buffer[k++] = ',';
        buffer[k++] = digits[i];
    }
    buffer[k] = '\0';
    return buffer;
}

static void add_orders(const hd_run_counters *c, hd_text *out) {
    const hd_explorer_counters *x = &c->explore;
    char number[32], note[96];
    if (c->processes > 1)
        add_tile(out, "processes", "", "%s", grouped(c->processes, number));
    else if (c->threads > 1)
        add_tile(out, "threads", "", "%s", grouped(c->threads, number));
    else
        return;
    snprintf(note, sizeof note, "at most %" PRIu64 " in an execution", x->longest);
    add_tile(out, "events", note, "%s", grouped(x->events, number));
}

static void add_tiles(const hd_report *r, hd_text *out) {
    const hd_run_counters *c = &r->state.counters;
    const hd_explorer_counters *x = &c->explore;
    char number[32], note[96], other[32];
    bool has_orders = c->threads > 1 || c->processes > 1;
    hd_text_add(out, "<dl class=\"tiles\">");
    snprintf(note, sizeof note, "%s rejected", grouped(x->rejected, other));
    add_tile(out, "executions", note, "%s", grouped(x->executions, number));
    snprintf(note, sizeof note, x->open ? "%s open" : "none open", grouped(x->open, other));
    add_tile(out, has_orders ? "classes of executions" : "paths", note, "%s",
             grouped(x->paths, number));
    add_orders(c, out);
    snprintf(note, sizeof note, "%.3g s of processor time", c->cpu_seconds);
    add_tile(out, "time", note, "%.3g s", c->seconds);
    add_tile(out, "speed", "executions a second", "%s",
             grouped((uint64_t)(c->seconds > 0 ? (double)x->executions / c->seconds : 0), number));
    snprintf(note, sizeof note, "%.3g s", c->solve.seconds);
    add_tile(out, "solver queries", note, "%s", grouped(c->solve.queries, number));
    snprintf(note, sizeof note, "of %s", grouped(c->branches, other));
    add_tile(out, "ways of branches taken", note, "%s", grouped(c->branches_covered, number));
    add_tile(out, "tests kept", "", "%s", grouped(r->n_tests, number));
    hd_text_add(out, "</dl>");
}

static void add_items(hd_text *out, const char *lines) {
    while (lines && *lines) {
        size_t n = strcspn(lines, "\n");
        hd_text_add(out, "<li>");
        hd_html_add_bytes(out, lines, n);
        hd_text_add(out, "</li>");
        lines += n + (lines[n] == '\n');
    }
}

static void add_reasons(const hd_report *r, hd_text *out) {
    if (r->n_reasons) {
        hd_text_add(out, "<div class=\"against\"><h3>What stands against completeness</h3><ul>");
        for (size_t i = 0; i < r->n_reasons; i++)
            add_items(out, r->reasons[i]);
        hd_text_add(out, "</ul></div>");
    }
    if (r->state.warnings && r->state.warnings[0]) {
        hd_text_add(out, "<div class=\"against\"><h3>Warnings</h3><ul>");
        add_items(out, r->state.warnings);
        hd_text_add(out, "</ul></div>");
    }
}

static void add_labels(const hd_batch *b, hd_text *out) {
    if (!b->n_labels)
        return;
    hd_text_add(out, "<h3>Places that were reached</h3><table class=\"values\">");
    for (uint32_t i = 0; i < b->n_labels; i++) {
        hd_text_add(out, "<tr><th>");
        hd_html_add(out, b->labels[i].name);
        hd_text_add(out, "</th><td>in %" PRIu64 " execution%s</td></tr>", b->labels[i].count,
                    plural(b->labels[i].count));
    }
    hd_text_add(out, "</table>");
}

static void add_summary(page_maker *m) {
    const hd_report *r = m->page->report;
    const hd_batch *b = &r->state;
    hd_text verdict = {0};
    hd_verdict_add(b, &verdict);
    hd_text_add(m->out,
                "<section id=\"summary\"><div class=\"panel hero %s\"><span class=\"pill %s\">%s"
                "</span><h1>",
                class_of_verdict(b), b->is_complete ? "good" : "warn",
                b->is_complete ? "complete" : "not complete");
    if (b->n_findings)
        hd_text_add(m->out, "%" PRIu32 " finding%s", b->n_findings, plural(b->n_findings));
    else
        hd_text_add(m->out, "Nothing was found");
    hd_text_add(m->out, "</h1><p>");
    hd_html_add(m->out, hd_text_string(&verdict));
    hd_text_add(m->out, "</p>");
    add_reasons(r, m->out);
    hd_text_add(m->out, "<p class=\"command\"><code>");
    hd_html_add(m->out, hd_record_info(m->page->record)->command);
    hd_text_add(m->out, "</code></p></div>");
    add_tiles(r, m->out);
    add_labels(b, m->out);
    hd_text_add(m->out, "</section>");
    hd_text_release(&verdict);
}

/* ---- findings ---- */

static const char *words_of_finding(const hd_found *f) {
    return f->message && f->message[0] ? f->message : hd_finding_kind_words(f->kind);
}

static void add_badge(const hd_found *f, hd_text *out) {
    hd_text_add(out, "<span class=\"badge%s\">%s</span>",
                f->kind == HD_FINDING_DATA_RACE && !f->leads_to ? " race" : "",
                hd_finding_kind_name(f->kind));
}

static void add_list(page_maker *m) {
    hd_text_add(m->out, "<ol class=\"list\">");
    for (size_t i = 0; i < m->page->findings.n; i++) {
        const hd_found *f = m->page->findings.at[i].found;
        hd_text_add(m->out,
                    "<li><a href=\"#finding-%" PRIu64 "\"><span class=\"n\">%" PRIu64 "</span>",
                    f->number, f->number);
        add_badge(f, m->out);
        hd_text_add(m->out, "<span>");
        hd_html_add(m->out, words_of_finding(f));
        hd_text_add(m->out, "</span><span class=\"place\">");
        if (f->file && f->file[0]) {
            hd_html_add(m->out, f->file);
            hd_text_add(m->out, ":%" PRIu32, f->line);
        }
        hd_text_add(m->out, "</span></a></li>");
    }
    hd_text_add(m->out, "</ol>");
}

#define LONG_WORDS 100

/* Deadlocks and races say something about each thread: a line for each of them. */
static void add_words(const hd_found *f, hd_text *out) {
    const char *words = words_of_finding(f);
    bool is_long = strlen(words) > LONG_WORDS && strstr(words, "; ");
    hd_text_add(out, "<h3>");
    hd_html_add(out, is_long ? hd_finding_kind_words(f->kind) : words);
    hd_text_add(out, "</h3>");
    if (!is_long)
        return;
    hd_text_add(out, "<ul class=\"clauses\">");
    for (const char *at = words, *end; at; at = *end ? end + 2 : NULL) {
        end = strstr(at, "; ");
        end = end ? end : at + strlen(at);
        hd_text_add(out, "<li>");
        hd_html_add_bytes(out, at, (size_t)(end - at));
        hd_text_add(out, "</li>");
    }
    hd_text_add(out, "</ul>");
}

static void add_heading(const hd_page *p, const hd_found *f, hd_text *out) {
    hd_text_add(out, "<header>");
    add_badge(f, out);
    add_words(f, out);
    hd_text_add(out, "<p><span class=\"place\">");
    add_place(p, f, out);
    hd_text_add(out, "</span>");
    if (f->function && f->function[0]) {
        hd_text_add(out, " in <code>");
        hd_html_add(out, f->function);
        hd_text_add(out, "</code>");
    }
    hd_text_add(out, " · seen in %" PRIu64 " execution%s", f->count, plural(f->count));
    if (f->leads_to)
        hd_text_add(out,
                    " · harmful: decides about <a href=\"#finding-%" PRIu64 "\">finding %" PRIu64
                    "</a>",
                    f->leads_to, f->leads_to);
    else if (f->kind == HD_FINDING_DATA_RACE)
        hd_text_add(out, " · no execution so far failed because of it");
    hd_text_add(out, "</p></header>");
}

/* Lines in an element of their own: they are as long as they are. */
static void add_block(const char *title, const char *class, const char *text, bool is_open,
                      hd_text *out) {
    if (!text || !*text)
        return;
    hd_text_add(out, "<details%s><summary>%s</summary><pre class=\"%s\" tabindex=\"0\">",
                is_open ? " open" : "", title, class);
    while (*text) {
        size_t n = strcspn(text, "\n");
        hd_html_add_bytes(out, text, n);
        hd_text_add(out, "\n");
        text += n + (text[n] == '\n');
    }
    hd_text_add(out, "</pre></details>");
}

static void add_value(const hd_test *t, uint32_t i, hd_text *out) {
    hd_text value = {0};
    hd_input_print(t, i, &value);
    hd_text_add(out, "<tr><th scope=\"row\">");
    hd_html_add(out, t->inputs[i].name);
    hd_text_add(out, "</th><td>");
    hd_html_add(out, hd_text_string(&value));
    hd_text_add(out, "</td></tr>");
    hd_text_release(&value);
}

static void add_values(const hd_test *t, hd_text *out) {
    uint32_t n = 0;
    hd_text_add(out, "<div class=\"scroll\"><table class=\"values\">");
    for (uint32_t i = 0; i < t->n_inputs && n < VALUES_SHOWN; i++)
        if (!hd_fault_is_name(t->inputs[i].name)) {
            add_value(t, i, out);
            n++;
        }
    hd_text_add(out, "</table></div>");
    if (n < hd_inputs_count(t))
        hd_text_add(out,
                    "<p class=\"note\">%" PRIu32 " more inputs: heddle tests DIR %" PRIu64 "</p>",
                    hd_inputs_count(t) - n, t->number);
}

static void add_inputs(const hd_page_finding *f, hd_text *out) {
    hd_text faults = {0};
    if (!f->has_test)
        return;
    hd_test_faults(&f->test, &faults);
    if (faults.n) {
        hd_text_add(out, "<div><h4>Faults</h4><p>");
        hd_html_add(out, hd_text_string(&faults));
        hd_text_add(out, "</p></div>");
    }
    if (hd_inputs_count(&f->test)) {
        hd_text_add(out, "<div><h4>Inputs</h4>");
        if (hd_test_has_objects(&f->test))
            hd_text_add(out, "<div class=\"js scroll graph\" data-graph=\"%" PRIu64 "\"></div>",
                        f->found->number);
        add_values(&f->test, out);
        hd_text_add(out, "</div>");
    }
    hd_text_release(&faults);
}

static void add_trace(const hd_page_finding *f, hd_text *out) {
    if (f->trace.n)
        hd_text_add(out,
                    "<div class=\"js\"><h4>Step by step</h4><div data-trace=\"%" PRIu64
                    "\"></div></div>",
                    f->found->number);
    if (f->untraced) {
        hd_text_add(out, "<p class=\"note\">The interleaving is not drawn: ");
        hd_html_add(out, f->untraced);
        hd_text_add(out, "</p>");
    }
}

static void add_replay(const hd_page *p, const hd_found *f, hd_text *out) {
    if (!f->test)
        return;
    hd_text_add(out, "<p class=\"command\"><code>heddle replay ");
    hd_html_add(out, p->report->directory);
    hd_text_add(out, " %" PRIu64 "</code></p>", f->test);
}

static void add_finding(const hd_page *p, const hd_page_finding *f, hd_text *out) {
    hd_text_add(out, "<article class=\"panel finding\" id=\"finding-%" PRIu64 "\" tabindex=\"-1\">",
                f->found->number);
    add_heading(p, f->found, out);
    hd_text_add(out, "<div>");
    hd_page_excerpt(p, f->found->file, f->found->line, out);
    hd_text_add(out, "</div>");
    add_inputs(f, out);
    add_trace(f, out);
    add_block("Story", "story", f->found->story, !f->trace.n, out);
    add_block("Stack", "stack", f->found->stack, false, out);
    add_replay(p, f->found, out);
    hd_text_add(out, "</article>");
}

static void add_findings(page_maker *m) {
    hd_text_add(m->out, "<section id=\"findings\"><h2>Findings</h2>");
    if (!m->page->findings.n)
        hd_text_add(m->out, "<p>There are none.</p>");
    hd_text_add(m->out, "<noscript><p class=\"note\">Findings are below in full. Interleavings "
                        "step by step, charts, "
                        "the tree and the search need JavaScript.</p></noscript>");
    if (m->page->findings.n > 1)
        add_list(m);
    for (size_t i = 0; i < m->page->findings.n; i++)
        add_finding(m->page, &m->page->findings.at[i], m->out);
    hd_text_add(m->out, "</section>");
}

/* ---- what the script draws ---- */

typedef struct page_part {
    const char *id, *title;
    bool (*is_there)(const hd_page *p);
    void (*add)(const hd_page *p, hd_text *out);
} page_part;

static bool has_counters(const hd_page *p) {
    return p->report->state.counters.explore.executions > 0;
}

static void add_speed(const hd_page *p, hd_text *out) {
    (void)p;
    hd_text_add(out, "<div class=\"charts\" id=\"speed-charts\"></div>");
}

static bool has_tests(const hd_page *p) {
    return p->report->n_tests > 0;
}

static void add_tests(const hd_page *p, hd_text *out) {
    uint64_t n = p->report->n_tests;
    hd_text_add(
        out,
        "<p>%" PRIu64 " of %" PRIu64 " executions were kept as tests%s. "
        "The tree has their decisions on inputs, then turns of threads.</p>"
        "<p><label><input type=\"checkbox\" id=\"tree-all\"> ways that no test took, too</label></p>"
        "<div class=\"panel\"><ul class=\"tree\" id=\"tree\"></ul></div><br>"
        "<div class=\"panel scroll\"><table class=\"rows\"><thead><tr>"
        "<th class=\"num\" scope=\"col\">test</th><th scope=\"col\">ends with</th>"
        "<th scope=\"col\">inputs</th></tr></thead><tbody id=\"tests-body\"></tbody></table></div>",
        n, p->report->state.counters.explore.executions,
        n > HD_PAGE_TESTS ? "; the first 2,000 are here" : "");
}

static uint64_t n_units(const hd_page *p) {
    return p->report->state.counters.units;
}

static bool has_units(const hd_page *p) {
    return n_units(p) > 0;
}

static void add_units(const hd_page *p, hd_text *out) {
    const hd_run_counters *c = &p->report->state.counters;
    hd_text_add(out,
                "<p>%" PRIu64 " unit%s, had by %" PRIu64
                " worker process%s%s. Each bar is a unit: from when it was first "
                "handed out, as long as the processor time it took. Rows are packed; the record "
                "does not say which "
                "worker had which unit.</p><div class=\"panel\" id=\"units-chart\"></div>",
                c->units, plural(c->units), c->workers, c->workers == 1 ? "" : "es",
                c->units > HD_PAGE_UNITS ? "; the first 2,000 are here" : "");
}

static bool has_growth(const hd_page *p) {
    size_t n;
    const hd_batch *b = &p->report->state;
    return hd_observed_find(b->observed, b->n_observed, "growth", &n) && b->counters.explore.states;
}

static void add_growth(const hd_page *p, hd_text *out) {
    (void)p;
    hd_text_add(out, "<div class=\"charts\" id=\"growth-charts\"></div>");
}

static bool has_sources(const hd_page *p) {
    return p->shown.n > 0;
}

static void add_sources(const hd_page *p, hd_text *out) {
    hd_text_add(out,
                "<p><label>File <select id=\"source-file\"></select></label></p>"
                "<div class=\"source scroll\" id=\"source-text\" tabindex=\"0\" role=\"region\" "
                "aria-label=\"text of the file\"></div>");
    if (p->n_hidden)
        hd_text_add(out, "<p class=\"note\">%zu more file%s: too long for this page.</p>",
                    p->n_hidden, plural(p->n_hidden));
}

static bool has_coverage(const hd_page *p) {
    return p->coverage || p->uncovered;
}

static void add_coverage(const hd_page *p, hd_text *out) {
    if (!p->coverage) {
        hd_text_add(out, "<p class=\"note\">There is no coverage here: ");
        hd_html_add(out, p->uncovered);
        hd_text_add(out, "</p>");
        return;
    }
    hd_text_add(out, "<p id=\"coverage-words\"></p>"
                     "<div class=\"panel scroll\"><table class=\"rows\" id=\"coverage-table\"></table></div>"
                     "<p><label>File <select id=\"coverage-file\"></select></label></p>"
                     "<div class=\"source scroll covered\" id=\"coverage-text\" tabindex=\"0\" role=\"region\" "
                     "aria-label=\"source with coverage\"></div>"
                     "<h3>Decisions</h3><div id=\"decisions\"></div>");
}

static const page_part PARTS[] = {
    {"speed", "Speed and solver", has_counters, add_speed},
    {"growth", "Growth of the system", has_growth, add_growth},
    {"tests", "Tests and tree", has_tests, add_tests},
    {"coverage", "Coverage", has_coverage, add_coverage},
    {"units", "Units over time", has_units, add_units},
    {"sources", "Sources", has_sources, add_sources},
};
#define N_PARTS (sizeof PARTS / sizeof *PARTS)

static void add_parts(page_maker *m) {
    for (size_t i = 0; i < N_PARTS; i++) {
        if (!PARTS[i].is_there(m->page))
            continue;
        hd_text_add(m->out, "<section class=\"js\" id=\"%s\"><h2>%s</h2>", PARTS[i].id,
                    PARTS[i].title);
        PARTS[i].add(m->page, m->out);
        hd_text_add(m->out, "</section>");
    }
}

static void add_navigation(page_maker *m) {
    size_t n = m->page->findings.n;
    hd_text_add(m->out,
                "<ol><li><a href=\"#summary\">Summary</a></li><li><a href=\"#findings\">Findings "
                "<b%s>%zu</b></a></li>",
                n ? " class=\"bad\"" : "", n);
    for (size_t i = 0; i < N_PARTS; i++)
        if (PARTS[i].is_there(m->page))
            hd_text_add(m->out, "<li class=\"js\"><a href=\"#%s\">%s</a></li>", PARTS[i].id,
                        PARTS[i].title);
    hd_text_add(m->out, "</ol>");
}

/* ---- places ---- */

static void add_nonce(page_maker *m) {
    hd_text_add(m->out, "%s", m->nonce);
}

static void add_program(page_maker *m) {
    hd_html_add(m->out, m->page->report->program);
}

static void add_title(page_maker *m) {
    const hd_batch *b = &m->page->report->state;
    add_program(m);
    hd_text_add(m->out, ": %" PRIu32 " finding%s · Heddle", b->n_findings, plural(b->n_findings));
}

static void add_style(page_maker *m) {
    hd_text_add(m->out, "%s", hd_page_css);
}

static void add_script(page_maker *m) {
    hd_text_add(m->out, "%s%s", hd_draw_js, hd_page_js);
}

static void add_data(page_maker *m) {
    m->ok = m->ok && hd_page_data(m->page, m->out, m->err);
}

static void add_footer(page_maker *m) {
    hd_text_add(m->out, "Written by heddle ");
    hd_html_add(m->out, m->page->report->version);
    hd_text_add(m->out, " from ");
    hd_html_add(m->out, m->page->report->directory);
    hd_text_add(m->out, ", seed %" PRIu64 ".", m->page->report->seed);
}

static const struct {
    const char *name;
    void (*add)(page_maker *m);
} PLACES[] = {
    {"nonce", add_nonce},       {"title", add_title},           {"style", add_style},
    {"program", add_program},   {"navigation", add_navigation}, {"summary", add_summary},
    {"findings", add_findings}, {"sections", add_parts},        {"footer", add_footer},
    {"data", add_data},         {"script", add_script},
};

static void fill_place(void *context, const char *name, size_t n) {
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++)
        if (strlen(PLACES[i].name) == n && strncmp(PLACES[i].name, name, n) == 0) {
            PLACES[i].add(context);
            return;
        }
    HD_BUG("the page has a place that nobody fills");
}

bool hd_page_make(hd_page *p, hd_text *out, hd_err *err) {
    page_maker m = {.page = p, .out = out, .err = err, .ok = true};
    hd_nonce_make(m.nonce);
    hd_template_fill(hd_page_html, out, fill_place, &m);
    return m.ok;
}

void hd_page_release(hd_page *p) {
    for (size_t i = 0; i < p->findings.n; i++) {
        hd_test_release(&p->findings.at[i].test);
        hd_text_release(&p->findings.at[i].trace);
        free(p->findings.at[i].untraced);
    }
    hd_vec_release(&p->findings);
    hd_vec_release(&p->shown);
    hd_sources_release(&p->sources);
    hd_text_release(&p->sites);
    hd_text_release(&p->able);
}
