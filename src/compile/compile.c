/* compile.c -- the cache first, heddle-compile second. */
#include "compile/compile.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "compile/compiling.h"
#include "compile/fallback.h"
#include "compile/module_cache.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef hd_vec(char *) arguments;

static void add_argument(arguments *a, const char *name, const char *value) {
    hd_vec_push(a, hd_text_format("%s%s", name, value));
}

static void add_arguments(arguments *a, const char *name, const char *const *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        add_argument(a, name, values[i]);
}

static void add_sources(arguments *a, const char *const *sources, const hd_source_options *own,
                        size_t n_sources) {
    for (size_t n = 0; n < n_sources; n++) {
        if (own)
            add_arguments(a, "--source-option=", own[n].at, own[n].n);
        add_argument(a, "", sources[n]);
    }
}

static void make_arguments(arguments *a, const hd_compile_request *request, const char *program,
                           const char *made, const char *kept) {
    add_argument(a, program, "");
    add_argument(a, "--output=", made);
    if (access(kept, R_OK | X_OK) == 0)
        add_argument(a, "--kept=", kept);
    if (request->function)
        add_argument(a, "--function=", request->function);
    if (request->checks)
        add_argument(a, "--checks=", request->checks);
    if (request->allow)
        add_argument(a, "--allow=", request->allow);
    add_arguments(a, "--option=", request->options, request->n_options);
    add_sources(a, request->sources, request->of_sources, request->n_sources);
    for (size_t n = 0; n < request->n_programs; n++) {
        const hd_compile_program *p = &request->programs[n];
        add_argument(a, "--program=", p->name);
        add_arguments(a, "--option=", p->options, p->n_options);
        add_sources(a, p->sources, p->of_sources, p->n_sources);
    }
    hd_vec_push(a, NULL);
}

static void release_arguments(arguments *a) {
    for (size_t n = 0; n < a->n; n++)
        free(a->at[n]);
    hd_vec_release(a);
}

/* heddle-compile leaves its sentence and hint in a file; clang has spoken for itself. */
static bool read_failure(const hd_compile_request *request, const char *made, hd_err *err) {
    hd_text path = {0}, text = {0};
    hd_text_add(&path, "%s/error", made);
    if (hd_text_read_file(&text, hd_text_string(&path)) && text.n) {
        char *hint = strchr(text.at, '\n');
        if (hint)
            *hint++ = '\0';
        hd_err_set(err, "%s", text.at);
        if (hint && *hint)
            hd_err_hint(err, "%.*s", (int)strcspn(hint, "\n"), hint);
    } else {
        bool is_more = request->n_sources > 1 || request->n_programs > 1;
        hd_err_set(err, "cannot compile '%s'%s",
                   request->n_programs ? request->programs[0].sources[0] : request->sources[0],
                   is_more ? " and the other sources" : "");
        hd_err_hint(
            err,
            "the messages above are from clang; what lies elsewhere needs '--allow read=PATH'");
    }
    hd_text_release(&path);
    hd_text_release(&text);
    return false;
}

/* Whoever asked for the end gets it as if nobody had listened. */
static void end_as_asked(int signal) {
    hd_fallback_remove();
    raise(signal);
}

static bool tell_end(const hd_compiling *r, const char *program, hd_err *err) {
    switch (r->end) {
    case HD_COMPILING_EXITED:
        return true;
    case HD_COMPILING_NOT_STARTED:
        return hd_err_set(err, "cannot start '%s': %s", program, strerror(r->code));
    case HD_COMPILING_LOST:
        return hd_err_set(err, "cannot wait for '%s': %s", program, strerror(r->code));
    case HD_COMPILING_INTERRUPTED:
        return hd_err_set(err, "interrupted while the program was compiled");
    case HD_COMPILING_TOO_LONG:
        hd_err_set(err, "the time was over before the program was compiled: nothing was tested");
        return hd_err_hint(err, "'--max-time' counts from the beginning of the command: give it "
                                "more, or compile with 'heddle build' first");
    case HD_COMPILING_KILLED:
        break;
    }
    hd_err_set(err, "'%s' was ended by signal %d", program, r->code);
    return hd_err_hint(err, "this is a bug of Heddle, or memory is short");
}

static bool run_compiler(const hd_compile_request *request, const char *made, const char *kept,
                         hd_compiling *r, hd_err *err) {
    hd_text program = {0};
    if (!hd_cache_find_part(&program, "heddle-compile")) {
        hd_text_release(&program);
        hd_err_set(err, "cannot find 'heddle-compile'");
        return hd_err_hint(err,
                           "it belongs beside 'heddle' or in ../libexec/heddle; build with 'make'");
    }
    arguments a = {0};
    make_arguments(&a, request, hd_text_string(&program), made, kept);
    *r = hd_compiling_wait(a.at, request->deadline);
    bool ok = tell_end(r, a.at[0], err);
    release_arguments(&a);
    hd_text_release(&program);
    return ok && (r->code == 0 || read_failure(request, made, err));
}

static bool check_sources(const char *const *sources, size_t n_sources, hd_err *err) {
    if (n_sources == 0) {
        hd_err_set(err, "there is no source file to compile");
        return hd_err_hint(err, "name at least one .c file");
    }
    for (size_t n = 0; n < n_sources; n++)
        if (access(sources[n], R_OK) != 0) {
            hd_err_set(err, "cannot read '%s': %s", sources[n], strerror(errno));
            return hd_err_hint(err, "check the name and the permissions");
        }
    return true;
}

static bool check_request(const hd_compile_request *request, hd_err *err) {
    bool ok = request->n_programs || check_sources(request->sources, request->n_sources, err);
    for (size_t n = 0; ok && n < request->n_programs; n++)
        ok = check_sources(request->programs[n].sources, request->programs[n].n_sources, err);
    return ok;
}

/* The cache if it can be written, else the directory for temporary files. */
static bool find_directory(hd_text *directory, hd_err *err) {
    return hd_cache_directory(directory) || hd_fallback_find(directory, err);
}

static double wall_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool make_new(char made[PATH_MAX], const char *directory, hd_err *err) {
    if (snprintf(made, PATH_MAX, "%s/new-XXXXXX", directory) < PATH_MAX && mkdtemp(made))
        return true;
    hd_err_set(err, "cannot make a directory in '%s': %s", directory, strerror(errno));
    return hd_err_hint(err, "set HEDDLE_CACHE to a directory that can be written");
}

static bool compile_into(const hd_compile_request *request, const char *directory, uint64_t key,
                         hd_compile_result *result, hd_err *err) {
    char made[PATH_MAX];
    hd_compiling compiling = {0};
    double started = wall_time();
    if (!make_new(made, directory, err))
        return false;
    hd_text kept = {0};
    hd_cache_kept(&kept, directory, key);
    bool ok = run_compiler(request, made, hd_text_string(&kept), &compiling, err);
    hd_text_release(&kept);
    if (!ok) {
        hd_cache_discard(made);
        if (compiling.end == HD_COMPILING_INTERRUPTED)
            end_as_asked(compiling.code);
        return false;
    }
    return hd_cache_store(directory, key, made, started, result, err);
}

/* Without room clang says a lot, and nothing of it helps. */
static bool compile_if_room(const hd_compile_request *request, const char *directory, uint64_t key,
                            hd_compile_result *result, hd_err *err) {
    if (hd_cache_has_room(directory) && compile_into(request, directory, key, result, err))
        return true;
    if (hd_cache_has_room(directory))
        return false;
    hd_err_set(err, "there is no room for a compiled module in '%s'", directory);
    return hd_err_hint(err, "make room there, or set HEDDLE_CACHE to a directory on another disk");
}

static bool is_too_late(const hd_compile_request *request) {
    return request->deadline > 0 && hd_clock_now() >= request->deadline;
}

/* A compiler that failed has cleared away what it wrote: whether that was too much is not seen any
 * more.  Where there was little room, it is tried once more where there may be more. */
static bool may_have_been_full(const char *directory) {
    return !hd_cache_has_room(directory) || hd_cache_is_scarce(directory);
}

/* Of a cache whose disk is full nothing is needed but what is in it. */
static bool compile_elsewhere(const hd_compile_request *request, hd_text *directory, uint64_t key,
                              hd_compile_result *result, hd_err *err) {
    hd_err before = *err;
    if (hd_fallback_find(directory, err))
        return compile_if_room(request, hd_text_string(directory), key, result, err);
    *err = before;
    return false;
}

bool hd_compile(const hd_compile_request *request, hd_compile_result *result, hd_err *err) {
    hd_text directory = {0};
    *result = (hd_compile_result){0};
    if (!check_request(request, err) || !find_directory(&directory, err)) {
        hd_text_release(&directory);
        return false;
    }
    uint64_t key = hd_cache_key(request);
    bool ok = hd_cache_look_up(hd_text_string(&directory), key, result) ||
              compile_if_room(request, hd_text_string(&directory), key, result, err) ||
              (!is_too_late(request) && may_have_been_full(hd_text_string(&directory)) &&
               compile_elsewhere(request, &directory, key, result, err));
    result->is_temporary = ok && hd_fallback_holds(result->directory);
    if (!result->was_cached)
        hd_fallback_sweep();
    hd_text_release(&directory);
    return ok;
}

static bool write_aside(const char *text, const char *path) {
    hd_text aside = {0};
    hd_text_add(&aside, "%s.%d", path, (int)getpid());
    FILE *out = fopen(hd_text_string(&aside), "w");
    bool ok = out && fputs(text, out) >= 0;
    if (out && fclose(out) != 0)
        ok = false;
    ok = ok && rename(hd_text_string(&aside), path) == 0;
    if (out && !ok)
        unlink(hd_text_string(&aside));
    hd_text_release(&aside);
    return ok;
}

/* An existing file has the right contents, and writing it again would make it look changed. */
static bool keep_in(const char *text, const char *directory, char path[4096]) {
    uint64_t hash = hd_hash_bytes(3, text, strlen(text));
    int n = snprintf(path, 4096, "%s/source-%016" PRIx64 ".c", directory, hash);
    return n < 4096 && (access(path, R_OK) == 0 || write_aside(text, path));
}

bool hd_compile_keep_source(const char *text, char path[4096], hd_err *err) {
    hd_text directory = {0};
    if (!find_directory(&directory, err)) {
        hd_text_release(&directory);
        return false;
    }
    bool ok = keep_in(text, hd_text_string(&directory), path);
    if (!ok) {
        hd_err_set(err, "cannot write '%s': %s", path, strerror(errno));
        hd_err_hint(err, "set HEDDLE_CACHE to a directory that can be written");
        ok = !hd_cache_has_room(hd_text_string(&directory)) && hd_fallback_find(&directory, err) &&
             keep_in(text, hd_text_string(&directory), path);
    }
    hd_text_release(&directory);
    return ok;
}
