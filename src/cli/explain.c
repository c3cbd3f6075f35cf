/* heddle explain -- one finding for somebody who sees such a thing for the first time. */
#include "cli/listing.h"
#include "cli/run_options.h"
#include "program/sources.h"
#include "report/meaning.h"

#include <inttypes.h>
#include <string.h>

#define WIDTH 76

typedef struct explanation {
    hd_record_listing *listing;
    hd_report report;
    const hd_found *found;
} explanation;

static void heading(const char *words) {
    hd_print_colour(stdout, HD_COLOUR_STRONG);
    hd_print(stdout, "\n%s\n", words);
    hd_print_colour(stdout, HD_COLOUR_NONE);
}

/* Words in lines of WIDTH, indented. */
static void wrapped(const char *text) {
    size_t column = 0;
    while (*text) {
        size_t n = strcspn(text, " ");
        bool is_next = column && column + n + 1 > WIDTH;
        hd_print(stdout, is_next ? "\n  %.*s" : column ? " %.*s" : "  %.*s", (int)n, text);
        column = is_next || !column ? n : column + n + 1;
        text += n + (text[n] == ' ');
    }
    hd_print(stdout, "\n");
}

/* A line for each clause: who waits for what, who reads and who writes. */
static void clauses(const char *message) {
    for (const char *end; *message; message = *end ? end + 2 : end) {
        end = strstr(message, "; ");
        end = end ? end : message + strlen(message);
        char *clause = hd_text_format("%.*s", (int)(end - message), message);
        wrapped(clause);
        free(clause);
    }
}

static void show_meaning(const hd_found *f) {
    hd_text meaning = {0};
    hd_meaning_add(&meaning, hd_finding_kind_name(f->kind));
    heading("What it is");
    wrapped(meaning.n ? hd_text_string(&meaning) : hd_finding_kind_words(f->kind));
    hd_text_release(&meaning);
}

static void show_lines(const hd_source_text *s, const hd_found *f) {
    heading("The lines, as they were compiled");
    hd_source_show_text(stdout, s->text, f->line, 3);
}

static void show_source(explanation *e) {
    const hd_found *f = e->found;
    const hd_run_info *info = hd_record_info(e->listing->record);
    hd_sources all = {0};
    hd_kept_options kept = {0};
    hd_err ignored;
    hd_sources_read(&all, info->module_directory);
    const hd_source_text *s = f->file ? hd_sources_find(&all, f->file) : NULL;
    if (s) {
        show_lines(s, f);
    } else if (f->file && f->file[0] && hd_kept_read(&kept, info->options, &ignored)) {
        char *path = hd_search_locate(&kept, f->file);
        heading("The lines, as they are now");
        hd_source_show(stdout, path, f->line, 3);
        free(path);
    }
    hd_kept_release(&kept);
    hd_sources_release(&all);
}

/* Races that decide about this finding. */
static void show_causes(const explanation *e) {
    const hd_batch *b = &e->report.state;
    bool is_first = true;
    for (uint32_t i = 0; i < b->n_findings; i++) {
        if (b->findings[i].leads_to != e->found->number)
            continue;
        if (is_first)
            heading("Why it happens");
        is_first = false;
        hd_print(
            stdout,
            "  finding %" PRIu64
            " decides about it: with these two accesses in the other order it does not happen\n",
            b->findings[i].number);
        clauses(b->findings[i].message);
    }
    if (e->found->leads_to)
        hd_print(stdout,
                 "\n  It is harmful: the order of the two decides about finding %" PRIu64 ".\n",
                 e->found->leads_to);
}

static void show_how(explanation *e) {
    hd_test test = {0};
    hd_err ignored;
    hd_text inputs = {0}, faults = {0};
    if (e->found->story && e->found->story[0]) {
        heading("How it comes to that");
        for (const char *at = e->found->story; *at;) {
            size_t n = strcspn(at, "\n");
            hd_print(stdout, "  %.*s\n", (int)n, at);
            at += n + (at[n] == '\n');
        }
    }
    if (e->found->test && hd_record_test(e->listing->record, e->found->test, &test, &ignored)) {
        hd_inputs_print(&test, 600, &inputs);
        hd_test_faults(&test, &faults);
        heading("With these inputs");
        hd_print(stdout, "  %s\n", inputs.n ? hd_text_string(&inputs) : "none");
        if (faults.n)
            hd_print(stdout, "  faults: %s\n", hd_text_string(&faults));
    }
    hd_text_release(&inputs);
    hd_text_release(&faults);
    hd_test_release(&test);
}

static void show_next(const explanation *e) {
    const char *directory = e->listing->directory;
    uint64_t test = e->found->test;
    heading("What to do next");
    if (test) {
        hd_print(stdout, "  heddle replay %s %" PRIu64 "           runs it again, exactly\n",
                 directory, test);
        hd_print(stdout, "  heddle replay %s %" PRIu64 " --trace   with every event and its line\n",
                 directory, test);
        hd_print(stdout,
                 "  heddle replay %s %" PRIu64 " --gdb     in the debugger, stopped there\n",
                 directory, test);
    }
    hd_print(stdout, "  heddle report %s   a page to look at\n", directory);
}

static void explain(explanation *e) {
    const hd_found *f = e->found;
    hd_print_colour(stdout, HD_COLOUR_BAD);
    hd_print(stdout, "finding %" PRIu64 ": %s", f->number, hd_finding_kind_words(f->kind));
    hd_print_colour(stdout, HD_COLOUR_NONE);
    hd_print(stdout, "\n");
    if (f->message && f->message[0])
        clauses(f->message);
    if (f->file && f->file[0])
        hd_print(stdout, "  at %s:%" PRIu32 "%s%s\n", f->file, f->line,
                 f->function && f->function[0] ? " in " : "", f->function ? f->function : "");
    show_meaning(f);
    show_source(e);
    show_causes(e);
    show_how(e);
    show_next(e);
}

static bool find(explanation *e, hd_err *err) {
    hd_record_listing *l = e->listing;
    if (l->json) {
        hd_err_set(err, "'heddle explain' is for people: it has no '--json'");
        return hd_err_hint(err, "write 'heddle findings %s %" PRIu64 " --json'", l->directory,
                           l->number);
    }
    if (!l->number) {
        hd_err_set(err, "no finding number given");
        return hd_err_hint(err, "write 'heddle explain DIR N'; 'heddle findings %s' lists them",
                           l->directory);
    }
    if (!hd_report_read(&e->report, l->record, err))
        return false;
    for (uint32_t i = 0; i < e->report.state.n_findings; i++)
        if (e->report.state.findings[i].number == l->number)
            e->found = &e->report.state.findings[i];
    return e->found || hd_record_listing_missing(l, "finding", err);
}

static int run(int argc, char **argv) {
    hd_record_listing l = {0};
    explanation e = {.listing = &l};
    hd_err err;
    bool ok = hd_record_listing_open(&l, "finding", argc, argv, &err) && find(&e, &err);
    if (ok)
        explain(&e);
    hd_report_release(&e.report);
    hd_record_listing_close(&l);
    return ok ? HD_EXIT_CLEAN : hd_cli_fail(&err);
}

static const hd_option_table no_options = {NULL, 0, false, false};

const hd_command hd_command_explain = {
    "explain",
    "explain one finding: what it is, how it comes to that, what to do",
    "explain DIR N",
    "Explains finding N of a run: what such a finding is, the lines as they were compiled, races\n"
    "that decide about it, how it comes to that, inputs, and what to do next.",
    &no_options,
    run,
};
