/* users.c -- who there is: users and groups, as /etc/passwd and /etc/group have them, in the one
 * object each that the C library has for them (netdb.c), or in memory of the caller.  Where others
 * are told by a directory service there are fewer here, which docs/limits.md says. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WEAK    __attribute__((weak))
#define LINE    1024 /* bytes of the longest line that is read whole */
#define FIELDS  7
#define MEMBERS 64 /* groups of a user */

/* What is looked for: a name, or a number if that is NULL. */
struct wanted {
    const char *name;
    unsigned number;
};

/* The fields of a line, which is cut at its colons; how many there are. */
static int cut(char *line, char **fields) {
    int n = 0;
    line[strcspn(line, "\n")] = '\0';
    while (line && n < FIELDS)
        fields[n++] = strsep(&line, ":");
    return n;
}

static int is_wanted(const struct wanted *w, char *const *fields, int n, int least) {
    if (n < least)
        return 0;
    return w->name ? strcmp(fields[0], w->name) == 0
                   : strtoul(fields[2], NULL, 10) == w->number && *fields[2];
}

/* Lines are read into memory of the caller, and answers point there. */
struct space {
    char *at;
    size_t n;
};

/* The line of a file that is wanted, cut into fields: 1; 0 if there is none, -1 if one does not
 * fit. */
static int find_line(const char *path, const struct wanted *w, int least, struct space s,
                     char **fields) {
    FILE *f = s.n < 3 ? NULL : fopen(path, "re");
    int found = s.n < 3 ? -1 : 0;
    while (f && !found && fgets(s.at, (int)s.n, f)) {
        if (strlen(s.at) + 1 >= s.n)
            found = -1;
        else
            found = is_wanted(w, fields, cut(s.at, fields), least);
    }
    if (f)
        fclose(f);
    return found;
}

/* ---- users ---- */

static int find_user(const struct wanted *w, struct passwd *out, struct space s,
                     struct passwd **result) {
    char *field[FIELDS];
    int found = find_line("/etc/passwd", w, FIELDS, s, field);
    *result = found > 0 ? out : NULL;
    if (found <= 0)
        return found ? ERANGE : 0;
    struct passwd made = {.pw_name = field[0],
                          .pw_passwd = field[1],
                          .pw_uid = (uid_t)strtoul(field[2], NULL, 10),
                          .pw_gid = (gid_t)strtoul(field[3], NULL, 10),
                          .pw_gecos = field[4],
                          .pw_dir = field[5],
                          .pw_shell = field[6]};
    memcpy(out, &made, sizeof made);
    return 0;
}

WEAK int getpwnam_r(const char *name, struct passwd *out, char *texts, size_t n,
                    struct passwd **result) {
    return find_user(&(struct wanted){.name = name}, out, (struct space){texts, n}, result);
}

WEAK int getpwuid_r(uid_t number, struct passwd *out, char *texts, size_t n,
                    struct passwd **result) {
    return find_user(&(struct wanted){.number = number}, out, (struct space){texts, n}, result);
}

static struct passwd user;
static char texts_of_user[LINE];

WEAK struct passwd *getpwnam(const char *name) {
    struct passwd *found;
    getpwnam_r(name, &user, texts_of_user, sizeof texts_of_user, &found);
    return found;
}

WEAK struct passwd *getpwuid(uid_t number) {
    struct passwd *found;
    getpwuid_r(number, &user, texts_of_user, sizeof texts_of_user, &found);
    return found;
}

/* ---- groups ---- */

/* The list of names between commas, behind them and ended by NULL; NULL if it does not fit. */
static char **list_members(char *names, struct space s) {
    char *behind = names + strlen(names) + 1;
    size_t skip = -(size_t)behind % sizeof(char *), n = 0;
    char **list = (char **)(void *)(behind + skip), *end = s.at + s.n;
    for (char *name; (name = strsep(&names, ","));)
        if (*name && (char *)(list + n + 2) <= end)
            list[n++] = name;
    if ((char *)(list + n + 2) > end) /* as glibc counts */
        return NULL;
    list[n] = NULL;
    return list;
}

static int find_group(const struct wanted *w, struct group *out, struct space s,
                      struct group **result) {
    char *field[FIELDS];
    int found = find_line("/etc/group", w, 4, s, field);
    char **members = found > 0 ? list_members(field[3], s) : NULL;
    *result = members ? out : NULL;
    if (!members)
        return found ? ERANGE : 0;
    struct group made = {.gr_name = field[0],
                         .gr_passwd = field[1],
                         .gr_gid = (gid_t)strtoul(field[2], NULL, 10),
                         .gr_mem = members};
    memcpy(out, &made, sizeof made);
    return 0;
}

WEAK int getgrnam_r(const char *name, struct group *out, char *texts, size_t n,
                    struct group **result) {
    return find_group(&(struct wanted){.name = name}, out, (struct space){texts, n}, result);
}

WEAK int getgrgid_r(gid_t number, struct group *out, char *texts, size_t n, struct group **result) {
    return find_group(&(struct wanted){.number = number}, out, (struct space){texts, n}, result);
}

static struct group group;
static char texts_of_group[2 * LINE];

WEAK struct group *getgrnam(const char *name) {
    struct group *found;
    getgrnam_r(name, &group, texts_of_group, sizeof texts_of_group, &found);
    return found;
}

WEAK struct group *getgrgid(gid_t number) {
    struct group *found;
    getgrgid_r(number, &group, texts_of_group, sizeof texts_of_group, &found);
    return found;
}

/* ---- groups of a user ---- */

static int is_member(char *names, const char *name) {
    for (char *one; (one = strsep(&names, ","));)
        if (strcmp(one, name) == 0)
            return 1;
    return 0;
}

WEAK int getgrouplist(const char *name, gid_t own, gid_t *out, int *n) {
    char line[LINE], *field[FIELDS];
    FILE *f = fopen("/etc/group", "re");
    int room = *n, found = 1;
    if (room > 0)
        out[0] = own;
    while (f && fgets(line, LINE, f)) {
        int n_fields = cut(line, field);
        gid_t number = n_fields < 4 ? own : (gid_t)strtoul(field[2], NULL, 10);
        if (number == own || !is_member(field[3], name))
            continue;
        if (found < room)
            out[found] = number;
        found++;
    }
    if (f)
        fclose(f);
    *n = found;
    return found <= room ? found : -1;
}

WEAK int initgroups(const char *name, gid_t own) {
    gid_t all[MEMBERS];
    int n = MEMBERS;
    if (getgrouplist(name, own, all, &n) < 0)
        n = MEMBERS;
    return setgroups((size_t)n, all);
}
