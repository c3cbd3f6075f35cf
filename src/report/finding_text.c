/* A finding on one screen. */
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

#define INPUTS_SHOWN 600

static void show_place(FILE *out, const hd_found *f) {
    if (f->file && f->file[0])
        fprintf(out, "%s:%" PRIu32, f->file, f->line);
    else
        fputs("unknown place", out);
    if (f->function && f->function[0])
        fprintf(out, " in %s", f->function);
}

static void show_stack(FILE *out, const char *stack) {
    const char *title = "  stack: ";
    while (stack && *stack) {
        size_t length = strcspn(stack, "\n");
        fprintf(out, "%s%.*s\n", title, (int)length, stack);
        title = "         ";
        stack += length + (stack[length] == '\n');
    }
}

void hd_story_show(FILE *out, const char *story) {
    const char *title = "  story: ";
    while (story && *story) {
        size_t length = strcspn(story, "\n");
        fprintf(out, "%s%.*s\n", title, (int)length, story);
        title = "         ";
        story += length + (story[length] == '\n');
    }
}

/* Whether a race does harm is known when failing executions have been tried in the other order. */
static void show_harm(FILE *out, const hd_found *f) {
    if (f->kind == HD_FINDING_DATA_RACE && f->leads_to)
        fprintf(out, "  harmful: the order of the two decides about finding %" PRIu64 "\n",
                f->leads_to);
    else if (f->kind == HD_FINDING_DATA_RACE)
        fprintf(out, "  no execution so far failed because of it\n");
}

static void show_inputs(FILE *out, const hd_test *test) {
    hd_text inputs = {0}, faults = {0};
    uint32_t n = hd_inputs_count(test);
    hd_inputs_print(test, INPUTS_SHOWN, &inputs);
    hd_test_faults(test, &faults);
    if (faults.n)
        fprintf(out, "  faults: %s\n", hd_text_string(&faults));
    fprintf(out, "  inputs: %s\n", n ? hd_text_string(&inputs) : "none");
    if (test->map && test->map[0] && n && n == test->n_inputs && n <= 32)
        fprintf(out, "  input map: %s\n", test->map);
    hd_text_release(&inputs);
    hd_text_release(&faults);
}

static const char *words_of(const hd_found *f) {
    return f->message && f->message[0] ? f->message : hd_finding_kind_words(f->kind);
}

static void show_what(FILE *out, const hd_found *f, const hd_test *test) {
    fprintf(out, "%s\n  kind: %s\n  at: ", words_of(f), hd_finding_kind_name(f->kind));
    show_place(out, f);
    fputc('\n', out);
    hd_source_show(out, f->file, f->line, 2);
    show_stack(out, f->stack);
    hd_story_show(out, f->story);
    if (test)
        show_inputs(out, test);
    show_harm(out, f);
}

void hd_finding_show(FILE *out, const hd_found *f, const hd_test *test, const char *directory) {
    fprintf(out, "finding %" PRIu64 ": ", f->number);
    show_what(out, f, test);
    if (f->count > 1)
        fprintf(out, "  seen in %" PRIu64 " executions\n", f->count);
    if (f->test) /* else whoever runs it goes down */
        fprintf(out, "  replay: heddle replay %s %" PRIu64 "\n", directory, f->test);
}

void hd_finding_show_outcome(FILE *out, const hd_found *f, const hd_test *test) {
    fprintf(out, "test %" PRIu64 ": ", f->test);
    show_what(out, f, test);
}

void hd_finding_line(FILE *out, const hd_found *f) {
    fprintf(out, "#%" PRIu64 " %s, ", f->number, hd_finding_kind_name(f->kind));
    show_place(out, f);
    fprintf(out, ": %s (%" PRIu64 " execution%s", words_of(f), f->count, f->count == 1 ? "" : "s");
    if (f->test)
        fprintf(out, ", test %" PRIu64, f->test);
    fputc(')', out);
    if (f->leads_to)
        fprintf(out, "; harmful: see finding %" PRIu64, f->leads_to);
    fputc('\n', out);
}
