/* Everything that a page needs beside the record: tests of findings run again, sources, names of
 * places. */
#include "cli/report_page.h"

#include "base/clock.h"
#include "base/map.h"
#include "cli/report_coverage.h"
#include "cli/run_options.h"
#include "cli/traced.h"
#include "report/page.h"

#include <string.h>

#define MOST_STEPS   2000 /* of one finding, and of all together: */
#define ALL_STEPS    20000
#define MOST_SOURCES ((size_t)3 << 19)

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

static void add_findings(hd_page *p, double replay_time) {
    const hd_batch *b = &p->report->state;
    hd_traced traced = {p->report->directory, hd_clock_now() + replay_time, MOST_STEPS};
    if (b->n_findings > ALL_STEPS / MOST_STEPS)
        traced.most_steps = ALL_STEPS / b->n_findings > 50 ? ALL_STEPS / b->n_findings : 50;
    for (uint32_t i = 0; i < b->n_findings; i++)
        add_finding(p, &b->findings[i], &traced);
}

/* ---- sources ---- */

static hd_source_state state_of(const hd_source_text *s, const hd_kept_options *kept) {
    char *path = hd_search_locate(kept, s->path);
    hd_text now = {0};
    bool is_there = hd_text_read_plain(&now, path);
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
        if (hd_text_read_plain(&text, path) && !(text.n && memchr(text.at, '\0', text.n)))
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

static bool add_sites(hd_page *p, double replay_time, hd_err *err) {
    site_list sites = {0};
    hd_traced traced = {p->report->directory, hd_clock_now() + 1 + replay_time, 0};
    bool ok = hd_record_tests(p->record, collect_sites, &sites, err);
    hd_record_rest(p->record);
    if (ok && sites.at.n)
        hd_traced_sites(&traced, sites.at.at, sites.at.n, &p->sites);
    hd_map_release(&sites.seen);
    hd_vec_release(&sites.at);
    return ok;
}

/* Who else could go on: of a tree that has all there is, or nobody can say why another did not. */
static void add_able(hd_page *p, double replay_time) {
    hd_traced traced = {p->report->directory, hd_clock_now() + replay_time, 0};
    hd_record_rest(p->record);
    if (hd_page_has_orders(p) && hd_page_has_all_paths(p))
        hd_traced_able(&traced, HD_PAGE_TESTS, &p->able);
}

/* ---- all of it ---- */

static bool make(hd_page *page, const hd_page_wishes *wishes, hd_text *html, hd_err *err) {
    hd_report_coverage coverage = {0};
    hd_err why;
    hd_record_rest(page->record); /* whoever runs tests must not have it */
    if (wishes->covers && hd_report_coverage_init(&coverage, page->report->directory, &why))
        page->coverage = &coverage.page;
    else if (wishes->covers)
        page->uncovered = why.message;
    bool ok = hd_page_make(page, html, err);
    hd_report_coverage_release(&coverage);
    return ok;
}

bool hd_report_page(hd_record *record, const hd_report *report, const hd_page_wishes *wishes,
                    hd_text *html, hd_err *err) {
    hd_page page = {.report = report, .record = record};
    add_sources(&page);
    add_findings(&page, wishes->replay_time);
    add_able(&page, wishes->replay_time);
    bool ok = add_sites(&page, wishes->replay_time, err) && make(&page, wishes, html, err);
    hd_page_release(&page);
    return ok;
}
