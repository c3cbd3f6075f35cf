/* Programs: files and flags of entries, relative to the scenario's folder, each listed once. */
#include "scenario/scenario_int.h"

#include "compile/flag.h"

#include "base/panic.h"
#include "program/recorded_units.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A path of the scenario as seen from here. */
char *hd_scenario_locate(const hd_reader *r, const char *path) {
    const char *slash = strrchr(r->scenario->path, '/');
    if (path[0] == '/' || !slash)
        return hd_text_format("%s", path);
    return hd_text_format("%.*s%s", (int)(slash + 1 - r->scenario->path), r->scenario->path, path);
}

static bool is_source(const char *path) {
    static const char *const suffixes[] = {".c", ".i", ".bc", ".ll"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
        if (strcmp(dot, suffixes[i]) == 0)
            return true;
    return false;
}

/* Programs, object files and archives that 'heddle cc' has made stand for their sources. */
static bool check_source(hd_reader *r, const hd_piece *word) {
    char *path = hd_scenario_locate(r, word->text);
    if (!is_source(word->text) && !hd_recorded_units_are_in(path)) {
        free(path);
        hd_reader_fail(r, word->at, "expected a C source file, found '%.200s'", word->text);
        return hd_err_hint(r->err, "files end in .c, .i, .bc or .ll, or were made by 'heddle cc'; "
                                   "arguments have a key of their own");
    }
    struct stat status;
    bool exists = stat(path, &status) == 0 && access(path, R_OK) == 0;
    bool is_file = exists && S_ISREG(status.st_mode);
    if (!is_file) {
        hd_reader_fail(r, word->at, "cannot read the program '%.200s': %s", path,
                       exists ? "it is no file" : strerror(errno));
        hd_err_hint(r->err, "names of files start in the folder of the scenario");
    }
    free(path);
    return is_file;
}

static bool check_flags(hd_reader *r, const hd_pieces *flags) {
    for (size_t i = 0; i < flags->n; i++) {
        const hd_piece *word = &flags->at[i];
        const hd_compiler_flag *f = hd_compiler_flag_find(word->text);
        if (!f) {
            hd_reader_fail(r, word->at, "expected an option for clang, found '%.200s'", word->text);
            return hd_err_hint(r->err, "these are passed on: -I -D -U -O -std= -W -f -m -g "
                                       "-include -isystem");
        }
        if (f->separate && strcmp(word->text, f->prefix) == 0 && ++i == flags->n) {
            hd_reader_fail(r, word->at, "option '%s' needs a value", word->text);
            return hd_err_hint(r->err, "write '%s VALUE'", word->text);
        }
    }
    return true;
}

bool hd_program_check_entry(hd_reader *r, const hd_node_entry *e) {
    for (size_t i = 0; i < e->program.n; i++)
        if (!check_source(r, &e->program.at[i]))
            return false;
    return check_flags(r, &e->flags);
}

/* Folders and files in flags start in the scenario's folder too. */
static void take_flags(const hd_reader *r, const hd_pieces *flags, hd_word_list *into) {
    for (size_t i = 0; i < flags->n; i++) {
        const char *text = flags->at[i].text;
        const hd_compiler_flag *f = hd_compiler_flag_find(text);
        bool is_apart = f->separate && strcmp(text, f->prefix) == 0;
        const char *value = is_apart ? flags->at[++i].text : text + strlen(f->prefix);
        char *path = f->is_path ? hd_scenario_locate(r, value) : hd_text_format("%s", value);
        if (is_apart) {
            hd_vec_push(into, hd_text_format("%s", text));
            hd_vec_push(into, path);
        } else {
            hd_vec_push(into, hd_text_format("%s%s", f->prefix, path));
            free(path);
        }
    }
}

static char *name_of(const char *source) {
    const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;
    const char *dot = strrchr(base, '.');
    return hd_text_format("%.*s", dot > base ? (int)(dot - base) : (int)strlen(base), base);
}

static bool is_same_list(const hd_word_list *a, const hd_word_list *b) {
    bool is_same = a->n == b->n;
    for (size_t i = 0; is_same && i < a->n; i++)
        is_same = strcmp(a->at[i], b->at[i]) == 0;
    return is_same;
}

static void release_list(hd_word_list *list) {
    for (size_t i = 0; i < list->n; i++)
        free(list->at[i]);
    hd_vec_release(list);
}

/* The number of the program; `made` is kept or released. */
static uint32_t intern(hd_scenario *s, hd_scenario_program made) {
    for (uint32_t i = 0; i < s->programs.n; i++)
        if (is_same_list(&s->programs.at[i].sources, &made.sources) &&
            is_same_list(&s->programs.at[i].flags, &made.flags)) {
            free(made.name);
            release_list(&made.sources);
            release_list(&made.flags);
            return i;
        }
    HD_INVARIANT(S2, s->programs.n < s->nodes.n); /* each has a node that first uses it */
    hd_vec_push(&s->programs, made);
    return (uint32_t)s->programs.n - 1;
}

void hd_programs_assign(hd_reader *r) {
    for (size_t n = 0; n < r->scenario->nodes.n; n++) {
        const hd_node_entry *e = &r->entries.at[r->origins.at[n].entry];
        hd_scenario_program made = {.name = name_of(e->program.at[0].text)};
        for (size_t i = 0; i < e->program.n; i++)
            hd_vec_push(&made.sources, hd_scenario_locate(r, e->program.at[i].text));
        take_flags(r, &e->flags, &made.flags);
        r->scenario->nodes.at[n].program = intern(r->scenario, made);
    }
    HD_INVARIANT(S1, r->scenario->nodes.at[0].program == 0);
}
