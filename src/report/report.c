/* Reading back from the record what the summary says. */
#include "report/report.h"

#include <string.h>

typedef hd_vec(char *) sentences;

static void add_reason(void *context, const char *reason) {
    sentences *list = context;
    hd_vec_push(list, hd_text_format("%s", reason));
}

/* "list.c main.c", without folders. */
static char *program_of(const hd_run_info *info) {
    hd_kept_options kept = {0};
    hd_text names = {0};
    hd_err ignored;
    hd_text_add(&names, "%s", "");
    if (hd_kept_read(&kept, info->options, &ignored))
        for (size_t i = 0; i < kept.sources.n; i++) {
            const char *slash = strrchr(kept.sources.at[i].path, '/');
            hd_text_add(&names, "%s%s", i ? " " : "", slash ? slash + 1 : kept.sources.at[i].path);
        }
    hd_kept_release(&kept);
    return names.at;
}

static uint64_t n_nodes_of(const hd_run_info *info) {
    hd_kept_options kept = {0};
    hd_err ignored;
    uint64_t n = hd_kept_read(&kept, info->options, &ignored) ? kept.nodes.n : 0;
    hd_kept_release(&kept);
    return n;
}

bool hd_report_read(hd_report *r, hd_record *record, hd_err *err) {
    if (!hd_record_state(record, &r->state, err) ||
        !hd_record_count_tests(record, &r->n_tests, err))
        return false;
    sentences reasons = {0};
    hd_batch_reasons(&r->state, add_reason, &reasons);
    r->reasons = reasons.at;
    r->n_reasons = reasons.n;
    r->seed = hd_record_info(record)->seed;
    const char *walls = hd_record_info(record)->walls;
    r->walls = walls ? hd_text_format("%s", walls) : NULL;
    r->program = program_of(hd_record_info(record));
    r->n_nodes = n_nodes_of(hd_record_info(record));
    return true;
}

void hd_report_release(hd_report *r) {
    hd_batch_release(&r->state);
    free(r->walls);
    for (size_t i = 0; i < r->n_reasons; i++)
        free(r->reasons[i]);
    free(r->reasons);
    free(r->program);
    *r = (hd_report){0};
}
