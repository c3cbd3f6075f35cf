/* Cases: an object, what is written, how its parts move, what is decided.
 *
 * T1. A case decides once: MemorySanitizer ends there, and Heddle tells of a value once.
 * T2. What MemorySanitizer rounds up is not written, so that both must say the same: an order is
 *     asked of values that are written as a whole or not at all, and no memory is compared
 *     (MemorySanitizer wants all of it written, also behind the first difference). */
#include "property/random/uninitialised_cases.h"

#include "base/hash.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

enum { N = 6 }; /* elements of an object */

typedef struct maker {
    hd_text *out;
    uint64_t random;
    const char *type;
    bool is_partial; /* some bits of v may be written and others not */
} maker;

static unsigned below(maker *m, unsigned n) {
    return (unsigned)(hd_random_next(&m->random) % n);
}

static const char *one_of(maker *m, const char *const *words, unsigned n) {
    return words[below(m, n)];
}
#define ONE_OF(m, ...)                                                                             \
    one_of(m, (const char *const[]){__VA_ARGS__},                                                  \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

__attribute__((format(printf, 2, 3))) static void line(maker *m, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    hd_text_add(m->out, "    %s\n", text);
}

/* -- Arrays ------------------------------------------------------------------------------------ */

static void define_array(maker *m) {
    switch (below(m, 8)) {
    case 0:
        line(m, "%s *p = malloc(%d * sizeof *p);", m->type, N);
        return;
    case 1:
        line(m, "%s *p = malloc(%d * sizeof *p);", m->type, 1 + (int)below(m, N));
        line(m, "p = realloc(p, %d * sizeof *p);", N);
        return;
    case 2:
        line(m, "%s *p = calloc(%d, sizeof *p);", m->type, N);
        return;
    case 3:
        line(m, "%s *p = aligned_alloc(64, 64);", m->type);
        return;
    case 4:
        line(m, "static %s p[%d];", m->type, N);
        return;
    case 5:
        line(m, "%s p[x + %d];", m->type, N);
        return;
    case 6:
        line(m, "%s a[%d], *p = same(a);", m->type, N);
        return;
    default:
        line(m, "%s p[%d];", m->type, N);
    }
}

static void write_some(maker *m) {
    unsigned i = below(m, N);
    switch (below(m, 9)) {
    case 0:
        line(m, "p[%u] = x;", i);
        return;
    case 1:
        line(m, "p[x] = 7;");
        return;
    case 2:
        line(m, "for (int i = 0; i < %u; i++) p[i] = i;", i);
        return;
    case 3:
        line(m, "memset(p, 0, %u * sizeof *p);", i);
        return;
    case 4:
        line(m, "if (x == %u) p[%u] = 3;", below(m, 4), i);
        return;
    case 5:
        line(m, "fill(p + %u, sizeof *p, x);", i);
        return;
    case 6:
        line(m, "((byte *)&p[%u])[sizeof *p - 1] = 1;", i);
        m->is_partial = true;
        return;
    case 7:
        line(m, "memcpy(&p[%u], &p[%u], sizeof *p);", i, (i + 1) % N);
        return;
    default:
        line(m, "p[%u] = p[%u] + 1;", i, below(m, N));
    }
}

static void move_some(maker *m) {
    switch (below(m, 5)) {
    case 0:
        line(m, "%s q[%d];", m->type, N);
        line(m, "memcpy(q, p, sizeof q);");
        line(m, "%s *r = q;", m->type);
        return;
    case 1:
        line(m, "%s *r = p;", m->type);
        line(m, "memmove(p + 1, p, %u * sizeof *p);", below(m, N));
        return;
    case 2:
        line(m, "%s q[%d] = {0};", m->type, N);
        line(m, "for (int i = 0; i < %d; i++) q[i] = p[i];", (int)below(m, N + 1));
        line(m, "%s *r = q;", m->type);
        return;
    default:
        line(m, "%s *r = p;", m->type);
    }
}

/* v: an element, or what is made of it. */
static void compute(maker *m) {
    if (below(m, 2))
        line(m, "%s v = r[%u];", m->type, below(m, N));
    else
        line(m, "%s v = pass(r[x + %u]);", m->type, below(m, 3));
    switch (below(m, 10)) {
    case 0:
        line(m, "v &= %u;", below(m, 256));
        m->is_partial = true;
        return;
    case 1:
        line(m, "v |= %u;", below(m, 256));
        m->is_partial = true;
        return;
    case 2:
        line(m, "v ^= x + %u;", below(m, 9));
        m->is_partial = true;
        return;
    case 3:
        line(m, "v = v << %u;", below(m, 8));
        m->is_partial = true;
        return;
    case 4:
        line(m, "v = v >> %u;", below(m, 8));
        m->is_partial = true;
        return;
    case 5:
        line(m, "v = v + x;");
        return;
    case 6:
        line(m, "v = (byte)v;");
        m->is_partial = true;
        return;
    case 7:
        line(m, "v = x & 1 ? v : 5;");
        return;
    default:
        return;
    }
}

static void decide_order(maker *m) {
    line(m, "if (v %s %u) sink++;", ONE_OF(m, "<", ">", "<=", ">="), 1 + below(m, 100));
}

static void decide(maker *m) {
    switch (below(m, m->is_partial ? 6 : 8)) {
    case 0:
        line(m, "if (v == %u) sink++;", below(m, 128)); /* no char is more */
        return;
    case 1:
        line(m, "switch (v) { case 1: sink++; case 2: sink++; break; default: sink--; }");
        return;
    case 2:
        line(m, "sink += table[v & 3];");
        return;
    case 3:
        line(m, "if (!v) sink++;");
        return;
    case 4:
        line(m, "if ((v & 1) != 0) sink++;");
        return;
    case 5:
        line(m, "sink += v ? 1 : 2;");
        return;
    default:
        decide_order(m);
    }
}

static void decide_block(maker *m) {
    line(m, "if (write(1, r, %u * sizeof *r) < 0) sink++;", 1 + below(m, N));
}

static void write_array(maker *m) {
    m->type = ONE_OF(m, "byte", "half", "word", "wide");
    define_array(m);
    for (unsigned n = below(m, 5); n; n--)
        write_some(m);
    move_some(m);
    if (below(m, 8) == 0) {
        line(m, "if (x == 9) memset(r, 0, sizeof *r);");
        decide_block(m);
        return;
    }
    compute(m);
    decide(m);
}

/* -- Variables --------------------------------------------------------------------------------- */

static void write_scalar(maker *m) {
    m->type = ONE_OF(m, "byte", "half", "word", "wide", "int");
    line(m, "%s v;", m->type);
    switch (below(m, 6)) {
    case 0:
        line(m, "if (x == %u) v = 3;", below(m, 4));
        break;
    case 1:
        line(m, "for (int i = 0; i < x - 1; i++) v = i;");
        break;
    case 2:
        line(m, "v = x;");
        break;
    case 3:
        line(m, "switch (x) { case 0: v = 2; break; case 2: v = 1; }");
        break;
    case 4:
        line(m, "set_if(&v, sizeof v, x %% 2);");
        break;
    default:
        break;
    }
    if (below(m, 3) == 0)
        line(m, "v = pass(v) + 1;");
    decide(m);
}

/* -- Structures -------------------------------------------------------------------------------- */

static void define_struct(maker *m) {
    if (below(m, 2))
        line(m, "struct mixed s%s;", below(m, 4) ? "" : " = {0}");
    else
        line(m, "struct mixed *o = malloc(sizeof *o), s = *o; free(o);");
}

static const char *member(maker *m) {
    return ONE_OF(m, "s.c", "s.i", "s.l", "s.low", "s.high", "s.inner[1]");
}

/* A byte of padding is written only if all of the union is. */
static void write_union(maker *m) {
    line(m, "union { struct mixed s; byte b[sizeof(struct mixed)]; } u;");
    switch (below(m, 4)) {
    case 0:
        line(m, "if (x == %u) memset(&u, 0, sizeof u);", below(m, 4));
        break;
    case 1:
        line(m, "u.b[%u] = 1;", below(m, 8));
        break;
    case 2:
        line(m, "u.b[x + %u] = 1;", below(m, 4));
    }
    line(m, "u.s.%s = 1;", ONE_OF(m, "c", "i", "l"));
    line(m, "u.s.%s = x;", ONE_OF(m, "c", "i", "l"));
    line(m, "byte v = u.b[%u];", below(m, 16));
    decide(m);
}

static void write_struct(maker *m) {
    define_struct(m);
    for (unsigned n = below(m, 5); n; n--)
        line(m, below(m, 4) ? "%s = 1;" : "if (x > 1) %s = x;", member(m));
    if (below(m, 3) == 0)
        line(m, "struct mixed t = s; s = t;");
    if (below(m, 3) == 0)
        line(m, "s = pass_struct(s);");
    line(m, "word v = %s;", member(m));
    m->is_partial = true;
    decide(m);
}

/* -- Strings ----------------------------------------------------------------------------------- */

static void write_string(maker *m) {
    unsigned n = 4 + below(m, 8);
    if (below(m, 2))
        line(m, "char *s = malloc(%u);", n);
    else
        line(m, "char s[%u];", n);
    for (unsigned i = below(m, n); i > 0; i--)
        line(m, "s[%u] = '%c';", below(m, n - 1), 'a' + (char)below(m, 3));
    line(m, "s[%u] = 0;", n - 1);
    if (below(m, 2))
        line(m, "if (x & 1) s[0] = 0;");
    line(m, "sink += %s;", ONE_OF(m, "strlen(s)", "strcmp(s, \"aab\")", "strchr(s, 'b') != NULL"));
}

static void write_case(hd_text *out, uint64_t seed, unsigned number) {
    static void (*const shapes[])(maker *) = {write_array,  write_array,  write_scalar,
                                              write_struct, write_string, write_union};
    hd_text body = {0};
    maker m = {.out = &body, .random = hd_mix(seed * 1000 + number), .type = "word"};
    shapes[below(&m, sizeof shapes / sizeof *shapes)](&m);
    hd_text_add(out, "\nstatic void case_%u(int x) {\n%s}\n", number, hd_text_string(&body));
    hd_text_release(&body);
}

static const char head[] =
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "#include <sys/wait.h>\n"
    "#include <unistd.h>\n"
    "#ifdef __HEDDLE__\n"
    "#include <heddle.h>\n"
    "#endif\n"
    "typedef unsigned char byte;\n"
    "typedef unsigned short half;\n"
    "typedef unsigned int word;\n"
    "typedef unsigned long wide;\n"
    "struct mixed { char c; int i; long l; unsigned low : 3, high : 7; short inner[2]; };\n"
    "static volatile unsigned sink;\n"
    "static const int table[4] = {3, 1, 4, 1};\n"
    "__attribute__((noinline)) static void *same(void *p) { return p; }\n"
    "__attribute__((noinline)) static wide pass(wide v) { return v; }\n"
    "__attribute__((noinline)) static struct mixed pass_struct(struct mixed s) { return s; }\n"
    "__attribute__((noinline)) static void fill(void *p, size_t n, int x) { memset(p, x, n); }\n"
    "__attribute__((noinline)) static void set_if(void *p, size_t n, int x) {\n"
    "    if (x)\n"
    "        memset(p, 0, n);\n"
    "}\n";

static const char tail[] = "\n#ifdef __HEDDLE__\n"
                           "int main(int argc, char **argv) {\n"
                           "    unsigned which;\n"
                           "    int x;\n"
                           "    heddle_input(which);\n"
                           "    heddle_assume(which < N_CASES);\n"
                           "    if (argc > 1) {\n"
                           "        x = argv[1][0] - '0';\n"
                           "    } else {\n"
                           "        heddle_input(x);\n"
                           "        heddle_assume(x >= 0 && x < 4);\n"
                           "    }\n"
                           "    run(which, x);\n"
                           "    return 0;\n"
                           "}\n"
                           "#else\n"
                           "int main(void) {\n"
                           "    for (unsigned n = 0; n < N_CASES * 4; n++) {\n"
                           "        if (fork() == 0) {\n"
                           "            fprintf(stderr, \"@ %u %u\\n\", n / 4, n % 4);\n"
                           "            run(n / 4, (int)(n % 4));\n"
                           "            exit(0);\n"
                           "        }\n"
                           "        wait(NULL);\n"
                           "    }\n"
                           "}\n"
                           "#endif\n";

void uninitialised_write(hd_text *out, uint64_t seed, unsigned n) {
    hd_text_add(out, "%s#define N_CASES %u\n", head, n);
    for (unsigned k = 0; k < n; k++)
        write_case(out, seed, k);
    hd_text_add(out, "\nstatic void run(unsigned which, int x) {\n    switch (which) {\n");
    for (unsigned k = 0; k < n; k++)
        hd_text_add(out, "    case %u:\n        case_%u(x);\n        return;\n", k, k);
    hd_text_add(out, "    }\n}\n%s", tail);
}
