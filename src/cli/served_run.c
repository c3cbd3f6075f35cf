/* Whether somebody works on a run is asked before its state is read: who has ended by then has
 * written all of it. */
#include "cli/served_run.h"

#include "base/clock.h"
#include "cli/cli.h"

#include <string.h>
#include <sys/stat.h>

#define LEAST_PAUSE 0.4 /* seconds between looks */
#define SHARE       10  /* of the time that looking took */

static uint64_t file_of(const char *directory) {
    char *path = hd_text_format("%s/run.db", directory);
    struct stat status;
    uint64_t file = stat(path, &status) == 0 ? status.st_ino : 0;
    free(path);
    return file;
}

static bool open_record(hd_served_run *r, hd_err *err) {
    uint64_t file = file_of(r->directory);
    if (r->record && file == r->file)
        return true;
    hd_record_close(r->record);
    hd_served_page_clear(&r->page);
    hd_vec_clear(&r->live.history);
    r->record = hd_record_open(r->directory, false, err);
    r->file = file;
    return r->record != NULL;
}

static bool note_unit(void *context, const hd_unit_cost *u) {
    hd_live *l = context;
    l->n_units[u->state]++;
    if (u->state == HD_UNIT_OPEN && l->units.n < HD_LIVE_UNITS)
        hd_vec_push(&l->units, *u);
    return true;
}

static bool read_run(hd_served_run *r, hd_err *err) {
    hd_report_release(&r->report);
    r->report = (hd_report){.version = HD_VERSION, .directory = r->directory};
    memset(r->live.n_units, 0, sizeof r->live.n_units);
    hd_vec_clear(&r->live.units);
    bool ok = open_record(r, err) && hd_report_read(&r->report, r->record, err) &&
              hd_record_units(r->record, note_unit, &r->live, err);
    if (r->record)
        hd_record_rest(r->record);
    return ok;
}

static void describe(hd_served_run *r, bool is_running) {
    const hd_batch *b = &r->report.state;
    r->live.state = is_running ? HD_LIVE_RUNNING : b->stop_reason ? HD_LIVE_ENDED : HD_LIVE_SILENT;
    r->live.problem = NULL;
    r->live.report = &r->report;
    r->live.command = hd_record_info(r->record)->command;
    hd_live_note(&r->live, (hd_live_sample){b->counters.seconds, b->counters.explore.executions,
                                            b->counters.branches_covered, b->n_findings});
}

/* A page of a run that went on is not its page any more. */
static void want_page(hd_served_run *r) {
    uint64_t executions = r->report.state.counters.explore.executions;
    bool has_one = r->page.maker || r->page.is_ready || r->page.failure;
    if (r->live.state != HD_LIVE_ENDED || (has_one && r->page_of == executions))
        return;
    hd_served_page_begin(&r->page, r->directory, r->replay_time);
    r->page_of = executions;
}

static void look(hd_served_run *r) {
    double now = hd_clock_now();
    if (now < r->next)
        return;
    bool is_running = hd_record_is_running(r->directory);
    if (read_run(r, &r->problem)) {
        describe(r, is_running);
        want_page(r);
    } else {
        r->live.state = HD_LIVE_GONE;
        r->live.problem = r->problem.message;
    }
    double took = hd_clock_now() - now;
    r->next = now + took + (took * SHARE > LEAST_PAUSE ? took * SHARE : LEAST_PAUSE);
}

bool hd_served_run_open(hd_served_run *r, const char *directory, double replay_time, hd_err *err) {
    *r = (hd_served_run){.directory = directory, .replay_time = replay_time};
    if (!open_record(r, err))
        return false;
    hd_record_rest(r->record);
    return true;
}

const hd_text *hd_served_run_state(hd_served_run *r) {
    look(r);
    r->live.is_report_ready = hd_served_run_report(r) != NULL;
    r->live.unreported = r->page.failure;
    hd_text_clear(&r->state);
    hd_live_write(&r->live, &r->state);
    return &r->state;
}

const hd_text *hd_served_run_report(hd_served_run *r) {
    look(r);
    return r->live.state == HD_LIVE_ENDED && r->page.is_ready ? &r->page.page : NULL;
}

void hd_served_run_tick(hd_served_run *r) {
    hd_served_page_look(&r->page);
}

void hd_served_run_close(hd_served_run *r) {
    hd_served_page_clear(&r->page);
    hd_report_release(&r->report);
    hd_live_release(&r->live);
    hd_text_release(&r->state);
    hd_record_close(r->record);
}
