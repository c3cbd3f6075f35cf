/* identity.c -- whose process it is: users, groups, and what a daemon does to be somebody else.
 *
 * A process begins as the one who runs Heddle and hands on to its children what it is, as globals
 * are.  Who may become whom is decided as on Linux; that somebody else may open fewer files is not,
 * which is said. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <sys/auxv.h>
#include <unistd.h>

#define WEAK __attribute__((weak))
#define SAME ((unsigned)-1) /* as an argument: not this one */
#define MOST 64             /* further groups */

void __heddle_bound(const char *words);

/* Of users or of groups: real, effective, saved. */
struct identity {
    unsigned real, effective, saved;
};

/* How far it is from what the process began as: two threads that ask change nothing. */
struct whose {
    unsigned long real, effective; /* what it began as, in the terms of getauxval */
    struct identity moved;
};

static struct whose user = {AT_UID, AT_EUID, {0, 0, 0}}, group = {AT_GID, AT_EGID, {0, 0, 0}};
static unsigned further[MOST];
static int n_further;

static struct identity now(const struct whose *w) {
    unsigned real = (unsigned)getauxval(w->real), effective = (unsigned)getauxval(w->effective);
    return (struct identity){real + w->moved.real, effective + w->moved.effective,
                             effective + w->moved.saved};
}

WEAK uid_t getuid(void) {
    return now(&user).real;
}

WEAK uid_t geteuid(void) {
    return now(&user).effective;
}

WEAK gid_t getgid(void) {
    return now(&group).real;
}

WEAK gid_t getegid(void) {
    return now(&group).effective;
}

static int may_all(void) {
    return now(&user).effective == 0;
}

static int fail(int error) {
    errno = error;
    return -1;
}

static int be(struct whose *who, struct identity next) {
    int was_root = may_all();
    unsigned real = (unsigned)getauxval(who->real);
    unsigned effective = (unsigned)getauxval(who->effective);
    who->moved =
        (struct identity){next.real - real, next.effective - effective, next.saved - effective};
    if (was_root && !may_all())
        __heddle_bound("what a process may do does not depend on whose it is (setuid)");
    return 0;
}

/* Whoever may not all becomes what it is in one of these ways already. */
static int is_one(const struct identity *who, unsigned id) {
    return id == SAME || id == who->real || id == who->effective || id == who->saved;
}

static int set_one(struct whose *who, unsigned id) {
    if (id == SAME)
        return fail(EINVAL);
    struct identity is = now(who), next = {id, id, id};
    if (may_all())
        return be(who, next);
    if (id != is.real && id != is.saved)
        return fail(EPERM);
    next = is;
    next.effective = id;
    return be(who, next);
}

static int set_three(struct whose *who, unsigned real, unsigned effective, unsigned saved) {
    struct identity is = now(who);
    if (!may_all() && !(is_one(&is, real) && is_one(&is, effective) && is_one(&is, saved)))
        return fail(EPERM);
    struct identity next = {real == SAME ? is.real : real,
                            effective == SAME ? is.effective : effective,
                            saved == SAME ? is.saved : saved};
    return be(who, next);
}

/* The saved one follows, if it is somebody who was not there before. */
static int set_two(struct whose *who, unsigned real, unsigned effective) {
    struct identity is = now(who);
    int may = may_all();
    if (!may && real != SAME && real != is.real && real != is.effective)
        return fail(EPERM);
    if (!may && !is_one(&is, effective))
        return fail(EPERM);
    int follows = real != SAME || (effective != SAME && effective != is.real);
    struct identity next = {real == SAME ? is.real : real,
                            effective == SAME ? is.effective : effective, is.saved};
    if (follows)
        next.saved = next.effective;
    return be(who, next);
}

WEAK int setuid(uid_t id) {
    return set_one(&user, id);
}

WEAK int setgid(gid_t id) {
    return set_one(&group, id);
}

WEAK int seteuid(uid_t id) {
    return id == SAME ? fail(EINVAL) : set_three(&user, SAME, id, SAME);
}

WEAK int setegid(gid_t id) {
    return id == SAME ? fail(EINVAL) : set_three(&group, SAME, id, SAME);
}

WEAK int setreuid(uid_t real, uid_t effective) {
    return set_two(&user, real, effective);
}

WEAK int setregid(gid_t real, gid_t effective) {
    return set_two(&group, real, effective);
}

WEAK int setresuid(uid_t real, uid_t effective, uid_t saved) {
    return set_three(&user, real, effective, saved);
}

WEAK int setresgid(gid_t real, gid_t effective, gid_t saved) {
    return set_three(&group, real, effective, saved);
}

WEAK int getresuid(uid_t *real, uid_t *effective, uid_t *saved) {
    struct identity is = now(&user);
    *real = is.real;
    *effective = is.effective;
    *saved = is.saved;
    return 0;
}

WEAK int getresgid(gid_t *real, gid_t *effective, gid_t *saved) {
    struct identity is = now(&group);
    *real = is.real;
    *effective = is.effective;
    *saved = is.saved;
    return 0;
}

int __heddle_change_root(const char *path, int may);

WEAK int chroot(const char *path) {
    return __heddle_change_root(path, may_all());
}

/* ---- further groups: those that somebody has set ---- */

WEAK int setgroups(size_t n, const gid_t *all) {
    if (!may_all())
        return fail(EPERM);
    if (n > NGROUPS_MAX)
        return fail(EINVAL);
    if (n > MOST) {
        __heddle_bound("of the groups of a process 64 are kept");
        n = MOST;
    }
    for (size_t i = 0; i < n; i++)
        further[i] = all[i];
    n_further = (int)n;
    return 0;
}

WEAK int getgroups(int room, gid_t *out) {
    if (room < 0 || (room > 0 && room < n_further))
        return fail(EINVAL);
    for (int i = 0; room > 0 && i < n_further; i++)
        out[i] = further[i];
    return n_further;
}
