/* Blocks that are lost when the program ends, and blocks that somebody still holds.
 *
 *     property_leaks [COUNT [FIRST_SEED]]      (HEDDLE names the tool, default build/heddle)
 *
 * A random program is a chain of functions, each of which allocates a block on a line of its own
 * and keeps it in some way, or loses it; the last ends the program, by one of several ways, or
 * waits for ever in a thread while main returns.  What is lost follows from how the program was
 * made: a leak must be at the line of something that is.  It may be overlooked, because words that
 * calls have left behind on the stack look like pointers (docs/limits.md), but in two of five
 * programs at most. */
#include "tool/tool.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FRAMES = 6 };

/* One function: what it does before it calls NEXT, or with that. */
typedef struct shape {
    const char *text;
    bool is_lost;
} shape;

static const shape shapes[] = {
    {"char *p = malloc(4); p[0] = 1; NEXT(NULL);", false},
    {"char *p = malloc(4); NEXT(NULL); p[0] = 1;", false},
    {"struct pair v = {3, malloc(4)}; v.p[0] = 1; NEXT(NULL);", false},
    {"char *t[3]; t[1] = malloc(4); t[1][0] = 1; NEXT(NULL);", false},
    {"char *p = malloc(8) + 3; p[0] = 1; NEXT(NULL);", false},
    {"int n = 2; char *t[n]; t[1] = malloc(4); t[1][0] = 1; NEXT(NULL);", false},
    {"char **q = malloc(8); *q = malloc(4); NEXT(NULL); free(q);", false},
    {"NEXT(malloc(4));", false},
    {"down(malloc(4), 3); NEXT(NULL);", true},
    {"kept[__LINE__ % 64] = malloc(4); NEXT(NULL);", false},
    {"static char *p; p = malloc(4); NEXT(NULL);", false},
    {"char *p = malloc(4); free(p); NEXT(NULL);", false},
    {"char *p = malloc(4); p[0] = 1; p = NULL; NEXT(p);", true},
    {"lose(malloc(4)); NEXT(NULL);", true},
    /* by functions of the library */
    {"char *p = strdup(\"abc\"); NEXT(NULL); p[0] = 1;", false},
    {"lose(strdup(\"abc\")); NEXT(NULL);", true},
    {"lose(realpath(\"/\", NULL)); NEXT(NULL);", true},
    {"DIR *d = opendir(\"/\"); NEXT(NULL); readdir(d);", false},
    {"DIR *d = opendir(\"/\"); closedir(d); NEXT(NULL);", false},
    {"list(opendir(\"/\")); NEXT(NULL);", true},
    {"struct addrinfo *a = found(); NEXT((char *)a->ai_next);", false},
    {"freeaddrinfo(found()); NEXT(NULL);", false},
    {"char *p; size_t n; FILE *f = open_memstream(&p, &n); fclose(f); p = NULL; NEXT(p);", true},
};
#define N_SHAPES (sizeof shapes / sizeof *shapes)

/* How the innermost function ends it all; the last two: in a thread, while main returns. */
static const char *const ends[] = {"exit(0);", "leave(3);", "leave(0);", "pause();",
                                   "sem_wait(&never);"};
#define N_ENDS  (sizeof ends / sizeof *ends)
#define IN_MAIN 3 /* ends of that many */

static const char prelude[] =
    "#define _GNU_SOURCE\n#include <dirent.h>\n#include <netdb.h>\n#include <pthread.h>\n"
    "#include <semaphore.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "#include <unistd.h>\n"
    "struct pair { int n; char *p; };\n"
    "static char *kept[64];\nstatic sem_t never;\n"
    "static void down(char *p, int n) { p[n] = 1; if (n) down(p, n - 1); }\n"
    "static void lose(char *p) { p[0] = 1; }\n"
    "static void list(DIR *d) { readdir(d); }\n"
    "static struct addrinfo *found(void) {\n"
    "    struct addrinfo *a = NULL;\n"
    "    getaddrinfo(\"127.0.0.1\", NULL, NULL, &a);\n"
    "    return a;\n}\n"
    "static void leave(int n) { if (n == 0) exit(0); leave(n - 1); }\n";

static char path[160];
static unsigned n_lost, n_found; /* programs that lose something, and those where it was seen */
static uint64_t state;

static unsigned pick(unsigned n) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)(state >> 33) % n;
}

/* Line `first` + i has function number n - i: those that are called come first. */
static void write_functions(FILE *out, unsigned n, bool *is_lost) {
    for (unsigned i = n; i-- > 0;) {
        const shape *s = &shapes[pick(N_SHAPES)];
        is_lost[n - 1 - i] = s->is_lost;
        fprintf(out, "static void f%u(char *given) { (void)given; ", i);
        for (const char *at = s->text; *at; at++)
            if (strncmp(at, "NEXT", 4) == 0)
                fprintf(out, "f%u", i + 1), at += 3;
            else
                fputc(*at, out);
        fprintf(out, " }\n");
    }
}

static void write_main(FILE *out, bool in_main) {
    if (in_main)
        fprintf(out, "int main(void) { sem_init(&never, 0, 0); f0(NULL); return 0; }\n");
    else
        fprintf(out, "static void *start(void *x) { f0(x); return NULL; }\n"
                     "int main(void) {\n    pthread_t t;\n    sem_init(&never, 0, 0);\n"
                     "    pthread_create(&t, NULL, start, malloc(4));\n    pthread_detach(t);\n"
                     "    return 0;\n}\n");
}

/* The lines that lose something are those from *first on whose entry is true. */
static bool write_program(unsigned n, unsigned end, int *first, bool *is_lost) {
    FILE *out = fopen(path, "w");
    if (!out)
        return printf("cannot write '%s'\n", path), false;
    *first = 2;
    for (const char *at = prelude; *at; at++)
        *first += *at == '\n';
    fprintf(out, "%sstatic void f%u(char *given) { (void)given; %s }\n", prelude, n, ends[end]);
    write_functions(out, n, is_lost);
    write_main(out, end < IN_MAIN);
    return fclose(out) == 0;
}

static bool is_right(json_t *summary, int first, unsigned n, const bool *is_lost) {
    json_t *findings = json_object_get(summary, "findings"), *leak = json_array_get(findings, 0);
    bool wanted = memchr(is_lost, true, n) != NULL;
    if (!json_is_true(json_object_get(summary, "complete")) || json_array_size(findings) > 1)
        return printf("not complete, or too many findings\n"), false;
    if (leak && !wanted)
        return printf("a leak that is none\n"), false;
    n_lost += wanted;
    n_found += leak != NULL;
    int line = (int)json_integer_value(json_object_get(leak, "line"));
    if (leak && (line < first || line >= first + (int)n || !is_lost[line - first]))
        return printf("a leak at line %d, where nothing is lost\n", line), false;
    return true;
}

/* What a thread that is still there has allocated is not looked at (docs/limits.md). */
static bool check_seed(uint64_t seed) {
    bool is_lost[MOST_FRAMES] = {false};
    int first;
    state = seed;
    pick(2);
    unsigned n = 1 + pick(MOST_FRAMES), end = pick(N_ENDS);
    if (!write_program(n, end, &first, is_lost))
        return false;
    if (end >= IN_MAIN)
        memset(is_lost, 0, sizeof is_lost);
    json_t *summary = tool_run("%s -w", path);
    bool ok = summary && is_right(summary, first, n, is_lost);
    json_decref(summary);
    if (!ok)
        printf("seed %llu: %s\n", (unsigned long long)seed, path);
    return ok;
}

int main(int argc, char **argv) {
    unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : getenv("SOAK") ? 600 : 30;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const char *temporary = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/heddle-leaks-%d.c", temporary ? temporary : "/tmp",
             (int)getpid());
    bool ok = tool_begin();
    for (unsigned n = 0; n < count && ok; n++)
        ok = check_seed(seed + n);
    tool_end();
    if (!ok)
        return 1;
    unlink(path);
    printf("%u programs, leaks found in %u of %u, and nowhere else\n", count, n_found, n_lost);
    return 5 * n_found < 3 * n_lost;
}
