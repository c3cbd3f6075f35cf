/* paths.c -- <libgen.h>: the last part of a path, and what is before it.
 *
 * Weak: a program's own function of the same name wins. */
#define _GNU_SOURCE
#include <stddef.h>
#include <string.h>

#define WEAK __attribute__((weak))

static const char current[] = ".";

WEAK char *__xpg_basename(char *path) {
    if (!path || !*path)
        return (char *)current;
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    if (end == 1 && *path == '/')
        return path + strlen(path) - 1;
    path[end] = '\0';
    while (end && path[end - 1] != '/')
        end--;
    return path + end;
}

/* The one of string.h. */
WEAK char *basename(const char *path) {
    const char *last = strrchr(path, '/');
    return (char *)(last ? last + 1 : path);
}

static size_t without_slashes(const char *path, size_t end) {
    while (end && path[end - 1] == '/')
        end--;
    return end;
}

/* "//" is a root of its own if nothing stands behind it but a name. */
WEAK char *dirname(char *path) {
    size_t end = path ? without_slashes(path, strlen(path)) : 0, all = path ? strlen(path) : 0;
    while (end && path[end - 1] != '/')
        end--;
    size_t name = end;
    end = end ? without_slashes(path, end) : 0;
    if (!name && !(all && *path == '/'))
        return (char *)current;
    if (!end)
        end = (name ? name : all) == 2 ? 2 : 1;
    path[end] = '\0';
    return path;
}
