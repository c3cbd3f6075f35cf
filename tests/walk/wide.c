/* Wide and multibyte characters. */
#include "walk.h"

#include <wctype.h>

#define WALK_ISW(f)                                                                                \
    WALK(f) {                                                                                      \
        SEE(f(VS(0, ' ', 23)) != 0);                                                               \
        SEE(f(V(0, '8')) != 0);                                                                    \
    }
WALK_ISW(iswalnum)
WALK_ISW(iswalpha)
WALK_ISW(iswblank)
WALK_ISW(iswcntrl)
WALK_ISW(iswdigit)
WALK_ISW(iswgraph)
WALK_ISW(iswlower)
WALK_ISW(iswprint)
WALK_ISW(iswpunct)
WALK_ISW(iswspace)
WALK_ISW(iswupper)
WALK_ISW(iswxdigit)
WALK(towlower) {
    SEE(towlower(VS(0, 'A' - 2, 31)));
}
WALK(towupper) {
    SEE(towupper(VS(0, 'A' - 2, 31)));
}
WALK(wctype) {
    SEE(wctype(N(0, "alphx")) != 0);
    SEE(wctype(M(0, (char[8]){"alpha"}, 0)) != 0);
}
WALK(iswctype) {
    SEE(iswctype(VS(0, ' ', 23), C(1, wctype("alpha"), wctype("digit"))) != 0);
}
WALK(wctrans) {
    SEE(wctrans(M(0, (char[8]){"toupper"}, 0)) != 0);
}
WALK(towctrans) {
    SEE(towctrans(VS(0, 'a' - 2, 1), P(1, wctrans("toupper"), wctrans("tolower"))));
}
WALK(btowc) {
    SEE(btowc(VS(0, 'a', 20)));
}
WALK(wctob) {
    SEE(wctob(VS(0, 'a', 20)));
}
WALK(wcwidth) {
    SEE(wcwidth(VS(0, 29, 1)));
}
WALK(wcswidth) {
    SEE(wcswidth(WS(0, L"hello"), V(1, 1)));
}
#define WALK_WSIGN(f)                                                                              \
    WALK(f) {                                                                                      \
        int r = f(WS(0, L"hello"), WS(1, L"help"));                                                \
        SEE(r < 0 ? -1 : r > 0);                                                                   \
    }
#define WALK_WSSN(f)                                                                               \
    WALK(f) {                                                                                      \
        int r = f(WS(0, L"hello"), WS(1, L"help"), V(2, 2));                                       \
        SEE(r < 0 ? -1 : r > 0);                                                                   \
    }
WALK_WSIGN(wcscmp)
WALK_WSIGN(wcscoll)
WALK_WSIGN(wcscasecmp)
WALK_WSSN(wcsncmp)
WALK_WSSN(wcsncasecmp)
WALK(wcslen) {
    SEE(wcslen(WS(0, L"hello")));
}
WALK(wcsnlen) {
    SEE(wcsnlen(WS(0, L"hello"), V(1, 1)));
}
WALK(wcscpy) {
    wchar_t b[16] = L"abcdefghi";
    SEEP(wcscpy(W(0, b), WS(1, L"hello")), b);
    SEEM(b, 40);
}
WALK(wcsdup) {
    wchar_t *copy = wcsdup(WS(0, L"hello"));
    SEE(wcslen(copy));
    SEEM(copy, 8);
    free(copy);
}
WALK(wcschr) {
    wchar_t *s = WS(0, L"hello");
    SEEP(wcschr(s, V(1, 'h')), s);
}
WALK(wcsrchr) {
    wchar_t *s = WS(0, L"hello");
    SEEP(wcsrchr(s, V(1, 'h')), s);
}
WALK(mbstowcs) {
    wchar_t b[8] = L"1234567";
    SEE(mbstowcs(W(0, b), S(1, "abc"), V(2, 1)));
    SEEM(b, sizeof b);
    SEE(mbstowcs(NULL, S(1, "a\x80"), 4));
}
WALK(wcstombs) {
    char b[8] = "1234567";
    SEE(wcstombs(W(0, b), WS(1, L"abc"), V(2, 1)));
    SEEM(b, sizeof b);
    SEE(wcstombs(NULL, WS(1, L"a\x7e"), 4));
}
/* C does not say what is left in memory that is too small. */
WALK(swprintf) {
    wchar_t b[8] = L"1234567";
    int r = swprintf(W(0, b), V(1, 2), WS(2, L"a%d"), (int)V(3, 8));
    SEE(r);
    SEEM(b, r < 0 ? 0 : sizeof b);
}
static int v_swprintf(wchar_t *b, size_t n, const wchar_t *f, ...);
WALK(vswprintf) {
    wchar_t b[8] = L"1234567";
    int r = v_swprintf(W(0, b), V(1, 2), WS(2, L"a%d!"), (int)V(3, 8));
    SEE(r);
    SEEM(b, r < 0 ? 0 : sizeof b);
}
static int v_swprintf(wchar_t *b, size_t n, const wchar_t *f, ...) {
    va_list a;
    va_start(a, f);
    int r = vswprintf(b, n, f, a);
    va_end(a);
    return r;
}
WALK(wcsspn) {
    SEE(wcsspn(WS(0, L"hello"), WS(1, L"help")));
}
WALK(wcscspn) {
    SEE(wcscspn(WS(0, L"hello"), WS(1, L"lop")));
}
WALK(wcspbrk) {
    wchar_t *s = WS(0, L"hello");
    SEEP(wcspbrk(s, WS(1, L"lop")), s);
}
WALK(wcsstr) {
    wchar_t *s = WS(0, L"hello");
    SEEP(wcsstr(s, WS(1, L"llama")), s);
}
#define WALK_WCSTO(f)                                                                              \
    WALK(f) {                                                                                      \
        wchar_t *s = WS(0, L"-017z"), *end = s;                                                    \
        SEE(f(s, W(1, &end), C(2, 10, 8, 0, 16, 1)));                                              \
        SEEP(end, s);                                                                              \
    }
#define WALK_WCSTOD(f)                                                                             \
    WALK(f) {                                                                                      \
        wchar_t *s = WS(0, L"1.5e1z"), *end = s;                                                   \
        SEE(f(s, W(1, &end)));                                                                     \
        SEEP(end, s);                                                                              \
    }
WALK_WCSTO(wcstol)
WALK_WCSTO(wcstoul)
WALK_WCSTO(wcstoll)
WALK_WCSTO(wcstoull)
WALK_WCSTOD(wcstod)
WALK_WCSTOD(wcstof)
WALK_WCSTOD(wcstold)
WALK(wmemchr) {
    wchar_t b[8] = L"abcabc";
    SEEP(wmemchr(M(0, b, 0, 16), V(1, 'a'), V(2, 2)), b);
}
WALK(wmemcmp) {
    wchar_t a[8] = L"abcdef", b[8] = L"abcdef";
    int r = wmemcmp(M(0, a, 0, 8), M(1, b, 4), V(2, 0));
    SEE(r < 0 ? -1 : r > 0);
}
WALK(mblen) {
    SEE(mblen(S(0, "abc"), V(1, 0)));
}
WALK(mbrlen) {
    mbstate_t s;
    memset(&s, 0, sizeof s);
    SEE(mbrlen(M(0, (char[8]){"abc"}, 0), V(1, 0), M(2, &s, 7)));
}
WALK(mbsinit) {
    mbstate_t s;
    memset(&s, 0, sizeof s);
    SEE(mbsinit(M(0, &s, 0)) != 0);
}

/* Streams of wide characters: what was written is seen through their descriptors. */
static FILE *wide_stream(const char *text) {
    FILE *f = tmpfile();
    if (write(fileno(f), text, strlen(text)) < 0 || lseek(fileno(f), 0, SEEK_SET) != 0)
        abort();
    return f;
}
static void see_wide(FILE *f) {
    SEE(fwide(f, 0));
    fflush(f);
    lseek(fileno(f), 0, SEEK_SET);
    walk_see_all(fileno(f));
}
#define TWO_WIDE(a, b) FILE *f[2] = {wide_stream(a), wide_stream(b)}
#define SEE_WIDE       see_wide(f[0]), see_wide(f[1])
#define WALK_PUTWC(g)                                                                              \
    WALK(g) {                                                                                      \
        TWO_WIDE("", "");                                                                          \
        SEE(g((wchar_t)V(0, L'a'), A(1, f)[0]));                                                   \
        SEE_WIDE;                                                                                  \
    }
WALK_PUTWC(fputwc)
WALK_PUTWC(putwc)
WALK(fputws) {
    TWO_WIDE("", "");
    SEE(fputws(WS(0, L"abc"), A(1, f)[0]) >= 0);
    SEE_WIDE;
}
WALK(fwprintf) {
    TWO_WIDE("", "");
    SEE(fwprintf(A(0, f)[0], WS(1, L"a%d"), (int)V(2, 8)));
    SEE_WIDE;
}
static int v_fwprintf(FILE *s, const wchar_t *f, ...) {
    va_list a;
    va_start(a, f);
    int r = vfwprintf(s, f, a);
    va_end(a);
    return r;
}
WALK(vfwprintf) {
    TWO_WIDE("", "");
    SEE(v_fwprintf(A(0, f)[0], WS(1, L"a%d"), (int)V(2, 8)));
    SEE_WIDE;
}
/* Standard output of neither kind yet, into a file. */
static int wide_output(void) {
    if (!freopen("walk.wide", "w+", stdout))
        abort();
    return fileno(stdout);
}
static void see_wide_output(int d) {
    fflush(0);
    lseek(d, 0, SEEK_SET);
    walk_see_all(d);
}
WALK(putwchar) {
    int d = wide_output();
    SEE(putwchar((wchar_t)V(0, L'a')));
    see_wide_output(d);
}
WALK(wprintf) {
    int d = wide_output();
    SEE(wprintf(WS(0, L"a%d"), (int)V(1, 8)));
    see_wide_output(d);
}
static int v_wprintf(const wchar_t *f, ...) {
    va_list a;
    va_start(a, f);
    int r = vwprintf(f, a);
    va_end(a);
    return r;
}
WALK(vwprintf) {
    int d = wide_output();
    SEE(v_wprintf(WS(0, L"a%d"), (int)V(1, 8)));
    see_wide_output(d);
}
#define WALK_GETWC(g)                                                                              \
    WALK(g) {                                                                                      \
        TWO_WIDE("ab", "");                                                                        \
        for (int i = 0; i < 3; i++)                                                                \
            SEE(g(A(0, f)[0]));                                                                    \
        SEE(feof(f[0]));                                                                           \
    }
WALK_GETWC(fgetwc)
WALK_GETWC(getwc)
WALK(getwchar) {
    dup2(fileno(wide_stream("ab")), 0);
    SEE(getwchar());
    SEE(getwchar());
    SEE(getwchar());
}
WALK(fgetws) {
    TWO_WIDE("ab\ncdefg", "xy");
    wchar_t b[8] = L"0123456";
    SEEP(fgetws(W(0, b), V(1, 2), A(2, f)[0]), b);
    SEEM(b, 32);
}
WALK(ungetwc) {
    TWO_WIDE("ab", "cd");
    SEE(ungetwc((wint_t)VS(0, L'x', 1), A(1, f)[0]));
    SEE(fgetwc(f[0]));
    SEE(fgetwc(f[0]));
    SEE(fgetwc(f[1]));
}
WALK(fwide) {
    TWO_WIDE("ab", "cd");
    SEE(fwide(A(0, f)[0], V(1, 0)));
    SEE(fwide(f[0], 1));
    SEE(fwide(f[1], 0));
    SEE(fgetwc(f[0]));
}

/* ---- copies ---- */

#define WALK_WCOPY(f)                                                                              \
    WALK(f) {                                                                                      \
        wchar_t b[16] = L"abcdefghi";                                                              \
        SEEP(f(W(0, b), WS(1, L"hel")), b);                                                        \
        SEEM(b, 40);                                                                               \
    }
#define WALK_WCOPYN(f)                                                                             \
    WALK(f) {                                                                                      \
        wchar_t b[16] = L"abcdefghi";                                                              \
        SEEP(f(W(0, b), WS(1, L"hel"), V(2, 1)), b);                                               \
        SEEM(b, 40);                                                                               \
    }
WALK_WCOPY(wcscat)
WALK_WCOPY(wcpcpy)
WALK_WCOPYN(wcsncat)
WALK_WCOPYN(wcsncpy)
WALK_WCOPYN(wcpncpy)
WALK_WCOPYN(wmemcpy)
WALK_WCOPYN(wmempcpy)
WALK_WCOPYN(wmemmove)
WALK(wmemset) {
    wchar_t b[16] = L"abcdefghi";
    SEEP(wmemset(W(0, b), V(1, 'x'), V(2, 0)), b);
    SEEM(b, 40);
}
WALK(wcsxfrm) {
    wchar_t b[16] = L"abcdefghi";
    SEE(wcsxfrm(W(0, b), WS(1, L"hel"), V(2, 2)));
    SEEM(b, 8);
}
WALK(wcschrnul) {
    wchar_t *s = WS(0, L"hello");
    SEEP(wcschrnul(s, V(1, 'h')), s);
}
WALK(wcstok) {
    wchar_t *s = WS(0, L" a b  c"), *rest[2] = {s, s};
    for (wchar_t *at = s; (at = wcstok(at, WS(1, L" a"), A(2, rest))); at = NULL)
        SEEP(at, s);
    SEEM(s, 32);
    SEEP(rest[0], s);
    SEEP(wcstok(NULL, L" ", &rest[0]), s);
}
WALK(mbrtowc) {
    mbstate_t state[2] = {0};
    wchar_t c = 'x';
    SEE(mbrtowc(W(0, &c), S(1, "b"), V(2, 0), A(3, state)));
    SEE(c);
    SEE(mbrtowc(NULL, S(1, "\x7e"), 3, state));
    SEE(mbrtowc(&c, NULL, V(2, 0), state));
    SEE(mbrtowc(&c, "", V(2, 0), NULL));
    SEE(mbsinit(state));
}
WALK(mbtowc) {
    wchar_t c = 'x';
    SEE(mbtowc(W(0, &c), S(1, "b"), V(2, 0)));
    SEE(c);
    SEE(mbtowc(NULL, S(1, "\x7e"), 3));
    SEE(mbtowc(&c, NULL, V(2, 0)));
    SEE(mbtowc(&c, "", V(2, 0)));
}
WALK(wcrtomb) {
    mbstate_t state[2] = {0};
    char b[8] = "xyz";
    SEE(wcrtomb(W(0, b), VS(1, 0, 40), A(2, state)));
    SEEM(b, 8);
    SEE(wcrtomb(NULL, V(1, 'a'), state));
}
WALK(wctomb) {
    char b[8] = "xyz";
    SEE(wctomb(W(0, b), VS(1, 0, 40)));
    SEEM(b, 8);
    SEE(wctomb(NULL, V(1, 'a')));
}
WALK(mbsrtowcs) {
    mbstate_t state[2] = {0};
    wchar_t b[8] = L"1234567";
    char text[8] = "ab";
    const char *s = text;
    text[1] = (char)VS(1, 0, 33);
    SEE(mbsrtowcs(W(0, b), &s, V(2, 1), A(3, state)));
    SEEP(s, text);
    SEEM(b, sizeof b);
    s = text;
    SEE(mbsrtowcs(NULL, &s, V(2, 1), state));
    SEEP(s, text);
}
WALK(wcsrtombs) {
    mbstate_t state[2] = {0};
    char b[8] = "1234567";
    wchar_t text[8] = L"ab";
    const wchar_t *s = text;
    text[1] = (wchar_t)VS(1, 0, 33);
    SEE(wcsrtombs(W(0, b), &s, V(2, 1), A(3, state)));
    SEEP(s, text);
    SEEM(b, sizeof b);
    s = text;
    SEE(wcsrtombs(NULL, &s, V(2, 1), state));
    SEEP(s, text);
}
