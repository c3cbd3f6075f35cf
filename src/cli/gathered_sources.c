/* From files to sources, each with its own options. */
#include "cli/gathered_sources.h"

#include "base/shown.h"
#include "base/text.h"
#include "program/recorded_units.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void add_source(hd_gathered_sources *g, char *path, hd_option_list options) {
    hd_vec_push(&g->paths, path);
    hd_vec_push(&g->options, options);
}

/* Places in stories and findings are told by the path that clang is given. */
static char *path_from_here(const hd_recorded_unit *u) {
    char here[PATH_MAX];
    char *path = *u->source == '/' ? hd_text_format("%s", u->source)
                                   : hd_text_format("%s/%s", u->directory, u->source);
    char *real = realpath(path, NULL);
    size_t n = real && getcwd(here, sizeof here) ? strlen(here) : 0;
    bool is_inside = n > 1 && strncmp(real, here, n) == 0 && real[n] == '/';
    char *made = hd_text_format("%s", is_inside ? real + n + 1 : real ? real : path);
    free(real);
    free(path);
    return made;
}

static bool is_newer(const char *source, const char *program) {
    struct stat a, b;
    return stat(source, &a) == 0 && stat(program, &b) == 0 && a.st_mtime > b.st_mtime;
}

static void note_newer(const char *source, const char *program) {
    if (is_newer(source, program))
        hd_print(stderr, "heddle: note: '%s' is newer than '%s': it is explored as it is now\n",
                 source, program);
}

static bool gather_unit(hd_gathered_sources *g, const hd_recorded_unit *u, const char *file,
                        hd_err *err) {
    char *path = path_from_here(u);
    hd_option_list options = {0};
    if (access(path, R_OK) != 0) {
        hd_err_set(err, "cannot read '%s', which '%s' was made of: %s", path, file,
                   strerror(errno));
        free(path);
        return hd_err_hint(err, "build the program here, and keep sources that the build makes");
    }
    note_newer(path, file);
    hd_recorded_options(u->command, u->directory, &options);
    add_source(g, path, options);
    return true;
}

static bool gather_units(hd_gathered_sources *g, const hd_recorded_units *units, const char *file,
                         hd_err *err) {
    size_t before = g->paths.n;
    for (size_t i = 0; i < units->n; i++) {
        const hd_recorded_unit *u = &units->at[i];
        if (!u->command || !u->is_c)
            hd_text_add(&g->others, "%s'%s'", g->others.n ? ", " : "", u->source);
        else if (!gather_unit(g, u, file, err))
            return false;
    }
    if (g->paths.n > before)
        return true;
    hd_err_set(err, "'%s' does not say what it was made of", file);
    return hd_err_hint(err, "build it with 'heddle cc' as the compiler (make CC='heddle cc'), and "
                            "do not strip it");
}

static bool gather_file(hd_gathered_sources *g, const char *file, hd_err *err) {
    if (!hd_recorded_units_are_in(file)) {
        add_source(g, hd_text_format("%s", file), (hd_option_list){0});
        return true;
    }
    hd_recorded_units units = {0};
    bool ok = hd_recorded_units_read(&units, file, err) && gather_units(g, &units, file, err);
    hd_recorded_units_release(&units);
    return ok;
}

bool hd_sources_gather(hd_gathered_sources *g, const char *const *files, size_t n, hd_err *err) {
    *g = (hd_gathered_sources){0};
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++)
        ok = gather_file(g, files[i], err);
    if (ok && g->others.n)
        hd_print(stderr,
                 "heddle: note: not gathered, because 'heddle cc' has not compiled them from C: "
                 "%s\n",
                 hd_text_string(&g->others));
    for (size_t i = 0; i < g->options.n; i++) {
        const hd_option_list *own = &g->options.at[i];
        hd_vec_push(&g->of_sources, ((hd_source_options){(const char *const *)own->at, own->n}));
    }
    return ok;
}

void hd_gathered_sources_release(hd_gathered_sources *g) {
    for (size_t i = 0; i < g->paths.n; i++) {
        free(g->paths.at[i]);
        hd_option_list_release(&g->options.at[i]);
    }
    hd_vec_release(&g->paths);
    hd_vec_release(&g->options);
    hd_vec_release(&g->of_sources);
    hd_text_release(&g->others);
}
