/* ctype.c -- ctype.h of the "C" locale, as comparisons rather than look-ups: a symbolic
 * character then gives a short condition instead of a table of 384 entries.  The tables exist
 * for programs that were compiled against glibc's macros. */
#define WEAK        __attribute__((weak))
#define IN(c, a, z) ((unsigned)(c) - (a) <= (unsigned)((z) - (a)))
#define IS_UPPER(c) IN(c, 'A', 'Z')
#define IS_LOWER(c) IN(c, 'a', 'z')
#define IS_DIGIT(c) IN(c, '0', '9')
#define IS_ALPHA(c) IN((c) | 32, 'a', 'z')
#define IS_ALNUM(c) (IS_ALPHA(c) | IS_DIGIT(c))
#define IS_HEX(c)   (IS_DIGIT(c) | IN((c) | 32, 'a', 'f'))
#define IS_SPACE(c) (((c) == ' ') | IN(c, 9, 13))
#define IS_BLANK(c) (((c) == ' ') | ((c) == '\t'))
#define IS_CNTRL(c) (IN(c, 0, 31) | ((c) == 127))
#define IS_GRAPH(c) IN(c, 33, 126)
#define IS_PRINT(c) IN(c, 32, 126)
#define IS_PUNCT(c) (IS_GRAPH(c) & !IS_ALNUM(c))
#define TO_LOWER(c) ((c) + 32 * IS_UPPER(c))
#define TO_UPPER(c) ((c)-32 * IS_LOWER(c))

/* name, test, bit of glibc's table */
#define CLASSES(X, c)                                                                              \
    X(isupper, IS_UPPER, 0x100, c)                                                                 \
    X(islower, IS_LOWER, 0x200, c)                                                                 \
    X(isalpha, IS_ALPHA, 0x400, c)                                                                 \
    X(isdigit, IS_DIGIT, 0x800, c)                                                                 \
    X(isxdigit, IS_HEX, 0x1000, c)                                                                 \
    X(isspace, IS_SPACE, 0x2000, c)                                                                \
    X(isprint, IS_PRINT, 0x4000, c)                                                                \
    X(isgraph, IS_GRAPH, 0x8000, c)                                                                \
    X(isblank, IS_BLANK, 0x1, c)                                                                   \
    X(iscntrl, IS_CNTRL, 0x2, c)                                                                   \
    X(ispunct, IS_PUNCT, 0x4, c)                                                                   \
    X(isalnum, IS_ALNUM, 0x8, c)

#define X(name, test, bit, c)                                                                      \
    int name(int c);                                                                               \
    WEAK int name(int c) {                                                                         \
        return test(c);                                                                            \
    }
CLASSES(X, c)
#undef X

int tolower(int c);
WEAK int tolower(int c) {
    return TO_LOWER(c);
}

int toupper(int c);
WEAK int toupper(int c) {
    return TO_UPPER(c);
}

int isascii(int c);
WEAK int isascii(int c) {
    return IN(c, 0, 127);
}

int toascii(int c);
WEAK int toascii(int c) {
    return c & 127;
}

/* glibc's tables start at -128, so that a plain char may be an index; the negative half
 * repeats the upper one (in the "C" locale it has no members). */
#define X(name, test, bit, c) | test(c) * bit
#define FLAGS(c)              (0 CLASSES(X, c))
#define ROW(m, n)             m(n), m(n + 1), m(n + 2), m(n + 3), m(n + 4), m(n + 5), m(n + 6), m(n + 7)
#define BLOCK(m, n)           ROW(m, n), ROW(m, n + 8), ROW(m, n + 16), ROW(m, n + 24)
#define TABLE(m)                                                                                   \
    BLOCK(m, -128), BLOCK(m, -96), BLOCK(m, -64), BLOCK(m, -32), BLOCK(m, 0), BLOCK(m, 32),        \
        BLOCK(m, 64), BLOCK(m, 96), BLOCK(m, 128), BLOCK(m, 160), BLOCK(m, 192), BLOCK(m, 224)

static const unsigned short flags[384] = {TABLE(FLAGS)};
#undef X
static const int lowers[384] = {TABLE(TO_LOWER)};
static const int uppers[384] = {TABLE(TO_UPPER)};

const unsigned short **__ctype_b_loc(void);
WEAK const unsigned short **__ctype_b_loc(void) {
    static const unsigned short *at;
    at = flags + 128;
    return &at;
}

const int **__ctype_tolower_loc(void);
WEAK const int **__ctype_tolower_loc(void) {
    static const int *at;
    at = lowers + 128;
    return &at;
}

const int **__ctype_toupper_loc(void);
WEAK const int **__ctype_toupper_loc(void) {
    static const int *at;
    at = uppers + 128;
    return &at;
}
