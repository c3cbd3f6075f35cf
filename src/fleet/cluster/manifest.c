/* What a run is, as bytes and as files (manifest.h). */
#include "fleet/cluster/manifest.h"

#include "base/panic.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#define MAGIC      UINT32_C(0x314d4448) /* "HDM1" */
#define LEAST_FILE 20                   /* bytes of a packed file */

/* Journals mean the same on machines that compute the same: modules are compiled for AVX2. */
static char *describe_processor(void) {
    struct utsname name;
    const char *machine = uname(&name) == 0 ? name.machine : "x86_64"; /* for which all this is written */
    return hd_text_format("%s%s", machine, __builtin_cpu_supports("avx2") ? " with AVX2" : "");
}

hd_manifest hd_manifest_new(const char *version, const char *command, const char *options,
                            const char *search, uint64_t module_hash, uint64_t seed) {
    return (hd_manifest){.version = hd_text_format("%s", version),
                         .processor = describe_processor(),
                         .command = hd_text_format("%s", command),
                         .options = hd_text_format("%s", options),
                         .search = hd_text_format("%s", search),
                         .module_hash = module_hash,
                         .seed = seed,
                         .patience = HD_CLUSTER_PATIENCE};
}

void hd_manifest_release(hd_manifest *m) {
    free(m->version);
    free(m->processor);
    free(m->command);
    free(m->options);
    free(m->search);
    for (size_t i = 0; i < m->files.n; i++)
        free(m->files.at[i].name);
    hd_vec_release(&m->files);
    *m = (hd_manifest){0};
}

/* ---- files into the store ---- */

bool hd_manifest_add_file(hd_manifest *m, hd_post *post, const char *path, const char *name,
                          hd_err *err) {
    hd_text bytes = {0};
    hd_manifest_file file = {0};
    bool ok = hd_text_read_file(&bytes, path) ||
              hd_err_set(err, "cannot read '%s': %s", path, strerror(errno));
    ok = ok && hd_post_keep(post, hd_text_string(&bytes), bytes.n, &file.bale, err);
    hd_text_release(&bytes);
    if (!ok)
        return false;
    file.name = hd_text_format("%s", name);
    hd_vec_push(&m->files, file);
    return true;
}

static bool add_entry(hd_manifest *m, hd_post *post, const char *path, const char *name,
                      const char *entry, hd_err *err) {
    char *from = hd_text_format("%s/%s", path, entry), *to = hd_text_format("%s/%s", name, entry);
    bool ok = hd_manifest_add_file(m, post, from, to, err);
    free(from);
    free(to);
    return ok;
}

bool hd_manifest_add_directory(hd_manifest *m, hd_post *post, const char *path, const char *name,
                               hd_err *err) {
    DIR *listing = opendir(path);
    if (!listing)
        return hd_err_set(err, "cannot read '%s': %s", path, strerror(errno));
    bool ok = true;
    for (struct dirent *e; ok && (e = readdir(listing));)
        ok = e->d_name[0] == '.' || add_entry(m, post, path, name, e->d_name, err);
    closedir(listing);
    return ok;
}

/* ---- as bytes ---- */

void hd_manifest_pack(hd_text *out, const hd_manifest *m) {
    hd_pack_u32(out, MAGIC);
    hd_pack_string(out, m->version);
    hd_pack_string(out, m->processor);
    hd_pack_string(out, m->command);
    hd_pack_string(out, m->options);
    hd_pack_string(out, m->search);
    hd_pack_u64(out, m->module_hash);
    hd_pack_u64(out, m->seed);
    hd_pack_double(out, m->patience);
    hd_pack_u32(out, (uint32_t)m->files.n);
    for (size_t i = 0; i < m->files.n; i++) {
        hd_pack_string(out, m->files.at[i].name);
        hd_bale_pack(out, &m->files.at[i].bale);
    }
}

/* A name below the directory, at most one folder deep. */
static bool is_good_name(const char *name) {
    const char *slash = strchr(name, '/');
    return name[0] && name[0] != '.' && name[0] != '/' &&
           (!slash || (slash[1] && slash[1] != '.' && !strchr(slash + 1, '/')));
}

bool hd_manifest_unpack(const void *bytes, size_t n, hd_manifest *m) {
    hd_unpack u = hd_unpack_from(bytes, n);
    u.failed |= hd_unpack_u32(&u) != MAGIC;
    *m = (hd_manifest){.version = hd_unpack_string(&u),
                       .processor = hd_unpack_string(&u),
                       .command = hd_unpack_string(&u),
                       .options = hd_unpack_string(&u),
                       .search = hd_unpack_string(&u),
                       .module_hash = hd_unpack_u64(&u),
                       .seed = hd_unpack_u64(&u),
                       .patience = hd_unpack_double(&u)};
    u.failed |= !(m->patience >= 1 && m->patience <= 1e6);
    for (uint32_t i = hd_unpack_count(&u, LEAST_FILE); i > 0 && hd_unpack_ok(&u); i--) {
        hd_manifest_file file = {.name = hd_unpack_string(&u), .bale = hd_bale_unpack(&u)};
        u.failed |= !is_good_name(file.name);
        hd_vec_push(&m->files, file);
    }
    if (hd_unpack_ok(&u) && u.at == u.end)
        return true;
    hd_manifest_release(m);
    return false;
}

/* ---- comparing ---- */

bool hd_manifest_check(const hd_manifest *m, const char *version, const char *run, hd_err *err) {
    char *here = describe_processor();
    bool is_same_machine = strcmp(here, m->processor) == 0;
    if (strcmp(version, m->version) != 0) {
        hd_err_set(err, "run '%s' is of Heddle %s, and this is Heddle %s", run, m->version,
                   version);
        hd_err_hint(err, "use the same Heddle, made of the same sources, on all machines of a run");
    } else if (!is_same_machine) {
        hd_err_set(err, "run '%s' is for processors %s, and this one is %s", run, m->processor,
                   here);
        hd_err_hint(err, "use machines of one kind for a run");
    }
    free(here);
    return is_same_machine && strcmp(version, m->version) == 0;
}

bool hd_manifest_is_same(const hd_manifest *a, const hd_manifest *b) {
    return a->module_hash == b->module_hash && a->seed == b->seed &&
           strcmp(a->search, b->search) == 0;
}

/* ---- files out of the store ---- */

static bool make_folder_of(const char *path, hd_err *err) {
    char *folder = hd_text_format("%s", path);
    *strrchr(folder, '/') = '\0';
    bool ok = mkdir(folder, 0777) == 0 || errno == EEXIST ||
              hd_err_set(err, "cannot make '%s': %s", folder, strerror(errno));
    free(folder);
    return ok;
}

static bool write_file(const char *path, const hd_text *bytes, hd_err *err) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool ok = fd >= 0;
    for (size_t done = 0; ok && done < bytes->n;) {
        ssize_t n = write(fd, bytes->at + done, bytes->n - done);
        ok = n > 0;
        done += ok ? (size_t)n : 0;
    }
    if (!ok)
        hd_err_set(err, "cannot write '%s': %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return ok;
}

bool hd_manifest_unload(const hd_manifest *m, hd_post *post, const char *directory, hd_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < m->files.n; i++) {
        hd_text bytes = {0};
        char *path = hd_text_format("%s/%s", directory, m->files.at[i].name);
        ok = hd_post_fetch(post, &m->files.at[i].bale, &bytes, err) && make_folder_of(path, err) &&
             write_file(path, &bytes, err);
        free(path);
        hd_text_release(&bytes);
    }
    return ok;
}
