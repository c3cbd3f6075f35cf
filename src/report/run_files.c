/* JUnit has no standard of its own: the attributes are those that Jenkins, GitLab and GitHub's
 * actions read. SARIF is OASIS's 2.1.0: one run, a rule for each kind of finding that occurs, a
 * result for each finding with its stack. */
#include "report/run_files.h"

#include "program/finding.h"
#include "report/json_values.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static bool end_file(FILE *out, const char *path, bool ok, hd_err *err) {
    bool is_written = out && !ferror(out);
    if (out && fclose(out) != 0)
        is_written = false;
    if (ok && !is_written)
        return hd_err_set(err, "cannot write '%s': %s", path, strerror(errno));
    return ok;
}

/* ---- JUnit ---- */

typedef struct junit_writer {
    FILE *out;
    const hd_run_file *file;
    const char *program;
    hd_vec(hd_found) found; /* with copies of their words */
    uint64_t n_tests, n_failures;
} junit_writer;

/* XML 1.0 has no control characters, and not every byte is UTF-8. */
static void put_xml(FILE *out, const char *text) {
    for (; text && *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (strchr("<>&\"'", c))
            fprintf(out, "&#%u;", c);
        else
            fputc((c < ' ' && c != '\n' && c != '\t') || c > 126 ? '?' : c, out);
    }
}

static bool keep_finding(void *context, const hd_found *f) {
    junit_writer *w = context;
    hd_found kept = {.kind = f->kind, .line = f->line, .test = f->test};
    kept.message = hd_text_format("%s", f->message ? f->message : "");
    kept.file = hd_text_format("%s", f->file ? f->file : "");
    kept.stack = hd_text_format("%s", f->stack ? f->stack : "");
    kept.story = hd_text_format("%s", f->story ? f->story : "");
    hd_vec_push(&w->found, kept);
    return true;
}

/* A test that ends with a finding that another one showed first fails too. */
static bool is_failure(const junit_writer *w, const hd_test *t) {
    for (size_t i = 0; i < w->found.n; i++)
        if (w->found.at[i].test == t->number)
            return true;
    return t->end == HD_END_FINDING;
}

static bool count_test(void *context, const hd_test *t) {
    junit_writer *w = context;
    w->n_tests++;
    w->n_failures += is_failure(w, t);
    return true;
}

static void put_failure(junit_writer *w, const hd_test *t) {
    const hd_found *f = NULL;
    for (size_t i = 0; i < w->found.n && !f; i++)
        if (w->found.at[i].test == t->number)
            f = &w->found.at[i];
    fprintf(w->out, "      <failure type=\"%s\" message=\"",
            hd_finding_kind_name(f ? f->kind : t->finding));
    put_xml(w->out, f ? f->message : hd_finding_kind_words(t->finding));
    fprintf(w->out, "\">");
    if (f) {
        put_xml(w->out, f->file);
        fprintf(w->out, ":%u\n", f->line);
        put_xml(w->out, f->stack);
        put_xml(w->out, f->story);
    }
    fprintf(w->out, "</failure>\n");
}

static bool put_test(void *context, const hd_test *t) {
    junit_writer *w = context;
    hd_text inputs = {0};
    hd_inputs_print(t, 200, &inputs);
    fprintf(w->out, "    <testcase classname=\"");
    put_xml(w->out, w->program);
    fprintf(w->out, "\" name=\"test %" PRIu64 "\" time=\"0\">\n", t->number);
    if (is_failure(w, t))
        put_failure(w, t);
    fprintf(w->out, "      <system-out>");
    put_xml(w->out, hd_text_string(&inputs));
    fprintf(w->out, "\nheddle replay ");
    put_xml(w->out, w->file->directory);
    fprintf(w->out, " %" PRIu64 "</system-out>\n    </testcase>\n", t->number);
    hd_text_release(&inputs);
    return true;
}

bool hd_run_write_junit(const hd_run_file *file, const char *path, hd_err *err) {
    junit_writer w = {.out = fopen(path, "w"), .file = file};
    w.program = file->kept->program.n ? file->kept->program.at[0] : "program";
    bool ok = w.out || hd_err_set(err, "cannot write '%s': %s", path, strerror(errno));
    ok = ok && hd_record_findings(file->record, keep_finding, &w, err) &&
         hd_record_tests(file->record, count_test, &w, err);
    if (ok) {
        fprintf(w.out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite "
                       "name=\"heddle: ");
        put_xml(w.out, w.program);
        fprintf(w.out,
                "\" tests=\"%" PRIu64 "\" failures=\"%" PRIu64
                "\" errors=\"0\" skipped=\"0\" time=\"0\">\n",
                w.n_tests, w.n_failures);
        ok = hd_record_tests(file->record, put_test, &w, err);
        fprintf(w.out, "  </testsuite>\n</testsuites>\n");
    }
    hd_batch b = {.findings = w.found.at, .n_findings = (uint32_t)w.found.n};
    hd_batch_release(&b);
    return end_file(w.out, path, ok, err);
}

/* ---- SARIF ---- */

/* A URI: what is no plain character of a path is written as %XX. */
static json_t *uri_json(const char *file) {
    hd_text uri = {0};
    if (file[0] == '/')
        hd_text_add(&uri, "file://");
    for (; *file; file++) {
        unsigned char c = (unsigned char)*file;
        bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                        (c >= 'A' && c <= 'Z') || strchr("/._-+~", c);
        hd_text_add(&uri, is_plain ? "%c" : "%%%02X", c);
    }
    json_t *s = json_string(hd_text_string(&uri));
    hd_text_release(&uri);
    return s;
}

static json_t *message_json(const char *text) {
    return json_pack("{s:o}", "text", hd_json_text(text));
}

static json_t *place_json(const char *file, uint32_t line) {
    json_t *physical = json_pack("{s:{s:o}}", "artifactLocation", "uri",
                                 uri_json(file && *file ? file : "unknown"));
    if (line)
        json_object_set_new(physical, "region", json_pack("{s:i}", "startLine", (int)line));
    return json_pack("{s:o}", "physicalLocation", physical);
}

typedef struct sarif_writer {
    json_t *results, *rules;
    int rule[HD_N_FINDING_KINDS]; /* its index, or -1 */
    const char *directory;
} sarif_writer;

static int rule_of(sarif_writer *w, hd_finding_kind kind) {
    if (w->rule[kind] < 0) {
        w->rule[kind] = (int)json_array_size(w->rules);
        json_array_append_new(w->rules, json_pack("{s:s, s:o}", "id", hd_finding_kind_name(kind),
                                                  "shortDescription",
                                                  message_json(hd_finding_kind_words(kind))));
    }
    return w->rule[kind];
}

/* "f at a.c:14": a frame. */
static json_t *stack_json(const char *stack) {
    json_t *frames = json_array();
    while (stack && *stack) {
        size_t n = strcspn(stack, "\n");
        char *line = hd_text_format("%.*s", (int)n, stack), *at = strstr(line, " at ");
        char *colon = at ? strrchr(at, ':') : NULL;
        if (colon) {
            *colon = '\0';
            json_t *location = place_json(at + 4, (uint32_t)strtoul(colon + 1, NULL, 10));
            *at = '\0';
            json_object_set_new(location, "message", message_json(line));
            json_array_append_new(frames, json_pack("{s:o}", "location", location));
        }
        free(line);
        stack += n + (stack[n] == '\n');
    }
    return frames;
}

static bool add_result(void *context, const hd_found *f) {
    sarif_writer *w = context;
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, f->signature);
    json_t *result =
        json_pack("{s:s, s:i, s:s, s:o, s:[o], s:{s:s}}", "ruleId", hd_finding_kind_name(f->kind),
                  "ruleIndex", rule_of(w, f->kind), "level", "error", "message",
                  message_json(f->message), "locations", place_json(f->file, f->line),
                  "partialFingerprints", "heddleSignature/v1", hash);
    json_t *frames = stack_json(f->stack);
    if (json_array_size(frames))
        json_object_set_new(result, "stacks", json_pack("[{s:o}]", "frames", frames));
    else
        json_decref(frames);
    json_t *more =
        json_pack("{s:I, s:I}", "executions", (json_int_t)f->count, "test", (json_int_t)f->test);
    char *replay = hd_text_format("heddle replay %s %" PRIu64, w->directory, f->test);
    json_object_set_new(more, "replay", hd_json_text(replay));
    json_object_set_new(result, "properties", more);
    free(replay);
    json_array_append_new(w->results, result);
    return true;
}

static bool dump(json_t *o, const char *path, hd_err *err) {
    FILE *out = fopen(path, "w");
    if (out) {
        json_dumpf(o, out, JSON_INDENT(2));
        fputc('\n', out);
    }
    json_decref(o);
    return out ? end_file(out, path, true, err)
               : hd_err_set(err, "cannot write '%s': %s", path, strerror(errno));
}

bool hd_run_write_sarif(const hd_run_file *file, const char *path, hd_err *err) {
    sarif_writer w = {.results = json_array(), .rules = json_array(), .directory = file->directory};
    memset(w.rule, -1, sizeof w.rule);
    bool ok = hd_record_findings(file->record, add_result, &w, err);
    json_t *driver =
        json_pack("{s:s, s:s, s:o}", "name", "heddle", "version", file->version, "rules", w.rules);
    json_t *run = json_pack("{s:{s:o}, s:o, s:s}", "tool", "driver", driver, "results", w.results,
                            "columnKind", "utf16CodeUnits");
    json_t *log = json_pack(
        "{s:s, s:s, s:[o]}", "$schema",
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json",
        "version", "2.1.0", "runs", run);
    if (ok)
        return dump(log, path, err);
    json_decref(log);
    return false;
}

/* ---- JSON ---- */

static const char SCHEMA[] =
    "{\n"
    "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
    "  \"title\": \"tests and findings of a run of Heddle\",\n"
    "  \"type\": \"object\",\n"
    "  \"required\": [\"version\", \"program\", \"findings\", \"tests\"],\n"
    "  \"additionalProperties\": false,\n"
    "  \"properties\": {\n"
    "    \"$schema\": {\"type\": \"string\"},\n"
    "    \"version\": {\"type\": \"string\"},\n"
    "    \"program\": {\"type\": \"string\"},\n"
    "    \"findings\": {\"type\": \"array\", \"items\": {\n"
    "      \"type\": \"object\",\n"
    "      \"required\": [\"number\", \"kind\", \"message\", \"file\", \"line\", \"function\", "
    "\"count\", \"test\", \"stack\", "
    "\"story\"],\n"
    "      \"additionalProperties\": false,\n"
    "      \"properties\": {\n"
    "        \"number\": {\"type\": \"integer\"}, \"kind\": {\"type\": \"string\"}, \"message\": "
    "{\"type\": \"string\"},\n"
    "        \"file\": {\"type\": \"string\"}, \"line\": {\"type\": \"integer\"}, \"function\": "
    "{\"type\": \"string\"},\n"
    "        \"count\": {\"type\": \"integer\"}, \"test\": {\"type\": \"integer\"},\n"
    "        \"stack\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}},\n"
    "        \"story\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}},\n"
    "        \"leads_to\": {\"type\": [\"integer\", \"null\"]}}}},\n"
    "    \"tests\": {\"type\": \"array\", \"items\": {\n"
    "      \"type\": \"object\",\n"
    "      \"required\": [\"number\", \"reason\", \"end\", \"finding\", \"status\", \"map\", "
    "\"path\", \"path_hash\", "
    "\"schedule\", \"threads\", \"trace_hash\", \"inputs\", \"faults\"],\n"
    "      \"additionalProperties\": false,\n"
    "      \"properties\": {\n"
    "        \"number\": {\"type\": \"integer\"},\n"
    "        \"reason\": {\"enum\": [\"path\", \"coverage\", \"finding\"]},\n"
    "        \"end\": {\"enum\": [\"exit\", \"finding\", \"rejected\"]},\n"
    "        \"finding\": {\"type\": [\"string\", \"null\"]}, \"status\": {\"type\": "
    "\"integer\"},\n"
    "        \"map\": {\"type\": \"string\"}, \"path\": {\"type\": \"string\"}, \"path_hash\": "
    "{\"type\": \"string\"},\n"
    "        \"schedule\": {\"type\": [\"string\", \"null\"]}, \"threads\": {\"type\": "
    "[\"string\", \"null\"]},\n"
    "        \"trace_hash\": {\"type\": \"string\"},\n"
    "        \"faults\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}},\n"
    "        \"inputs\": {\"type\": \"array\", \"items\": {\n"
    "          \"type\": \"object\", \"required\": [\"name\"], \"additionalProperties\": false,\n"
    "          \"properties\": {\"name\": {\"type\": \"string\"}, \"bits\": {\"type\": "
    "\"integer\"},\n"
    "                         \"value\": {\"type\": [\"integer\", \"string\"]}, \"pointer\": "
    "{\"type\": "
    "\"string\"}}}}}}}\n"
    "  }\n"
    "}\n";

static bool list_test(void *context, const hd_test *t) {
    hd_json_list_test(context, t);
    return true;
}

static bool list_finding(void *context, const hd_found *f) {
    hd_json_list_finding(context, f);
    return true;
}

static bool write_schema(const char *path, hd_err *err) {
    const char *slash = strrchr(path, '/');
    char *beside = hd_text_format("%.*srun.schema.json", slash ? (int)(slash - path + 1) : 0, path);
    FILE *out = fopen(beside, "w");
    if (out)
        fputs(SCHEMA, out);
    bool ok = out ? end_file(out, beside, true, err)
                  : hd_err_set(err, "cannot write '%s': %s", beside, strerror(errno));
    free(beside);
    return ok;
}

bool hd_run_write_json(const hd_run_file *file, const char *path, hd_err *err) {
    FILE *out = fopen(path, "w");
    if (!out)
        return hd_err_set(err, "cannot write '%s': %s", path, strerror(errno));
    json_t *head[] = {hd_json_text(file->version),
                      hd_json_text(file->kept->program.n ? file->kept->program.at[0] : "program")};
    fprintf(out, "{\"$schema\": \"run.schema.json\", \"version\": ");
    json_dumpf(head[0], out, JSON_ENCODE_ANY);
    fprintf(out, ", \"program\": ");
    json_dumpf(head[1], out, JSON_ENCODE_ANY);
    fprintf(out, ",\n\"findings\": [");
    hd_json_list findings = {out, 0}, tests = {out, 0};
    bool ok = hd_record_findings(file->record, list_finding, &findings, err);
    fprintf(out, "\n],\n\"tests\": [");
    ok = ok && hd_record_tests(file->record, list_test, &tests, err);
    fprintf(out, "\n]}\n");
    json_decref(head[0]);
    json_decref(head[1]);
    return end_file(out, path, ok, err) && write_schema(path, err);
}
