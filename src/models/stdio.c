/* Reading from streams: lines, blocks and formatted input, byte by byte, so that symbolic bytes
 * decide only what they must. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define WEAK __attribute__((weak))

/* machine/libc/stream.c */
int __heddle_stream_get(FILE *file);
void __heddle_stream_enter(FILE *file);
void __heddle_stream_leave(FILE *file);
int __heddle_stream_unget(int c, FILE *file);
#undef stdin
extern FILE *stdin;

/* -- Bytes ---------------------------------------------------------------------------------- */

WEAK int fgetc(FILE *file) {
    __heddle_stream_enter(file);
    int c = __heddle_stream_get(file);
    __heddle_stream_leave(file);
    return c;
}

WEAK int getc(FILE *file) {
    return fgetc(file);
}

int _IO_getc(FILE *file);
WEAK int _IO_getc(FILE *file) {
    return fgetc(file);
}

WEAK int getchar(void) {
    return fgetc(stdin);
}

/* One thread at a time all the same: nobody can tell. */
WEAK int fgetc_unlocked(FILE *file) {
    return fgetc(file);
}

WEAK int getc_unlocked(FILE *file) {
    return fgetc(file);
}

WEAK int getchar_unlocked(void) {
    return fgetc(stdin);
}

WEAK size_t fread(void *to, size_t size, size_t n, FILE *file) {
    unsigned char *out = to;
    size_t got = 0;
    if (size == 0 || n == 0)
        return 0;
    __heddle_stream_enter(file);
    for (int c; got < size * n && (c = __heddle_stream_get(file)) != EOF;)
        out[got++] = (unsigned char)c;
    __heddle_stream_leave(file);
    return got / size;
}

/* -- Lines ---------------------------------------------------------------------------------- */

WEAK char *fgets(char *out, int n, FILE *file) {
    int c = 0, i = 0;
    if (n <= 0)
        return NULL;
    __heddle_stream_enter(file);
    while (i + 1 < n && (c = __heddle_stream_get(file)) != EOF) {
        out[i++] = (char)c;
        if (c == '\n')
            break;
    }
    __heddle_stream_leave(file);
    if (c == EOF && (i == 0 || ferror(file)))
        return NULL;
    out[i] = '\0';
    return out;
}

/* Room for `wanted` bytes; 0 if there is none. */
static int grow(char **line, size_t *size, size_t wanted) {
    size_t more = *line && *size ? *size : 120;
    if (*line && *size >= wanted)
        return 1;
    while (more < wanted)
        more *= 2;
    char *moved = realloc(*line, more);
    if (!moved)
        return 0;
    *line = moved;
    *size = more;
    return 1;
}

WEAK ssize_t getdelim(char **line, size_t *size, int end, FILE *file) {
    size_t n = 0;
    int c = EOF, has_room = 1;
    if (!line || !size) {
        errno = EINVAL;
        return -1;
    }
    __heddle_stream_enter(file);
    while ((has_room = grow(line, size, n + 2)) && (c = __heddle_stream_get(file)) != EOF) {
        (*line)[n++] = (char)c;
        if (c == end)
            break;
    }
    __heddle_stream_leave(file);
    if (!has_room || (c == EOF && (n == 0 || ferror(file))))
        return -1;
    (*line)[n] = '\0';
    return (ssize_t)n;
}

ssize_t __getdelim(char **line, size_t *size, int end, FILE *file);
WEAK ssize_t __getdelim(char **line, size_t *size, int end, FILE *file) {
    return getdelim(line, size, end, file);
}

WEAK ssize_t getline(char **line, size_t *size, FILE *file) {
    return getdelim(line, size, '\n', file);
}

/* Long, and seldom where the time goes: compiled fast (compile/compiler/optimize.c). */
#ifdef __clang__ /* tests compile it with gcc too */
#pragma clang attribute push(__attribute__((cold)), apply_to = function)
#endif

/* -- Formatted input ------------------------------------------------------------------------ */

#define MAX_NUMBER 96 /* characters of a number that are looked at */

typedef struct scanner {
    FILE *file;
    const char *text; /* instead of a file */
    int n_read;
    int has_ended; /* the end of input was met */
} scanner;

typedef struct directive {
    int is_dropped, allocates;
    int width;                 /* 0: none */
    char size;                 /* 'H' for hh, 'h', 'l', 'q' for ll, 'L'; 0: none */
    char kind;                 /* d, s, ... */
    const char *set, *set_end; /* of %[ */
    int is_inverted;
} directive;

static int next_of_text(scanner *s) {
    unsigned char c = (unsigned char)*s->text;
    s->text += c != 0;
    return c ? c : EOF;
}

static int next(scanner *s) {
    int c = s->text ? next_of_text(s) : __heddle_stream_get(s->file);
    s->n_read += c != EOF;
    s->has_ended |= c == EOF;
    return c;
}

static void back(scanner *s, int c) {
    if (c == EOF)
        return;
    if (s->text)
        s->text--;
    else
        __heddle_stream_unget(c, s->file);
    s->n_read--;
}

static int is_blank(int c) {
    return (c == ' ') | ((unsigned)c - '\t' <= 4u);
}

static void skip_blanks(scanner *s) {
    int c = next(s);
    while (c != EOF && is_blank(c))
        c = next(s);
    back(s, c);
}

static const char *parse_set(const char *f, directive *d) {
    d->is_inverted = *f == '^';
    f += d->is_inverted;
    d->set = f;
    if (*f == ']')
        f++;
    while (*f && *f != ']')
        f++;
    d->set_end = f;
    return *f ? f + 1 : f;
}

static const char *parse_size(const char *f, directive *d) {
    while (*f == 'h' || *f == 'l' || *f == 'L' || *f == 'q' || *f == 'j' || *f == 'z' ||
           *f == 't') {
        int again = d->size == *f;
        d->size = *f == 'h' ? (again ? 'H' : 'h') : *f == 'L' ? 'L' : again ? 'q' : 'l';
        f++;
    }
    return f;
}

/* Behind the '%'. */
static const char *parse(const char *f, directive *d) {
    memset(d, 0, sizeof *d);
    for (; *f == '*' || *f == '\''; f++)
        d->is_dropped |= *f == '*';
    for (; *f >= '0' && *f <= '9'; f++)
        d->width = d->width * 10 + (*f - '0');
    if (*f == 'm') {
        d->allocates = 1;
        f++;
    }
    f = parse_size(f, d);
    d->kind = *f;
    if (*f)
        f++;
    return d->kind == '[' ? parse_set(f, d) : f;
}

static int is_in_set(const directive *d, int c) {
    int found = 0;
    for (const char *at = d->set; at < d->set_end; at++) {
        int is_range = at + 2 < d->set_end && at[1] == '-';
        unsigned char low = (unsigned char)at[0], high = (unsigned char)(is_range ? at[2] : at[0]);
        found |= c >= low && c <= high;
        at += is_range ? 2 : 0;
    }
    return found != d->is_inverted;
}

static int is_wanted(const directive *d, int c) {
    return d->kind == 'c' || (d->kind == 's' ? !is_blank(c) : is_in_set(d, c));
}

/* "%ls": in the locale "C" a wide character is a byte. */
static size_t character_size(const directive *d) {
    return d->size == 'l' ? sizeof(wchar_t) : 1;
}

static void store_character(const directive *d, char *to, int n, int c) {
    if (d->size == 'l')
        ((wchar_t *)(void *)to)[n] = c;
    else
        to[n] = (char)c;
}

/* As glibc gives back what "%ms" does not need: nothing behind the text is the caller's. */
static void shrink(char **to, size_t n) {
    char *moved = realloc(*to, n);
    if (moved)
        *to = moved;
}

/* %s, %[ and %c: how many characters were stored; -1 if there is no memory. */
static int scan_text(scanner *s, const directive *d, char **to) {
    int limit = d->width ? d->width : d->kind == 'c' ? 1 : INT_MAX, n = 0, c = 0;
    size_t size = 0;
    while (n < limit && (c = next(s)) != EOF) {
        if (!is_wanted(d, c)) {
            back(s, c);
            break;
        }
        if (d->allocates && !grow(to, &size, ((size_t)n + 2) * character_size(d)))
            return -1;
        if (!d->is_dropped)
            store_character(d, *to, n, c);
        n++;
    }
    if (n && !d->is_dropped && d->kind != 'c')
        store_character(d, *to, n, 0);
    if (n && d->allocates)
        shrink(to, ((size_t)n + (d->kind != 'c')) * character_size(d));
    return n;
}

static int digit_of(int c) {
    return c >= '0' && c <= '9'                 ? c - '0'
           : (c | 32) >= 'a' && (c | 32) <= 'z' ? (c | 32) - 'a' + 10
                                                : 99;
}

static int base_of(char kind) {
    return kind == 'o' ? 8 : kind == 'x' || kind == 'X' || kind == 'p' ? 16 : kind == 'i' ? 0 : 10;
}

/* The characters of an integer; how many digits there are. */
static int collect_integer(scanner *s, int limit, int *base, char *text) {
    int n = 0, n_digits = 0, c = next(s);
    if (c == '+' || c == '-') {
        text[n++] = (char)c;
        c = n < limit ? next(s) : EOF;
    }
    if (c == '0' && (*base == 0 || *base == 16) && n < limit) {
        text[n++] = (char)c;
        n_digits++;
        c = n < limit ? next(s) : EOF;
        if (c == 'x' || c == 'X') {
            *base = 16;
            text[n++] = (char)c;
            c = n < limit ? next(s) : EOF;
        } else if (*base == 0)
            *base = 8;
    }
    if (*base == 0)
        *base = 10;
    while (n < limit && c != EOF && digit_of(c) < *base) {
        if (n < MAX_NUMBER - 1)
            text[n] = (char)c;
        n++;
        n_digits++;
        c = n < limit ? next(s) : EOF;
    }
    if (n < limit)
        back(s, c);
    text[n < MAX_NUMBER ? n : MAX_NUMBER - 1] = '\0';
    return n_digits;
}

static void store_integer(const directive *d, void *to, unsigned long long value) {
    switch (d->kind == 'p' ? 'l' : d->size) {
    case 'H':
        *(unsigned char *)to = (unsigned char)value;
        break;
    case 'h':
        *(unsigned short *)to = (unsigned short)value;
        break;
    case 'l':
    case 'q':
    case 'L':
        *(unsigned long long *)to = value;
        break;
    default:
        *(unsigned *)to = (unsigned)value;
        break;
    }
}

static int scan_integer(scanner *s, const directive *d, void *to) {
    char text[MAX_NUMBER + 1];
    int base = base_of(d->kind), limit = d->width ? d->width : INT_MAX;
    if (!collect_integer(s, limit, &base, text))
        return 0;
    if (!d->is_dropped) {
        int is_signed = d->kind == 'd' || d->kind == 'i';
        store_integer(d, to,
                      is_signed ? (unsigned long long)strtoll(text, NULL, base)
                                : strtoull(text, NULL, base));
    }
    return 1;
}

/* The text of a number with a point, as it comes. */
typedef struct real {
    scanner *s;
    int limit, n, n_digits; /* characters that may be read, and that were */
    char text[MAX_NUMBER + 1];
} real;

/* The next character if it is one of `wanted`, whatever its case; else 0. */
static int accept(real *r, const char *wanted) {
    int c = r->n < r->limit ? next(r->s) : EOF;
    if (c != EOF && c != 0 && strchr(wanted, (c | 32) >= 'a' && (c | 32) <= 'z' ? c | 32 : c)) {
        r->text[r->n++] = (char)c;
        return c;
    }
    if (r->n < r->limit)
        back(r->s, c);
    return 0;
}

static void accept_digits(real *r, const char *digits) {
    while (accept(r, digits))
        r->n_digits++;
}

/* The rest of a word; 0 if it ends early. */
static int accept_word(real *r, const char *rest) {
    for (; *rest; rest++) {
        char one[2] = {*rest, 0};
        if (!accept(r, one))
            return 0;
    }
    return 1;
}

static int accept_infinity(real *r) {
    return accept_word(r, "nf") && (!accept(r, "i") || accept_word(r, "nity"));
}

/* "1.5e3", "0x1.8p4", "inf", "nan": whether it is one. */
static int accept_real(real *r) {
    const char *digits = "0123456789", *exponent = "e";
    accept(r, "+-");
    if (accept(r, "i"))
        return accept_infinity(r);
    if (accept(r, "n"))
        return accept_word(r, "an");
    if (accept(r, "0")) {
        r->n_digits = 1;
        if (accept(r, "x")) {
            r->n_digits = 0;
            digits = "0123456789abcdef";
            exponent = "p";
        }
    }
    accept_digits(r, digits);
    if (accept(r, "."))
        accept_digits(r, digits);
    if (!r->n_digits)
        return 0;
    if (accept(r, exponent)) {
        accept(r, "+-");
        accept_digits(r, "0123456789");
    }
    return 1;
}

static int scan_real(scanner *s, const directive *d, void *to) {
    real r = {.s = s, .limit = d->width && d->width < MAX_NUMBER ? d->width : MAX_NUMBER};
    int is_number = accept_real(&r);
    r.text[r.n] = '\0';
    if (!is_number || d->is_dropped)
        return is_number;
    if (d->size == 'L')
        *(long double *)to = strtold(r.text, NULL);
    else if (d->size == 'l')
        *(double *)to = strtod(r.text, NULL);
    else
        *(float *)to = strtof(r.text, NULL);
    return 1;
}

/* Is there anything?  The end of the input is a failure of its own if nothing of an item was read.
 */
static int has_next(scanner *s) {
    int c = next(s);
    back(s, c);
    return c != EOF;
}

static int convert(scanner *s, const directive *d, void *to) {
    char *made = NULL, *none = NULL, *out = to;
    if (strchr("diuoxXp", d->kind))
        return scan_integer(s, d, to);
    if (strchr("aefgAEFG", d->kind))
        return scan_real(s, d, to);
    if (d->kind != 's' && d->kind != '[' && d->kind != 'c')
        return 0;
    int n = scan_text(s, d, d->is_dropped ? &none : d->allocates ? &made : &out);
    if (d->allocates && !d->is_dropped)
        *(char **)to = made;
    return n < 0 ? -1 : n > 0;
}

/* 1: found, 0: not, -1: no memory. */
static int scan_one(scanner *s, const directive *d, void *to) {
    if (!d->kind)
        return 0;
    if (d->kind != 'c' && d->kind != '[')
        skip_blanks(s);
    if (!has_next(s))
        return 0;
    int found = convert(s, d, to);
    s->has_ended = 0;
    return found;
}

/* A character of the format that is none of a directive; 0 if the input is another. */
static int match(scanner *s, char wanted) {
    if (is_blank((unsigned char)wanted)) {
        skip_blanks(s);
        s->has_ended = 0; /* that is no failure */
        return 1;
    }
    int c = next(s);
    if (c == (unsigned char)wanted)
        return 1;
    back(s, c);
    return 0;
}

static int scan_format(scanner s, const char *format, va_list arguments) {
    int n_stored = 0, goes_on = 1;
    for (const char *f = format; *f && goes_on;) {
        directive d;
        if (*f != '%') {
            goes_on = match(&s, *f++);
            continue;
        }
        f = parse(f + 1, &d);
        if (d.kind == '%') {
            skip_blanks(&s);
            goes_on = match(&s, '%');
            continue;
        }
        void *to = d.is_dropped ? NULL : va_arg(arguments, void *);
        if (d.kind == 'n') {
            if (to)
                store_integer(&d, to, (unsigned long long)s.n_read);
            continue;
        }
        s.has_ended = 0;
        int found = scan_one(&s, &d, to);
        if (found > 0)
            s.has_ended = 0;
        goes_on = found > 0;
        n_stored += found > 0 && !d.is_dropped;
    }
    return n_stored == 0 && s.has_ended ? EOF : n_stored;
}

static int scan_file(FILE *file, const char *format, va_list arguments) {
    __heddle_stream_enter(file);
    int n = scan_format((scanner){.file = file}, format, arguments);
    __heddle_stream_leave(file);
    return n;
}

/* <stdio.h> gives these other names in some dialects of C: all of them are here. */
#define SCANF(prefix, id)                                                                          \
    int id##_scanf(const char *format, ...) __asm__(prefix "scanf");                               \
    int id##_fscanf(FILE *file, const char *format, ...) __asm__(prefix "fscanf");                 \
    int id##_sscanf(const char *text, const char *format, ...) __asm__(prefix "sscanf");           \
    int id##_vscanf(const char *format, va_list arguments) __asm__(prefix "vscanf");               \
    int id##_vfscanf(FILE *file, const char *format, va_list arguments) __asm__(prefix "vfscanf"); \
    int id##_vsscanf(const char *text, const char *format,                                         \
                     va_list arguments) __asm__(prefix "vsscanf");                                 \
    WEAK int id##_vscanf(const char *format, va_list arguments) {                                  \
        return scan_file(stdin, format, arguments);                                                \
    }                                                                                              \
    WEAK int id##_vfscanf(FILE *file, const char *format, va_list arguments) {                     \
        return scan_file(file, format, arguments);                                                 \
    }                                                                                              \
    WEAK int id##_vsscanf(const char *text, const char *format, va_list arguments) {               \
        return scan_format((scanner){.text = text}, format, arguments);                            \
    }                                                                                              \
    WEAK int id##_scanf(const char *format, ...) {                                                 \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        int n = scan_file(stdin, format, arguments);                                               \
        va_end(arguments);                                                                         \
        return n;                                                                                  \
    }                                                                                              \
    WEAK int id##_fscanf(FILE *file, const char *format, ...) {                                    \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        int n = scan_file(file, format, arguments);                                                \
        va_end(arguments);                                                                         \
        return n;                                                                                  \
    }                                                                                              \
    WEAK int id##_sscanf(const char *text, const char *format, ...) {                              \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        int n = scan_format((scanner){.text = text}, format, arguments);                           \
        va_end(arguments);                                                                         \
        return n;                                                                                  \
    }
SCANF("", plain)
SCANF("__isoc99_", c99)
SCANF("__isoc23_", c23)

#ifdef __clang__
#pragma clang attribute pop
#endif

/* ---- places ---- */

/* The state of wide characters is not written: streams of bytes have none. */
WEAK int fgetpos(FILE *restrict stream, fpos_t *restrict at) {
    long place = ftell(stream);
    if (place >= 0)
        at->__pos = place;
    return place < 0 ? -1 : 0;
}

WEAK int fsetpos(FILE *stream, const fpos_t *at) {
    return fseek(stream, at->__pos, SEEK_SET);
}

/* A place of 64 bits is the same. */
WEAK int fgetpos64(FILE *restrict stream, fpos_t *restrict at) {
    return fgetpos(stream, at);
}

WEAK int fsetpos64(FILE *stream, const fpos_t *at) {
    return fsetpos(stream, at);
}
