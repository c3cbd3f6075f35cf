/* A trace in a terminal: one line for each step. */
#include "base/shown.h"
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

static void show_value(FILE *out, const hd_trace_step *s) {
    if (s->has_value)
        hd_print(out, s->flags & HD_STEP_READS ? ", finds %" PRId64 : ", where %" PRId64 " was",
                 (int64_t)s->value);
}

static void show_place(FILE *out, const hd_trace_step *s) {
    const char *slash = strrchr(s->file, '/');
    if (!s->line)
        return;
    fputs(" at ", out);
    hd_print_colour(out, HD_COLOUR_NAME);
    hd_print(out, "%s:%" PRIu32, slash ? slash + 1 : s->file, s->line);
    hd_print_colour(out, HD_COLOUR_NONE);
}

static void show_step(FILE *out, const hd_trace *t, const hd_trace_step *s) {
    hd_text who = {0};
    bool is_bad = s->flags & (HD_STEP_WAITS | HD_STEP_FAILS | HD_STEP_RACES);
    if (!(s->flags & HD_STEP_ALL))
        hd_trace_name(t, s, &who);
    if (s->event)
        hd_print(out, "%7" PRIu64 "  ", s->event);
    else
        fputs("         ", out);
    hd_print(out, "%-17s  ", hd_text_string(&who));
    hd_print_colour(out, is_bad ? HD_COLOUR_BAD : HD_COLOUR_NONE);
    hd_print(out, "%s%s", s->flags & HD_STEP_WAITS ? "cannot go on: " : "", s->words);
    hd_print_colour(out, HD_COLOUR_NONE);
    show_value(out, s);
    show_place(out, s);
    hd_print(out, "%s\n", s->flags & HD_STEP_RACES ? " (races)" : "");
    hd_text_release(&who);
}

void hd_trace_show(FILE *out, const hd_trace *t, size_t most) {
    size_t first = most && t->steps.n > most ? t->steps.n - most : 0;
    if (first)
        hd_print(out, "    ...  %zu steps before\n", first);
    for (size_t i = first; i < t->steps.n; i++)
        show_step(out, t, &t->steps.at[i]);
}
