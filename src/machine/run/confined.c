/* The process of a machine gives up what executions do not need (confine/confine.h). */
#include "confine/confine.h"
#include "machine/core/parts.h"
#include "machine/memory/memory.h"
#include "world/disk.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(!(uint32_t)HD_REGION && !(uint32_t)HD_REGION_SIZE,
               "filters of calls look at the upper half of addresses");

#define LAST_OF_OTHERS 799 /* descriptors of ours are higher */

typedef hd_vec(const char *) given_list;

/* What executions may read beside the system's: the directory that the command was given in, the
 * sources, the module, of which places in the source are asked, and folders that nodes see. */
static void list_given(const hd_machine *m, const char *directory, given_list *out) {
    hd_vec_push(out, directory);
    hd_vec_push(out, m->module->directory);
    for (const char *const *path = m->options.given; path && *path; path++)
        hd_vec_push(out, *path);
    for (uint32_t i = 0; i < m->options.n_nodes; i++)
        if (m->options.nodes[i].root)
            hd_vec_push(out, m->options.nodes[i].root);
    hd_vec_push(out, NULL);
}

/* Functions that say who owns a file, or that do what depends on it beyond whether that is the
 * user.  Models in C are part of the image. */
static const char *const about_owners[] = {
    "stat",   "lstat",   "fstat",   "fstatat",   "statx",   "chown",    "lchown",   "fchown",
    "stat64", "lstat64", "fstat64", "fstatat64", "__xstat", "__lxstat", "__fxstat", "fchownat"};

static bool asks_owners(const hd_machine *m) {
    for (uint64_t i = 0; i < m->image->n_imports; i++)
        for (size_t k = 0; k < sizeof about_owners / sizeof *about_owners; k++)
            if (strcmp(m->image->imports[i].name, about_owners[k]) == 0)
                return true;
    return false;
}

static bool build(const hd_machine *m, const hd_allowed *allowed, const char *directory, bool forks,
                  hd_err *err) {
    char here[PATH_MAX];
    given_list given = {0};
    if (getcwd(here, sizeof here)) /* relative names are names here, wherever the run was made */
        hd_vec_push(&given, here);
    list_given(m, directory, &given);
    hd_confines c = {.allowed = allowed,
                     .given = given.at,
                     .code = HD_REGION,
                     .code_end = HD_REGION + HD_REGION_SIZE,
                     .forks = forks,
                     .asks_owners = asks_owners(m),
                     .asks_host = m->module->has_stateful_imports || m->options.external};
    bool ok = hd_confine(&c, err);
    hd_vec_release(&given);
    return ok;
}

/* A file that the output goes to has been written to before: what is confined can only add to it.
 * Answers how large it is. */
static uint64_t only_append(int descriptor) {
    struct stat info;
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode))
        return 0;
    fcntl(descriptor, F_SETFL, flags | O_APPEND);
    return (uint64_t)info.st_size;
}

/* And not so much that a disk is full of it. */
static bool confine_output(const hd_allowed *allowed, hd_err *err) {
    if (allowed->all)
        return true;
    uint64_t out = only_append(STDOUT_FILENO), errors = only_append(STDERR_FILENO);
    return allowed->write.n ||
           hd_confine_output((out > errors ? out : errors) + HD_MOST_WRITTEN, err);
}

bool hd_machine_confine(const hd_machine *m, bool forks, hd_err *err) {
    char here[PATH_MAX];
    hd_allowed allowed = {0};
    const char *directory = m->options.directory;
    if (!directory)
        directory = getcwd(here, sizeof here) ? here : "/nonexistent";
    hd_isolate_prepare();
    close_range(3, LAST_OF_OTHERS,
                0); /* what the caller of Heddle left open is not the program's */
    hd_host_confine();
    hd_poison_prepare();
    bool ok = hd_allowed_parse(&allowed, m->options.allow, directory, err) &&
              confine_output(&allowed, err);
    ok = ok && build(m, &allowed, directory, forks || m->isolation.forks, err);
    hd_allowed_release(&allowed);
    return ok;
}
