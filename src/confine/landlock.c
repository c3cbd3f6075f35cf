/* Files by landlock: the kernel refuses what no rule opens, whoever asks and as whichever user.
 *
 * The header of Debian 12 knows the first two versions; the numbers of later ones are the kernel's
 * and do not change, so they are said here.  A kernel is only asked to watch what it knows about.
 */
#include "confine/confine_int.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RIGHTS_OF_FIRST  ((UINT64_C(1) << 13) - 1)
#define REFER            (UINT64_C(1) << 13) /* from version 2 on */
#define TRUNCATE         (UINT64_C(1) << 14) /* 3 */
#define DEVICES          (UINT64_C(1) << 15) /* 5: ioctl of devices */
#define CONNECT_AND_BIND UINT64_C(3)         /* 4: TCP */
#define ALL_SCOPES       UINT64_C(3)         /* 6: abstract sockets and signals */

#define READING   ((uint64_t)LANDLOCK_ACCESS_FS_READ_FILE)
#define LISTING   ((uint64_t)LANDLOCK_ACCESS_FS_READ_DIR)
#define EXECUTING ((uint64_t)LANDLOCK_ACCESS_FS_EXECUTE)
#define OF_FILES                                                                                   \
    ((uint64_t)LANDLOCK_ACCESS_FS_READ_FILE | (uint64_t)LANDLOCK_ACCESS_FS_WRITE_FILE |            \
     (uint64_t)LANDLOCK_ACCESS_FS_EXECUTE | TRUNCATE | DEVICES)

/* As the kernel of version 6 has it; older ones are given the beginning. */
typedef struct watched {
    uint64_t files, network, scopes;
} watched;

unsigned hd_landlock_version(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? (unsigned)version : 0;
}

static uint64_t rights_of(unsigned version) {
    return RIGHTS_OF_FIRST | (version >= 2 ? REFER : 0) | (version >= 3 ? TRUNCATE : 0) |
           (version >= 5 ? DEVICES : 0);
}

static int make_rules(unsigned version, uint64_t files, bool network) {
    watched w = {.files = files};
    size_t size = sizeof w.files;
    if (version >= HD_LANDLOCK_NETWORK) {
        w.network = network ? 0 : CONNECT_AND_BIND;
        size = offsetof(watched, scopes);
    }
    if (version >= HD_LANDLOCK_SIGNALS) {
        w.scopes = ALL_SCOPES;
        size = sizeof w;
    }
    return (int)syscall(SYS_landlock_create_ruleset, &w, size, 0);
}

/* Rights of directories mean nothing for a file, and the kernel refuses them. */
static bool open_below(int rules, const char *path, uint64_t rights) {
    struct stat info;
    struct landlock_path_beneath_attr rule = {.allowed_access = rights};
    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0)
        return true; /* what is not there cannot be read either */
    if (fstat(rule.parent_fd, &info) == 0 && !S_ISDIR(info.st_mode))
        rule.allowed_access &= OF_FILES;
    bool ok = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    close(rule.parent_fd);
    return ok;
}

static bool open_all(int rules, const char *const *paths, uint64_t rights) {
    for (; paths && *paths; paths++)
        if (!open_below(rules, *paths, rights))
            return false;
    return true;
}

bool hd_landlock_build(const char *const *readable, const char *const *writable,
                       const hd_allowed *allowed, hd_err *err) {
    unsigned version = hd_landlock_version();
    if (!version)
        return true;
    uint64_t files = rights_of(version) & ~LISTING;
    uint64_t reading = READING | (allowed->exec ? EXECUTING : 0);
    int rules = make_rules(version, files, allowed->network);
    bool ok = rules >= 0 && open_all(rules, readable, reading) &&
              open_all(rules, writable, files) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
              syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    int error = errno;
    if (rules >= 0)
        close(rules);
    return ok || hd_err_set(err, "cannot confine a process to its files: %s", strerror(error));
}
