/* A finding on one screen. */
#include "base/shown.h"
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

#define INPUTS_SHOWN 600

static void show_place(FILE *out, const hd_found *f) {
    hd_print_colour(out, HD_COLOUR_NAME);
    if (f->file && f->file[0])
        hd_print(out, "%s:%" PRIu32, f->file, f->line);
    else
        fputs("unknown place", out);
    hd_print_colour(out, HD_COLOUR_NONE);
    if (f->function && f->function[0])
        hd_print(out, " in %s", f->function);
}

static void show_stack(FILE *out, const char *stack) {
    const char *title = "  stack: ";
    while (stack && *stack) {
        size_t length = strcspn(stack, "\n");
        hd_print(out, "%s%.*s\n", title, (int)length, stack);
        title = "         ";
        stack += length + (stack[length] == '\n');
    }
}

void hd_story_show(FILE *out, const char *story) {
    const char *title = "  story: ";
    while (story && *story) {
        size_t length = strcspn(story, "\n");
        hd_print(out, "%s%.*s\n", title, (int)length, story);
        title = "         ";
        story += length + (story[length] == '\n');
    }
}

/* Whether a race does harm is known when failing executions have been tried in the other order. */
static void show_harm(FILE *out, const hd_found *f) {
    if (f->kind == HD_FINDING_DATA_RACE && f->leads_to)
        hd_print(out, "  harmful: the order of the two decides about finding %" PRIu64 "\n",
                 f->leads_to);
    else if (f->kind == HD_FINDING_DATA_RACE)
        hd_print(out, "  no execution so far failed because of it\n");
}

static void show_inputs(FILE *out, const hd_test *test) {
    hd_text inputs = {0}, faults = {0};
    uint32_t n = hd_inputs_count(test);
    hd_inputs_print(test, INPUTS_SHOWN, &inputs);
    hd_test_faults(test, &faults);
    if (faults.n)
        hd_print(out, "  faults: %s\n", hd_text_string(&faults));
    hd_print(out, "  inputs: %s\n", n ? hd_text_string(&inputs) : "none");
    if (test->map && test->map[0] && n && n == test->n_inputs && n <= 32)
        hd_print(out, "  input map: %s\n", test->map);
    hd_text_release(&inputs);
    hd_text_release(&faults);
}

static const char *words_of(const hd_found *f) {
    return f->message && f->message[0] ? f->message : hd_finding_kind_words(f->kind);
}

static void show_what(FILE *out, const hd_found *f, const hd_test *test) {
    hd_print_colour(out, HD_COLOUR_BAD);
    hd_print(out, "%s", words_of(f));
    hd_print_colour(out, HD_COLOUR_NONE);
    hd_print(out, "\n  kind: %s\n  at: ", hd_finding_kind_name(f->kind));
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
    hd_print(out, "finding %" PRIu64 ": ", f->number);
    show_what(out, f, test);
    if (f->count > 1)
        hd_print(out, "  seen in %" PRIu64 " executions\n", f->count);
    if (f->test) /* else whoever runs it goes down */
        hd_print(out, "  replay: heddle replay %s %" PRIu64 "\n", directory, f->test);
}

void hd_finding_show_outcome(FILE *out, const hd_found *f, const hd_test *test) {
    hd_print(out, "test %" PRIu64 ": ", f->test);
    show_what(out, f, test);
}

void hd_finding_line(FILE *out, const hd_found *f) {
    hd_print_colour(out, HD_COLOUR_BAD);
    hd_print(out, "#%" PRIu64 " %s", f->number, hd_finding_kind_name(f->kind));
    hd_print_colour(out, HD_COLOUR_NONE);
    fputs(", ", out);
    show_place(out, f);
    hd_print(out, ": %s (%" PRIu64 " execution%s", words_of(f), f->count, f->count == 1 ? "" : "s");
    if (f->test)
        hd_print(out, ", test %" PRIu64, f->test);
    fputc(')', out);
    if (f->leads_to)
        hd_print(out, "; harmful: see finding %" PRIu64, f->leads_to);
    fputc('\n', out);
}
