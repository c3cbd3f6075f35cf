/* Strings and memory. */
#include "walk.h"

#include <ctype.h>
#include <strings.h>

#define WALK_S(f)                                                                                  \
    WALK(f) {                                                                                      \
        SEE(f(S(0, "hello")));                                                                     \
    }
#define WALK_SS(f)                                                                                 \
    WALK(f) {                                                                                      \
        SEE(f(S(0, "hello"), S(1, "help")));                                                       \
    }
#define WALK_SIGN(f)                                                                               \
    WALK(f) {                                                                                      \
        int r = f(S(0, "hello"), S(1, "help"));                                                    \
        SEE(r < 0 ? -1 : r > 0);                                                                   \
    }
#define WALK_SSN(f)                                                                                \
    WALK(f) {                                                                                      \
        int r = f(S(0, "hello"), S(1, "help"), V(2, 2));                                           \
        SEE(r < 0 ? -1 : r > 0);                                                                   \
    }
#define WALK_FIND(f)                                                                               \
    WALK(f) {                                                                                      \
        char *s = S(0, "hello");                                                                   \
        SEEP(f(s, V(1, 'h')), s);                                                                  \
    }
#define WALK_FINDS(f)                                                                              \
    WALK(f) {                                                                                      \
        char *s = S(0, "hello");                                                                   \
        SEEP(f(s, S(1, "llama")), s);                                                              \
    }
WALK_S(strlen)
WALK_SIGN(strcmp)
WALK_SIGN(strcasecmp)
WALK_SIGN(strcoll)
WALK_SIGN(strverscmp)
WALK_SSN(strncmp)
WALK_SSN(strncasecmp)
WALK_SS(strspn)
WALK_SS(strcspn)
WALK_FIND(strchr)
WALK_FIND(strrchr)
WALK_FIND(strchrnul)
WALK_FIND(index)
WALK_FIND(rindex)
WALK_FINDS(strpbrk)
WALK_FINDS(strstr)
WALK_FINDS(strcasestr)
WALK(strnlen) {
    SEE(strnlen(S(0, "hello"), V(1, 2)));
}
#define WALK_DUP(f)                                                                                \
    WALK(f) {                                                                                      \
        char *s = f(S(0, "hello"));                                                                \
        SEES(s);                                                                                   \
        free(s);                                                                                   \
    }
#define WALK_NDUP(f)                                                                               \
    WALK(f) {                                                                                      \
        char *s = f(S(0, "hello"), V(1, 1));                                                       \
        SEES(s);                                                                                   \
        free(s);                                                                                   \
    }
char *__strdup(const char *);
char *__strndup(const char *, size_t);
WALK_DUP(strdup)
WALK_DUP(__strdup)
WALK_NDUP(strndup)
WALK_NDUP(__strndup)
#define WALK_COPY(f)                                                                               \
    WALK(f) {                                                                                      \
        char b[16] = "abcdefghijklmno";                                                            \
        SEEP(f(W(0, b), S(1, "hello")), b);                                                        \
        SEEM(b, 16);                                                                               \
    }
#define WALK_NCOPY(f)                                                                              \
    WALK(f) {                                                                                      \
        char b[16] = "abcdefghijklmno";                                                            \
        SEEP(f(W(0, b), S(1, "hello"), V(2, 3)), b);                                               \
        SEEM(b, 16);                                                                               \
    }
#define WALK_CAT(f)                                                                                \
    WALK(f) {                                                                                      \
        char b[16] = "abc";                                                                        \
        SEEP(f(M(0, b, 0, 2), S(1, "hello")), b);                                                  \
        SEEM(b, 16);                                                                               \
    }
WALK_COPY(strcpy)
WALK_COPY(stpcpy)
WALK_NCOPY(strncpy)
WALK_NCOPY(stpncpy)
WALK_CAT(strcat)
WALK(strncat) {
    char b[16] = "abc";
    SEEP(strncat(M(0, b, 0, 2), S(1, "hello"), V(2, 1)), b);
    SEEM(b, 16);
}
WALK(strxfrm) {
    char b[16] = "abcdefg";
    SEE(strxfrm(W(0, b), S(1, "hello"), V(2, 4)));
    SEES(S(1, "xxx"));
}
WALK(strtok) {
    char b[16] = "a,b;c";
    char *s = strtok(M(0, b, 0, 1, 3), S(1, ",;."));
    SEEP(s, b);
    s = strtok(0, ";c");
    SEEP(s, b);
    SEEM(b, 8);
}
WALK(strtok_r) {
    char b[16] = "a,b;c", *k = b;
    char *s = strtok_r(M(0, b, 0, 1, 3), S(1, ",;."), W(2, &k));
    SEEP(s, b);
    s = strtok_r(0, ";c", &k);
    SEEP(s, b);
    SEEP(k, b);
    SEEM(b, 8);
}
WALK(strsep) {
    char b[16] = "a,b;c", *k[2] = {b, b + 2};
    char *s = strsep(A(0, k), S(1, ",;."));
    SEEP(s, b);
    SEEP(k[0], b);
    SEEP(k[1], b);
    SEEM(b, 8);
    char *o = b;
    is_way(0, 1) ? (void)(o = b + x) : (void)0;
    s = strsep(&o, ",");
    SEEP(s, b);
}

/* Memory. */
#define WALK_MEMCMP(f)                                                                             \
    WALK(f) {                                                                                      \
        int r = f(M(0, (char[8]){"abcdef"}, 0, 2), M(1, (char[8]){"abcdef"}, 1, 3), V(2, 0));      \
        SEE(r < 0 ? -1 : r > 0);                                                                   \
    }
WALK_MEMCMP(memcmp)
WALK(bcmp) {
    SEE(bcmp(M(0, (char[8]){"abcdef"}, 0, 2), M(1, (char[8]){"abcdef"}, 1, 3), V(2, 0)) != 0);
}
#define WALK_MEMCHR(f)                                                                             \
    WALK(f) {                                                                                      \
        char b[8] = "abcabc";                                                                      \
        SEEP(f(M(0, b, 0, 4), VS(1, 'a', 1), V(2, 2)), b);                                         \
    }
WALK_MEMCHR(memchr)
WALK_MEMCHR(memrchr)
WALK(rawmemchr) {
    char b[] = "abcdefghabcdefgh";
    SEEP(rawmemchr(P(0, b, b + 3), V(1, 'c')), b);
    SEEP(rawmemchr(M(0, b, 0), 'c'), b);
}
WALK(memccpy) {
    char b[8] = "1234567";
    SEEP(memccpy(W(0, b), M(1, (char[8]){"abcdefg"}, 0), V(2, 'b'), V(3, 1)), b);
    SEEM(b, sizeof b);
}
WALK(memmem) {
    char b[8] = "abcabc";
    SEEP(memmem(M(0, b, 0, 4), V(1, 2), M(2, (char[4]){"bca"}, 0), V(3, 0)), b);
}
#define WALK_MEMCPY(f)                                                                             \
    WALK(f) {                                                                                      \
        char b[12] = "0123456789", a[12] = "abcdefghij";                                           \
        SEEP(f(W(0, b), M(1, a, 0, 3), V(2, 1)), b);                                               \
        SEEM(b, 12);                                                                               \
    }
WALK_MEMCPY(memcpy)
WALK_MEMCPY(memmove)
WALK_MEMCPY(mempcpy)
WALK(memset) {
    char b[12] = "0123456789";
    SEEP(memset(W(0, b), V(1, 'a'), V(2, 1)), b);
    SEEM(b, 12);
}
WALK(explicit_bzero) {
    char b[12] = "0123456789";
    explicit_bzero(W(0, b), (size_t)V(1, 1));
    SEEM(b, 12);
}
WALK(swab) {
    char b[12] = "0123456789", a[12] = "abcdefghij";
    swab(M(0, a, 0, 3), W(1, b), VS(2, 2, 2));
    SEEM(b, 12);
}
WALK(ffs) {
    SEE(ffs(V(0, 6)));
}
WALK(ffsl) {
    SEE(ffsl(V(0, 6)));
}
WALK(ffsll) {
    SEE(ffsll(VS(0, 0, 1L << 40)));
}

/* Characters. */
#define WALK_IS(f)                                                                                 \
    WALK(f) {                                                                                      \
        SEE(f(VS(0, ' ', 23)) != 0);                                                               \
        SEE(f(V(0, '8')) != 0);                                                                    \
    }
#define WALK_TO(f)                                                                                 \
    WALK(f) {                                                                                      \
        SEE((int)f((int)VS(0, 'A' - 2, 31)));                                                      \
    }
#undef isalnum
WALK_IS(isalnum)
WALK_IS(isalpha)
WALK_IS(isascii)
WALK_IS(isblank)
WALK_IS(iscntrl)
WALK_IS(isdigit)
WALK_IS(isgraph)
WALK_IS(islower)
WALK_IS(isprint)
WALK_IS(ispunct)
WALK_IS(isspace)
WALK_IS(isupper)
WALK_IS(isxdigit)
WALK_TO(tolower)
WALK_TO(toupper)
WALK_TO(toascii)
WALK(__ctype_b_loc) {
    SEE((*__ctype_b_loc())[V(0, '8')]);
}
WALK(__ctype_tolower_loc) {
    SEE((*__ctype_tolower_loc())[V(0, 'X')]);
}
WALK(__ctype_toupper_loc) {
    SEE((*__ctype_toupper_loc())[V(0, 'x')]);
}

WALK(strerror) {
    SEES(strerror(V(0, ENOENT)));
}
WALK(strerror_r) {
    char b[64] = "abc";
    SEES(strerror_r(V(0, 9999), W(1, b), VS(2, 8, 10)));
}
WALK(strsignal) {
    SEES(strsignal(V(0, 1)));
}
#undef basename
#include <libgen.h>
char *walk_basename(char *) __asm__("basename");
WALK(basename) {
    char b[16] = "/ab/cd";
    char *s = walk_basename(M(0, b, 0, 3));
    SEEP(s, b);
    SEEM(b, 8);
}
#undef basename
char *__xpg_basename(char *);
WALK(__xpg_basename) {
    char b[16] = "/ab/cd/";
    SEES(__xpg_basename(M(0, b, 0, 3, 6)));
    SEEM(b, 8);
}
WALK(dirname) {
    char b[16] = "/ab/cd";
    SEES(dirname(M(0, b, 0, 3)));
    SEEM(b, 8);
}
/* Every path of four characters, by the two functions of libgen.h. */
WALK(other_paths) {
    static const char of[] = "/a.";
    for (int i = 0; i < 81; i++) {
        char b[8] = {of[i % 3], of[i / 3 % 3], of[i / 9 % 3], of[i / 27]}, c[8];
        b[4 - V(0, 0)] = '\0';
        memcpy(c, b, sizeof c);
        SEES(dirname(b));
        SEES(__xpg_basename(c));
        SEEM(b, 5);
        SEEM(c, 5);
    }
    SEES(dirname(NULL));
    SEES(__xpg_basename(NULL));
}
#include <fnmatch.h>
WALK(fnmatch) {
    SEE(fnmatch(S(0, "a*[bc]"), S(1, "abb"), C(2, 0, FNM_PATHNAME, FNM_PERIOD, FNM_CASEFOLD)));
}
