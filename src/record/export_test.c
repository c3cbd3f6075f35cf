/* A test as a text file that Heddle runs again, against the program as it is then: inputs, faults
 * and the order of events, and how it ended.  For what a plain program cannot enforce: threads,
 * messages, nodes of a scenario.
 *
 * One line for each thing, first a word; '#' begins a comment.  Lines 'at' and 'says' belong to the
 * finding before them.  Everything about an input is in its line, the value first:
 *     input VALUE WIDTH KIND ROOT SIGNED OWNER NUMBER TYPE REQUEST OFFSET SIZE : NAME */
#include "record/stored.h"
#include "record/stored_words.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "heddle test"

/* ---- writing ---- */

/* Texts are one line. */
static void add_line(hd_text *out, const char *word, const char *text) {
    hd_text_add(out, "%s ", word);
    for (; text && *text; text++)
        hd_text_add(out, "%c", (unsigned char)*text < ' ' ? ' ' : *text);
    hd_text_add(out, "\n");
}

typedef struct findings_writer {
    hd_text *out;
    uint64_t test;
} findings_writer;

static bool add_finding(void *context, const hd_found *f) {
    findings_writer *w = context;
    if (f->test != w->test)
        return true;
    add_line(w->out, "finding", hd_finding_kind_name(f->kind));
    char *place = hd_text_format("%s:%u", f->file ? f->file : "", f->line);
    add_line(w->out, "at", place);
    add_line(w->out, "says", f->message);
    free(place);
    return true;
}

static void add_input(hd_text *out, const hd_stored_input *in) {
    hd_text_add(out,
                "input %" PRIu64 " %u %u %d %d %" PRIu32 " %" PRIu64 " %" PRIu32 " %" PRIu64
                " %" PRIu64 " %" PRIu64,
                in->value, in->width, in->kind, in->is_root, in->is_signed, in->owner, in->number,
                in->type, in->request, in->bit_offset, in->object_size);
    add_line(out, " :", in->name);
}

static void add_faults(hd_text *out, const hd_test *t) {
    for (uint32_t i = 0; i < t->n_inputs; i++)
        if (t->inputs[i].value && hd_fault_is_name(t->inputs[i].name))
            add_line(out, "# fault:", t->inputs[i].name);
}

static void add_head(hd_text *out, const hd_record *r, const hd_test *t, const char *name) {
    const char *command = hd_record_info(r)->command;
    hd_text_add(out, HEAD " %" PRIu64 "\n", t->number);
    add_line(out, "# recorded by:", command);
    add_line(out, "# runs again with the same command, and: --test", name);
    add_faults(out, t);
}

bool hd_export_test(hd_record *r, const hd_test *test, const char *path, hd_err *err) {
    hd_text out = {0};
    const char *slash = strrchr(path, '/');
    add_head(&out, r, test, slash ? slash + 1 : path);
    add_line(&out, "end", hd_end_name(test->end));
    hd_text_add(&out, "status %d\n", test->status);
    hd_text_add(&out, "trace %016" PRIx64 "\n", test->trace_hash);
    findings_writer w = {&out, test->number};
    bool ok = hd_record_findings(r, add_finding, &w, err);
    add_line(&out, "schedule", test->schedule);
    add_line(&out, "threads", test->threads);
    for (uint32_t i = 0; i < test->n_inputs; i++)
        add_input(&out, &test->inputs[i]);
    FILE *file = ok ? fopen(path, "w") : NULL;
    bool written = file && fwrite(out.at, 1, out.n, file) == out.n;
    if (file && fclose(file) != 0)
        written = false;
    hd_text_release(&out);
    return ok && (written || hd_err_set(err, "cannot write '%s': %s", path, strerror(errno)));
}

/* ---- reading ---- */

typedef struct test_reader {
    const char *path;
    unsigned line;
    hd_exported_test *into;
    hd_vec(hd_stored_input) inputs;
    hd_err *err;
} test_reader;

static bool fail(test_reader *r, const char *what) {
    hd_err_set(r->err, "%s:%u:1: %s", r->path, r->line, what);
    return hd_err_hint(r->err, "write the file anew with 'heddle export --test DIR N -o OUT'");
}

static bool read_end(test_reader *r, const char *text) {
    return hd_end_parse(text, &r->into->test.end) || fail(r, "no such end of a test");
}

static bool read_status(test_reader *r, const char *text) {
    char *end;
    r->into->test.status = (int)strtol(text, &end, 10);
    return (end != text && !*end) || fail(r, "the status is no number");
}

/* The hash of the execution, for whoever replays it with the same program. */
static bool read_trace(test_reader *r, const char *text) {
    char *end;
    r->into->test.trace_hash = strtoull(text, &end, 16);
    return (end != text && !*end) || fail(r, "the trace is no number");
}

static bool read_finding(test_reader *r, const char *text) {
    hd_found f = {.message = hd_copy(""), .file = hd_copy(""), .function = hd_copy("")};
    f.stack = hd_copy("");
    f.story = hd_copy("");
    f.test = f.count = 1;
    bool is_known = hd_finding_kind_parse(text, &f.kind);
    f.signature = r->into->findings.n + 1;
    hd_vec_push(&r->into->findings, f);
    if (is_known && r->into->findings.n == 1)
        r->into->test.finding = f.kind;
    return is_known || fail(r, "no such kind of a finding");
}

static hd_found *last_finding(test_reader *r) {
    if (!r->into->findings.n)
        fail(r, "this line belongs to a finding, and there is none before it");
    return r->into->findings.n ? &r->into->findings.at[r->into->findings.n - 1] : NULL;
}

static bool read_at(test_reader *r, const char *text) {
    hd_found *f = last_finding(r);
    const char *colon = strrchr(text, ':');
    if (!f || !colon)
        return f && fail(r, "a place is a file, ':' and a line");
    free(f->file);
    f->file = hd_text_format("%.*s", (int)(colon - text), text);
    f->line = (uint32_t)strtoul(colon + 1, NULL, 10);
    return true;
}

static bool read_says(test_reader *r, const char *text) {
    hd_found *f = last_finding(r);
    if (!f)
        return false;
    free(f->message);
    f->message = hd_copy(text);
    return true;
}

static bool replace(char **old, const char *text) {
    free(*old);
    *old = hd_copy(text);
    return true;
}

static bool read_schedule(test_reader *r, const char *text) {
    return replace(&r->into->test.schedule, text);
}

static bool read_threads(test_reader *r, const char *text) {
    return replace(&r->into->test.threads, text);
}

static bool read_input(test_reader *r, const char *text) {
    hd_stored_input in = {0};
    unsigned width, kind, root, is_signed;
    int n = 0;
    if (sscanf(text,
               "%" SCNu64 " %u %u %u %u %" SCNu32 " %" SCNu64 " %" SCNu32 " %" SCNu64 " %" SCNu64
               " %" SCNu64 " : %n",
               &in.value, &width, &kind, &root, &is_signed, &in.owner, &in.number, &in.type,
               &in.request, &in.bit_offset, &in.object_size, &n) != 11 ||
        !n || width > 64 || kind > HD_VAR_POINTER)
        return fail(r, "an input is eleven numbers, ':' and a name");
    in.width = (uint8_t)width;
    in.kind = (uint8_t)kind;
    in.is_root = root != 0;
    in.is_signed = is_signed != 0;
    in.name = hd_copy(text + n);
    hd_vec_push(&r->inputs, in);
    return true;
}

static const struct {
    const char *word;
    bool (*read)(test_reader *r, const char *text);
} LINES[] = {
    {"end", read_end},         {"status", read_status}, {"finding", read_finding},
    {"at", read_at},           {"says", read_says},     {"schedule", read_schedule},
    {"threads", read_threads}, {"input", read_input},   {"trace", read_trace},
};

static bool read_line(test_reader *r, char *line) {
    char *text = strchr(line, ' ');
    if (!*line || *line == '#')
        return true;
    if (text)
        *text++ = '\0';
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++)
        if (strcmp(line, LINES[i].word) == 0)
            return LINES[i].read(r, text ? text : "");
    return fail(r, "unknown word at the beginning of the line");
}

static bool read_head(test_reader *r, const char *line) {
    if (strncmp(line, HEAD, strlen(HEAD)) == 0)
        return true;
    hd_err_set(r->err, "'%s' is no test of Heddle", r->path);
    return hd_err_hint(r->err, "'heddle export --test DIR N -o OUT' writes one");
}

/* Indices among inputs are checked by whoever reads them from bytes. */
static bool take_inputs(test_reader *r) {
    hd_text bytes = {0};
    hd_inputs_pack(&bytes, r->inputs.at, (uint32_t)r->inputs.n);
    hd_unpack u = hd_unpack_from(bytes.at, bytes.n);
    r->into->test.inputs = hd_inputs_unpack(&u, &r->into->test.n_inputs);
    hd_text_release(&bytes);
    return !u.failed || fail(r, "inputs that belong to each other in a way that cannot be");
}

static bool read_lines(test_reader *r, char *text) {
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        if (r->line++ == 0 ? !read_head(r, line) : !read_line(r, line))
            return false;
    }
    return take_inputs(r);
}

bool hd_exported_parse(hd_exported_test *t, char *text, const char *path, hd_err *err) {
    *t = (hd_exported_test){.test = {.number = 1, .end = HD_END_EXIT, .reason = HD_TEST_FINDING}};
    t->test.path = hd_copy("");
    t->test.map = hd_copy("");
    t->test.schedule = hd_copy("");
    t->test.threads = hd_copy("");
    test_reader r = {.path = path, .into = t, .err = err};
    bool ok = read_lines(&r, text);
    hd_inputs_free(r.inputs.at, (uint32_t)r.inputs.n);
    if (!ok)
        hd_exported_release(t);
    return ok;
}

bool hd_exported_read(hd_exported_test *t, const char *path, hd_err *err) {
    hd_text text = {0};
    bool ok = hd_text_read_file(&text, path);
    *t = (hd_exported_test){0};
    if (!ok) {
        hd_err_set(err, "cannot read the test '%s': %s", path, strerror(errno));
        hd_err_hint(err, "'heddle export --test DIR N -o OUT' writes one");
    }
    ok = ok && hd_exported_parse(t, (char *)hd_text_string(&text), path, err);
    hd_text_release(&text);
    return ok;
}

void hd_exported_release(hd_exported_test *t) {
    hd_batch b = {.findings = t->findings.at, .n_findings = (uint32_t)t->findings.n};
    hd_batch_release(&b);
    hd_test_release(&t->test);
    *t = (hd_exported_test){0};
}
