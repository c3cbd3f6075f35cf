/* environment.c -- getenv and setenv over the program's own `environ`, which is empty at first, or
 * that of a node of a scenario. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((weak))

extern char **environ;
/* machine/libc/process.c, libc/malloc.c */
char **__heddle_environment(void);
void *__heddle_hidden(size_t n); /* what the library allocates is no leak of the program */

/* The place of a variable, or the end of the list. */
static char **find(const char *name, size_t n) {
    if (!environ)
        environ = __heddle_environment();
    char **at = environ;
    while (*at && (strncmp(*at, name, n) != 0 || (*at)[n] != '='))
        at++;
    return at;
}

WEAK char *getenv(const char *name) {
    size_t n = strlen(name);
    char **at = find(name, n);
    return *at ? *at + n + 1 : NULL;
}

WEAK char *secure_getenv(const char *name) {
    return getenv(name);
}

static int is_name(const char *name, size_t n) {
    if (name && n && name[n] == '\0')
        return 1;
    errno = EINVAL;
    return 0;
}

static size_t count(char **list) {
    size_t n = 0;
    while (list[n])
        n++;
    return n;
}

/* "NAME=value", which stays the caller's. */
static int put(char *text, size_t n) {
    char **at = find(text, n);
    if (*at) {
        *at = text;
        return 0;
    }
    size_t have = count(environ);
    char **larger = __heddle_hidden((have + 2) * sizeof *larger);
    if (!larger)
        return -1;
    memcpy(larger, environ, have * sizeof *larger);
    larger[have] = text;
    larger[have + 1] = NULL;
    environ = larger;
    return 0;
}

WEAK int unsetenv(const char *name) {
    size_t n = strcspn(name, "=");
    if (!is_name(name, n))
        return -1;
    for (char **at = find(name, n); *at; at = find(name, n))
        for (char **to = at; (to[0] = to[1]); to++) {
        }
    return 0;
}

WEAK int putenv(char *text) {
    size_t n = strcspn(text, "=");
    return text[n] ? put(text, n) : unsetenv(text);
}

WEAK int setenv(const char *name, const char *value, int replaces) {
    size_t n = name ? strcspn(name, "=") : 0;
    if (!is_name(name, n))
        return -1;
    if (!replaces && *find(name, n))
        return 0;
    size_t size = strlen(value) + 1;
    char *text = __heddle_hidden(n + 1 + size);
    if (!text)
        return -1;
    memcpy(text, name, n);
    text[n] = '=';
    memcpy(text + n + 1, value, size);
    return put(text, n);
}

WEAK int clearenv(void) {
    static char *none[1];
    environ = none;
    return 0;
}
