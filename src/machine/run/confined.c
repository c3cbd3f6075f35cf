/* The process of a machine gives up what executions do not need (confine/confine.h). */
#include "confine/confine.h"
#include "machine/core/parts.h"
#include "machine/memory/memory.h"
#include "world/disk.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(!(uint32_t)HD_REGION && !(uint32_t)HD_REGION_SIZE,
               "filters of calls look at the upper half of addresses");

#define LAST_OF_OTHERS 799 /* descriptors of ours are higher */

typedef hd_vec(const char *) given_list;

/* What executions may read beside the system's: the directory that the command was given in, the
 * sources, and the module, of which places in the source are asked. */
static void list_given(const hd_machine *m, const char *directory, given_list *out) {
    hd_vec_push(out, directory);
    hd_vec_push(out, m->module->directory);
    for (const char *const *path = m->options.given; path && *path; path++)
        hd_vec_push(out, *path);
    hd_vec_push(out, NULL);
}

static bool build(const hd_machine *m, const hd_allowed *allowed, const char *directory, bool forks,
                  hd_err *err) {
    char here[PATH_MAX];
    given_list given = {0};
    if (getcwd(here, sizeof here)) /* relative names are names here, wherever the run was made */
        hd_vec_push(&given, here);
    list_given(m, directory, &given);
    hd_confines c = {allowed, given.at, HD_REGION, HD_REGION + HD_REGION_SIZE, forks};
    bool ok = hd_confine(&c, err);
    hd_vec_release(&given);
    return ok;
}

/* A file that the output goes to has been written to before: what is confined can only add to it.
 */
static void only_append(int descriptor) {
    struct stat info;
    int flags = fcntl(descriptor, F_GETFL);
    if (flags >= 0 && fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode))
        fcntl(descriptor, F_SETFL, flags | O_APPEND);
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
    bool ok = hd_allowed_parse(&allowed, m->options.allow, directory, err);
    for (int i = STDOUT_FILENO; ok && !allowed.all && i <= STDERR_FILENO; i++)
        only_append(i);
    ok = ok && build(m, &allowed, directory, forks || m->isolation.forks, err);
    hd_allowed_release(&allowed);
    return ok;
}
