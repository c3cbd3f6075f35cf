/* heddle report -- a run as one page of HTML. */
#include "base/clock.h"
#include "base/map.h"
#include "cli/cli.h"
#include "cli/run_options.h"
#include "cli/traced.h"
#include "report/page.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define REPLAY_SECONDS 3.0
#define MOST_STEPS     2000 /* of one finding, and of all together: */
#define ALL_STEPS      20000
#define MOST_SOURCES   ((size_t)3 << 19)

typedef struct report_values {
    const char *output;
    double replay_time;
} report_values;

#define AT(field) offsetof(report_values, field)
static const hd_option options[] = {
    {"output", 'o', HD_OPTION_TEXT, AT(output), "FILE", "the page (default: DIR/report.html)", NULL,
     false},
    {"replay-time", 0, HD_OPTION_SECONDS, AT(replay_time), "T",
     "for running tests of findings again; 0: none is (default 3s)", NULL, false},
};
static const hd_option_table table = {options, sizeof options / sizeof *options, false, false};

/* ---- findings ---- */

static void add_finding(hd_page *p, const hd_found *f, const hd_traced *traced) {
    hd_page_finding page = {.found = f};
    hd_err ignored;
    page.has_test = f->test && hd_record_test(p->record, f->test, &page.test, &ignored);
    hd_record_rest(p->record); /* a child must not have it */
    if (page.has_test)
        hd_traced_test(traced, f->test, &page.trace, &page.untraced);
    hd_vec_push(&p->findings, page);
}

static void add_findings(hd_page *p, const report_values *v) {
    const hd_batch *b = &p->report->state;
    hd_traced traced = {p->report->directory, hd_clock_now() + v->replay_time, MOST_STEPS};
    if (b->n_findings > ALL_STEPS / MOST_STEPS)
        traced.most_steps = ALL_STEPS / b->n_findings > 50 ? ALL_STEPS / b->n_findings : 50;
    for (uint32_t i = 0; i < b->n_findings; i++)
        add_finding(p, &b->findings[i], &traced);
}

/* ---- sources ---- */

static hd_source_state state_of(const hd_source_text *s, const hd_kept_options *kept) {
    char *path = hd_search_locate(kept, s->path);
    hd_text now = {0};
    bool is_there = hd_text_read_file(&now, path);
    bool is_same = is_there && hd_sources_hash(now.at, now.n) == s->hash;
    hd_text_release(&now);
    free(path);
    return is_same ? HD_SOURCE_SAME : is_there ? HD_SOURCE_CHANGED : HD_SOURCE_GONE;
}

/* Of runs of older versions: the files as they are. */
static void read_from_disk(hd_page *p, const hd_kept_options *kept) {
    for (size_t i = 0; i < kept->sources.n; i++) {
        char *path = hd_search_locate(kept, kept->sources.at[i].path);
        hd_text text = {0};
        if (hd_text_read_file(&text, path) && !(text.n && memchr(text.at, '\0', text.n)))
            hd_vec_push(&p->sources,
                        ((hd_source_text){hd_text_format("%s", kept->sources.at[i].path),
                                          hd_text_format("%s", hd_text_string(&text)), text.n, 0}));
        hd_text_release(&text);
        free(path);
    }
}

static bool is_named(const hd_page *p, const hd_source_text *s) {
    const hd_batch *b = &p->report->state;
    for (uint32_t i = 0; i < b->n_findings; i++)
        if (b->findings[i].file && hd_sources_find(&p->sources, b->findings[i].file) == s)
            return true;
    return false;
}

/* Files of findings first. */
static void choose_sources(hd_page *p, const hd_kept_options *kept, bool are_kept) {
    size_t n = 0;
    for (unsigned turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < p->sources.n; i++) {
            const hd_source_text *s = &p->sources.at[i];
            if (is_named(p, s) != (turn == 0))
                continue;
            if (n + s->n > MOST_SOURCES) {
                p->n_hidden++;
                continue;
            }
            n += s->n;
            hd_vec_push(&p->shown,
                        ((hd_page_source){s, are_kept ? state_of(s, kept) : HD_SOURCE_UNKEPT}));
        }
}

static void add_sources(hd_page *p) {
    const hd_run_info *info = hd_record_info(p->record);
    hd_kept_options kept = {0};
    hd_err ignored;
    hd_kept_read(&kept, info->options, &ignored);
    hd_sources_read(&p->sources, info->module_directory);
    bool are_kept = p->sources.n > 0;
    if (!are_kept)
        read_from_disk(p, &kept);
    choose_sources(p, &kept, are_kept);
    hd_kept_release(&kept);
}

/* ---- places of decisions ---- */

typedef struct site_list {
    hd_map seen;
    hd_vec(uint32_t) at;
    uint64_t n_tests;
} site_list;

static bool collect_sites(void *context, const hd_test *t) {
    site_list *sites = context;
    for (const char *at = t->path; at && *at; at += strcspn(at, " "), at += *at == ' ') {
        uint32_t site = (uint32_t)strtoul(at, NULL, 10);
        if (hd_map_find(&sites->seen, site))
            continue;
        hd_map_put(&sites->seen, site, 1);
        hd_vec_push(&sites->at, site);
    }
    return ++sites->n_tests < HD_PAGE_TESTS;
}

static bool add_sites(hd_page *p, const report_values *v, hd_err *err) {
    site_list sites = {0};
    hd_traced traced = {p->report->directory, hd_clock_now() + 1 + v->replay_time, 0};
    bool ok = hd_record_tests(p->record, collect_sites, &sites, err);
    hd_record_rest(p->record);
    if (ok && sites.at.n)
        hd_traced_sites(&traced, sites.at.at, sites.at.n, &p->sites);
    hd_map_release(&sites.seen);
    hd_vec_release(&sites.at);
    return ok;
}

/* ---- all of it ---- */

static bool write_file(const char *path, const hd_text *page, hd_err *err) {
    char *aside = hd_text_format("%s.%d", path, (int)getpid());
    FILE *out = fopen(aside, "wb");
    bool ok = out && fwrite(page->at, 1, page->n, out) == page->n;
    if (out && fclose(out) != 0)
        ok = false;
    if (!ok || rename(aside, path) != 0) {
        ok = false;
        hd_err_set(err, "cannot write '%s': %s", path, strerror(errno));
        hd_err_hint(err, "name a file that can be written with '-o FILE'");
        if (out)
            unlink(aside);
    }
    free(aside);
    return ok;
}

static bool make_page(hd_record *record, const hd_report *report, const report_values *v,
                      hd_err *err) {
    hd_page page = {.report = report, .record = record};
    hd_text html = {0};
    char *path = v->output ? hd_text_format("%s", v->output)
                           : hd_text_format("%s/report.html", report->directory);
    add_sources(&page);
    add_findings(&page, v);
    bool ok =
        add_sites(&page, v, err) && hd_page_make(&page, &html, err) && write_file(path, &html, err);
    if (ok)
        hd_print(stdout, "report: %s\n", path);
    hd_text_release(&html);
    hd_page_release(&page);
    free(path);
    return ok;
}

static bool report_run(const char *directory, const report_values *v, hd_err *err) {
    hd_report report = {.version = HD_VERSION, .directory = directory};
    hd_record *record = hd_record_open(directory, false, err);
    bool ok = record && hd_report_read(&report, record, err) && make_page(record, &report, v, err);
    hd_report_release(&report);
    hd_record_close(record);
    return ok;
}

static int run(int argc, char **argv) {
    report_values v = {.replay_time = REPLAY_SECONDS};
    hd_arguments a = {0};
    hd_err err;
    bool ok = hd_options_parse(&table, argc, argv, &v, &a, &err);
    if (ok && a.files.n != 1) {
        ok = hd_err_set(&err, "%s", a.files.n ? "too many arguments" : "no run directory given");
        hd_err_hint(&err, "write 'heddle report DIR', for example 'heddle report heddle-out'");
    }
    ok = ok && report_run(a.files.at[0], &v, &err);
    hd_arguments_release(&a);
    return ok ? HD_EXIT_CLEAN : hd_cli_fail(&err);
}

const hd_command hd_command_report = {
    "report",
    "write a run as one page of HTML",
    "report DIR [-o FILE] [--replay-time T]",
    "Writes what a run found as one page that opens in a browser and needs nothing else: the\n"
    "verdict, findings with their source lines and inputs, interleavings and messages step by "
    "step,\n"
    "tests and the tree of their decisions, speed, units and growth.  Source lines are those that\n"
    "were compiled.  For interleavings the tests of findings are run again, confined as ever.",
    &table,
    run,
};
