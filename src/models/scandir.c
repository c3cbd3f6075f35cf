/* scandir.c -- the entries of a directory at once, and the orders that they are sorted in. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((weak))

typedef struct scanned_names {
    struct dirent **at;
    size_t n;
} scanned_names;

WEAK int alphasort(const struct dirent **a, const struct dirent **b) {
    return strcoll((*a)->d_name, (*b)->d_name);
}

WEAK int versionsort(const struct dirent **a, const struct dirent **b) {
    return strverscmp((*a)->d_name, (*b)->d_name);
}

static int add(scanned_names *all, const struct dirent *e) {
    size_t size = offsetof(struct dirent, d_name) + strlen(e->d_name) + 1;
    struct dirent **more = realloc(all->at, (all->n + 1) * sizeof *more);
    if (!more)
        return 0;
    all->at = more;
    all->at[all->n] = malloc(size);
    if (!all->at[all->n])
        return 0;
    memcpy(all->at[all->n++], e, size);
    return 1;
}

static void forget(scanned_names *all) {
    while (all->n)
        free(all->at[--all->n]);
    free(all->at);
}

static int fill(scanned_names *all, DIR *d, int (*wants)(const struct dirent *)) {
    for (const struct dirent *e; (e = readdir(d));)
        if ((!wants || wants(e)) && !add(all, e))
            return 0;
    return 1;
}

WEAK int scandir(const char *path, struct dirent ***out, int (*wants)(const struct dirent *),
                 int (*order)(const struct dirent **, const struct dirent **)) {
    scanned_names all = {NULL, 0};
    DIR *d = opendir(path);
    if (!d)
        return -1;
    int is_whole = fill(&all, d, wants), error = errno;
    closedir(d);
    errno = error;
    if (!is_whole) {
        forget(&all);
        return -1;
    }
    if (order && all.n)
        qsort(all.at, all.n, sizeof *all.at, (int (*)(const void *, const void *))order);
    *out = all.at;
    return (int)all.n;
}

/* Programs that ask for offsets of 64 bits call these. */
WEAK int alphasort64(const struct dirent64 **a, const struct dirent64 **b) {
    return strcoll((*a)->d_name, (*b)->d_name);
}

WEAK int versionsort64(const struct dirent64 **a, const struct dirent64 **b) {
    return strverscmp((*a)->d_name, (*b)->d_name);
}

_Static_assert(sizeof(struct dirent) == sizeof(struct dirent64), "both are the same here");

WEAK int scandir64(const char *path, struct dirent64 ***out, int (*wants)(const struct dirent64 *),
                   int (*order)(const struct dirent64 **, const struct dirent64 **)) {
    return scandir(path, (struct dirent ***)out, (int (*)(const struct dirent *))wants,
                   (int (*)(const struct dirent **, const struct dirent **))order);
}
