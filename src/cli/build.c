/* heddle build -- compile a program into a module, to be run later or many times. */
#include "base/text.h"
#include "cli/cli.h"
#include "cli/given_program.h"
#include "compile/checks.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct build_values {
    const char *function, *checks, *output, *allow;
} build_values;

static const hd_option options[] = {
    {"function", 0, HD_OPTION_TEXT, offsetof(build_values, function), "NAME",
     "test this function: its arguments are the inputs, no main is needed", NULL, false},
    {"checks", 0, HD_OPTION_TEXT, offsetof(build_values, checks), "LIST",
     "compiled-in checks: " HD_CHECK_WORDS, NULL, false},
    {"output", 'o', HD_OPTION_TEXT, offsetof(build_values, output), "DIR",
     "where to put the module (default: it stays in the cache)", NULL, false},
    {"allow", 0, HD_OPTION_TEXT, offsetof(build_values, allow), "LIST",
     "what may be read beside the sources and headers: read=PATH, or all", NULL, false},
};
static const hd_option_table table = {options, sizeof options / sizeof *options, true, false};

static bool fail_at(const char *what, const char *path, hd_err *err) {
    hd_err_set(err, "cannot %s '%s': %s", what, path, strerror(errno));
    return hd_err_hint(err, "choose another place with '-o DIR', or make room there");
}

static bool copy_file(const char *from, const char *to, hd_err *err) {
    hd_text bytes = {0};
    if (!hd_text_read_file(&bytes, from)) {
        hd_text_release(&bytes);
        return fail_at("read", from, err);
    }
    FILE *out = fopen(to, "wb");
    bool written = out && fwrite(bytes.at, 1, bytes.n, out) == bytes.n;
    if (out && fclose(out) != 0)
        written = false;
    hd_text_release(&bytes);
    return written || fail_at("write", to, err);
}

static bool copy_entry(const char *from, const char *to, const char *name, hd_err *err) {
    char *source = hd_text_format("%s/%s", from, name);
    char *target = hd_text_format("%s/%s", to, name);
    struct stat status;
    bool copied =
        stat(source, &status) != 0 || !S_ISREG(status.st_mode) || copy_file(source, target, err);
    free(source);
    free(target);
    return copied;
}

static bool copy_files(const char *from, const char *to, hd_err *err) {
    DIR *directory = opendir(from);
    if (!directory)
        return fail_at("read", from, err);
    bool copied = true;
    for (struct dirent *e; copied && (e = readdir(directory));)
        copied = copy_entry(from, to, e->d_name, err);
    closedir(directory);
    return copied;
}

static void remove_module(const char *path) {
    DIR *directory = opendir(path);
    if (!directory)
        return;
    for (struct dirent *e; (e = readdir(directory));)
        unlinkat(dirfd(directory), e->d_name, 0);
    closedir(directory);
    rmdir(path);
}

/* May `path` be replaced?  Only if it is nothing, empty, or a module itself. */
static bool check_target(const char *path, hd_err *err) {
    struct stat status;
    if (lstat(path, &status) != 0 || hd_program_is_module(path))
        return true;
    if (S_ISDIR(status.st_mode) && rmdir(path) == 0)
        return true;
    hd_err_set(err, "'%s' exists and is not a module of Heddle", path);
    return hd_err_hint(err, "choose another place with '-o DIR'");
}

/* The copy is made aside and renamed, so that an old module survives a failure. */
static bool place_module(const char *from, const char *to, hd_err *err) {
    if (!check_target(to, err))
        return false;
    size_t length = strlen(to);
    while (length > 1 && to[length - 1] == '/')
        length--;
    char *aside = hd_text_format("%.*s.new-%d", (int)length, to, (int)getpid());
    bool placed = mkdir(aside, 0777) == 0 || fail_at("make the directory", aside, err);
    placed = placed && copy_files(from, aside, err);
    if (placed) {
        remove_module(to);
        placed = rename(aside, to) == 0 || fail_at("make the directory", to, err);
    }
    if (!placed)
        remove_module(aside);
    free(aside);
    return placed;
}

static bool refuse_to_lose(hd_err *err) {
    hd_err_set(err, "the program was compiled, but there is no cache that could keep the module");
    return hd_err_hint(err, "name a place for it with '-o DIR', or set HEDDLE_CACHE to a directory "
                            "that can be written");
}

static int build_program(const build_values *v, const hd_arguments *a) {
    hd_compile_result module = {0};
    hd_err err;
    if (!hd_program_find(a, v->function, v->checks, v->allow, &module, &err))
        return hd_cli_fail(&err);
    if ((v->output && !place_module(module.directory, v->output, &err)) ||
        (!v->output && module.is_temporary && !refuse_to_lose(&err)))
        return hd_cli_fail(&err);
    hd_program_note_refused(&module, NULL);
    const char *place = v->output ? v->output : module.directory;
    hd_print(stdout, "module: %s%s\nrun it with: heddle run %s\n", place,
             module.was_cached ? " (not changed since it was built)" : "", place);
    return HD_EXIT_CLEAN;
}

static int run(int argc, char **argv) {
    build_values values = {0};
    hd_arguments arguments = {0};
    hd_err err;
    int status = hd_options_parse(&table, argc, argv, &values, &arguments, &err)
                     ? build_program(&values, &arguments)
                     : hd_cli_fail(&err);
    hd_arguments_release(&arguments);
    return status;
}

const hd_command hd_command_build = {
    "build",
    "compile a program without running it",
    "build [OPTIONS] FILE.c... [-o DIR]",
    "Compiles the files into a module and says where it is; 'heddle run' accepts that\n"
    "directory in place of the files.  Options for clang are the same as for 'heddle run'.",
    &table,
    run,
};
