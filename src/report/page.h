/* page.h -- the report of a run as one page of HTML that needs nothing else: no network, no files.
 *
 * The page is src/report/page/, which is linked into Heddle as it is.  Here its places are filled:
 * the verdict and the findings as HTML, so that they are readable without scripts, and everything
 * else as data that the script of the page draws.
 *
 * Promise (tests/report.sh): whatever comes from the tested program or its sources is escaped
 *     (html.h), and in the data it is text: the script puts it into the page as text only.
 * P2. Traces come from processes that ran tested code: they are looked at before they are believed.
 * P3. The page is short: of long lists the beginning is in it, and how many are left out.
 * Not here: running tests again (cli/traced.h). */
#ifndef HD_REPORT_PAGE_H
#define HD_REPORT_PAGE_H
#include "program/sources.h"
#include "report/page_coverage.h"
#include "report/report.h"

typedef struct hd_page_finding {
    const hd_found *found;
    hd_test test;
    bool has_test;
    hd_text trace;  /* hd_trace_write; empty: there is none, */
    char *untraced; /* and why; NULL: it has no order of events */
} hd_page_finding;

/* What became of a file since it was compiled. */
#define HD_SOURCE_STATES(X)                                                                        \
    X(SAME, "same")                                                                                \
    X(CHANGED, "changed")                                                                          \
    X(GONE, "gone")                                                                                \
    X(UNKEPT, "unkept") /* the run has no copy: it is shown as it is now */
typedef enum hd_source_state {
#define X(name, words) HD_SOURCE_##name,
    HD_SOURCE_STATES(X)
#undef X
        HD_N_SOURCE_STATES
} hd_source_state;

typedef struct hd_page_source {
    const hd_source_text *kept;
    hd_source_state state;
} hd_page_source;

typedef struct hd_page {
    const hd_report *report;
    hd_record *record;
    hd_vec(hd_page_finding) findings;
    hd_sources sources;           /* all that are kept, or were found */
    hd_vec(hd_page_source) shown; /* of them, those that are in the page */
    size_t n_hidden;              /* and so many are not */
    hd_text sites;                /* hd_sites_write: places of decisions; empty: not known */
    hd_text able; /* who could go on before each event of each test: cli/traced.h; empty: not known */
    const hd_page_coverage *coverage; /* borrowed; NULL: nobody asked for it, */
    const char *uncovered;            /* or why there is none */
} hd_page;

/* Appends the page to `out`. */
bool hd_page_make(hd_page *p, hd_text *out, hd_err *err);
void hd_page_release(hd_page *p);
/* The excerpt around a place as HTML; nothing if its file is not in the page. */
void hd_page_excerpt(const hd_page *p, const char *file, uint32_t line, hd_text *out);

/* ---- page_data.c ---- */
bool hd_page_data(hd_page *p, hd_text *out, hd_err *err);
/* Are all paths of the search among the tests of the page?  If not, nothing is known of ways that no
 * test took. */
bool hd_page_has_all_paths(const hd_page *p);
/* Did the search choose between threads, processes or messages? */
bool hd_page_has_orders(const hd_page *p);
/* How many of the tests and units are in the page. */
#define HD_PAGE_TESTS 2000
#define HD_PAGE_UNITS 2000

/* ---- page_files.c: the files of src/report/page/ ---- */
extern const char hd_page_html[], hd_page_css[], hd_page_js[], hd_draw_js[];
extern const char hd_live_html[], hd_live_js[];

/* ---- trace_json.c ---- */
/* A trace as JSON, at most about `most` of its steps. */
void hd_trace_write(const hd_trace *t, size_t most, hd_text *out);
/* Places of sites by number, as JSON: {"12": "bank.c:9"}. */
void hd_sites_write(const hd_image *image, const uint32_t *sites, size_t n, hd_text *out);
#endif
