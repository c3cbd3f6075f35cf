/* Reading what the sanitizers print.
 *
 * UndefinedBehaviorSanitizer prints file and line, and goes on.  AddressSanitizer prints stacks as
 * addresses, which are looked up afterwards, all at once: its own symbolizer is a process for each
 * report.  The innermost frame in the program's source counts, as it does for Heddle.
 *
 * MemorySanitizer cannot be in the same program: property_uninitialised asks it. */
#include "property/model/sanitizer_reports.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions of the C library that allocate keep no frame pointers. */
#define OPTIONS "symbolize=0:detect_leaks=1:detect_stack_use_after_return=1:fast_unwind_on_malloc=0"

static const struct {
    const char *name, *kinds, *words;
} classes[] = {
#define X(name, text, kinds, words) {text, kinds, words},
    REPORT_CLASSES(X)
#undef X
};

const char *report_class_name(report_class class) {
    return classes[class].name;
}

bool reports_have(const reports *all, report_class class, int line, int x) {
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].class == class && all->at[i].line == line &&
            (x < 0 || all->at[i].x < 0 || all->at[i].x == x))
            return true;
    return false;
}

static void add(reports *all, report r) {
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].class == r.class && all->at[i].line == r.line && all->at[i].x == r.x)
            return;
    hd_vec_push(all, r);
}

/* -- Words and kinds ----------------------------------------------------------------------------
 */

/* Does the text contain one of the words between the bars? */
static bool has_word(const char *text, const char *words) {
    for (const char *at = words + 1; *at; at += strcspn(at, "|") + 1) {
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, "|"), at);
        if (strstr(text, word))
            return true;
    }
    return false;
}

static bool class_of_words(const char *text, report_class *class) {
    for (*class = 0; *class < N_REPORT_CLASSES; ++*class)
        if (has_word(text, classes[*class].words))
            return true;
    printf("a report that is in no class: %s\n", text);
    return false;
}

static bool class_of_kind(const char *kind, report_class *class) {
    char barred[64];
    snprintf(barred, sizeof barred, "|%s|", kind);
    for (*class = 0; *class < N_REPORT_CLASSES; ++*class)
        if (strstr(classes[*class].kinds, barred))
            return true;
    printf("a finding that is in no class: %s\n", kind);
    return false;
}

bool reports_heddle(json_t *summary, reports *out) {
    json_t *findings = json_object_get(summary, "findings"), *f;
    size_t n;
    bool ok = true;
    json_array_foreach(findings, n, f) {
        report r = {.line = (int)json_integer_value(json_object_get(f, "line")), .x = -1};
        if (class_of_kind(json_string_value(json_object_get(f, "kind")), &r.class))
            add(out, r);
        else
            ok = false;
    }
    return ok;
}

/* -- Native runs --------------------------------------------------------------------------------
 */

/* A stack whose line is not known yet. */
typedef struct pending {
    report report;
    size_t first, n; /* of the addresses */
} pending;

typedef struct reading {
    reports *out;
    hd_vec(pending) stacks;
    hd_text addresses; /* one on a line */
    size_t n_addresses;
    bool in_stack, ok;
    int x;
} reading;

/* A signal of the processor, or an access through null, after a report of the same line is its
 * consequence. */
static bool is_known(const reports *all, const report *r) {
    if (r->class != CLASS_DIVISION && r->class != CLASS_NULL_POINTER)
        return false;
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].class != r->class && all->at[i].class != CLASS_POINTER &&
            all->at[i].line == r->line && all->at[i].x == r->x)
            return true;
    return false;
}

static void read_undefined(reading *r, const char *text, const char *message) {
    report one = {.x = r->x};
    const char *colon = strchr(text, ':');
    one.line = colon ? atoi(colon + 1) : 0;
    if (!class_of_words(message, &one.class))
        r->ok = false;
    else if (!is_known(r->out, &one))
        add(r->out, one);
}

static void begin_stack(reading *r, const char *text) {
    pending p = {.report = {.x = r->x}, .first = r->n_addresses};
    if (!class_of_words(text, &p.report.class))
        r->ok = false;
    hd_vec_push(&r->stacks, p);
    r->in_stack = true;
}

/* Leaks come with a stack each, after one headline. */
static void begin_leak(reading *r) {
    pending *last = &r->stacks.at[r->stacks.n - 1];
    if (last->n)
        hd_vec_push(&r->stacks, ((pending){.report = last->report, .first = r->n_addresses}));
    r->in_stack = true;
}

static void read_line(reading *r, const char *text) {
    const char *message = strstr(text, "runtime error: "), *error = strstr(text, "==ERROR: ");
    unsigned frame;
    char address[32];
    if (sscanf(text, "@ %*u %d", &r->x) == 1)
        return;
    if (message)
        read_undefined(r, text, message);
    else if (error)
        begin_stack(r, error);
    else if (strstr(text, " leak of "))
        begin_leak(r);
    else if (r->in_stack && sscanf(text, " #%u %31s", &frame, address) == 2) {
        hd_text_add(&r->addresses, "%s\n", address);
        r->stacks.at[r->stacks.n - 1].n++;
        r->n_addresses++;
    } else if (text[0] == '\n' && r->stacks.n && r->stacks.at[r->stacks.n - 1].n)
        r->in_stack = false;
}

static bool read_reports(reading *r, const char *path) {
    char text[1024];
    FILE *in = fopen(path, "r");
    while (in && fgets(text, sizeof text, in))
        read_line(r, text);
    if (in)
        fclose(in);
    return in && r->ok;
}

static bool write_file(const char *path, const hd_text *text) {
    FILE *out = fopen(path, "w");
    bool ok = out && fwrite(text->at, 1, text->n, out) == text->n;
    return (!out || fclose(out) == 0) && ok;
}

/* The line in the source of every address, 0 for other files. */
static bool look_up(const reading *r, const char *source, const char *folder, int *lines) {
    char path[256], text[1024];
    const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
    snprintf(path, sizeof path, "%s/addresses", folder);
    if (!write_file(path, &r->addresses))
        return false;
    snprintf(text, sizeof text, "addr2line -e %s/native <%s", folder, path);
    FILE *in = popen(text, "r");
    size_t n = 0;
    for (; in && n < r->n_addresses && fgets(text, sizeof text, in); n++) {
        const char *at = strstr(text, name);
        lines[n] = at ? atoi(at + strlen(name) + 1) : 0;
    }
    return in && pclose(in) == 0 && n == r->n_addresses;
}

static bool place_stacks(reading *r, const int *lines) {
    for (size_t i = 0; i < r->stacks.n; i++) {
        pending *p = &r->stacks.at[i];
        for (size_t n = p->first; n < p->first + p->n && !p->report.line; n++)
            p->report.line = lines[n];
        if (!p->report.line) {
            printf("a report (%s) without a line\n", report_class_name(p->report.class));
            return false;
        }
        if (!is_known(r->out, &p->report))
            add(r->out, p->report);
    }
    return true;
}

/* p[i] of a wrong pointer is arithmetic too: Heddle says the worse of both. */
static void drop_causes(reports *all) {
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].class != CLASS_POINTER ||
            !(reports_have(all, CLASS_NULL_POINTER, all->at[i].line, all->at[i].x) ||
              reports_have(all, CLASS_BOUNDS, all->at[i].line, all->at[i].x)))
            all->at[n++] = all->at[i];
    all->n = n;
}

static bool run_native(const char *compiler, const char *source, const char *folder) {
    char command[1024];
    snprintf(command, sizeof command,
             "%s -w -g -gdwarf-4 -O0 -no-pie -fno-pie -fno-builtin %s -o %s/native && "
             "ASAN_OPTIONS=" OPTIONS " %s/native 2>%s/reports >/dev/null",
             compiler, source, folder, folder, folder);
    return system(command) == 0;
}

bool reports_native(const char *compiler, const char *source, const char *folder, reports *out) {
    char path[256];
    reading r = {.out = out, .ok = true};
    snprintf(path, sizeof path, "%s/reports", folder);
    bool ok = run_native(compiler, source, folder) && read_reports(&r, path);
    int *lines = calloc(r.n_addresses + 1, sizeof *lines);
    ok = ok && lines && look_up(&r, source, folder, lines) && place_stacks(&r, lines);
    drop_causes(out);
    free(lines);
    hd_text_release(&r.addresses);
    hd_vec_release(&r.stacks);
    return ok;
}
