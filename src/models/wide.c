/* wide.c -- wide characters, in the only locale that programs have here: "C", in which those beyond
 * ASCII are of no class.
 *
 * Weak: a program's own function of the same name wins. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#define WEAK __attribute__((weak))

/* ---- classes ---- */

#define CLASS(name, of_bytes)                                                                      \
    WEAK int name(wint_t c) {                                                                      \
        return c < 128 && of_bytes((int)c);                                                        \
    }
CLASS(iswalnum, isalnum)
CLASS(iswalpha, isalpha)
CLASS(iswblank, isblank)
CLASS(iswcntrl, iscntrl)
CLASS(iswdigit, isdigit)
CLASS(iswgraph, isgraph)
CLASS(iswlower, islower)
CLASS(iswprint, isprint)
CLASS(iswpunct, ispunct)
CLASS(iswspace, isspace)
CLASS(iswupper, isupper)
CLASS(iswxdigit, isxdigit)

WEAK wint_t towlower(wint_t c) {
    return c < 128 ? (wint_t)tolower((int)c) : c;
}

WEAK wint_t towupper(wint_t c) {
    return c < 128 ? (wint_t)toupper((int)c) : c;
}

/* ---- text ---- */

WEAK size_t wcsnlen(const wchar_t *s, size_t n) {
    size_t i = 0;
    while (i < n && s[i])
        i++;
    return i;
}

WEAK wchar_t *wcsdup(const wchar_t *s) {
    size_t size = (wcslen(s) + 1) * sizeof *s;
    wchar_t *copy = malloc(size);
    return copy ? memcpy(copy, s, size) : NULL;
}

static int compare(wchar_t a, wchar_t b) {
    return a < b ? -1 : a > b;
}

WEAK int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i] || !a[i])
            return compare(a[i], b[i]);
    return 0;
}

WEAK wchar_t *wcschr(const wchar_t *s, wchar_t c) {
    for (; *s != c; s++)
        if (!*s)
            return NULL;
    return (wchar_t *)s;
}

WEAK wchar_t *wcsrchr(const wchar_t *s, wchar_t c) {
    const wchar_t *found = NULL;
    for (;; s++) {
        if (*s == c)
            found = s;
        if (!*s)
            return (wchar_t *)found;
    }
}

static int is_among(wchar_t c, const wchar_t *set) {
    for (; *set; set++)
        if (*set == c)
            return 1;
    return 0;
}

static size_t span(const wchar_t *s, const wchar_t *set, int is_wanted) {
    size_t n = 0;
    while (s[n] && is_among(s[n], set) == is_wanted)
        n++;
    return n;
}

WEAK size_t wcsspn(const wchar_t *s, const wchar_t *set) {
    return span(s, set, 1);
}

WEAK size_t wcscspn(const wchar_t *s, const wchar_t *set) {
    return span(s, set, 0);
}

WEAK wchar_t *wcspbrk(const wchar_t *s, const wchar_t *set) {
    s += span(s, set, 0);
    return *s ? (wchar_t *)s : NULL;
}

static int begins(const wchar_t *s, const wchar_t *with) {
    for (; *with; s++, with++)
        if (*s != *with)
            return 0;
    return 1;
}

WEAK wchar_t *wcsstr(const wchar_t *s, const wchar_t *wanted) {
    for (;; s++) {
        if (begins(s, wanted))
            return (wchar_t *)s;
        if (!*s)
            return NULL;
    }
}

WEAK wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (s[i] == c)
            return (wchar_t *)s + i;
    return NULL;
}

WEAK int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return compare(a[i], b[i]);
    return 0;
}

/* ---- copies ---- */

WEAK wchar_t *wmemcpy(wchar_t *restrict out, const wchar_t *restrict from, size_t n) {
    return memcpy(out, from, n * sizeof *out);
}

WEAK wchar_t *wmempcpy(wchar_t *restrict out, const wchar_t *restrict from, size_t n) {
    return wmemcpy(out, from, n) + n;
}

WEAK wchar_t *wmemmove(wchar_t *out, const wchar_t *from, size_t n) {
    return memmove(out, from, n * sizeof *out);
}

WEAK wchar_t *wmemset(wchar_t *out, wchar_t c, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = c;
    return out;
}

WEAK wchar_t *wcpcpy(wchar_t *restrict out, const wchar_t *restrict from) {
    for (; (*out = *from); out++)
        from++;
    return out;
}

/* All n are written; the result is the first end among them, or the place behind them. */
WEAK wchar_t *wcpncpy(wchar_t *restrict out, const wchar_t *restrict from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i]; i++)
        out[i] = from[i];
    wmemset(out + i, 0, n - i);
    return out + i;
}

WEAK wchar_t *wcsncpy(wchar_t *restrict out, const wchar_t *restrict from, size_t n) {
    wcpncpy(out, from, n);
    return out;
}

WEAK wchar_t *wcscat(wchar_t *restrict out, const wchar_t *restrict from) {
    wcpcpy(out + wcslen(out), from);
    return out;
}

WEAK wchar_t *wcsncat(wchar_t *restrict out, const wchar_t *restrict from, size_t n) {
    wchar_t *end = out + wcslen(out);
    for (; n && *from; n--)
        *end++ = *from++;
    *end = 0;
    return out;
}

WEAK size_t wcsxfrm(wchar_t *restrict out, const wchar_t *restrict from, size_t n) {
    size_t length = wcslen(from);
    if (n)
        wcsncpy(out, from, n <= length ? n : length + 1);
    return length;
}

WEAK wchar_t *wcschrnul(const wchar_t *s, wchar_t c) {
    while (*s && *s != c)
        s++;
    return (wchar_t *)s;
}

WEAK wchar_t *wcstok(wchar_t *restrict s, const wchar_t *restrict between,
                     wchar_t **restrict rest) {
    wchar_t *word = s ? s : *rest;
    if (!word) {
        errno = EINVAL;
        return NULL;
    }
    word += span(word, between, 1);
    if (!*word) {
        *rest = NULL;
        return NULL;
    }
    wchar_t *end = word + span(word, between, 0);
    *rest = *end ? end + 1 : NULL;
    *end = 0;
    return word;
}

/* ---- to and from bytes ---- */

static int is_plain(unsigned c) {
    return c < 128;
}

WEAK size_t mbstowcs(wchar_t *restrict out, const char *restrict s, size_t n) {
    for (size_t i = 0; !out || i < n; i++) {
        if (!is_plain((unsigned char)s[i])) {
            errno = EILSEQ;
            return (size_t)-1;
        }
        if (out)
            out[i] = s[i];
        if (!s[i])
            return i;
    }
    return n;
}

WEAK size_t wcstombs(char *restrict out, const wchar_t *restrict s, size_t n) {
    for (size_t i = 0; !out || i < n; i++) {
        if (!is_plain((unsigned)s[i])) {
            errno = EILSEQ;
            return (size_t)-1;
        }
        if (out)
            out[i] = (char)s[i];
        if (!s[i])
            return i;
    }
    return n;
}

/* One at a time: bytes have no state between them. */
WEAK size_t mbrtowc(wchar_t *restrict out, const char *restrict s, size_t n,
                    mbstate_t *restrict state) {
    (void)state;
    if (!s)
        return 0;
    if (!n)
        return (size_t)-2;
    if (!is_plain((unsigned char)*s)) {
        errno = EILSEQ;
        return (size_t)-1;
    }
    if (out)
        *out = *s;
    return *s != 0;
}

/* The end of a text is seen with no byte to look at, too, as by glibc's. */
WEAK int mbtowc(wchar_t *restrict out, const char *restrict s, size_t n) {
    size_t used = mbrtowc(out, s, s && !*s ? 1 : n, NULL);
    return used > 1 ? -1 : (int)used;
}

WEAK size_t wcrtomb(char *restrict out, wchar_t c, mbstate_t *restrict state) {
    (void)state;
    if (!out)
        return 1;
    if (!is_plain((unsigned)c)) {
        errno = EILSEQ;
        return (size_t)-1;
    }
    *out = (char)c;
    return 1;
}

WEAK int wctomb(char *out, wchar_t c) {
    return out ? (int)wcrtomb(out, c, NULL) : 0;
}

/* Where it stopped is said only if something was written: NULL at the end of the text. */
WEAK size_t mbsrtowcs(wchar_t *restrict out, const char **restrict from, size_t n,
                      mbstate_t *restrict state) {
    const char *s = *from;
    size_t i = 0;
    (void)state;
    for (; (!out || i < n) && is_plain((unsigned char)s[i]); i++) {
        if (out)
            out[i] = s[i];
        if (!s[i]) {
            if (out)
                *from = NULL;
            return i;
        }
    }
    if (out)
        *from = s + i;
    if (out && i == n)
        return n;
    errno = EILSEQ;
    return (size_t)-1;
}

WEAK size_t wcsrtombs(char *restrict out, const wchar_t **restrict from, size_t n,
                      mbstate_t *restrict state) {
    const wchar_t *s = *from;
    size_t i = 0;
    (void)state;
    for (; (!out || i < n) && is_plain((unsigned)s[i]); i++) {
        if (out)
            out[i] = (char)s[i];
        if (!s[i]) {
            if (out)
                *from = NULL;
            return i;
        }
    }
    if (out)
        *from = s + i;
    if (out && i == n)
        return n;
    errno = EILSEQ;
    return (size_t)-1;
}

/* ---- printing ---- */

void __heddle_bound(const char *words);

/* The format in bytes, to be freed. */
static char *narrow(const wchar_t *format) {
    size_t n = wcslen(format);
    char *text = malloc(n + 1);
    for (size_t i = 0; text && i <= n; i++) {
        if (!is_plain((unsigned)format[i]))
            __heddle_bound("characters beyond ASCII in a wide format are printed as '?'");
        text[i] = is_plain((unsigned)format[i]) ? (char)format[i] : '?';
    }
    return text;
}

/* Both kinds of formats say the same of the same arguments. */
static char *print(const wchar_t *format, va_list arguments) {
    char *plain = narrow(format), *text = NULL;
    if (plain && vasprintf(&text, plain, arguments) < 0)
        text = NULL;
    free(plain);
    return text;
}

static int print_into(wchar_t *out, size_t n, const wchar_t *format, va_list arguments) {
    char *text = print(format, arguments);
    size_t i = 0;
    if (!text)
        return -1;
    for (; i + 1 < n && text[i]; i++)
        out[i] = (unsigned char)text[i];
    if (n)
        out[i] = 0;
    int result = i < n && !text[i] ? (int)i : -1;
    free(text);
    return result;
}

WEAK int vswprintf(wchar_t *restrict out, size_t n, const wchar_t *restrict format,
                   va_list arguments) {
    va_list own;
    va_copy(own, arguments);
    int result = print_into(out, n, format, own);
    va_end(own);
    return result;
}

WEAK int swprintf(wchar_t *restrict out, size_t n, const wchar_t *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int result = print_into(out, n, format, arguments);
    va_end(arguments);
    return result;
}

/* ---- streams ---- */

int __heddle_wide_begin(FILE *file);
void __heddle_wide_end(FILE *file);

void __heddle_assume(int condition);

/* Streams of glibc keep such characters until they are flushed, and fail then. */
static void need_plain(wint_t c) {
    if (is_plain(c))
        return;
    __heddle_bound(
        "wide characters beyond ASCII in streams are not modelled (executions end there)");
    __heddle_assume(0);
}

static wint_t put(wchar_t c, FILE *file) {
    need_plain((wint_t)c);
    return fputc((int)c, file) == EOF ? WEOF : (wint_t)c;
}

static wint_t get(FILE *file) {
    int c = fgetc(file);
    if (c == EOF || is_plain((unsigned)c))
        return c == EOF ? WEOF : (wint_t)c;
    errno = EILSEQ;
    return WEOF;
}

WEAK wint_t fputwc(wchar_t c, FILE *file) {
    wint_t result = __heddle_wide_begin(file) ? put(c, file) : WEOF;
    __heddle_wide_end(file);
    return result;
}

WEAK wint_t putwc(wchar_t c, FILE *file) {
    return fputwc(c, file);
}

WEAK wint_t putwchar(wchar_t c) {
    return fputwc(c, stdout);
}

WEAK int fputws(const wchar_t *restrict s, FILE *restrict file) {
    int is_good = __heddle_wide_begin(file);
    for (; is_good && *s; s++)
        is_good = put(*s, file) != WEOF;
    __heddle_wide_end(file);
    return is_good ? 1 : EOF;
}

static int print_to(FILE *file, const wchar_t *format, va_list arguments) {
    char *text = print(format, arguments);
    int is_good = __heddle_wide_begin(file) && text && fputs(text, file) >= 0;
    __heddle_wide_end(file);
    int n = is_good ? (int)strlen(text) : -1;
    free(text);
    return n;
}

WEAK int vfwprintf(FILE *restrict file, const wchar_t *restrict format, va_list arguments) {
    va_list own;
    va_copy(own, arguments);
    int n = print_to(file, format, own);
    va_end(own);
    return n;
}

WEAK int vwprintf(const wchar_t *restrict format, va_list arguments) {
    return vfwprintf(stdout, format, arguments);
}

WEAK int fwprintf(FILE *restrict file, const wchar_t *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = print_to(file, format, arguments);
    va_end(arguments);
    return n;
}

WEAK int wprintf(const wchar_t *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = print_to(stdout, format, arguments);
    va_end(arguments);
    return n;
}

WEAK wint_t fgetwc(FILE *file) {
    wint_t c = __heddle_wide_begin(file) ? get(file) : WEOF;
    __heddle_wide_end(file);
    return c;
}

WEAK wint_t getwc(FILE *file) {
    return fgetwc(file);
}

WEAK wint_t getwchar(void) {
    return fgetwc(stdin);
}

WEAK wchar_t *fgetws(wchar_t *restrict out, int n, FILE *restrict file) {
    int i = 0, may = __heddle_wide_begin(file);
    for (wint_t c = 0; may && i + 1 < n && c != L'\n'; i++) {
        c = get(file);
        if (c == WEOF)
            break;
        out[i] = (wchar_t)c;
    }
    __heddle_wide_end(file);
    if (!i && n != 1)
        return NULL;
    out[i] = 0;
    return may ? out : NULL;
}

WEAK wint_t ungetwc(wint_t c, FILE *file) {
    int may = __heddle_wide_begin(file) && c != WEOF;
    if (may)
        need_plain(c);
    wint_t result = may && ungetc((int)c, file) != EOF ? c : WEOF;
    __heddle_wide_end(file);
    return result;
}
