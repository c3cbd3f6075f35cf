/* inet.c -- internet addresses from text and back: a character is a few ways, not 256, and numbers
 * stay symbolic.
 *
 * The texts that are accepted are those that glibc accepts: inet_pton four decimal numbers without
 * leading zeros, or an IPv6 address with at most one "::" and perhaps an IPv4 address as its end;
 * inet_aton one to four numbers as in C, the last of which fills what is left, and white space
 * behind them. */
#include <arpa/inet.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WEAK __attribute__((weak))
#define V6   16 /* bytes of an IPv6 address */

/* Long, and seldom where the time goes: compiled fast (compile/compiler/optimize.c). */
#ifdef __clang__ /* tests compile it with gcc too */
#pragma clang attribute push(__attribute__((cold)), apply_to = function)
#endif

/* -- Characters ------------------------------------------------------------------------------- */

static int is_digit(char c) {
    return (unsigned)c - '0' < 10;
}

/* Value of a hexadecimal digit, or something of at least 16. */
static unsigned hex_value(unsigned char c) {
    unsigned digit = c - '0', letter = (c | 32) - 'a';
    return digit < 10 ? digit : letter < 6 ? letter + 10 : 99;
}

/* -- Text to address --------------------------------------------------------------------------- */

/* What follows a decimal number up to 255 without leading zeros; NULL if there is none. */
static const char *parse_byte(const char *s, uint8_t *out) {
    unsigned value = 0;
    int has_digit = 0;
    for (; is_digit(*s); s++) {
        if (has_digit && !value)
            return NULL;
        has_digit = 1;
        value = value * 10 + (unsigned)(*s - '0');
        if (value > 255)
            return NULL;
    }
    *out = (uint8_t)value;
    return has_digit ? s : NULL;
}

static int parse_v4(const char *s, uint8_t out[4]) {
    for (int i = 0; i < 4; i++) {
        if (i && *s++ != '.')
            return 0;
        s = parse_byte(s, &out[i]);
        if (!s)
            return 0;
    }
    return !*s;
}

/* What follows up to four hexadecimal digits; NULL if there are more. */
static const char *parse_group(const char *s, unsigned *value) {
    const char *first = s;
    for (*value = 0; hex_value((unsigned char)*s) < 16; s++) {
        if (s - first == 4)
            return NULL;
        *value = *value << 4 | hex_value((unsigned char)*s);
    }
    return s;
}

typedef struct groups {
    uint8_t bytes[V6];
    int n;   /* bytes so far */
    int gap; /* where "::" stands, -1 = nowhere */
} groups;

/* What follows a group and its colon, or the address of four bytes at the end; NULL if wrong. */
static const char *parse_part(groups *g, const char *s) {
    unsigned value;
    const char *end = parse_group(s, &value);
    if (!end)
        return NULL;
    if (*end == '.') {
        if (g->n + 4 > V6 || !parse_v4(s, g->bytes + g->n))
            return NULL;
        g->n += 4;
        return end + strlen(end);
    }
    if (end == s || g->n + 2 > V6)
        return NULL;
    g->bytes[g->n++] = (uint8_t)(value >> 8);
    g->bytes[g->n++] = (uint8_t)value;
    if (!*end)
        return end;
    return *end == ':' && end[1] ? end + 1 : NULL;
}

static int fill_gap(groups *g) {
    if (g->gap < 0)
        return g->n == V6;
    if (g->n == V6)
        return 0;
    int behind = g->n - g->gap;
    memmove(g->bytes + V6 - behind, g->bytes + g->gap, (size_t)behind);
    memset(g->bytes + g->gap, 0, (size_t)(V6 - g->n));
    return 1;
}

static int parse_v6(const char *s, groups *g) {
    g->n = 0;
    g->gap = -1;
    if (*s == ':' && *++s != ':')
        return 0;
    while (*s) {
        if (*s != ':') {
            s = parse_part(g, s);
            if (!s)
                return 0;
        } else if (g->gap >= 0) {
            return 0;
        } else {
            g->gap = g->n;
            s++;
        }
    }
    return fill_gap(g);
}

WEAK int inet_pton(int family, const char *restrict text, void *restrict out) {
    groups g;
    if (family != AF_INET && family != AF_INET6) {
        errno = EAFNOSUPPORT;
        return -1;
    }
    if (!(family == AF_INET ? parse_v4(text, g.bytes) : parse_v6(text, &g)))
        return 0;
    memcpy(out, g.bytes, family == AF_INET ? 4 : V6);
    return 1;
}

/* What follows a number as in C, below 2^32; NULL if there is none. */
static const char *parse_number(const char *s, uint32_t *out) {
    unsigned base = 10;
    uint64_t value = 0;
    if (!is_digit(*s))
        return NULL;
    if (*s == '0')
        base = 8;
    if (base == 8 && (s[1] | 32) == 'x' && hex_value((unsigned char)s[2]) < 16) {
        base = 16;
        s += 2;
    }
    for (; hex_value((unsigned char)*s) < base; s++) {
        value = value * base + hex_value((unsigned char)*s);
        if (value > UINT32_MAX)
            return NULL;
    }
    *out = (uint32_t)value;
    return s;
}

static int is_space(char c) {
    return (c == ' ') | ((unsigned)c - '\t' <= 4);
}

WEAK int inet_aton(const char *text, struct in_addr *out) {
    uint32_t address = 0, last;
    int shift = 24;
    for (;; shift -= 8) {
        text = parse_number(text, &last);
        if (!text)
            return 0;
        if (*text != '.')
            break;
        if (!shift || last > 255)
            return 0;
        address |= last << shift;
        text++;
    }
    if ((*text && !is_space(*text)) || (uint64_t)last >> (shift + 8))
        return 0;
    if (out)
        out->s_addr = htonl(address | last);
    return 1;
}

WEAK in_addr_t inet_addr(const char *text) {
    struct in_addr a;
    return inet_aton(text, &a) ? a.s_addr : INADDR_NONE;
}

/* -- Address to text --------------------------------------------------------------------------- */

static char *put_number(char *to, unsigned value, unsigned base) {
    if (value >= base)
        to = put_number(to, value / base, base);
    unsigned digit = value % base;
    *to = (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
    return to + 1;
}

static char *put_v4(char *to, const uint8_t bytes[4]) {
    for (int i = 0; i < 4; i++) {
        if (i)
            *to++ = '.';
        to = put_number(to, bytes[i], 10);
    }
    return to;
}

typedef struct run {
    int first, n;
} run;

/* The longest run of at least two groups that are zero, the first of several. */
static run find_zeros(const unsigned group[8]) {
    run best = {-1, 1};
    for (int i = 0, n = 0; i < 8; i++) {
        n = group[i] ? 0 : n + 1;
        if (n > best.n)
            best = (run){i - n + 1, n};
    }
    return best.first < 0 ? (run){-1, 0} : best;
}

static char *put_v6(char *to, const uint8_t bytes[V6]) {
    unsigned group[8];
    for (int i = 0; i < 8; i++)
        group[i] = (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1];
    run zeros = find_zeros(group);
    int ends_in_v4 = !zeros.first && (zeros.n == 6 || (zeros.n == 5 && group[5] == 0xffff));
    for (int i = 0; i < 8; i++) {
        if (i >= zeros.first && i < zeros.first + zeros.n) {
            if (i == zeros.first)
                *to++ = ':';
            continue;
        }
        if (i)
            *to++ = ':';
        if (i == 6 && ends_in_v4)
            return put_v4(to, bytes + 12);
        to = put_number(to, group[i], 16);
    }
    if (zeros.n && zeros.first + zeros.n == 8)
        *to++ = ':';
    return to;
}

WEAK const char *inet_ntop(int family, const void *restrict address, char *restrict out,
                           socklen_t size) {
    char text[INET6_ADDRSTRLEN];
    if (family != AF_INET && family != AF_INET6) {
        errno = EAFNOSUPPORT;
        return NULL;
    }
    char *end = family == AF_INET ? put_v4(text, address) : put_v6(text, address);
    *end++ = 0;
    if (end - text > (ptrdiff_t)size) {
        errno = ENOSPC;
        return NULL;
    }
    memcpy(out, text, (size_t)(end - text));
    return out;
}

/* glibc has a text for every thread. */
WEAK char *inet_ntoa(struct in_addr address) {
    static _Thread_local char text[18];
    return (char *)inet_ntop(AF_INET, &address, text, sizeof text);
}

#ifdef __clang__
#pragma clang attribute pop
#endif
