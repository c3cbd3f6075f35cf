/* stdlib.c -- numbers from text, sorting and searching, and the deterministic generators. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <strings.h>

#define WEAK __attribute__((weak))

/* -- Numbers ------------------------------------------------------------------------------- */

WEAK int abs(int x) {
    return x < 0 ? -x : x;
}

WEAK long labs(long x) {
    return x < 0 ? -x : x;
}

WEAK long long llabs(long long x) {
    return x < 0 ? -x : x;
}

WEAK intmax_t imaxabs(intmax_t x) {
    return x < 0 ? -x : x;
}

WEAK div_t div(int a, int b) {
    return (div_t){a / b, a % b};
}

WEAK ldiv_t ldiv(long a, long b) {
    return (ldiv_t){a / b, a % b};
}

WEAK lldiv_t lldiv(long long a, long long b) {
    return (lldiv_t){a / b, a % b};
}

WEAK imaxdiv_t imaxdiv(intmax_t a, intmax_t b) {
    return (imaxdiv_t){a / b, a % b};
}

WEAK int ffs(int x) {
    return __builtin_ffs(x);
}

WEAK int ffsl(long x) {
    return __builtin_ffsl(x);
}

WEAK int ffsll(long long x) {
    return __builtin_ffsll(x);
}

static int is_space(int c) {
    return (c == ' ') | ((unsigned)c - '\t' <= 4u);
}

/* Value of a digit, or something of at least 36. */
static unsigned digit_value(unsigned char c) {
    if (c - '0' < 10u)
        return c - '0';
    return (c | 32) - 'a' < 26u ? (c | 32) - 'a' + 10 : 99;
}

typedef struct scanned {
    unsigned long long magnitude;
    int is_negative, is_too_big;
    const char *end; /* NULL: there is no number */
} scanned;

static const char *skip_prefix(const char *s, unsigned *base) {
    int is_hex = s[0] == '0' && (s[1] | 32) == 'x' && digit_value((unsigned char)s[2]) < 16;
    if ((*base == 0 || *base == 16) && is_hex) {
        *base = 16;
        return s + 2;
    }
    if (*base == 0)
        *base = s[0] == '0' ? 8 : 10;
    return s;
}

static scanned scan(const char *s, unsigned base) {
    scanned x = {0, 0, 0, NULL};
    while (is_space((unsigned char)*s))
        s++;
    if (*s == '+' || *s == '-')
        x.is_negative = *s++ == '-';
    s = skip_prefix(s, &base);
    for (unsigned digit; (digit = digit_value((unsigned char)*s)) < base; x.end = ++s)
        if (x.magnitude > (ULLONG_MAX - digit) / base)
            x.is_too_big = 1;
        else
            x.magnitude = x.magnitude * base + digit;
    return x;
}

static unsigned long long convert(const char *s, char **end, int base, unsigned long long limit,
                                  int is_signed) {
    if (base < 0 || base == 1 || base > 36) { /* glibc leaves *end as it is */
        errno = EINVAL;
        return 0;
    }
    scanned x = scan(s, (unsigned)base);
    if (end)
        *end = (char *)(x.end ? x.end : s);
    if (is_signed && x.is_negative)
        limit++;
    if (x.is_too_big || x.magnitude > limit) {
        errno = ERANGE;
        return is_signed && x.is_negative ? 0 - limit : limit;
    }
    return x.is_negative ? 0 - x.magnitude : x.magnitude;
}

WEAK long long strtoll(const char *s, char **end, int base) {
    return (long long)convert(s, end, base, LLONG_MAX, 1);
}

WEAK long strtol(const char *s, char **end, int base) {
    return (long)convert(s, end, base, LONG_MAX, 1);
}

WEAK unsigned long long strtoull(const char *s, char **end, int base) {
    return convert(s, end, base, ULLONG_MAX, 0);
}

WEAK unsigned long strtoul(const char *s, char **end, int base) {
    return (unsigned long)convert(s, end, base, ULONG_MAX, 0);
}

WEAK intmax_t strtoimax(const char *s, char **end, int base) {
    return strtoll(s, end, base);
}

WEAK uintmax_t strtoumax(const char *s, char **end, int base) {
    return strtoull(s, end, base);
}

/* Newer headers redirect the functions to these names. */
WEAK long __isoc23_strtol(const char *s, char **end, int base) {
    return strtol(s, end, base);
}

WEAK long long __isoc23_strtoll(const char *s, char **end, int base) {
    return strtoll(s, end, base);
}

WEAK unsigned long __isoc23_strtoul(const char *s, char **end, int base) {
    return strtoul(s, end, base);
}

WEAK unsigned long long __isoc23_strtoull(const char *s, char **end, int base) {
    return strtoull(s, end, base);
}

WEAK int atoi(const char *s) {
    return (int)strtol(s, NULL, 10);
}

WEAK long atol(const char *s) {
    return strtol(s, NULL, 10);
}

WEAK long long atoll(const char *s) {
    return strtoll(s, NULL, 10);
}

/* -- Sorting: a merge sort, stable, with the fewest comparisons ------------------------------ */

typedef int comparator(const void *, const void *, void *);

typedef struct sort {
    size_t size;
    comparator *compare;
    void *context;
} sort;

static void copy_element(const sort *s, char *to, const char *from) {
    if (s->size == sizeof(uint32_t))
        __builtin_memcpy(to, from, sizeof(uint32_t));
    else if (s->size == sizeof(uint64_t))
        __builtin_memcpy(to, from, sizeof(uint64_t));
    else
        __builtin_memcpy(to, from, s->size);
}

static void merge(const sort *s, char *at, size_t n1, size_t n2, char *aside) {
    char *a = at, *b = at + n1 * s->size, *to = aside;
    while (n1 && n2) {
        int first = s->compare(a, b, s->context) <= 0;
        copy_element(s, to, first ? a : b);
        a += first ? s->size : 0;
        b += first ? 0 : s->size;
        n1 -= first != 0;
        n2 -= first == 0;
        to += s->size;
    }
    if (n1)
        __builtin_memcpy(to, a, n1 * s->size);
    to += n1 * s->size;
    __builtin_memcpy(at, aside, (size_t)(to - aside));
}

static void sort_part(const sort *s, char *at, size_t n, char *aside) {
    if (n <= 1)
        return;
    sort_part(s, at, n / 2, aside);
    sort_part(s, at + n / 2 * s->size, n - n / 2, aside);
    merge(s, at, n / 2, n - n / 2, aside);
}

WEAK void qsort_r(void *at, size_t n, size_t size, comparator *compare, void *context) {
    sort s = {size, compare, context};
    if (n * size <= 1024) {
        char aside[n * size + 1];
        sort_part(&s, at, n, aside);
        return;
    }
    char *aside = malloc(n * size);
    if (!aside)
        abort();
    sort_part(&s, at, n, aside);
    free(aside);
}

static int compare_two(const void *a, const void *b, void *compare) {
    return ((int (*)(const void *, const void *))compare)(a, b);
}

WEAK void qsort(void *at, size_t n, size_t size, int (*compare)(const void *, const void *)) {
    qsort_r(at, n, size, compare_two, (void *)compare);
}

WEAK void *bsearch(const void *key, const void *at, size_t n, size_t size,
                   int (*compare)(const void *, const void *)) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *p = (const char *)at + middle * size;
        int order = compare(key, p);
        if (order == 0)
            return (void *)p;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* -- Sets of signals ----------------------------------------------------------------------- */

WEAK int sigemptyset(sigset_t *set) {
    for (unsigned i = 0; i < sizeof set->__val / sizeof *set->__val; i++)
        set->__val[i] = 0;
    return 0;
}

WEAK int sigfillset(sigset_t *set) {
    for (unsigned i = 0; i < sizeof set->__val / sizeof *set->__val; i++)
        set->__val[i] = ~0ul;
    set->__val[0] &= ~(3ul << 31); /* 32 and 33 are the C library's own */
    return 0;
}

static int is_signal(int signal) {
    if (signal >= 1 && signal <= 64)
        return 1;
    errno = EINVAL;
    return 0;
}

WEAK int sigaddset(sigset_t *set, int signal) {
    if (!is_signal(signal))
        return -1;
    set->__val[0] |= 1ul << (signal - 1);
    return 0;
}

WEAK int sigdelset(sigset_t *set, int signal) {
    if (!is_signal(signal))
        return -1;
    set->__val[0] &= ~(1ul << (signal - 1));
    return 0;
}

WEAK int sigismember(const sigset_t *set, int signal) {
    return is_signal(signal) ? (int)(set->__val[0] >> (signal - 1) & 1) : -1;
}
