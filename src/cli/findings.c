/* heddle findings -- what a run found, each distinct finding once. */
#include "cli/listing.h"
#include "cli/run_options.h"

typedef struct show {
    hd_record_listing *listing;
    hd_json_list json;
    uint64_t n;
} show;

static void show_in_full(hd_record_listing *l, const hd_found *f) {
    hd_test test = {0};
    hd_err ignored;
    bool has_test = hd_record_test(l->record, f->test, &test, &ignored);
    hd_kept_options kept = {0};
    hd_kept_read(&kept, hd_record_info(l->record)->options, &ignored);
    hd_found found = *f;
    found.file = hd_search_locate(&kept, f->file ? f->file : "");
    hd_finding_show(stdout, &found, has_test ? &test : NULL, l->directory);
    free(found.file);
    hd_kept_release(&kept);
    hd_test_release(&test);
}

static bool show_finding(void *context, const hd_found *f) {
    show *s = context;
    hd_record_listing *l = s->listing;
    if (l->number && l->number != f->number)
        return true;
    s->n++;
    if (l->json)
        hd_json_list_finding(&s->json, f);
    else if (l->number)
        show_in_full(l, f);
    else
        hd_finding_line(stdout, f);
    return true;
}

static bool show_findings(hd_record_listing *l, hd_err *err) {
    show s = {.listing = l};
    if (l->json)
        s.json = hd_json_list_begin(stdout, "findings");
    bool listed = hd_record_findings(l->record, show_finding, &s, err);
    if (l->json)
        hd_json_list_end(&s.json);
    if (listed && l->number && s.n == 0)
        return hd_record_listing_missing(l, "finding", err);
    if (listed && !l->json && s.n == 0)
        puts("no findings");
    return listed;
}

static int run(int argc, char **argv) {
    hd_record_listing l = {0};
    hd_err err;
    bool shown = hd_record_listing_open(&l, "finding", argc, argv, &err) && show_findings(&l, &err);
    hd_record_listing_close(&l);
    return shown ? HD_EXIT_CLEAN : hd_cli_fail(&err);
}

const hd_command hd_command_findings = {
    "findings",
    "list the findings of a run, or show one",
    "findings DIR [N] [--json]",
    "Lists what a run found, each distinct finding once; with N, shows finding N with source\n"
    "lines, stack, inputs and how to replay it.",
    &hd_listing_options,
    run,
};
