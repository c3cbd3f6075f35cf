/* <stdlib.h>: numbers and text, sorting, random numbers, the environment; text in memory. */
#include "walk.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <search.h>
#include <setjmp.h>

#define WALK_STRTO(name, f)                                                                        \
    WALK(name) {                                                                                   \
        char *s = S(0, "-017z"), *end = s + 5;                                                     \
        SEE(f(s, W(1, &end), C(2, 10, 8, 0, 16, 1)));                                              \
        SEEP(end, s);                                                                              \
    }
#define WALK_STRTOD(f)                                                                             \
    WALK(f) {                                                                                      \
        char *s = S(0, "1.5e1z"), *end = s;                                                        \
        SEE(f(s, W(1, &end)));                                                                     \
        SEEP(end, s);                                                                              \
    }
#define WALK_ATO(f)                                                                                \
    WALK(f) {                                                                                      \
        SEE(f(S(0, "-12z")));                                                                      \
    }
long walk_strtol(const char *, char **, int) __asm__("strtol");
long long walk_strtoll(const char *, char **, int) __asm__("strtoll");
unsigned long walk_strtoul(const char *, char **, int) __asm__("strtoul");
unsigned long long walk_strtoull(const char *, char **, int) __asm__("strtoull");
long walk23_strtol(const char *, char **, int) ISOC23(strtol);
long long walk23_strtoll(const char *, char **, int) ISOC23(strtoll);
unsigned long walk23_strtoul(const char *, char **, int) ISOC23(strtoul);
unsigned long long walk23_strtoull(const char *, char **, int) ISOC23(strtoull);
WALK_STRTO(strtol, walk_strtol)
WALK_STRTO(strtoll, walk_strtoll)
WALK_STRTO(strtoimax, strtoimax)
WALK_STRTO(strtoumax, strtoumax)
WALK_STRTO(strtoul, walk_strtoul)
WALK_STRTO(strtoull, walk_strtoull)
WALK_STRTO(__isoc23_strtol, walk23_strtol)
WALK_STRTO(__isoc23_strtoll, walk23_strtoll)
WALK_STRTO(__isoc23_strtoul, walk23_strtoul)
WALK_STRTO(__isoc23_strtoull, walk23_strtoull)
WALK_STRTOD(strtod)
WALK_STRTOD(strtof)
WALK_STRTOD(strtold)
_Float32 strtof32(const char *, char **);
WALK_STRTOD(strtof32)
WALK_ATO(atoi)
WALK_ATO(atol)
WALK_ATO(atoll)
WALK_ATO(atof)
WALK(abs) {
    SEE(abs(V(0, -2)));
}
WALK(labs) {
    SEE(labs(V(0, -2)));
}
WALK(llabs) {
    SEE(llabs(V(0, -2)));
}
WALK(imaxabs) {
    SEE(imaxabs(V(0, -2)));
}
#define WALK_DIV(f, type)                                                                          \
    WALK(f) {                                                                                      \
        type r = f(V(0, 7), V(1, 2));                                                              \
        SEE(r.quot);                                                                               \
        SEE(r.rem);                                                                                \
    }
WALK_DIV(div, div_t)
WALK_DIV(ldiv, ldiv_t)
WALK_DIV(lldiv, lldiv_t)
WALK_DIV(imaxdiv, imaxdiv_t)
WALK(l64a) {
    SEES(l64a(V(0, 1000)));
}
WALK(a64l) {
    SEE(a64l(S(0, "abc")));
}
WALK(htonl) {
    SEE((unsigned)htonl(V(0, 7)));
}
WALK(htons) {
    SEE((unsigned)htons(V(0, 7)));
}
WALK(ntohl) {
    SEE((unsigned)ntohl(V(0, 7)));
}
WALK(ntohs) {
    SEE((unsigned)ntohs(V(0, 7)));
}

/* Callbacks. */
static int up(const void *a, const void *b) {
    return *(const unsigned char *)a - *(const unsigned char *)b;
}
static int down(const void *a, const void *b) {
    return up(b, a);
}
static int by(const void *a, const void *b, void *c) {
    return *(int *)c * up(a, b);
}
static int by_not(const void *a, const void *b, void *c) {
    return -by(a, b, c);
}
WALK(qsort) {
    char b[8] = "badcfe";
    qsort(M(0, b, 1, 4), V(1, 2), C(2, 1, 2), (void *)C(3, (long)up, (long)down));
    SEEM(b, 8);
}
WALK(qsort_r) {
    char b[8] = "badcfe";
    int way2[2] = {1, -1};
    qsort_r(M(0, b, 1, 4), V(1, 2), C(2, 1, 2), (void *)C(3, (long)by, (long)by_not), A(4, way2));
    SEEM(b, 8);
}
WALK(bsearch) {
    char b[8] = "abdefg", key[2] = "d";
    SEEP(bsearch(M(0, key, 0), M(1, b, 0, 3), V(2, 2), C(3, 1, 2),
                 (void *)C(4, (long)up, (long)down)),
         b);
}

/* Random numbers. */
WALK(srand) {
    srand(V(0, 3));
    SEE(rand());
    SEE(rand());
}
WALK(srandom) {
    srandom(V(0, 3));
    SEE(random());
}
WALK(srand48) {
    srand48(V(0, 3));
    SEE(lrand48());
}
WALK(rand) {
    SEE(rand());
    SEE(rand());
}
WALK(random) {
    SEE(random());
}
WALK(rand_r) {
    unsigned s = 3;
    SEE(rand_r(M(0, &s, 0)));
    SEE(s);
}
WALK(drand48) {
    SEE(drand48());
}
WALK(lrand48) {
    SEE(lrand48());
}
WALK(mrand48) {
    SEE(mrand48());
}
#define WALK_48(f)                                                                                 \
    WALK(f) {                                                                                      \
        unsigned short s[3] = {1, 2, 3};                                                           \
        SEE(f(M(0, s, 0, 4)));                                                                     \
        SEEM(s, 6);                                                                                \
    }
WALK_48(erand48)
WALK_48(jrand48)
WALK_48(nrand48)
WALK(seed48) {
    unsigned short s[3] = {1, 2, 3}, *old = seed48(M(0, s, 0, 4));
    SEEM(old, 6);
    SEE(lrand48());
}
WALK(lcong48) {
    unsigned short s[7] = {1, 2, 3, 4, 5, 6, 7};
    lcong48(M(0, s, 0, 6, 12));
    SEE(lrand48());
}

/* The environment. */
WALK(getenv) {
    setenv("NAME", "value", 1);
    setenv("NAMF", "other", 1);
    SEES(getenv(N(0, "NAME")));
    setenv("C", N(0, "d"), 1);
    SEES(getenv("C"));
}
WALK(secure_getenv) {
    setenv("NAME", "value", 1);
    setenv("NAMF", "other", 1);
    SEES(secure_getenv(N(0, "NAME")));
}
WALK(setenv) {
    SEE(setenv(N(0, "NAME"), S(1, "value"), V(2, 0)));
    SEE(setenv("NAME", "2nd", V(2, 0)));
    SEES(getenv("NAME"));
    SEES(getenv("NAMF"));
}
WALK(unsetenv) {
    setenv("NAME", "value", 1);
    SEE(unsetenv(N(0, "NAME")));
    SEES(getenv("NAME"));
}
WALK(putenv) {
    static char b[] = "NAME=val";
    SEE(putenv(M(0, b, 3, 5)));
    SEES(getenv("NAME"));
    b[6] = 'x';
    SEES(getenv("NAME"));
}
WALK(clearenv) {
    setenv("NAME", "value", 1);
    SEE(clearenv());
    SEES(getenv("NAME"));
}

/* Memory. */
WALK(malloc) {
    char *p = malloc(V(0, 8));
    memset(p, 'a', 8);
    SEE(malloc_usable_size(p) >= 8 + (way == 0 ? x : 0));
    SEE(p[7]);
    free(p);
}
WALK(calloc) {
    char *p = calloc(V(0, 8), V(1, 1));
    SEE(p[7]);
    free(p);
}
WALK(realloc) {
    char *p[2] = {malloc(8), malloc(8)};
    strcpy(p[0], "abc");
    strcpy(p[1], "def");
    char *q = realloc(A(0, p)[0], V(1, 4));
    SEES(q);
    q = is_way(0, 0) ? 0 : q;
    free(q);
    free(way == 0 ? 0 : p[1]);
}
WALK(reallocarray) {
    char *p[2] = {malloc(8), malloc(8)};
    strcpy(p[0], "abc");
    strcpy(p[1], "def");
    char *q = reallocarray(A(0, p)[0], V(1, 4), V(2, 1));
    SEES(q);
}
WALK(free) {
    char *p[2] = {malloc(8), malloc(8)};
    p[0][0] = p[1][0] = 'a';
    free(A(0, p)[0]);
    char *q = malloc(8);
    q[0] = 'b';
    SEE(q[0]);
}
WALK(aligned_alloc) {
    char *p = aligned_alloc(C(0, 16, 32, 64), VS(1, 64, 64));
    SEE((long)p % 16);
    p[63] = 7;
    SEE(p[63]);
    free(p);
}
WALK(memalign) {
    char *p = memalign(C(0, 16, 32, 64), VS(1, 64, 64));
    SEE((long)p % 16);
    p[63] = 7;
    SEE(p[63]);
    free(p);
}
WALK(posix_memalign) {
    void *p = 0;
    int r = posix_memalign(W(0, &p), C(1, 16, 32, 3, 64), VS(2, 64, 64));
    SEE(r);
    SEE(r ? 0 : (long)p % 16);
    free(r ? 0 : p);
}
WALK(malloc_usable_size) {
    char *p[2] = {malloc(24), 0};
    SEE(malloc_usable_size(A(0, p)[0]) >= 24);
    free(p[0]);
}

/* Text in memory. */
static int walk_vsnprintf(char *b, size_t n, const char *f, ...);
static int walk_vsprintf(char *b, const char *f, ...);
static int walk_vasprintf(char **b, const char *f, ...);
WALK(snprintf) {
    char b[32] = "abcdefgh";
    SEE(snprintf(W(0, b), V(1, 3), M(2, (char[16]){"a%d%s"}, 0), (int)V(3, 8), "xyz"));
    SEEM(b, 8);
    SEE(snprintf(b, 9, "%s!", S(3, "abc")));
    SEES(b);
}
WALK(sprintf) {
    char b[32] = "abcdefgh";
    SEE(sprintf(W(0, b), M(1, (char[16]){"a%d%s"}, 0), (int)V(2, 8), "xyz"));
    SEES(b);
    SEE(sprintf(b, "%s!", S(2, "abc")));
    SEES(b);
}
WALK(asprintf) {
    char *b = 0;
    SEE(asprintf(W(0, &b), M(1, (char[16]){"a%d%s"}, 0), (int)V(2, 8), "xyz"));
    SEES(b);
    free(b);
}
WALK(vsnprintf) {
    char b[32] = "abcdefgh";
    SEE(walk_vsnprintf(W(0, b), V(1, 3), M(2, (char[16]){"a%d%s"}, 0), (int)V(3, 8), "xyz"));
    SEEM(b, 8);
    SEE(walk_vsnprintf(b, 9, "%s!", S(3, "abc")));
    SEES(b);
}
static int walk_vsnprintf(char *b, size_t n, const char *f, ...) {
    va_list a;
    va_start(a, f);
    int r = vsnprintf(b, n, f, a);
    va_end(a);
    return r;
}
WALK(vsprintf) {
    char b[32] = "abcdefgh";
    SEE(walk_vsprintf(W(0, b), M(1, (char[16]){"a%d%s"}, 0), (int)V(2, 8), "xyz"));
    SEES(b);
    SEE(walk_vsprintf(b, "%s!", S(2, "abc")));
    SEES(b);
}
static int walk_vsprintf(char *b, const char *f, ...) {
    va_list a;
    va_start(a, f);
    int r = vsprintf(b, f, a);
    va_end(a);
    return r;
}
WALK(vasprintf) {
    char *b = 0;
    SEE(walk_vasprintf(W(0, &b), M(1, (char[16]){"a%d%s"}, 0), (int)V(2, 8), "xyz"));
    SEES(b);
    free(b);
}
static int walk_vasprintf(char **b, const char *f, ...) {
    va_list a;
    va_start(a, f);
    int r = vasprintf(b, f, a);
    va_end(a);
    return r;
}
#define WALK_SSCANF(name, f)                                                                       \
    WALK(name) {                                                                                   \
        int a = 1;                                                                                 \
        char b[8] = "xyz";                                                                         \
        SEE(f(S(0, "12 ab"), S(1, "%d%3s"), P(2, &a, &a), W(2, b)));                               \
        SEE(a);                                                                                    \
        SEEM(b, 8);                                                                                \
    }
int walk_sscanf(const char *, const char *, ...) __asm__("sscanf");
int walk_vsscanf_(const char *, const char *, va_list) __asm__("vsscanf");
int __isoc99_sscanf(const char *, const char *, ...);
int walk23_sscanf(const char *, const char *, ...) ISOC23(sscanf);
int __isoc99_vsscanf(const char *, const char *, va_list);
int walk23_vsscanf(const char *, const char *, va_list) ISOC23(vsscanf);
static int v_scan(int (*scan)(const char *, const char *, va_list), const char *s, const char *f,
                  ...) {
    va_list a;
    va_start(a, f);
    int r = scan(s, f, a);
    va_end(a);
    return r;
}
WALK_SSCANF(sscanf, walk_sscanf)
WALK_SSCANF(__isoc99_sscanf, __isoc99_sscanf)
WALK_SSCANF(__isoc23_sscanf, walk23_sscanf)
#define WALK_VSSCANF(f, function)                                                                  \
    WALK(f) {                                                                                      \
        int a = 1;                                                                                 \
        char b[8] = "xyz";                                                                         \
        SEE(v_scan(function, S(0, "12 ab"), S(1, "%d%3s"), P(2, &a, &a), W(2, b)));                \
        SEE(a);                                                                                    \
        SEEM(b, 8);                                                                                \
    }
WALK_VSSCANF(vsscanf, walk_vsscanf_)
WALK_VSSCANF(__isoc99_vsscanf, __isoc99_vsscanf)
WALK_VSSCANF(__isoc23_vsscanf, walk23_vsscanf)

/* Jumps. */
static jmp_buf place;
#define WALK_JUMP(f)                                                                               \
    WALK(f) {                                                                                      \
        volatile int n = 0;                                                                        \
        jmp_buf two[2];                                                                            \
        int r = setjmp(place);                                                                     \
        n++;                                                                                       \
        SEE(r);                                                                                    \
        SEE(n);                                                                                    \
        if (n < 2)                                                                                 \
            f(P(0, place, place), V(1, 0));                                                        \
    }
WALK_JUMP(longjmp)
WALK_JUMP(_longjmp)
WALK(siglongjmp) {
    volatile int n = 0;
    int r = sigsetjmp(place, 0);
    n++;
    SEE(r);
    SEE(n);
    if (n < 2)
        siglongjmp(P(0, place, place), V(1, 0));
}
WALK(setjmp) {
    volatile int n = 0;
    int r = setjmp(P(0, place, place));
    n++;
    SEE(r);
    if (n < 2)
        longjmp(place, V(0, 5));
}
WALK(_setjmp) {
    volatile int n = 0;
    int r = _setjmp(P(0, place, place));
    n++;
    SEE(r);
    if (n < 2)
        longjmp(place, V(0, 5));
}
WALK(sigsetjmp) {
    volatile int n = 0;
    int r = sigsetjmp(P(0, place, place), V(1, 0));
    n++;
    SEE(r);
    if (n < 2)
        siglongjmp(place, V(0, 5));
}
WALK(__sigsetjmp) {
    volatile int n = 0;
    int r = __sigsetjmp(P(0, place, place), V(1, 0));
    n++;
    SEE(r);
    if (n < 2)
        siglongjmp(place, V(0, 5));
}

/* Options of the command line. */
#include <getopt.h>
static const struct option longs[] = {{"apple", required_argument, 0, 'A'},
                                      {"berry", no_argument, 0, 'B'},
                                      {"bread", optional_argument, 0, 'R'},
                                      {0, 0, 0, 0}};
#define ARGUMENTS                                                                                  \
    char *argv[] = {"prog",                                                                        \
                    (char[8]){"-xb"},                                                              \
                    (char[8]){"word"},                                                             \
                    (char[16]){"--apple"},                                                         \
                    (char[8]){"value"},                                                            \
                    (char[8]){"-ovw"},                                                             \
                    (char[16]){"--be"},                                                            \
                    "last",                                                                        \
                    "--",                                                                          \
                    "-x",                                                                          \
                    0}
#define SEEOPTIONS(call)                                                                           \
    opterr = 0;                                                                                    \
    optind = 1;                                                                                    \
    for (int i = 0; i < 9; i++) {                                                                  \
        int r = call;                                                                              \
        SEE(r);                                                                                    \
        SEE(optind);                                                                               \
        SEE(optopt);                                                                               \
        SEES(optarg);                                                                              \
        if (r < 0)                                                                                 \
            break;                                                                                 \
    }                                                                                              \
    for (int i = 1; i < 10; i++)                                                                   \
    SEES(argv[i])
#define CHANGE(n)                                                                                  \
    char *changed = M(n, argv[1], 1);                                                              \
    changed = M(n, argv[3], 12, 2);                                                                \
    changed = M(n, argv[6], 12, 12, 2)
WALK(getopt) {
    ARGUMENTS;
    CHANGE(1);
    SEEOPTIONS(getopt(V(0, 3), argv, M(2, (char[16]){"xbo:v::"}, 0, 3, 5)));
}
WALK(getopt_long) {
    ARGUMENTS;
    CHANGE(1);
    struct option l[4];
    int which = 7;
    memcpy(l, longs, sizeof l);
    l[1].val += (int)(way == 13 ? x : 0);
    is_way(3, 1);
    SEEOPTIONS(getopt_long(V(0, 6), argv, M(2, (char[16]){"xbo:v::"}, 0, 3, 5), l, W(4, &which)));
    SEE(which);
}
WALK(getopt_long_only) {
    ARGUMENTS;
    CHANGE(1);
    struct option l[4];
    int which = 7;
    memcpy(l, longs, sizeof l);
    l[1].val += (int)(way == 13 ? x : 0);
    is_way(3, 1);
    SEEOPTIONS(
        getopt_long_only(V(0, 6), argv, M(2, (char[16]){"xbo:v::"}, 0, 3, 5), l, W(4, &which)));
    SEE(which);
}

/* ---- numbers that nobody knows: only how many ---- */

#include <sys/random.h>

WALK(getrandom) {
    char b[16] = "0123456789";
    SEE(getrandom(W(0, b), V(1, 4), C(2, 0, GRND_NONBLOCK, 99)));
    SEE(errno);
    SEEM(b + 9, 1);
}
WALK(getentropy) {
    char b[300] = "0123456789";
    SEE(getentropy(W(0, b), VS(1, 4, 100)));
    SEE(errno);
}
WALK(arc4random) {
    SEE(arc4random() - arc4random() == 0);
}
WALK(arc4random_uniform) {
    SEE(arc4random_uniform(V(0, 0)) >= 4);
}
WALK(arc4random_buf) {
    char b[16] = "0123456789";
    arc4random_buf(W(0, b), V(1, 4));
    SEEM(b + 9, 1);
}

/* ---- <search.h> ---- */

WALK(lfind) {
    char b[8] = "abdefg", key[2] = "d";
    size_t n = 5;
    SEEP(lfind(M(0, key, 0), M(1, b, 2, 3), M(2, &n, 0), C(3, 1, 2),
               (void *)C(4, (long)up, (long)down)),
         b);
}
WALK(lsearch) {
    char b[16] = "abdefg", key[3] = "dx";
    size_t n = 3;
    SEEP(lsearch(M(0, key, 0), M(1, b, 2), M(2, &n, 0), C(3, 1, 2),
                 (void *)C(4, (long)up, (long)down)),
         b);
    SEE(n);
    SEEM(b, 16);
}
#define SEEN_ENTRIES                                                                               \
    char two[2][4] = {"ab", "cd"};                                                                 \
    int data[2] = {1, 2};

WALK(hcreate) {
    SEE(hcreate(V(0, 2)));
    SEE(hcreate(2));
    hdestroy();
}
WALK(hdestroy) {
    hcreate(2);
    hdestroy();
    SEE(hcreate(2));
    hdestroy();
}
WALK(hsearch) {
    SEEN_ENTRIES
    hcreate(2);
    char *key = S(0, "ab");
    ENTRY *e = hsearch((ENTRY){key, A(1, data)}, (ACTION)C(2, ENTER, FIND));
    SEE(e ? *(int *)e->data : errno);
    e = hsearch((ENTRY){two[0], data + 1}, ENTER);
    SEE(*(int *)e->data);
    for (int i = 0; i < 4; i++)
        SEE(hsearch((ENTRY){(char *[]){"1", "2", "3", "4"}[i], NULL}, ENTER) ? 1 : errno);
    hdestroy();
}
WALK(hcreate_r) {
    struct hsearch_data h[2] = {0};
    ENTRY *e;
    SEE(hcreate_r(V(0, 2), A(1, h)));
    SEE((h[0].table == NULL) + 2 * (h[1].table == NULL));
    SEE(h[0].table ? hsearch_r((ENTRY){"a", NULL}, FIND, &e, &h[0]) : 2);
    hdestroy_r(&h[0]), hdestroy_r(&h[1]);
}
WALK(hdestroy_r) {
    struct hsearch_data h[2] = {0};
    hcreate_r(2, &h[0]), hcreate_r(2, &h[1]);
    hdestroy_r(A(0, h));
    SEE((h[0].table == NULL) + 2 * (h[1].table == NULL));
    hdestroy_r(&h[0]), hdestroy_r(&h[1]);
}
WALK(hsearch_r) {
    SEEN_ENTRIES
    struct hsearch_data h[2] = {0};
    ENTRY *e = NULL;
    char *key = S(0, "ab");
    hcreate_r(2, &h[0]), hcreate_r(2, &h[1]);
    SEE(hsearch_r((ENTRY){key, A(1, data)}, (ACTION)C(2, ENTER, FIND), W(3, &e), A(4, h)));
    SEE(e ? *(int *)e->data : errno);
    SEE(hsearch_r((ENTRY){two[0], NULL}, FIND, &e, &h[0]));
    hdestroy_r(&h[0]), hdestroy_r(&h[1]);
}
typedef struct ring {
    struct ring *next, *previous;
} ring;
WALK(insque) {
    ring r[4] = {{0}};
    insque(&r[0], NULL);
    insque(&r[1], &r[0]);
    insque(A(0, r + 2), A(1, r));
    for (int i = 0; i < 4; i++) {
        SEEP(r[i].next, r);
        SEEP(r[i].previous, r);
    }
}
WALK(remque) {
    ring r[4] = {{0}};
    insque(&r[0], NULL);
    insque(&r[1], &r[0]);
    insque(&r[2], &r[1]);
    remque(A(0, r));
    for (int i = 0; i < 4; i++) {
        SEEP(r[i].next, r);
        SEEP(r[i].previous, r);
    }
}
static unsigned seen_keys;
static void see_key(const void *n, VISIT when, int depth) {
    seen_keys = seen_keys * 7 + (unsigned)(**(const char *const *)n * ((int)when + 1) + depth);
}
static void see_key_only(const void *n, VISIT when, int depth) {
    (void)depth;
    if (when == postorder || when == leaf)
        seen_keys = seen_keys * 5 + (unsigned)**(const char *const *)n;
}
static void see_key_r(const void *n, VISIT when, void *closure) {
    *(int *)closure = *(int *)closure * 7 + **(const char *const *)n * (when + 1);
}
static void see_key_less(const void *n, VISIT when, void *closure) {
    *(int *)closure -= **(const char *const *)n * (when + 1);
}
static void see_gone(void *key) {
    seen_keys = seen_keys * 7 + (unsigned)*(char *)key;
}
static void see_gone_only(void *key) {
    seen_keys += (unsigned)*(char *)key;
}
/* Of two nodes, which lie alike in every tree. */
#define WITH_TREES                                                                                 \
    char b[8] = "dbf";                                                                             \
    void *root[2] = {NULL, NULL};                                                                  \
    for (int i = 0; i < 2; i++)                                                                    \
        tsearch(&b[i], &root[0], up);                                                              \
    tsearch(&b[2], &root[1], up);                                                                  \
    seen_keys = 0;
#define WITHOUT_TREES                                                                              \
    tdestroy(root[0], see_gone);                                                                   \
    tdestroy(root[1], see_gone);
WALK(tsearch) {
    WITH_TREES
    char key[2] = "d";
    void *found = tsearch(M(0, key, 0), A(1, root), (void *)C(2, (long)up, (long)down));
    SEE(**(char **)found);
    SEE(*(char **)found == key);
    twalk(root[0], see_key_only);
    twalk(root[1], see_key_only);
    SEE(seen_keys);
    WITHOUT_TREES
}
WALK(tfind) {
    WITH_TREES
    char key[2] = "b";
    void *found = tfind(M(0, key, 0), A(1, root), (void *)C(2, (long)up, (long)down));
    SEEP(found ? *(char **)found : NULL, b);
    WITHOUT_TREES
}
WALK(tdelete) {
    WITH_TREES
    char key[2] = "b";
    SEE(tdelete(M(0, key, 0), A(1, root), (void *)C(2, (long)up, (long)down)) != NULL);
    twalk(root[0], see_key);
    twalk(root[1], see_key);
    SEE(seen_keys);
    WITHOUT_TREES
}
WALK(twalk) {
    WITH_TREES
    twalk((void *)C(0, (long)root[0], (long)root[1]),
          (void *)C(1, (long)see_key, (long)see_key_only));
    SEE(seen_keys);
    WITHOUT_TREES
}
WALK(twalk_r) {
    WITH_TREES
    int sums[2] = {0, 1};
    twalk_r((void *)C(0, (long)root[0], (long)root[1]),
            (void *)C(1, (long)see_key_r, (long)see_key_less), A(2, sums));
    SEE(sums[0]);
    SEE(sums[1]);
    WITHOUT_TREES
}
WALK(tdestroy) {
    WITH_TREES
    long which = C(0, 0, 1);
    tdestroy(root[which], (void *)C(1, (long)see_gone_only, (long)see_gone_only));
    SEE(seen_keys);
    tdestroy(root[1 - which], see_gone);
}
