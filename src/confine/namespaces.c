/* Namespaces: a network, a room for messages of processes and a table of mounts of one's own,
 * behind the other walls.
 *
 * The network has nobody in it.  The table of mounts is a copy in which everything is read-only,
 * also for what landlock does not know about: modes, owners and times of files.  Both hold without
 * seccomp, and whoever finds a hole in its list stands before them.
 *
 * Root takes them as it is.  Anybody else gets them with a namespace of users only, in which
 * everybody else's files belong to "nobody"; it also keeps others' memory from being read.  So they
 * are not taken for a program that asks who owns a file, nor by the user nobody.  All are asked for
 * by one call, which gives all of them or none: kernels that refuse leave a process as it was. */
#include "confine/confine_int.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY       65534 /* what the kernel calls users that a namespace does not have */
#define RECURSIVELY  0x8000
#define TO_READ_ONLY UINT64_C(1)

/* As of Linux 5.12; its header and that of the C library do not go together in Debian 12. */
typedef struct mount_change {
    uint64_t set, clear, propagation, users;
} mount_change;

static bool change_mount(const char *path, unsigned flags, mount_change change) {
    return syscall(SYS_mount_setattr, AT_FDCWD, path, flags, &change, sizeof change) == 0;
}

static bool administers(void) {
    return hd_capabilities_now() >> CAP_SYS_ADMIN & 1;
}

/* One user, whose name is the same inside. */
static bool is_somebody(void) {
    uid_t real, effective, saved;
    gid_t group, effective_group, saved_group;
    return getresuid(&real, &effective, &saved) == 0 &&
           getresgid(&group, &effective_group, &saved_group) == 0 && real == effective &&
           saved == real && group == effective_group && saved_group == group && real != 0 &&
           real != NOBODY && group != NOBODY;
}

hd_spaces hd_spaces_wanted(const hd_confines *c) {
    const hd_allowed *a = c->allowed;
    bool is_root = administers();
    bool is_seen = c->asks_owners || c->asks_host || a->exec;
    hd_spaces s = {.users = !is_root};
    if (a->all || (!is_root && (is_seen || !is_somebody())))
        return (hd_spaces){0};
    s.network = s.messages = !a->network;
    s.files = !c->asks_host && !a->exec && !a->write.n;
    s.users = s.users && (s.network || s.files);
    return s;
}

static bool write_word(const char *path, const char *word) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    bool ok = file >= 0 && write(file, word, strlen(word)) == (ssize_t)strlen(word);
    if (file >= 0)
        close(file);
    return ok;
}

/* Groups beside the first cannot be named any more; they still open files. */
static bool name_user(uid_t user, gid_t group) {
    char users[40], groups[40];
    snprintf(users, sizeof users, "%u %u 1", user, user);
    snprintf(groups, sizeof groups, "%u %u 1", group, group);
    return write_word("/proc/self/setgroups", "deny") && write_word("/proc/self/uid_map", users) &&
           write_word("/proc/self/gid_map", groups);
}

/* ---- read-only ---- */

/* Who asks whether a file could be written is told "no, read-only" by the kernel, and means the
 * machine without this wall: mounts of this namespace that were closed before it are remembered. */
static struct {
    bool is_closed; /* all of them, by us */
    hd_vec(uint64_t) closed_before;
} mounts;

static bool begins_closed(const char *options) {
    return strncmp(options, "ro", 2) == 0 && (options[2] == ',' || options[2] <= ' ');
}

/* "36 35 98:0 /root /point rw,noatime master:1 - ext3 /dev/root rw,errors=continue": options of the
 * mount, then those of the file system. */
static void note_mount(const char *line) {
    char options[16] = "", system[16] = "";
    const char *rest = strstr(line, " - ");
    if (sscanf(line, "%*u %*u %*s %*s %*s %15s", options) == 1 && rest &&
        sscanf(rest + 3, "%*s %*s %15s", system) == 1 &&
        (begins_closed(options) || begins_closed(system)))
        hd_vec_push(&mounts.closed_before, strtoull(line, NULL, 10));
}

static bool note_mounts(void) {
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen("/proc/self/mountinfo", "re");
    while (file && getline(&line, &room, file) > 0)
        note_mount(line);
    bool ok = file && !ferror(file);
    if (file)
        fclose(file);
    free(line);
    return ok;
}

bool hd_spaces_hide_writing(const char *path) {
    struct statx info;
    if (!mounts.is_closed || statx(AT_FDCWD, path, 0, STATX_MNT_ID, &info) != 0 ||
        !(info.stx_mask & STATX_MNT_ID))
        return false;
    for (size_t i = 0; i < mounts.closed_before.n; i++)
        if (mounts.closed_before.at[i] == info.stx_mnt_id)
            return false;
    return true;
}

/* `made` becomes a mount of its own.  Who stands in it stands below that mount until it has come in again. */
static bool make_a_mount(const char *made) {
    char *here = getcwd(NULL, 0);
    bool ok = here && change_mount("/", RECURSIVELY, (mount_change){.propagation = MS_PRIVATE}) &&
              mount(made, made, NULL, MS_BIND | MS_REC, NULL) == 0 && chdir(here) == 0;
    free(here);
    return ok;
}

static bool close_all_but(const char *made) {
    const mount_change closed = {.set = TO_READ_ONLY, .propagation = MS_PRIVATE};
    const mount_change open = {.clear = TO_READ_ONLY};
    if (made && !make_a_mount(made))
        return false;
    mounts.is_closed = change_mount("/", RECURSIVELY, closed);
    return mounts.is_closed && (!made || change_mount(made, RECURSIVELY, open));
}

/* All but `made`, which stays as it is. */
static bool make_read_only(const char *made) {
    char *absolute = made ? realpath(made, NULL) : NULL;
    bool ok = (!made || absolute) && note_mounts() && close_all_but(absolute);
    free(absolute);
    return ok;
}

static int flags_of(const hd_spaces *s) {
    return (s->users ? CLONE_NEWUSER : 0) | (s->network ? CLONE_NEWNET : 0) |
           (s->messages ? CLONE_NEWIPC : 0) | (s->files ? CLONE_NEWNS : 0);
}

static bool take(hd_spaces wanted, const char *made, hd_spaces *got, hd_err *err) {
    uid_t user = geteuid();
    gid_t group = getegid();
    *got = wanted;
    if (!flags_of(got) || unshare(flags_of(got)) != 0) {
        *got = (hd_spaces){0};
        return true;
    }
    if (got->users && !name_user(user, group))
        return hd_err_set(err, "cannot keep the name of a user in a namespace: %s",
                          strerror(errno));
    got->files = got->files && make_read_only(made);
    return !made || access(made, W_OK) == 0 ||
           hd_err_set(err, "cannot write to '%s' in a namespace: %s", made, strerror(errno));
}

bool hd_spaces_enter(const hd_confines *c, const char *made, hd_spaces *got, hd_err *err) {
    return take(hd_spaces_wanted(c), made, got, err);
}

/* ---- what there would be ---- */

/* All but the network, which takes as long as all others together and is given to whom they are. */
static _Noreturn void try_to_take(hd_spaces wanted, int answer) {
    hd_spaces got, fewer = wanted;
    hd_err ignored;
    fewer.network = false;
    if (!take(fewer, NULL, &got, &ignored))
        _exit(1);
    got.network = wanted.network && got.messages && access("/proc/self/ns/net", F_OK) == 0;
    _exit(write(answer, &got, sizeof got) != sizeof got);
}

static hd_spaces ask_child(hd_spaces wanted) {
    hd_spaces got = {0};
    int pair[2];
    if (pipe2(pair, O_CLOEXEC) != 0)
        return got;
    pid_t child = fork();
    if (child == 0)
        try_to_take(wanted, pair[1]);
    close(pair[1]);
    if (child < 0 || read(pair[0], &got, sizeof got) != sizeof got)
        got = (hd_spaces){0};
    close(pair[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    return got;
}

/* A child tries: nobody says beforehand whether a kernel allows it.  It is asked once for the same.
 */
hd_spaces hd_spaces_here(const hd_confines *c) {
    static hd_spaces asked, answer;
    hd_spaces wanted = hd_spaces_wanted(c);
    if (memcmp(&wanted, &asked, sizeof asked) != 0)
        answer = ask_child(wanted);
    asked = wanted;
    return answer;
}
