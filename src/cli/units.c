/* heddle units -- the parts in which a search was shared, and what each of them cost. */
#include "cli/listing.h"
#include "report/report.h"

#include <inttypes.h>

typedef struct unit_list {
    hd_json_list json;
    const hd_record_listing *listing;
    uint64_t n; /* shown */
} unit_list;

static void show_origin(const hd_unit_cost *u) {
    char text[48] = "-";
    if (u->parent)
        snprintf(text, sizeof text, "%" PRIu64 " at %.3f s", u->parent, u->given_at);
    hd_print(stdout, "  %-18s", text);
}

static void show_line(const hd_unit_cost *u) {
    hd_print(stdout, "%6" PRIu64, u->number);
    show_origin(u);
    hd_print(stdout, "  %8.3f  %10.3f  %10" PRIu64 "  %8" PRIu64 "  %s", u->begun, u->seconds,
             u->executions, u->repeated, hd_unit_state_words(u->state));
    if (u->hand_outs > 1)
        hd_print(stdout, ", handed out %" PRIu64 " times", u->hand_outs);
    if (u->lost > 0)
        hd_print(stdout, ", %.3f s lost", u->lost);
    putchar('\n');
}

static bool show_unit(void *context, const hd_unit_cost *u) {
    unit_list *list = context;
    const hd_record_listing *l = list->listing;
    if (l->number && u->number != l->number)
        return true;
    if (l->json)
        hd_json_list_unit(&list->json, u);
    else if (!list->n)
        hd_print(stdout, "%6s  %-18s  %8s  %10s  %10s  %8s  %s\n", "unit", "given by", "begun",
                 "seconds", "executions", "repeated", "state");
    if (!l->json)
        show_line(u);
    list->n++;
    return true;
}

static bool show(hd_record_listing *l, hd_err *err) {
    unit_list list = {.listing = l};
    if (l->json)
        list.json = hd_json_list_begin(stdout, "units");
    bool listed = hd_record_units(l->record, show_unit, &list, err);
    if (l->json)
        hd_json_list_end(&list.json);
    if (!listed || list.n)
        return listed;
    if (l->number)
        return hd_record_listing_missing(l, "unit", err);
    hd_err_set(err, "'%s' says nothing about units", l->directory);
    return hd_err_hint(err, "an older Heddle recorded it, or it has not begun: run it again");
}

static int run(int argc, char **argv) {
    hd_record_listing l = {0};
    hd_err err;
    bool shown = hd_record_listing_open(&l, "unit", argc, argv, &err) && show(&l, &err);
    hd_record_listing_close(&l);
    return shown ? HD_EXIT_CLEAN : hd_cli_fail(&err);
}

const hd_command hd_command_units = {
    "units",
    "list the parts in which workers shared a run, and their costs",
    "units DIR [N] [--json]",
    "Lists the units of a run: the parts of the search that workers had.  Of each: which unit\n"
    "gave it away, after how much of its own processor time; when it was first handed out,\n"
    "in seconds of the run; processor time, executions, and executions repeated to rebuild\n"
    "what was known; whether it is done.  With N, one of them.",
    &hd_listing_options,
    run,
};
