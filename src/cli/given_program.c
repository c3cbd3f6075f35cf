/* From the files of a command line to a module.  Everything that can be said about them
 * without a compiler is said here, in one sentence; the rest is clang's own message. */
#include "cli/given_program.h"

#include "base/hash.h"
#include "base/shown.h"
#include "base/text.h"
#include "cli/gathered_sources.h"
#include "cli/time_left.h"
#include "machine/module.h"
#include "program/functions.h"
#include "program/recorded_units.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool exists_in(const char *directory, const char *name) {
    char *path = hd_text_format("%s/%s", directory, name);
    bool exists = access(path, F_OK) == 0;
    free(path);
    return exists;
}

bool hd_program_is_module(const char *path) {
    return exists_in(path, "image");
}

bool hd_program_is_source(const char *path) {
    static const char *const suffixes[] = {".c", ".i", ".bc", ".ll", NULL};
    const char *dot = strrchr(path, '.');
    for (const char *const *s = suffixes; dot && *s; s++)
        if (strcmp(dot, *s) == 0)
            return true;
    return false;
}

/* libtool writes a script where one expects the program. */
static bool no_source(const char *path, hd_err *err) {
    char first[2] = {0};
    FILE *file = fopen(path, "rb");
    bool is_script = file && fread(first, 1, 2, file) == 2 && memcmp(first, "#!", 2) == 0;
    if (file)
        fclose(file);
    hd_err_set(err, is_script ? "'%s' is a script" : "'%s' is not a C source file", path);
    if (is_script)
        return hd_err_hint(err, "libtool keeps the program itself in a folder '.libs' beside it");
    return hd_err_hint(err, "files end in .c, .i, .bc or .ll, or were made by 'heddle cc'; "
                            "arguments of the program come after '--'");
}

static bool check_source(const char *path, hd_err *err) {
    struct stat status;
    if (stat(path, &status) != 0 || access(path, R_OK) != 0) {
        hd_err_set(err, "cannot read '%s': %s", path, strerror(errno));
        return hd_err_hint(err, "name a C source file that exists and may be read");
    }
    if (S_ISDIR(status.st_mode)) {
        hd_err_set(err, "'%s' is a directory without a module in it", path);
        if (exists_in(path, "run.db"))
            return hd_err_hint(err, "it holds a run: go on with 'heddle run --resume %s'", path);
        return hd_err_hint(err, "name C source files, or make a module with 'heddle build'");
    }
    return hd_program_is_source(path) || hd_recorded_units_are_in(path) || no_source(path, err);
}

/* A built module has no sources beside it: it is known by its bytes. */
static bool use_module(const char *path, hd_compile_result *module, hd_err *err) {
    char *image = hd_text_format("%s/image", path);
    hd_text bytes = {0};
    bool was_read = hd_text_read_file(&bytes, image);
    if (was_read) {
        snprintf(module->directory, sizeof module->directory, "%s", path);
        module->hash = hd_hash_bytes(1, bytes.at, bytes.n);
        module->was_cached = true;
    } else {
        hd_err_set(err, "cannot read the module '%s': %s", image, strerror(errno));
        hd_err_hint(err, "make it again with 'heddle build'");
    }
    hd_text_release(&bytes);
    free(image);
    return was_read;
}

static bool find_built(const hd_arguments *a, const char *function, const char *checks,
                       hd_compile_result *module, hd_err *err) {
    if (function || checks || a->compiler.n) {
        hd_err_set(err, "'%s' is a built module: option '%s' has no effect on it", a->files.at[0],
                   function ? "--function"
                   : checks ? "--checks"
                            : a->compiler.at[0]);
        return hd_err_hint(err, "give that option to 'heddle build'");
    }
    return use_module(a->files.at[0], module, err);
}

bool hd_program_find(const hd_arguments *a, const char *function, const char *checks,
                     const char *allow, hd_compile_result *module, hd_err *err) {
    if (a->files.n == 0) {
        hd_err_set(err, "no program given");
        return hd_err_hint(err, "name its source files: 'heddle run FILE.c'");
    }
    if (a->files.n == 1 && hd_program_is_module(a->files.at[0]))
        return find_built(a, function, checks, module, err);
    for (size_t i = 0; i < a->files.n; i++)
        if (!check_source(a->files.at[i], err))
            return false;
    hd_gathered_sources gathered;
    hd_compile_request request = {.options = a->compiler.at,
                                  .n_options = a->compiler.n,
                                  .function = function,
                                  .checks = checks,
                                  .allow = allow,
                                  .deadline = hd_time_deadline()};
    bool ok = hd_sources_gather(&gathered, a->files.at, a->files.n, err);
    request.sources = (const char *const *)gathered.paths.at;
    request.n_sources = gathered.paths.n;
    request.of_sources = gathered.of_sources.at;
    ok = ok && hd_compile(&request, module, err);
    hd_gathered_sources_release(&gathered);
    return ok;
}

/* What the child found out. */
typedef struct load_answer {
    bool was_loaded, is_threaded;
    hd_err err;
} load_answer;

static void try_to_load(const char *directory, int channel) {
    hd_module module = {0};
    load_answer a = {0};
    a.was_loaded = hd_module_load(&module, directory, &a.err);
    a.is_threaded = a.was_loaded && module.image->is_threaded;
    _exit(write(channel, &a, sizeof a) == (ssize_t)sizeof a ? 0 : 1);
}

bool hd_program_check(const hd_compile_result *module, bool *is_threaded, hd_err *err) {
    int channel[2];
    if (pipe(channel) != 0)
        return hd_err_set(err, "cannot make a pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0)
        try_to_load(module->directory, channel[1]);
    close(channel[1]);
    load_answer a = {.was_loaded = true};
    if (child > 0 && read(channel[0], &a, sizeof a) != (ssize_t)sizeof a)
        a = (load_answer){.was_loaded = true}; /* the worker will say what is wrong */
    close(channel[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    *is_threaded = a.is_threaded;
    if (!a.was_loaded)
        *err = a.err;
    return a.was_loaded;
}

/* ---- calls that will be refused ---- */

static bool is_in_list(const char *list, const char *name) {
    size_t n = strlen(name);
    for (const char *at = list ? strstr(list, name) : NULL; at; at = strstr(at + 1, name))
        if ((at == list || at[-1] == ',') && (at[n] == ',' || at[n] == '\0'))
            return true;
    return false;
}

/* Names of functions, by what can be done about them. */
typedef struct refusals {
    hd_text unknown, refused;
} refusals;

/* A row that refuses a function is not opened by --external (T1). */
static void look_at_import(refusals *r, const char *name, const char *external) {
    const hd_function *row = hd_function_find(name);
    bool is_own = strncmp(name, "__hd_", 5) == 0; /* defined in the image itself */
    hd_text *to = !row ? &r->unknown : row->kind == HD_FUNCTION_REFUSED ? &r->refused : NULL;
    if (*name && !is_own && to && (row || !is_in_list(external, name)))
        hd_text_add(to, "%s'%s'", to->n ? ", " : "", name);
}

static void print_refusals(const refusals *r) {
    static const char define[] = "hint: name a C file that defines it beside the program";
    if (r->unknown.n)
        hd_print(stderr,
                 "heddle: note: executions end where they call %s: no model\n"
                 "  %s, or let it run with '--external NAME'\n",
                 r->unknown.at, define);
    if (r->refused.n)
        hd_print(stderr,
                 "heddle: note: executions end where they call %s: refused, with '--external' too\n"
                 "  %s\n",
                 r->refused.at, define);
}

void hd_program_note_refused(const hd_compile_result *module, const char *external) {
    char *path = hd_text_format("%s/imports", module->directory);
    hd_text text = {0};
    refusals r = {0};
    bool was_read = hd_text_read_file(&text, path);
    free(path);
    for (char *rest = was_read ? text.at : NULL, *name; (name = strsep(&rest, "\n"));)
        look_at_import(&r, name, external);
    print_refusals(&r);
    hd_text_release(&text);
    hd_text_release(&r.unknown);
    hd_text_release(&r.refused);
}
