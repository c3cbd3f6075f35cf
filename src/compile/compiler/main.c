/* main.c -- heddle-compile: C sources to a module directory.  Started by hd_compile() only.
 *
 *     heddle-compile --output=DIR [--function=F] [--checks=LIST] [--allow=LIST] [--kept=DIR]
 * [--option=X]... SOURCE... heddle-compile --output=DIR ... --program=NAME [--option=X]...
 * SOURCE... --program=NAME ...
 *
 * Options before the first --program are for all of them, --source-option=X is for the next
 * source; --kept is where files of the last time
 * are (kept_files.c), and new ones are DIR/kept-....
 *
 * Writes DIR/image, DIR/types, DIR/imports and DIR/dependencies (with -fcoverage-mapping also
 * DIR/counted, DIR/labels and DIR/mapping0.o, ...) and exits with status 0; or DIR/error (a
 * sentence and a hint, one line each; not if clang has said what is wrong) and status 2. */
#include "compile/compiler/build.h"
#include "program/module_fingerprint.h"

#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
/* heddle-compile lives for one module; what it allocates is given back by its end. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "detect_leaks=0";
}
#endif

static const char *output_directory;

/* hd_compile() shows the sentence; by hand, it goes to standard error. */
static FILE *open_errors(void) {
    char path[PATH_MAX];
    if (!output_directory)
        return stderr;
    snprintf(path, sizeof path, "%s/error", output_directory);
    FILE *file = fopen(path, "w");
    return file ? file : stderr;
}

void hd_fail(const char *hint, const char *format, ...) {
    va_list arguments;
    FILE *out = open_errors();
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fprintf(out, "\n%s\n", hint ? hint : "");
    fclose(out);
    exit(2);
}

static const char *value_of(const char *argument, const char *name) {
    size_t n = strlen(name);
    return strncmp(argument, name, n) == 0 ? argument + n : NULL;
}

static hd_build_program *add_program(hd_build *b, const char *name) {
    hd_vec_push(&b->programs, ((hd_build_program){.name = name, .first = b->sources.n}));
    return &b->programs.at[b->programs.n - 1];
}

/* The file's name without folder and suffix. */
static const char *name_of_source(const char *source) {
    const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;
    return hd_text_format("%.*s", (int)strcspn(base, "."), base);
}

static void add_source(hd_build *b, const char *source) {
    if (b->programs.n == 0)
        add_program(b, name_of_source(source));
    b->programs.at[b->programs.n - 1].n++;
    hd_vec_push(&b->sources, source);
}

static void add_option(hd_build *b, const char *option) {
    hd_vec_push(b->programs.n ? &b->programs.at[b->programs.n - 1].options : &b->options, option);
}

static bool is_complete(const hd_build *b) {
    for (size_t n = 0; n < b->programs.n; n++)
        if (b->programs.at[n].n == 0)
            return false;
    return b->output && b->programs.n && (b->programs.n == 1 || !b->function);
}

static void read_arguments(hd_build *b, int argc, char **argv) {
    b->checks = "all";
    for (int n = 1; n < argc; n++) {
        const char *value;
        if ((value = value_of(argv[n], "--output=")))
            b->output = output_directory = value;
        else if ((value = value_of(argv[n], "--function=")))
            b->function = value;
        else if ((value = value_of(argv[n], "--checks=")))
            b->checks = value;
        else if ((value = value_of(argv[n], "--allow=")))
            b->allow = value;
        else if ((value = value_of(argv[n], "--kept=")))
            b->kept = value;
        else if ((value = value_of(argv[n], "--option=")))
            add_option(b, value);
        else if ((value = value_of(argv[n], "--source-option=")))
            hd_vec_push(&b->own, ((hd_source_option){b->sources.n, value}));
        else if ((value = value_of(argv[n], "--program=")))
            add_program(b, value);
        else
            add_source(b, argv[n]);
    }
    if (!is_complete(b))
        hd_fail("this program is started by 'heddle'", "heddle-compile needs --output and sources");
}

/* The fast paths lie beside this program; heddle.h in include/ here or one or two levels up. */
static void find_resources(hd_build *b) {
    static const char *const places[] = {"include", "../include", "../../include"};
    static char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0)
        hd_fail("mount /proc", "cannot find heddle-compile's own directory");
    self[n] = '\0';
    b->resources = dirname(self);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        hd_text header = {0};
        hd_text_add(&header, "%s/%s/heddle.h", b->resources, places[k]);
        if (access(hd_text_string(&header), R_OK) == 0)
            hd_text_add(&b->include, "%s/%s", b->resources, places[k]);
        hd_text_release(&header);
        if (b->include.n)
            return;
    }
    hd_fail("install Heddle again", "cannot find heddle.h near '%s'", b->resources);
}

static void init_types(hd_build *b) {
    b->context = LLVMContextCreate();
    b->builder = LLVMCreateBuilderInContext(b->context);
    b->void_type = LLVMVoidTypeInContext(b->context);
    b->i1 = LLVMInt1TypeInContext(b->context);
    b->i8 = LLVMInt8TypeInContext(b->context);
    b->i32 = LLVMInt32TypeInContext(b->context);
    b->i64 = LLVMInt64TypeInContext(b->context);
    b->pointer = LLVMPointerTypeInContext(b->context, 0);
}

int main(int argc, char **argv) {
    static hd_build build;
    hd_build *b = &build;
    hd_strings objects = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody waits for a module any more */
    read_arguments(b, argc, argv);
    hd_phases_show();
    find_resources(b);
    hd_build_confine(b);
    init_types(b);
    hd_target_init(b);
    hd_phase_begin("clang");
    hd_frontend_run(b);
    hd_phase_begin("preparing");
    hd_counts_number(b);
    hd_prepare_run(b);
    hd_phase_begin("instrumenting");
    hd_globals_pad(b);
    hd_instrument_run(b);
    hd_sites_define(b);
    hd_counts_lower(b);
    hd_globals_define(b);
    hd_optimize_run(b, &objects);
    hd_phase_begin("linking");
    hd_image_link(b, &objects);
    for (size_t n = 0; n < objects.n; n++)
        unlink(objects.at[n]);
    hd_typeinfo_write(b);
    hd_err err;
    if (!hd_module_fingerprint(b->output, &err))
        hd_fail("check the disk", "%s", err.message);
    hd_phase_begin("");
    return 0;
}
