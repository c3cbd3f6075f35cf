/* module_cache.c -- the manifest of a module, and the directory they lie in. */
#include "compile/module_cache.h"
#include "program/module_fingerprint.h"
#include "program/sources.h"

#include "base/hash.h"
#include "base/panic.h"
#include "base/vec.h"
#include "compile/kept_name.h"
#include "compile/model_files.h"
#include "program/abi.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define MANIFEST_FORMAT 3 /* 1 had no texts of sources beside modules, 2 no sum */

/* -- Places -------------------------------------------------------------------------------- */

static bool make_directories(const char *path) {
    char part[PATH_MAX];
    for (size_t n = 1; n < sizeof part && path[n - 1]; n++)
        if (path[n] == '/' || path[n] == '\0') {
            memcpy(part, path, n);
            part[n] = '\0';
            if (mkdir(part, 0777) != 0 && errno != EEXIST)
                return false;
        }
    return access(path, W_OK | X_OK) == 0;
}

bool hd_cache_directory(hd_text *directory) {
    const char *own = getenv("HEDDLE_CACHE"), *xdg = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    if (own && *own)
        hd_text_add(directory, "%s", own);
    else if (xdg && *xdg)
        hd_text_add(directory, "%s/heddle", xdg);
    else if (home && *home)
        hd_text_add(directory, "%s/.cache/heddle", home);
    else
        return false;
    return make_directories(hd_text_string(directory));
}

#define ROOM       ((off_t)4 << 20) /* bytes: what a module takes, with what is made on the way */
#define ROOM_FILES 32
#define MUCH       (UINT64_C(256) << 20) /* bytes: more than any module was seen to take */

/* Quotas are seen by who writes only.  A file system that cannot set something aside is not asked.
 */
static bool can_set_aside(const char *directory) {
    char *path = hd_text_format("%s/room-XXXXXX", directory);
    int file = mkostemp(path, O_CLOEXEC);
    int failure = file >= 0 ? posix_fallocate(file, 0, ROOM) : errno;
    if (file >= 0) {
        close(file);
        unlink(path);
    }
    free(path);
    return failure != ENOSPC && failure != EDQUOT;
}

bool hd_cache_has_room(const char *directory) {
    struct statvfs disk;
    bool has_files = statvfs(directory, &disk) != 0 || !disk.f_files || disk.f_favail >= ROOM_FILES;
    return has_files && can_set_aside(directory);
}

bool hd_cache_is_scarce(const char *directory) {
    struct statvfs disk;
    return statvfs(directory, &disk) == 0 && disk.f_blocks &&
           (uint64_t)disk.f_bavail * disk.f_frsize < MUCH;
}

bool hd_cache_find_part(hd_text *path, const char *name) {
    static const char *const places[] = {"", "../libexec/heddle/", "../", "../../"};
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return false;
    self[n] = '\0';
    *strrchr(self, '/') = '\0';
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        hd_text_clear(path);
        hd_text_add(path, "%s/%s%s", self, places[k], name);
        if (access(hd_text_string(path), R_OK) == 0)
            return true;
    }
    return false;
}

/* -- Keys ---------------------------------------------------------------------------------- */

static uint64_t add_string(uint64_t h, const char *text) {
    return hd_hash_bytes(hd_hash_add(h, 1), text, strlen(text) + 1);
}

static uint64_t add_status(uint64_t h, const char *path) {
    struct stat status;
    if (stat(path, &status) != 0)
        return hd_hash_add(h, 0);
    h = hd_hash_add(h, (uint64_t)status.st_size);
    h = hd_hash_add(h, (uint64_t)status.st_mtim.tv_sec);
    return hd_hash_add(h, (uint64_t)status.st_mtim.tv_nsec);
}

/* The compiler is told apart by its file's size and time: starting it to ask costs 20 ms. */
static uint64_t add_clang(uint64_t h) {
    const char *path = getenv("PATH");
    char candidate[PATH_MAX];
    for (; path && *path; path += strcspn(path, ":"), path += *path == ':') {
        snprintf(candidate, sizeof candidate, "%.*s/clang-19", (int)strcspn(path, ":"), path);
        if (access(candidate, X_OK) == 0)
            return add_status(add_string(h, candidate), candidate);
    }
    return h;
}

static uint64_t add_part(uint64_t h, const char *name) {
    hd_text path = {0};
    if (hd_cache_find_part(&path, name))
        h = add_status(h, hd_text_string(&path));
    hd_text_release(&path);
    return h;
}

static uint64_t add_model(uint64_t h, const char *name) {
    char *part = hd_text_format("models/%s.bc", name);
    h = add_part(h, part);
    free(part);
    return h;
}

static uint64_t add_heddle(uint64_t h) {
    h = add_part(add_part(h, "heddle-compile"), "inline.bc");
    for (const char *const *name = hd_model_files; *name; name++)
        h = add_model(h, *name);
    return hd_hash_add(h, HD_ABI_VERSION);
}

static uint64_t add_source(uint64_t h, const char *source) {
    char absolute[PATH_MAX];
    return add_string(h, realpath(source, absolute) ? absolute : source);
}

static uint64_t add_sources(uint64_t h, const char *const *sources, size_t n_sources,
                            const char *const *options, size_t n_options) {
    for (size_t n = 0; n < n_sources; n++)
        h = add_string(add_source(h, sources[n]), sources[n]);
    for (size_t n = 0; n < n_options; n++)
        h = add_string(h, options[n]);
    return h;
}

static uint64_t add_own_options(uint64_t h, const hd_source_options *own, size_t n_sources) {
    for (size_t n = 0; own && n < n_sources; n++)
        h = add_sources(hd_hash_add(h, own[n].n), NULL, 0, own[n].at, own[n].n);
    return h;
}

static uint64_t add_program(uint64_t h, const hd_compile_program *p) {
    h = add_string(hd_hash_add(hd_hash_add(h, p->n_sources), p->n_options), p->name);
    h = add_own_options(h, p->of_sources, p->n_sources);
    return add_sources(h, p->sources, p->n_sources, p->options, p->n_options);
}

/* Folders that clang looks for headers in. */
static uint64_t add_variable(uint64_t h, const char *name) {
    const char *value = getenv(name);
    return add_string(h, value ? value : "");
}

uint64_t hd_cache_key(const hd_compile_request *request) {
    char here[PATH_MAX];
    uint64_t h = hd_hash_add(0, MANIFEST_FORMAT);
    h = add_sources(h, request->sources, request->n_sources, request->options, request->n_options);
    h = add_own_options(h, request->of_sources, request->n_sources);
    for (size_t n = 0; n < request->n_programs; n++)
        h = add_program(h, &request->programs[n]);
    h = add_string(h, getcwd(here, sizeof here) ? here : "");
    h = add_string(h, request->function ? request->function : "");
    h = add_string(h, request->checks ? request->checks : "all");
    h = add_variable(add_variable(h, "CPATH"), "C_INCLUDE_PATH");
    return add_clang(add_heddle(h));
}

/* -- Manifests ----------------------------------------------------------------------------- */

typedef struct dependency {
    uint64_t size, time, hash;
    char *path;
} dependency;

typedef hd_vec(dependency) dependencies;

static void release(dependencies *all) {
    for (size_t n = 0; n < all->n; n++)
        free(all->at[n].path);
    hd_vec_release(all);
}

static uint64_t nanoseconds(struct timespec t) {
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The time of change counts too: the time of modification can be set to anything. */
static bool look_at(const char *path, dependency *d) {
    struct stat status;
    if (stat(path, &status) != 0)
        return false;
    uint64_t modified = nanoseconds(status.st_mtim), changed = nanoseconds(status.st_ctim);
    d->size = (uint64_t)status.st_size;
    d->time = modified > changed ? modified : changed;
    return true;
}

static bool hash_file(const char *path, uint64_t *hash) {
    hd_text contents = {0};
    bool ok = hd_text_read_file(&contents, path);
    if (ok)
        *hash = hd_hash_bytes(2, hd_text_string(&contents), contents.n);
    hd_text_release(&contents);
    return ok;
}

/* Whether the file is what the manifest says; brings the time up to date if only that is new. */
static bool is_unchanged(dependency *d, bool *was_touched) {
    dependency now = {0};
    if (!look_at(d->path, &now) || now.size != d->size)
        return false;
    if (now.time == d->time)
        return true;
    *was_touched = true;
    d->time = now.time;
    return hash_file(d->path, &now.hash) && now.hash == d->hash;
}

static void manifest_path(hd_text *path, const char *directory, uint64_t key) {
    hd_text_add(path, "%s/%016" PRIx64 ".manifest", directory, key);
}

/* Of the module's number and all lines behind the first: a list that was cut off would not notice
 * changes of the files that it has lost. */
static uint64_t sum_of(uint64_t module, const char *lines) {
    return hd_hash_bytes(hd_hash_add(3, module), lines, strlen(lines));
}

#define FIRST_LINE "heddle-module %d %016" PRIx64 " %016" PRIx64 "\n"

static bool parse_manifest(char *text, uint64_t *module, dependencies *all) {
    int format;
    uint64_t sum;
    char first[80];
    if (sscanf(text, "heddle-module %d %" SCNx64 " %" SCNx64, &format, module, &sum) != 3)
        return false;
    size_t used = (size_t)snprintf(first, sizeof first, FIRST_LINE, MANIFEST_FORMAT, *module, sum);
    if (strncmp(text, first, used) != 0 || sum_of(*module, text + used) != sum)
        return false;
    for (char *line = strtok(text + used, "\n"); line; line = strtok(NULL, "\n")) {
        dependency d;
        int at = 0;
        if (sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNx64 " %n", &d.size, &d.time, &d.hash,
                   &at) != 3 ||
            at == 0)
            return false;
        d.path = strdup(line + at);
        hd_vec_push(all, d);
    }
    return all->n > 0;
}

bool hd_cache_check_manifest(char *text, uint64_t *module, size_t *n) {
    dependencies all = {0};
    bool ok = parse_manifest(text, module, &all);
    *n = all.n;
    release(&all);
    return ok;
}

void hd_cache_write_manifest(hd_text *out, uint64_t module, const char *lines) {
    hd_text_add(out, FIRST_LINE "%s", MANIFEST_FORMAT, module, sum_of(module, lines), lines);
}

static bool write_manifest(const char *directory, uint64_t key, uint64_t module,
                           const dependencies *all) {
    hd_text path = {0}, aside = {0}, lines = {0};
    manifest_path(&path, directory, key);
    hd_text_add(&aside, "%s.%d", hd_text_string(&path), (int)getpid());
    FILE *out = fopen(hd_text_string(&aside), "w");
    bool ok = out != NULL;
    for (size_t n = 0; n < all->n; n++)
        hd_text_add(&lines, "%" PRIu64 " %" PRIu64 " %016" PRIx64 " %s\n", all->at[n].size,
                    all->at[n].time, all->at[n].hash, all->at[n].path);
    if (ok) {
        hd_text text = {0};
        hd_cache_write_manifest(&text, module, hd_text_string(&lines));
        fputs(hd_text_string(&text), out);
        hd_text_release(&text);
        ok = fclose(out) == 0 && rename(hd_text_string(&aside), hd_text_string(&path)) == 0;
        if (!ok)
            unlink(hd_text_string(&aside));
    }
    hd_text_release(&path);
    hd_text_release(&aside);
    hd_text_release(&lines);
    return ok;
}

/* A damaged module leaves its place at once and as a whole.  Another run may have seen the damage
 * too, and may have put a whole module there since: that one goes back, its run reads it. */
static void set_aside(const char *module) {
    char *aside = hd_text_format("%s.%d.damaged", module, (int)getpid());
    if (rename(module, aside) == 0 && (!hd_module_is_whole(aside) || rename(aside, module) != 0))
        hd_cache_discard(aside);
    free(aside);
}

static bool use_module(const char *directory, uint64_t module, hd_compile_result *result) {
    char image[PATH_MAX];
    snprintf(result->directory, sizeof result->directory, "%s/%016" PRIx64, directory, module);
    result->hash = module;
    if (snprintf(image, sizeof image, "%s/image", result->directory) >= (int)sizeof image ||
        access(image, R_OK) != 0)
        return false;
    if (hd_module_is_whole(result->directory))
        return true;
    set_aside(result->directory); /* it is compiled again */
    return false;
}

static bool all_unchanged(dependencies *all, bool *was_touched) {
    for (size_t n = 0; n < all->n; n++)
        if (!is_unchanged(&all->at[n], was_touched))
            return false;
    return true;
}

bool hd_cache_look_up(const char *directory, uint64_t key, hd_compile_result *result) {
    hd_text path = {0}, text = {0};
    dependencies all = {0};
    uint64_t module;
    bool was_touched = false;
    manifest_path(&path, directory, key);
    bool hit = hd_text_read_file(&text, hd_text_string(&path)) && text.n > 0 &&
               parse_manifest(text.at, &module, &all) && all_unchanged(&all, &was_touched) &&
               use_module(directory, module, result);
    if (hit && was_touched)
        write_manifest(directory, key, module, &all);
    HD_INVARIANT(C1, !hit || result->directory); /* of a module that is whole */
    result->was_cached = hit;
    release(&all);
    hd_text_release(&path);
    hd_text_release(&text);
    return hit;
}

/* -- Storing ------------------------------------------------------------------------------- */

static void read_dependencies(const char *made, dependencies *all) {
    hd_text path = {0}, text = {0};
    hd_text_add(&path, "%s/dependencies", made);
    if (hd_text_read_file(&text, hd_text_string(&path)) && text.n)
        for (char *line = strtok(text.at, "\n"); line; line = strtok(NULL, "\n")) {
            dependency d = {.path = strdup(line)};
            hd_vec_push(all, d);
        }
    hd_text_release(&path);
    hd_text_release(&text);
}

/* Contents' hash of everything that was read; false if something changed meanwhile. */
static bool examine(dependencies *all, double started, uint64_t *module) {
    bool is_stable = all->n > 0;
    for (size_t n = 0; n < all->n; n++) {
        dependency *d = &all->at[n];
        is_stable &=
            look_at(d->path, d) && hash_file(d->path, &d->hash) && (double)d->time / 1e9 < started;
        *module = hd_hash_add(add_string(*module, d->path), d->hash);
    }
    return is_stable;
}

void hd_cache_discard(const char *made) {
    unlink(made); /* somebody may have put a file there */
    DIR *files = opendir(made);
    for (struct dirent *e; files && (e = readdir(files));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            unlinkat(dirfd(files), e->d_name, 0);
    if (files)
        closedir(files);
    rmdir(made);
}

/* The texts are for who looks at a run later: without them it says so, and nothing else is missing.
 */
static void keep_texts(const char *made, const dependencies *all) {
    hd_vec(char *) paths = {0};
    for (size_t n = 0; n < all->n; n++)
        hd_vec_push(&paths, all->at[n].path);
    hd_sources_write(made, paths.at, paths.n);
    hd_vec_release(&paths);
}

/* -- Kept files ---------------------------------------------------------------------------- */

void hd_cache_kept(hd_text *path, const char *directory, uint64_t key) {
    hd_text_add(path, "%s/%016" PRIx64 ".kept", directory, key);
}

/* Out of the directory of the module, where they are no part of it. */
static void take_out(const char *made, const char *to) {
    DIR *files = opendir(made);
    for (struct dirent *e; files && (e = readdir(files));) {
        if (strncmp(e->d_name, HD_KEPT, strlen(HD_KEPT)) != 0)
            continue;
        char *path = to ? hd_text_format("%s/%s", to, e->d_name) : NULL;
        if (!path || renameat(dirfd(files), e->d_name, AT_FDCWD, path) != 0)
            unlinkat(dirfd(files), e->d_name, 0);
        free(path);
    }
    if (files)
        closedir(files);
}

/* The last time's make room for these at once.  Whoever reads them meanwhile finds some or none;
 * each says by itself whether it is whole. */
static void keep_files(const char *directory, uint64_t key, const char *made, bool is_stable) {
    hd_text place = {0};
    hd_cache_kept(&place, directory, key);
    char *fresh = hd_text_format("%s.%d.new", hd_text_string(&place), (int)getpid());
    char *old = hd_text_format("%s.%d.old", hd_text_string(&place), (int)getpid());
    bool ok = is_stable && mkdir(fresh, 0777) == 0;
    take_out(made, ok ? fresh : NULL);
    if (ok) {
        if (rename(hd_text_string(&place), old) == 0)
            hd_cache_discard(old);
        if (rename(fresh, hd_text_string(&place)) != 0)
            hd_cache_discard(fresh); /* another run was faster */
    }
    free(fresh);
    free(old);
    hd_text_release(&place);
}

bool hd_cache_store(const char *directory, uint64_t key, const char *made, double started,
                    hd_compile_result *result, hd_err *err) {
    dependencies all = {0};
    uint64_t module = hd_hash_add(key, MANIFEST_FORMAT);
    read_dependencies(made, &all);
    bool is_stable = examine(&all, started, &module);
    if (is_stable)
        keep_texts(made, &all);
    else
        module = hd_hash_add(module, (uint64_t)(started * 1e6));
    keep_files(directory, key, made, is_stable);
    bool ok = true;
    if (use_module(directory, module, result)) {
        hd_cache_discard(made);
    } else if (rename(made, result->directory) != 0 && !use_module(directory, module, result)) {
        ok = hd_err_set(err, "cannot keep the compiled module in '%s': %s", directory,
                        strerror(errno));
        hd_cache_discard(made);
    }
    if (ok && is_stable)
        write_manifest(directory, key, module, &all);
    release(&all);
    return ok;
}
