/* walk.h -- recipes: one call of every library function, with operands that can be made to depend
 * on an input, and a look at all that comes of it.
 *
 *     WALK(strtol) {
 *         char *end = 0, *s = S(0, "0x1f");
 *         SEE(strtol(s, W(1, &end), V(2, 8)));
 *         SEE(end - s);
 *     }
 *
 * V, S, W and the like stand where operand n of the call stands, and make it depend on `x` if the
 * way that is tried says so (4 * n + how).  They do so without branches: the library function is
 * what meets the dependence.  SEE and the like decide what they see, bit by bit, into a hash; that
 * is the label of an execution.  tests/property/property_functions.c compares the labels of all x
 * on Linux with those of Heddle.
 *
 * A recipe leaves nothing behind but files in its directory, and sees nothing that is another one
 * in each process (addresses, numbers of processes, the time).  WALK begins a line, and all of a
 * recipe's calls of its function are in its own lines. */
#ifndef HD_WALK_H
#define HD_WALK_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#ifndef DOMAIN
#define DOMAIN 5
#endif

/* Called from hundreds of places: in each of them they would cost more to compile than to call. */
#define APART __attribute__((noinline))

static int way = -1;    /* 4 * operand + how; -1: none, all of them are counted in `offered` */
static unsigned char x; /* the input, less than DOMAIN */
/* Ways that the recipe has; natively in memory that its children share. */
static uint64_t offered_here, *offered = &offered_here;
static uint32_t label_hash = 2166136261u;

APART static int is_way(int n, int how) {
    *offered |= (uint64_t)1 << (4 * n + how);
    return way == 4 * n + how;
}

/* ---- operands ---- */

/* A number: base, base + step, ... */
APART static long walk_number(int n, long base, long step) {
    return is_way(n, 0) ? base + (long)x * step : base;
}
#define V(n, base)        walk_number(n, (long)(base), 1)
#define VS(n, base, step) walk_number(n, (long)(base), step)

/* One of several; the last for all x beyond. */
APART static long walk_choice(int n, const long *values, int count) {
    long r = 0;
    if (!is_way(n, 0))
        return values[0];
    for (int i = 0; i < count - 1; i++)
        r |= -(long)(x == i) & values[i];
    return r | (-(long)(x >= count - 1) & values[count - 1]);
}
#define C(n, ...)                                                                                  \
    walk_choice(n, (const long[]){__VA_ARGS__}, (int)(sizeof(long[]){__VA_ARGS__} / sizeof(long)))

/* A floating-point number. */
#define D(n, base) (is_way(n, 0) ? (base) + (double)x / 2 : (base))

/* One of two pointers. */
#define P(n, a, b) ((__typeof__(&(a)[0]))walk_choice(n, (const long[]){(long)(a), (long)(b)}, 2))
/* The first or second of an array. */
#define A(n, array) P(n, (array), (array) + 1)

/* Text: a pointer into it, its first character, where it ends.  It has at least three. */
APART static char *walk_text(int n, char *s) {
    if (is_way(n, 0))
        return s + (x & 3);
    if (is_way(n, 1))
        s[0] = (char)(s[0] + x);
    if (is_way(n, 2))
        s[1] = (char)((s[1] + x) & -(x != 0));
    return s;
}
#define S(n, s) walk_text(n, (char[64]){s})
APART static wchar_t *walk_wide(int n, wchar_t *s) {
    if (is_way(n, 0))
        return s + (x & 3);
    if (is_way(n, 1))
        s[0] += x;
    if (is_way(n, 2))
        s[1] = (s[1] + x) & -(x != 0);
    return s;
}
#define WS(n, s) walk_wide(n, (wchar_t[32]){s})
/* A name: some of the character at its end depends on x. */
APART static char *walk_name(int n, char *s) {
    if (is_way(n, 1))
        s[strlen(s) - 1] = (char)(s[strlen(s) - 1] + x);
    return s;
}
#define N(n, s) walk_name(n, (char[64]){s})

/* Memory behind a pointer: bytes at up to three places. */
APART static void *walk_memory(int n, void *p, const int *places, int count) {
    for (int i = 0; i < count; i++)
        if (is_way(n, 1 + i))
            ((unsigned char *)p)[places[i]] = (unsigned char)(((unsigned char *)p)[places[i]] + x);
    return p;
}
#define M(n, p, ...)                                                                               \
    walk_memory(n, p, (const int[]){__VA_ARGS__}, (int)(sizeof(int[]){__VA_ARGS__} / sizeof(int)))
/* Memory that is written: what lies there before depends on x. */
#define W(n, p) walk_memory(n, p, (const int[]){0}, 1)

/* ---- what comes of it ---- */

static unsigned char walk_decide(unsigned char v) {
    unsigned char r = 0;
    for (int bit = 7; bit >= 0; bit--)
        if (v >> bit & 1)
            r |= (unsigned char)(1 << bit);
    return r;
}

APART static void walk_see(const void *p, unsigned long n) {
    for (unsigned long i = 0; i < n; i++)
        label_hash = (label_hash ^ walk_decide(((const unsigned char *)p)[i])) * 16777619u;
}
#define SEEM(p, n) walk_see(p, n)
#define SEE(v)                                                                                     \
    do {                                                                                           \
        __typeof__((v) + 0) walk_seen_ = (v);                                                      \
        walk_see(&walk_seen_, sizeof walk_seen_ > 10 ? 10 : sizeof walk_seen_);                    \
    } while (0)
/* Text and its end; a null pointer is something else than any text. */
APART static void walk_see_text(const char *s) {
    if (!s)
        walk_see("\1\2\3", 3);
    for (; s && walk_decide((unsigned char)*s); s++)
        walk_see(s, 1);
    walk_see("", 1);
}
#define SEES(s) walk_see_text(s)
APART static void walk_see_wide(const wchar_t *s) {
    for (; s && *s; s++)
        walk_see(s, sizeof *s);
    walk_see(s ? "" : "\1", 1);
}
#define SEEWS(s) walk_see_wide(s)
/* Where a pointer points to in an object, or null. */
APART static void walk_see_pointer(const void *p, const void *base) {
    long offset = p ? (long)((const char *)p - (const char *)base) : -1000;
    walk_see(&offset, sizeof offset);
}
#define SEEP(p, base) walk_see_pointer(p, base)

/* ---- things that recipes share ---- */

/* What was written to descriptor d (a pipe that nobody writes to any more, or a file). */
static __attribute__((unused)) void walk_see_all(int d) {
    char b[256];
    long n = read(d, b, sizeof b);
    SEE(n);
    if (n > 0)
        walk_see(b, (unsigned long)n);
}
/* A pipe with text in it and no writer. */
static __attribute__((unused)) int walk_pipe(const char *text) {
    int p[2];
    if (pipe(p) < 0 || write(p[1], text, strlen(text)) < 0)
        return -1;
    close(p[1]);
    return p[0];
}

/* Names of C23 that older libraries have under others only. */
#if defined HEDDLE || __GLIBC_PREREQ(2, 38)
#define ISOC23(name) __asm__("__isoc23_" #name)
#else
#define ISOC23(name) __asm__(#name)
#endif

#define WALK(name) static void walk_of_##name(void)

static const struct recipe {
    const char *name;
    void (*run)(void);
} *walk_recipes(void);

/* ---- main ---- */

static void walk_label(char *out) {
    for (int i = 0; i < 8; i++)
        out[i] = "0123456789abcdef"[label_hash >> (28 - 4 * i) & 15];
    out[8] = '\0';
}

static void walk_one(const struct recipe *r) {
    errno = 0;
    r->run();
    SEE(errno);
}

#ifdef HEDDLE
#include <heddle.h>
static const struct recipe *walk_recipe(const char *name) {
    const struct recipe *r = walk_recipes();
    while (r->name && strcmp(r->name, name) != 0)
        r++;
    heddle_assert(r->name);
    return r;
}

/* One of n walks; the label tells which if there are several. */
static int walk_choose(int n, char *label) {
    long pick = n > 1 ? heddle_choose(0, n - 1) : 0;
    int chosen = 0;
    for (int i = 0; i < n; i++)
        if (pick == i)
            chosen = i;
    label[0] = (char)('0' + chosen / 10);
    label[1] = (char)('0' + chosen % 10);
    label[2] = ':';
    return chosen;
}

/* NAME WAY [NAME WAY]... */
int main(int argc, char **argv) {
    static char label[12];
    heddle_assert(argc >= 3);
    int n = (argc - 1) / 2;
    char **walk = argv + 1 + 2 * walk_choose(n, label);
    way = (walk[1][0] - '0') * 10 + walk[1][1] - '0';
    const struct recipe *r = walk_recipe(walk[0]);
    heddle_input(x);
    heddle_assume(x < DOMAIN);
    walk_one(r);
    walk_label(n > 1 ? label + 3 : label);
    heddle_reach(label);
    return 0;
}
#else
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

typedef struct shared {
    uint64_t offered;
    char label[9];
} shared;

/* Seconds of processor time that a recipe may use, and of real time, for one that waits for ever: a
 * busy machine must not make it fail.  Timers of its own process are the recipe's. */
enum { WALK_SECONDS = 20, WALK_NET = 600 };

static pid_t walk_running;
static int walk_ticks;

/* Once a second, while a recipe runs. */
static void walk_tick(int signal) {
    struct timespec used = {0, 0};
    clockid_t clock;
    (void)signal;
    if (clock_getcpuclockid(walk_running, &clock) == 0)
        clock_gettime(clock, &used);
    if (++walk_ticks > WALK_NET || used.tv_sec >= WALK_SECONDS)
        kill(walk_running, SIGKILL);
}

static void walk_tick_every(int seconds) {
    struct itimerval t = {{seconds, 0}, {seconds, 0}};
    walk_ticks = 0;
    setitimer(ITIMER_REAL, &t, NULL);
}

/* In a process and in a directory of its own. */
static void walk_child(const struct recipe *r, int which, unsigned char value, shared *out) {
    char home[32];
    static unsigned n;
    int status = 0;
    snprintf(home, sizeof home, "d%u", n);
    mkdir(home, 0700);
    out->offered = 0;
    strcpy(out->label, "died");
    fflush(stdout);
    if ((walk_running = fork()) == 0) {
        way = which;
        x = value;
        if (chdir(home) < 0)
            _exit(1);
        offered = &out->offered;
        walk_one(r);
        walk_label(out->label);
        _exit(0);
    }
    signal(SIGALRM, walk_tick);
    walk_tick_every(1);
    while (waitpid(walk_running, &status, 0) < 0) {
    }
    walk_tick_every(0);
    signal(SIGALRM, SIG_DFL);
    if (WIFSIGNALED(status))
        snprintf(out->label, 9, "sig%d", WTERMSIG(status));
    n += rmdir(home) < 0;
}

static void walk_print(const struct recipe *r, shared *out) {
    walk_child(r, -1, 0, out);
    uint64_t ways = out->offered;
    printf("%s -1 %s\n", r->name, out->label);
    for (int w = 0; w < 64; w++) {
        if (!(ways >> w & 1))
            continue;
        printf("%s %d", r->name, w);
        for (unsigned char v = 0; v < DOMAIN; v++) {
            walk_child(r, w, v, out);
            printf(" %s", out->label);
        }
        printf("\n");
    }
}

/* [NAME...]: these recipes, or all.  Prints "NAME WAY LABEL...". */
int main(int argc, char **argv) {
    closefrom(3); /* what was left open by those who started us */
    shared *out = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (const struct recipe *r = walk_recipes(); r->name; r++) {
        int is_wanted = argc < 2;
        for (int i = 1; i < argc; i++)
            is_wanted |= strcmp(argv[i], r->name) == 0;
        fflush(stdout);
        if (is_wanted)
            walk_print(r, out);
        fflush(stdout);
    }
    return 0;
}
#endif
#endif
