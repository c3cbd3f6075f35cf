/* string.c -- string.h in plain C, so that symbolic bytes stay symbolic in it.
 *
 * Weak: a program's own function of the same name wins.  Compiled with -fno-builtin, so that
 * no function becomes a call of itself.  Loops read byte by byte, as the C standard words it:
 * a string that is not terminated is caught at its first byte outside. */
#include <stddef.h>
#include <stdlib.h>
#include <sys/types.h>
#include <wchar.h>

#define WEAK __attribute__((weak))

void *memcpy(void *to, const void *from, size_t n);

/* Where a copy meets itself, counted from its start. */
static size_t meeting(const char *to, const char *from) {
    return (size_t)(to > from ? to - from : from - to);
}

/* By its name a check for the compiler, not a branch of the program. */
_Noreturn void __ubsan_handle_overlap(void);

static void check_apart(size_t at, size_t meets) {
    if (at == meets)
        __ubsan_handle_overlap();
}

static int lower(int c) {
    return c + ((unsigned)c - 'A' < 26u ? 32 : 0);
}

WEAK size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

WEAK size_t strnlen(const char *s, size_t limit) {
    size_t n = 0;
    while (n < limit && s[n])
        n++;
    return n;
}

WEAK int strcmp(const char *a, const char *b) {
    while (*a && *a == *b)
        a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

WEAK int strcoll(const char *a, const char *b) {
    return strcmp(a, b);
}

WEAK int strncmp(const char *a, const char *b, size_t n) {
    for (; n; n--, a++, b++)
        if (*a != *b || !*a)
            return (unsigned char)*a - (unsigned char)*b;
    return 0;
}

WEAK int strcasecmp(const char *a, const char *b) {
    while (*a && lower((unsigned char)*a) == lower((unsigned char)*b))
        a++, b++;
    return lower((unsigned char)*a) - lower((unsigned char)*b);
}

WEAK int strncasecmp(const char *a, const char *b, size_t n) {
    for (; n; n--, a++, b++) {
        int difference = lower((unsigned char)*a) - lower((unsigned char)*b);
        if (difference || !*a)
            return difference;
    }
    return 0;
}

WEAK char *stpcpy(char *to, const char *from) {
    size_t meets = meeting(to, from);
    for (size_t n = 0;; n++) {
        check_apart(n, meets);
        if (!(to[n] = from[n]))
            return to + n;
    }
}

WEAK char *strcpy(char *to, const char *from) {
    stpcpy(to, from);
    return to;
}

WEAK char *stpncpy(char *to, const char *from, size_t n) {
    size_t i = 0, meets = meeting(to, from);
    for (; i < n; i++) {
        check_apart(i, meets);
        if (!(to[i] = from[i]))
            break;
    }
    char *end = to + i;
    for (; i < n; i++)
        to[i] = '\0';
    return end;
}

WEAK char *strncpy(char *to, const char *from, size_t n) {
    stpncpy(to, from, n);
    return to;
}

WEAK char *strcat(char *to, const char *from) {
    stpcpy(to + strlen(to), from);
    return to;
}

WEAK char *strncat(char *to, const char *from, size_t n) {
    char *end = to + strlen(to);
    size_t i = 0, meets = meeting(end, from);
    for (; i < n && from[i]; i++) {
        check_apart(i, meets);
        end[i] = from[i];
    }
    check_apart(i, meets);
    end[i] = '\0';
    return to;
}

WEAK char *strchr(const char *s, int c) {
    for (; *s != (char)c; s++)
        if (!*s)
            return NULL;
    return (char *)s;
}

WEAK char *strchrnul(const char *s, int c) {
    while (*s && *s != (char)c)
        s++;
    return (char *)s;
}

WEAK char *index(const char *s, int c) {
    return strchr(s, c);
}

WEAK char *strrchr(const char *s, int c) {
    const char *last = NULL;
    for (;; s++) {
        if (*s == (char)c)
            last = s;
        if (!*s)
            return (char *)last;
    }
}

WEAK char *rindex(const char *s, int c) {
    return strrchr(s, c);
}

static int starts_with(const char *s, const char *prefix) {
    for (; *prefix; s++, prefix++)
        if (*s != *prefix)
            return 0;
    return 1;
}

WEAK char *strstr(const char *s, const char *wanted) {
    for (;; s++) {
        if (starts_with(s, wanted))
            return (char *)s;
        if (!*s)
            return NULL;
    }
}

static int is_among(char c, const char *set) {
    for (; *set; set++)
        if (*set == c)
            return 1;
    return 0;
}

WEAK size_t strspn(const char *s, const char *accepted) {
    size_t n = 0;
    while (s[n] && is_among(s[n], accepted))
        n++;
    return n;
}

WEAK size_t strcspn(const char *s, const char *rejected) {
    size_t n = 0;
    while (s[n] && !is_among(s[n], rejected))
        n++;
    return n;
}

WEAK char *strpbrk(const char *s, const char *wanted) {
    s += strcspn(s, wanted);
    return *s ? (char *)s : NULL;
}

WEAK char *strtok_r(char *s, const char *delimiters, char **rest) {
    s = s ? s : *rest;
    s += strspn(s, delimiters);
    if (!*s) {
        *rest = s;
        return NULL;
    }
    char *end = s + strcspn(s, delimiters);
    *rest = *end ? end + 1 : end;
    *end = '\0';
    return s;
}

WEAK char *strtok(char *s, const char *delimiters) {
    static char *rest;
    return strtok_r(s, delimiters, &rest);
}

WEAK char *strsep(char **s, const char *delimiters) {
    char *start = *s;
    if (!start)
        return NULL;
    char *end = start + strcspn(start, delimiters);
    *s = *end ? end + 1 : NULL;
    *end = '\0';
    return start;
}

/* All of it may be read, whatever lies there and whatever the answer is. */
void __heddle_readable(const void *p, size_t n); /* heddle.h */

WEAK int memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *x = a, *y = b;
    __heddle_readable(a, n);
    __heddle_readable(b, n);
    for (; n; n--, x++, y++)
        if (*x != *y)
            return *x - *y;
    return 0;
}

WEAK int bcmp(const void *a, const void *b, size_t n) {
    return memcmp(a, b, n);
}

WEAK void *memchr(const void *s, int c, size_t n) {
    for (const unsigned char *p = s; n; n--, p++)
        if (*p == (unsigned char)c)
            return (void *)p;
    return NULL;
}

WEAK void *rawmemchr(const void *s, int c) {
    const unsigned char *p = s;
    while (*p != (unsigned char)c)
        p++;
    return (void *)p;
}

WEAK void *memrchr(const void *s, int c, size_t n) {
    for (const unsigned char *p = s; n; n--)
        if (p[n - 1] == (unsigned char)c)
            return (void *)(p + n - 1);
    return NULL;
}

WEAK void *memccpy(void *restrict to, const void *restrict from, int c, size_t n) {
    unsigned char *t = to;
    const unsigned char *f = from;
    while (n--)
        if ((*t++ = *f++) == (unsigned char)c)
            return t;
    return NULL;
}

WEAK void *memmem(const void *s, size_t n, const void *wanted, size_t m) {
    for (const char *p = s; n >= m; n--, p++)
        if (memcmp(p, wanted, m) == 0)
            return (void *)p;
    return NULL;
}

WEAK char *strndup(const char *s, size_t n) {
    size_t length = strnlen(s, n);
    char *copy = malloc(length + 1);
    if (!copy)
        return NULL;
    __builtin_memcpy(copy, s, length);
    copy[length] = '\0';
    return copy;
}

WEAK char *strdup(const char *s) {
    return strndup(s, strlen(s));
}

/* Names that older headers give to them. */
char *__strdup(const char *s);
WEAK char *__strdup(const char *s) {
    return strdup(s);
}

char *__strndup(const char *s, size_t n);
WEAK char *__strndup(const char *s, size_t n) {
    return strndup(s, n);
}

WEAK void *mempcpy(void *to, const void *from, size_t n) {
    return (char *)memcpy(to, from, n) + n;
}

WEAK char *strcasestr(const char *s, const char *wanted) {
    size_t n = strlen(wanted);
    for (;; s++) {
        if (strncasecmp(s, wanted, n) == 0)
            return (char *)s;
        if (!*s)
            return NULL;
    }
}

/* In the locale "C" the order of strings is that of their bytes. */
WEAK size_t strxfrm(char *to, const char *from, size_t n) {
    size_t length = strlen(from);
    if (n)
        strncpy(to, from, n);
    return length;
}

WEAK void swab(const void *from, void *to, ssize_t n) {
    const char *in = from;
    char *out = to;
    for (; n > 1; n -= 2, in += 2, out += 2) {
        char first = in[0], second = in[1];
        out[0] = second;
        out[1] = first;
    }
}

/* -- Wide characters ----------------------------------------------------------------------- */

WEAK size_t wcslen(const wchar_t *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

WEAK int wcscmp(const wchar_t *a, const wchar_t *b) {
    while (*a && *a == *b)
        a++, b++;
    return (*a > *b) - (*a < *b);
}

WEAK wchar_t *wcscpy(wchar_t *to, const wchar_t *from) {
    for (size_t i = 0; (to[i] = from[i]); i++) {
    }
    return to;
}

/* What a compiler must not leave out. */
WEAK void explicit_bzero(void *at, size_t n) {
    __builtin_memset(at, 0, n);
}
