/* given_files.c -- what compiling may read: the sources, what options name, the system's headers,
 * and what a user opens.
 *
 * A source is as hostile as the program: it includes what it likes, also as data (.incbin), and
 * options of a scenario make clang load code.  So this process and those that it starts are
 * confined before the first line is read (confine/confine.h): a file that was not given is one that
 * cannot be read. */
#include "compile/compiler/build.h"
#include "compile/flag.h"
#include "confine/confine.h"

#include <libgen.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* Both where it is said to be and where it is. */
static void give_folder_of(const char *file, hd_strings *given) {
    char real[PATH_MAX];
    char *name = hd_text_format("%s", file);
    hd_vec_push(given, hd_text_format("%s", dirname(name)));
    free(name);
    if (!realpath(file, real))
        return;
    hd_vec_push(given, hd_text_format("%s", real));
    hd_vec_push(given, hd_text_format("%s", dirname(real)));
}

/* Folders in which many people or many things live: what lies beside a project is no part of it. */
static bool is_common(const char *folder) {
    static const char *const common[] = {"/",    "/home", "/root", "/tmp", "/var", "/var/tmp",
                                         "/etc", "/usr",  "/opt",  "/srv", "/mnt", "/media",
                                         "/run", "/proc", "/sys",  "/dev", "/boot"};
    const char *home = getenv("HOME");
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        if (strcmp(folder, common[i]) == 0)
            return true;
    return home && strcmp(folder, home) == 0;
}

enum { LEVELS = 4 };

static bool is_repository(const char *folder) {
    char *git = hd_text_format("%s/.git", folder);
    bool yes = access(git, F_OK) == 0;
    free(git);
    return yes;
}

/* The project that a source belongs to, because sources include headers from folders beside their
 * own
 * ("../include/x.h"): the repository, or some folders up, but never a common one. */
static void give_project_of(const char *file, hd_strings *given) {
    char real[PATH_MAX], above[PATH_MAX];
    if (!realpath(file, real) || is_common(dirname(real)))
        return;
    for (int i = 0; i < LEVELS && !is_repository(real); i++) {
        if (is_common(dirname(strcpy(above, real))))
            break;
        dirname(real);
    }
    hd_vec_push(given, hd_text_format("%s", real));
}

/* The value of an option may be its rest, or the next word. */
static void give_options(const hd_strings *options, hd_strings *given) {
    for (size_t n = 0; n < options->n; n++) {
        const hd_compiler_flag *flag = hd_compiler_flag_find(options->at[n]);
        if (!flag || !flag->is_path)
            continue;
        const char *rest = options->at[n] + strlen(flag->prefix);
        if (*rest)
            hd_vec_push(given, rest);
        else if (n + 1 < options->n)
            hd_vec_push(given, options->at[++n]);
    }
}

/* "-include FILE" names a file, whose own headers may lie beside it. */
static void give_files_of_options(const hd_strings *options, hd_strings *given) {
    for (size_t n = 0; n + 1 < options->n; n++)
        if (strcmp(options->at[n], "-include") == 0 || strcmp(options->at[n], "-imacros") == 0)
            give_folder_of(options->at[n + 1], given);
}

static void give_own_options(const hd_build *b, hd_strings *given) {
    hd_strings all = {0};
    for (size_t n = 0; n < b->own.n; n++)
        hd_vec_push(&all, b->own.at[n].option);
    give_options(&all, given);
    give_files_of_options(&all, given);
    hd_vec_release(&all);
}

static void give_list(const char *list, hd_strings *given) {
    for (; list && *list; list += strcspn(list, ":"), list += *list == ':')
        if (*list != ':')
            hd_vec_push(given, hd_text_format("%.*s", (int)strcspn(list, ":"), list));
}

/* The folder above the one that a program is in: there are its libraries. */
static void give_program(const char *name, hd_strings *given) {
    char real[PATH_MAX];
    hd_strings folders = {0};
    give_list(getenv("PATH"), &folders);
    for (size_t n = 0; n < folders.n; n++) {
        char *path = hd_text_format("%s/%s", folders.at[n], name);
        bool is_here = access(path, X_OK) == 0 && realpath(path, real);
        free(path);
        if (!is_here)
            continue;
        hd_vec_push(given, hd_text_format("%s", dirname(dirname(real))));
        break;
    }
    hd_vec_release(&folders);
}

static void list_given(const hd_build *b, hd_strings *given) {
    char here[PATH_MAX];
    if (getcwd(here, sizeof here))
        hd_vec_push(given, hd_text_format("%s", here));
    if (b->kept)
        hd_vec_push(given, b->kept);
    hd_vec_push(given, b->resources);
    hd_vec_push(given, hd_text_string(&b->include));
    for (size_t n = 0; n < b->sources.n; n++) {
        give_folder_of(b->sources.at[n], given);
        give_project_of(b->sources.at[n], given);
    }
    give_options(&b->options, given);
    give_files_of_options(&b->options, given);
    give_own_options(b, given);
    for (size_t n = 0; n < b->programs.n; n++) {
        give_options(&b->programs.at[n].options, given);
        give_files_of_options(&b->programs.at[n].options, given);
    }
    give_list(getenv("CPATH"), given);
    give_list(getenv("C_INCLUDE_PATH"), given);
    give_program("clang-19", given);
    give_program("ld", given);
    hd_vec_push(given, NULL);
}

void hd_build_confine(const hd_build *b) {
    hd_err err;
    hd_allowed allowed = {0};
    hd_strings given = {0};
    list_given(b, &given);
    hd_confines c = {.allowed = &allowed, .given = given.at};
    if (!hd_allowed_parse(&allowed, b->allow, ".", &err) ||
        !hd_confine_compiler(&c, b->output, &err))
        hd_fail(NULL, "%s", err.message);
    hd_allowed_release(&allowed);
    hd_vec_release(&given);
}
