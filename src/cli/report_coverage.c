/* Coverage for the page of a run. */
#include "cli/report_coverage.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool is_unchanged(const hd_counted_run *r, hd_err *err) {
    const char *changed = hd_search_changed_source(&r->kept);
    return !changed || hd_err_set(err, "'%s' has changed since it was explored", changed);
}

/* llvm-cov writes to a file: one that has no name and goes away by itself. */
static bool read_lcov(const hd_profile *p, hd_text *out, hd_err *err) {
    int paper = memfd_create("lcov", MFD_CLOEXEC);
    char path[32];
    if (paper < 0)
        return hd_err_set(err, "no file for what llvm-cov says: %s", strerror(errno));
    snprintf(path, sizeof path, "/proc/self/fd/%d", paper);
    bool ok = hd_cover_write_lcov(p, path, err) &&
              (hd_text_read_file(out, path) || hd_err_set(err, "what llvm-cov says is gone"));
    close(paper);
    return ok;
}

static bool read_numbers(hd_report_coverage *c, hd_err *err) {
    hd_profile p;
    bool ok = hd_profile_init(&p, &c->measure, err);
    c->has_numbers = ok && hd_cover_report_read(&c->numbers, &p, err);
    ok = c->has_numbers && read_lcov(&p, &c->lcov, err);
    hd_profile_release(&p);
    return ok;
}

bool hd_report_coverage_init(hd_report_coverage *c, const char *directory, hd_err *err) {
    *c = (hd_report_coverage){0};
    c->is_measured = hd_counted_open(&c->runs, &directory, 1, err) &&
                     is_unchanged(c->runs.all.at[0], err) &&
                     hd_counted_measure(&c->runs, 0, &c->measure, err);
    if (!c->is_measured || !read_numbers(c, err))
        return false;
    c->page = (hd_page_coverage){&c->measure, &c->numbers, hd_text_string(&c->lcov)};
    return true;
}

void hd_report_coverage_release(hd_report_coverage *c) {
    if (c->has_numbers)
        hd_cover_report_release(&c->numbers);
    if (c->is_measured)
        hd_measure_release(&c->measure);
    hd_text_release(&c->lcov);
    hd_counted_release(&c->runs);
}
