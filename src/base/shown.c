/* Formats are read here, conversion by conversion, so that arguments can be looked at one by one.
 */
#include "base/shown.h"

#include "base/panic.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what is shown of bytes ---- */

static bool is_continued(const unsigned char *at, const unsigned char *end, unsigned n) {
    for (unsigned i = 1; i < n; i++)
        if (at + i >= end || (at[i] & 0xc0) != 0x80)
            return false;
    return true;
}

/* The length of a character of UTF-8, and its number; 0 if there is none. */
static unsigned decode(const unsigned char *at, const unsigned char *end, uint32_t *number) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned n = *at < 0x80   ? 1
                 : *at < 0xc2 ? 0
                 : *at < 0xe0 ? 2
                 : *at < 0xf0 ? 3
                 : *at < 0xf5 ? 4
                              : 0;
    if (!n || !is_continued(at, end, n))
        return 0;
    *number = n == 1 ? *at : *at & (0xffu >> (n + 1));
    for (unsigned i = 1; i < n; i++)
        *number = *number << 6 | (at[i] & 0x3f);
    bool is_surrogate = *number >= 0xd800 && *number < 0xe000;
    return *number >= least[n] && *number <= 0x10ffff && !is_surrogate ? n : 0;
}

/* Marks that change in which direction, or whether, the characters around them are seen. */
static bool is_hidden(uint32_t c) {
    return (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || c == 0x061c || c == 0x00ad ||
           (c >= 0xe0000 && c <= 0xe007f);
}

static void add_escape(hd_text *t, unsigned char byte) {
    static const char letters[] = "abtnvfr"; /* from 7 on */
    if (byte >= 7 && byte <= 13)
        hd_text_add(t, "\\%c", letters[byte - 7]);
    else
        hd_text_add(t, "\\x%02x", byte);
}

void hd_text_add_shown(hd_text *t, const char *bytes, size_t n) {
    const unsigned char *at = (const unsigned char *)bytes, *end = at + n;
    while (at < end) {
        uint32_t number = 0;
        unsigned length = decode(at, end, &number);
        if (!length || number < 32 || (number >= 127 && number < 160))
            for (unsigned i = 0; i < (length ? length : 1); i++)
                add_escape(t, at[i]);
        else if (is_hidden(number))
            hd_text_add(t, number > 0xffff ? "\\U%08x" : "\\u%04x", number);
        else
            hd_text_add_bytes(t, at, length);
        at += length ? length : 1;
    }
}

/* ---- formats ---- */

typedef struct print_conversion {
    char flags[8], letter;
    int width, precision; /* -1: none */
    unsigned n_long;      /* 1: long, size_t; 2: long long */
} print_conversion;

static const char *read_number(const char *at, int *number) {
    for (*number = 0; *at >= '0' && *at <= '9'; at++)
        *number = *number * 10 + (*at - '0');
    return at;
}

/* From behind the '%' to behind the letter. */
static const char *read_conversion(const char *at, print_conversion *c, va_list *arguments) {
    size_t n = strspn(at, "-+ #0");
    *c = (print_conversion){.width = 0, .precision = -1};
    HD_ASSERT(n < sizeof c->flags);
    memcpy(c->flags, at, n);
    at += n;
    if (*at == '*') {
        c->width = va_arg(*arguments, int);
        at++;
    } else {
        at = read_number(at, &c->width);
    }
    if (*at == '.' && at[1] == '*') {
        c->precision = va_arg(*arguments, int);
        at += 2;
    } else if (*at == '.') {
        at = read_number(at + 1, &c->precision);
    }
    for (; *at == 'l' || *at == 'z'; at++)
        c->n_long++;
    c->letter = *at;
    return at + 1;
}

/* Widths count characters, where C counts bytes. */
static size_t count_characters(const hd_text *t) {
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        n += ((unsigned char)t->at[i] & 0xc0) != 0x80;
    return n;
}

/* No byte that a terminal would obey. */
static bool is_harmless(const hd_text *t) {
    for (size_t i = 0; i < t->n; i++)
        if ((unsigned char)t->at[i] < 32 || t->at[i] == 127)
            return false;
    return true;
}

static void put_shown(FILE *out, const print_conversion *c, const char *bytes, size_t n) {
    hd_text shown = {0};
    hd_text_add_shown(&shown, bytes, n);
    HD_INVARIANT(J1, is_harmless(&shown));
    size_t have = count_characters(&shown), want = (size_t)(c->width > 0 ? c->width : 0);
    bool is_left = strchr(c->flags, '-') != NULL;
    int blanks = want > have ? (int)(want - have) : 0;
    fprintf(out, "%*s%s%*s", is_left ? 0 : blanks, "", hd_text_string(&shown), is_left ? blanks : 0,
            "");
    hd_text_release(&shown);
}

static void put_text(FILE *out, const print_conversion *c, const char *text) {
    text = text ? text : "(null)";
    put_shown(out, c, text, c->precision < 0 ? strlen(text) : strnlen(text, (size_t)c->precision));
}

static void put_number(FILE *out, const print_conversion *c, va_list *arguments) {
    char format[32];
    bool is_real = c->letter == 'f' || c->letter == 'g';
    int n = snprintf(format, sizeof format, "%%%s*%s%s%c", c->flags, c->precision < 0 ? "" : ".*",
                     is_real ? "" : "ll", c->letter);
    HD_ASSERT(n > 0 && n < (int)sizeof format);
    bool is_signed = c->letter == 'd' || c->letter == 'i';
#define PUT(value)                                                                                 \
    (c->precision < 0 ? fprintf(out, format, c->width, value)                                      \
                      : fprintf(out, format, c->width, c->precision, value))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (is_real)
        PUT(va_arg(*arguments, double));
    else if (is_signed)
        PUT((long long)(c->n_long ? va_arg(*arguments, long) : va_arg(*arguments, int)));
    else
        PUT((unsigned long long)(c->n_long ? va_arg(*arguments, unsigned long)
                                           : va_arg(*arguments, unsigned)));
#pragma GCC diagnostic pop
#undef PUT
}
_Static_assert(sizeof(long) == sizeof(long long) && sizeof(size_t) == sizeof(long),
               "one size of long numbers");

static void put_conversion(FILE *out, const print_conversion *c, va_list *arguments) {
    char letter;
    switch (c->letter) {
    case '%':
        fputc('%', out);
        break;
    case 's':
        put_text(out, c, va_arg(*arguments, const char *));
        break;
    case 'c':
        letter = (char)va_arg(*arguments, int);
        put_shown(out, c, &letter, 1);
        break;
    default:
        HD_ASSERT(strchr("diuxXfg", c->letter) && c->letter);
        put_number(out, c, arguments);
    }
}

void hd_print(FILE *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    while (*format) {
        size_t n = strcspn(format, "%");
        print_conversion c;
        fwrite(format, 1, n, out);
        format += n;
        if (!*format)
            break;
        format = read_conversion(format + 1, &c, &arguments);
        put_conversion(out, &c, &arguments);
    }
    va_end(arguments);
}

void hd_print_lines(FILE *out, const char *text) {
    while (*text) {
        size_t n = strcspn(text, "\n");
        hd_print(out, text[n] ? "%.*s\n" : "%.*s", (int)n, text);
        text += n + (text[n] == '\n');
    }
}

/* ---- colours ---- */

bool hd_print_has_colour(FILE *out) {
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !(no && *no) && terminal && *terminal && strcmp(terminal, "dumb") != 0 &&
           isatty(fileno(out));
}

void hd_print_colour(FILE *out, hd_colour colour) {
    static const char *const codes[HD_N_COLOURS] = {
        [HD_COLOUR_NONE] = "0",  [HD_COLOUR_BAD] = "1;31", [HD_COLOUR_GOOD] = "1;32",
        [HD_COLOUR_WARN] = "33", [HD_COLOUR_NAME] = "36",  [HD_COLOUR_STRONG] = "1",
        [HD_COLOUR_FAINT] = "2",
    };
    HD_INVARIANT(J2, colour < HD_N_COLOURS && codes[colour]);
    if (hd_print_has_colour(out))
        fprintf(out, "\033[%sm", codes[colour]);
}
