/* Both tools are Debian's package llvm-19, and are found by PATH. */
#include "cover/llvm_tools.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- processes ---- */

typedef hd_vec(char *) tool_words;

/* "-object=" and its value are one word. */
static void add_word(tool_words *w, const char *prefix, const char *value) {
    hd_vec_push(w, hd_text_format("%s%s", prefix, value));
}

static void release_words(tool_words *w) {
    for (size_t i = 0; i < w->n; i++)
        free(w->at[i]);
    hd_vec_release(w);
}

static bool tool_failed(const char *tool, int failure, hd_err *err) {
    if (failure == ENOENT) {
        hd_err_set(err, "cannot find '%s'", tool);
        return hd_err_hint(err, "install it with 'apt install llvm-19'");
    }
    return hd_err_set(err, "cannot start '%s': %s", tool, strerror(failure));
}

/* Output goes to a descriptor; the words are released. */
static bool run_tool(tool_words *w, int output, hd_err *err) {
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status = 0;
    hd_vec_push(w, NULL);
    fflush(NULL);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    int failure = posix_spawnp(&pid, w->at[0], &actions, NULL, w->at, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (!failure && waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            break;
    bool ok = !failure && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (failure)
        tool_failed(w->at[0], failure, err);
    else if (!ok)
        hd_err_set(err, "'%s' failed", w->at[0]);
    if (!failure && !ok)
        hd_err_hint(err, "the messages above are its own");
    w->n--;
    release_words(w);
    return ok;
}

/* The output as text. */
static bool read_tool(const hd_profile *p, tool_words *w, hd_text *out, hd_err *err) {
    char *path = hd_text_format("%s/out", p->directory);
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool ok = fd >= 0 || hd_err_set(err, "cannot write '%s': %s", path, strerror(errno));
    if (!ok)
        release_words(w);
    ok = ok && run_tool(w, fd, err);
    if (fd >= 0)
        close(fd);
    if (ok && !hd_text_read_file(out, path))
        ok = hd_err_set(err, "cannot read '%s': %s", path, strerror(errno));
    unlink(path);
    free(path);
    return ok;
}

static void add_objects(tool_words *w, const hd_profile *p) {
    add_word(w, "-instr-profile=", p->path);
    add_word(w, "-ignore-filename-regex=", HD_ADDED_FILES);
    for (size_t i = 0; i < p->mapped->objects.n; i++)
        add_word(w, i ? "-object=" : "", p->mapped->objects.at[i]);
}

/* ---- the profile ---- */

static void write_function(FILE *out, const hd_mapped_function *f, const hd_measure *m) {
    fprintf(out, "%s\n%" PRIu64 "\n%" PRIu64 "\n", f->words, f->hash, f->n_counters);
    for (uint64_t i = 0; i < f->n_counters; i++)
        fprintf(out, "%" PRIu64 "\n", m->counters[f->first_counter + i]);
    if (f->n_vectors)
        fprintf(out, "$%" PRIu64 "\n", (f->n_vectors + 7) / 8);
    for (uint64_t i = 0; i < f->n_vectors; i += 8) {
        unsigned byte = 0;
        for (uint64_t k = i; k < f->n_vectors && k < i + 8; k++)
            byte |= (unsigned)(m->vectors[f->first_vector + k] != 0) << (k - i);
        fprintf(out, "0x%x\n", byte);
    }
    fputc('\n', out);
}

/* A function of two files is one function to llvm-profdata. */
static bool is_written(const hd_mapped *m, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (m->functions.at[i].words && m->functions.at[i].name == m->functions.at[n].name &&
            m->functions.at[i].hash == m->functions.at[n].hash)
            return true;
    return false;
}

static bool write_text(const hd_measure *m, const char *path) {
    FILE *out = fopen(path, "w");
    for (size_t i = 0; out && i < m->mapped.functions.n; i++)
        if (m->mapped.functions.at[i].words && !is_written(&m->mapped, i))
            write_function(out, &m->mapped.functions.at[i], m);
    return out && fclose(out) == 0;
}

bool hd_profile_init(hd_profile *p, const hd_measure *m, hd_err *err) {
    *p = (hd_profile){.mapped = &m->mapped};
    const char *place = getenv("TMPDIR");
    int n = snprintf(p->directory, sizeof p->directory, "%s/heddle-cover-XXXXXX",
                     place && *place && strlen(place) < 40 ? place : "/tmp");
    if (n < 0 || !mkdtemp(p->directory)) {
        p->directory[0] = '\0';
        return hd_err_set(err, "cannot make a directory for a profile: %s", strerror(errno));
    }
    char *text = hd_text_format("%s/profile.proftext", p->directory);
    p->path = hd_text_format("%s/profile.profdata", p->directory);
    tool_words w = {0};
    add_word(&w, "", "llvm-profdata-19");
    add_word(&w, "", "merge");
    add_word(&w, "", text);
    add_word(&w, "", "-o");
    add_word(&w, "", p->path);
    bool ok =
        write_text(m, text) || hd_err_set(err, "cannot write '%s': %s", text, strerror(errno));
    if (!ok)
        release_words(&w);
    ok = ok && run_tool(&w, STDERR_FILENO, err);
    unlink(text);
    free(text);
    if (!ok)
        hd_profile_release(p);
    return ok;
}

void hd_profile_release(hd_profile *p) {
    if (p->path)
        unlink(p->path);
    if (p->directory[0])
        rmdir(p->directory);
    free(p->path);
    *p = (hd_profile){0};
}

/* ---- numbers ---- */

static void take_numbers(hd_cover_row *row, const json_t *summary) {
#define X(column)                                                                                  \
    row->column.n =                                                                                \
        (uint64_t)json_integer_value(json_object_get(json_object_get(summary, #column), "count")); \
    row->column.covered = (uint64_t)json_integer_value(                                            \
        json_object_get(json_object_get(summary, #column), "covered"));
    HD_COVER_COLUMNS(X)
#undef X
}

static bool read_files(hd_cover_report *r, const hd_profile *p, hd_err *err) {
    tool_words w = {0};
    hd_text text = {0};
    add_word(&w, "", "llvm-cov-19");
    add_word(&w, "", "export");
    add_word(&w, "", "-summary-only");
    add_objects(&w, p);
    bool ok = read_tool(p, &w, &text, err);
    json_t *whole = ok ? json_loads(hd_text_string(&text), 0, NULL) : NULL, *file;
    json_t *data = json_array_get(json_object_get(whole, "data"), 0);
    size_t i;
    json_array_foreach(json_object_get(data, "files"), i, file) {
        hd_cover_row row = {
            .name = hd_text_format("%s", json_string_value(json_object_get(file, "filename")))};
        take_numbers(&row, json_object_get(file, "summary"));
        hd_vec_push(&r->files, row);
    }
    take_numbers(&r->totals, json_object_get(data, "totals"));
    if (ok && !data)
        ok = hd_err_set(err, "what llvm-cov says cannot be read");
    json_decref(whole);
    hd_text_release(&text);
    return ok;
}

/* A row of the table of functions: NAME, then three numbers each (all, missed, percent) of regions,
 * lines, branches and conditions. */
static bool take_function(hd_cover_row *row, const char *line) {
    uint64_t n[4], missed[4];
    char name[512];
    int used = 0;
    if (sscanf(line, "%511s%n", name, &used) != 1)
        return false;
    for (int i = 0; i < 4; i++) {
        int more = 0;
        if (sscanf(line + used, " %" SCNu64 " %" SCNu64 " %*s%n", &n[i], &missed[i], &more) != 2 ||
            !more)
            return false;
        used += more;
    }
    row->name = hd_text_format("%s", name);
    row->functions = (hd_cover_numbers){1, missed[1] < n[1]};
    hd_cover_numbers *into[] = {&row->regions, &row->lines, &row->branches, &row->mcdc};
    for (int i = 0; i < 4; i++)
        *into[i] = (hd_cover_numbers){n[i], n[i] - missed[i]};
    return true;
}

static void take_lines(hd_cover_report *r, char *text) {
    char *file = NULL;
    for (char *line; (line = strsep(&text, "\n"));) {
        hd_cover_row row = {0};
        if (strncmp(line, "File '", 6) == 0) {
            free(file);
            file = hd_text_format("%.*s", (int)strcspn(line + 6, "'"), line + 6);
        } else if (strncmp(line, "TOTAL ", 6) != 0 && take_function(&row, line)) {
            row.file = hd_text_format("%s", file ? file : "");
            hd_vec_push(&r->functions, row);
        }
    }
    free(file);
}

static bool read_functions(hd_cover_report *r, const hd_profile *p, hd_err *err) {
    tool_words w = {0};
    hd_text text = {0};
    if (r->files.n == 0)
        return true;
    add_word(&w, "", "llvm-cov-19");
    add_word(&w, "", "report");
    add_word(&w, "", "-show-functions");
    add_word(&w, "", "-show-mcdc-summary");
    add_objects(&w, p);
    for (size_t i = 0; i < r->files.n; i++)
        add_word(&w, "", r->files.at[i].name);
    bool ok = read_tool(p, &w, &text, err);
    if (ok && text.n)
        take_lines(r, text.at);
    hd_text_release(&text);
    return ok;
}

bool hd_cover_report_read(hd_cover_report *r, const hd_profile *p, hd_err *err) {
    *r = (hd_cover_report){0};
    if (read_files(r, p, err) && read_functions(r, p, err))
        return true;
    hd_cover_report_release(r);
    return false;
}

static void release_rows(hd_cover_row *rows, size_t n) {
    for (size_t i = 0; i < n; i++) {
        free(rows[i].name);
        free(rows[i].file);
    }
}

void hd_cover_report_release(hd_cover_report *r) {
    release_rows(r->files.at, r->files.n);
    release_rows(r->functions.at, r->functions.n);
    hd_vec_release(&r->files);
    hd_vec_release(&r->functions);
}

/* ---- source, lcov ---- */

bool hd_cover_show_source(const hd_profile *p, hd_err *err) {
    tool_words w = {0};
    add_word(&w, "", "llvm-cov-19");
    add_word(&w, "", "show");
    add_word(&w, "", "-show-branches=count");
    add_word(&w, "", "-show-mcdc");
    add_word(&w, "", "-use-color=0");
    add_objects(&w, p);
    return run_tool(&w, STDOUT_FILENO, err);
}

bool hd_cover_write_lcov(const hd_profile *p, const char *path, hd_err *err) {
    tool_words w = {0};
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return hd_err_set(err, "cannot write '%s': %s", path, strerror(errno));
    add_word(&w, "", "llvm-cov-19");
    add_word(&w, "", "export");
    add_word(&w, "", "-format=lcov");
    add_objects(&w, p);
    bool ok = run_tool(&w, fd, err);
    return close(fd) == 0 && ok;
}
