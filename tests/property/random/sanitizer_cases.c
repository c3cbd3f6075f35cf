/* Shapes of cases: each writes one function, with random sizes, types, places and offsets.
 *
 * S1. Whatever goes wrong in a case is on a line of its own: lines tell findings apart.
 * S2. Memory is initialised before it is read, so that MemorySanitizer has nothing to say, and
 *     offsets stay so near to their object that AddressSanitizer's red zones catch them.
 * S3. What is allocated is freed, unless the leak is the error. */
#include "property/random/sanitizer_cases.h"
#include "property/random/sanitizer_maker.h"

#include "base/hash.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned drawn_below(maker *m, unsigned n) {
    return (unsigned)(hd_random_next(&m->random) % n);
}

const char *one_of(maker *m, const char *const *words, unsigned n) {
    return words[drawn_below(m, n)];
}

void line(maker *m, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    hd_text_add(m->out, "    %s\n", text);
}

/* -- Offsets ---------------------------------------------------------------------------------- */

/* An index or length around n: inside, outside, or outside for some x only. */
static void choose_index(maker *m, unsigned n, char out[64]) {
    switch (drawn_below(m, 8)) {
    case 0:
        snprintf(out, 64, "%u", n + drawn_below(m, 3));
        return;
    case 1:
        snprintf(out, 64, "-1");
        return;
    case 2:
        snprintf(out, 64, "x + %d", (int)n - 3 + (int)drawn_below(m, 3));
        return;
    case 3:
        line(m, "volatile int i = %u;", n - 1 + drawn_below(m, 2));
        snprintf(out, 64, "i");
        return;
    case 4:
        snprintf(out, 64, "x == %u ? %u : 0", drawn_below(m, 4), n);
        return;
    case 5:
        snprintf(out, 64, "x %% %u", n);
        return;
    default:
        snprintf(out, 64, "%u", drawn_below(m, n));
    }
}

/* Bytes from 0 to a little more than n. */
static void choose_length(maker *m, unsigned n, char out[64]) {
    switch (drawn_below(m, 5)) {
    case 0:
        snprintf(out, 64, "%u", n + 1 + drawn_below(m, 4));
        return;
    case 1:
        snprintf(out, 64, "(size_t)x + %u", n - (n > 2 ? 2 : 0));
        return;
    case 2:
        snprintf(out, 64, "x ? %u : %u", n, n + 1);
        return;
    default:
        snprintf(out, 64, "%u", drawn_below(m, n + 1));
    }
}

/* -- Objects ---------------------------------------------------------------------------------- */

static const char *choose_type(maker *m) {
    return ONE_OF(m, "byte", "half", "word", "wide");
}

typedef enum storage { GLOBAL, GLOBAL_POINTER, STATIC, HEAP, CLEAR, LOCAL, LOCAL_POINTER } storage;

/* p: n elements of the type.  True if it must be freed. */
static bool define_object(maker *m, const char *type, unsigned n) {
    storage s = (storage)drawn_below(m, LOCAL_POINTER + 1);
    switch (s) {
    case LOCAL:
        line(m, "%s p[%u] = {0};", type, n);
        break;
    case LOCAL_POINTER:
        line(m, "%s a[%u] = {0};", type, n);
        line(m, "%s *p = a;", type);
        break;
    case GLOBAL:
    case GLOBAL_POINTER:
        line(m, "extern %s object_%u[%u];", type, m->number, n);
        line(m, s == GLOBAL ? "%s (*q)[%u] = &object_%u, *p = *q;" : "%s (*q)[%u] = &object_%u;",
             type, n, m->number);
        if (s == GLOBAL_POINTER)
            line(m, "%s *p = *q;", type);
        break;
    case STATIC:
        line(m, "static %s p[%u];", type, n);
        break;
    case HEAP:
        line(m, "%s *p = malloc(%u * sizeof *p);", type, n);
        line(m, "memset(p, 0, %u * sizeof *p);", n);
        break;
    case CLEAR:
        line(m, "%s *p = calloc(%u, sizeof *p);", type, n);
        break;
    }
    return s == HEAP || s == CLEAR;
}

static void end_object(maker *m, bool is_heap) {
    if (is_heap)
        line(m, "free(p);");
}

static void access_object(maker *m, const char *type, const char *index) {
    switch (drawn_below(m, 7)) {
    case 1:
        line(m, "p[%s] = 1;", index);
        return;
    case 2:
        hd_text_add(m->before, "static int get_%u(%s *p, int i) {\n    return (int)p[i];\n}\n",
                    m->number, type);
        line(m, "sink += get_%u(p, %s);", m->number, index);
        return;
    case 3:
        hd_text_add(m->before, "static void put_%u(%s *p, int i) {\n    p[i] = 3;\n}\n", m->number,
                    type);
        line(m, "put_%u(p, %s);", m->number, index);
        return;
    case 4:
        line(m, "p[%s]++;", index);
        return;
    case 5:
        line(m, "%s unused = p[%s];", type, index);
        return;
    case 6:
        line(m, "p[%s];", index);
        return;
    default:
        line(m, "sink += (int)p[%s];", index);
    }
}

/* -- Memory ----------------------------------------------------------------------------------- */

static void element(maker *m) {
    const char *type = choose_type(m);
    unsigned n = 1 + drawn_below(m, 9);
    char index[64];
    bool is_heap = define_object(m, type, n);
    choose_index(m, n, index);
    access_object(m, type, index);
    end_object(m, is_heap);
}

static void block(maker *m) {
    unsigned n = 1 + drawn_below(m, 24);
    char length[64];
    bool is_heap = define_object(m, "byte", n);
    choose_length(m, n, length);
    line(m, "byte other[64] = {0};");
    switch (drawn_below(m, 6)) {
    case 0:
        line(m, "memset(p, x, %s);", length);
        break;
    case 1:
        line(m, "memcpy(p, other, %s);", length);
        break;
    case 2:
        line(m, "memcpy(other, p, %s);", length);
        break;
    case 3:
        line(m, "memmove(p, other, %s);", length);
        break;
    case 4:
        line(m, "other[0] = %u;", drawn_below(m, 2));
        line(m, "memcmp(p, other, %s);", length);
        break;
    default:
        line(m, "sink += memchr(p, 1, %s) != 0;", length);
    }
    end_object(m, is_heap);
}

/* p holds a string of `length` characters, without its end if that has no room. */
static void string(maker *m) {
    unsigned n = 2 + drawn_below(m, 12), length = drawn_below(m, n + 1);
    bool is_heap = define_object(m, "byte", n);
    line(m, "char *s = (char *)p, other[64] = \"abcdefghijklmno\";");
    line(m, "memset(p, 'a', %u);", length);
    switch (drawn_below(m, 12)) {
    case 8:
        line(m, "strncat(s, other, %u + (size_t)x);", drawn_below(m, 4));
        break;
    case 9:
        line(m, "sink += strncmp(s, \"aaaaaaaaaaaaaaaaaaaaaaa\", %u + (size_t)x);", n - 1);
        break;
    case 10:
        line(m, "sink += (int)strnlen(s, %u + (size_t)x);", n - 1);
        break;
    case 11:
        line(m, "strcat(s, other + %u + x);", 14 - drawn_below(m, n));
        break;
    case 0:
        line(m, "sink += (int)strlen(s);");
        break;
    case 1:
        line(m, "strlen(s);");
        break;
    case 2:
        line(m, "strcpy(other, s);");
        break;
    case 3:
        line(m, "strcpy(s, other + %u + x);", 15 - n);
        break;
    case 4:
        line(m, "sink += strcmp(s, \"aaaaaaaaaaaaaaaaaaaaaaa\");");
        break;
    case 5:
        line(m, "sink += strchr(s, 'z') != 0;");
        break;
    case 6:
        line(m, "sink += snprintf(s, %u + (size_t)x, \"%%s\", other);", n - 1);
        break;
    default:
        line(m, "strncpy(s, other, %u + x);", n - 2);
    }
    end_object(m, is_heap);
}

static void freed(maker *m) {
    const char *type = choose_type(m);
    line(m, "%s *p = calloc(4, sizeof *p);", type);
    line(m, "if (x != %u)", drawn_below(m, 5));
    line(m, "    free(p);");
    line(m, "else");
    line(m, "    x = 9;");
    if (drawn_below(m, 3) == 0) {
        line(m, "if (x != 9)");
        line(m, "    free(p);");
        line(m, "else");
    } else {
        line(m, "if (x != 9) {");
        access_object(m, type, "2");
        line(m, "} else");
    }
    line(m, "    free(p);");
}

static void freed_wrongly(maker *m) {
    bool is_heap = define_object(m, "word", 4);
    line(m, "word *start = p;");
    line(m, "if (x == %u)", drawn_below(m, 4));
    line(m, "    free(start + %u);", is_heap ? 1 + drawn_below(m, 2) : drawn_below(m, 2));
    end_object(m, is_heap);
}

static void moved(maker *m) {
    line(m, "word *p = calloc(2, sizeof *p);");
    line(m, "word *q = realloc(p, 4000);");
    line(m, "q[%u] = 1;", drawn_below(m, 1000));
    line(m, "if (x == %u)", drawn_below(m, 5));
    line(m, "    sink += (int)p[%u];", drawn_below(m, 2));
    line(m, "free(q);");
}

static void lost(maker *m) {
    line(m, "word *p = malloc(%u);", 1 + drawn_below(m, 40));
    line(m, "if (x != %u)", drawn_below(m, 5));
    line(m, "    free(p);");
    line(m, "p = 0;");
}

static void out_of_scope(maker *m) {
    const char *type = choose_type(m);
    line(m, "%s keep = 0, *p = &keep;", type);
    line(m, "{");
    line(m, "    %s inner[3] = {1, 2, 3};", type);
    line(m, "    sink += (int)inner[x %% 3];");
    line(m, "    if (x == %u)", drawn_below(m, 5));
    line(m, "        p = inner;");
    line(m, "}");
    access_object(m, type, "0");
}

static void returned(maker *m) {
    hd_text_add(m->before,
                "static word *address_%u(int x) {\n    word local[2] = {1, 2};\n"
                "    word *volatile p = local;\n    return p + (x & 1);\n}\n",
                m->number);
    line(m, "word keep = 0, *p = &keep;");
    line(m, "if (x == %u)", drawn_below(m, 5));
    line(m, "    p = address_%u(x);", m->number);
    access_object(m, "word", "0");
}

static void null(maker *m) {
    line(m, "word keep[4] = {0}, *p = keep;");
    line(m, "if (x == %u)", drawn_below(m, 5));
    line(m, "    p = 0;");
    /* Natively an access of p[1] that nobody uses is dropped. */
    if (drawn_below(m, 2))
        access_object(m, "word", "0");
    else
        line(m, "sink += (int)p[1];");
}

/* Constants: those that hold addresses are filled in by who links or loads, and lie elsewhere. */
static void constant(maker *m) {
    static const char *const tables[] = {"const word table_%u[4] = {1, 2, 3, 4};\n",
                                         "word *const table_%u[4] = {&constant_word};\n",
                                         "const struct {\n    const char *name;\n    word n[3];\n} "
                                         "table_%u = {\"a\", {1, 2, 3}};\n"};
    hd_text_add(m->before, "static ");
    hd_text_add(m->before, tables[drawn_below(m, 3)], m->number);
    line(m, "word keep[4] = {0}, *p = keep;");
    line(m, "if (x == %u)", drawn_below(m, 5));
    line(m, "    p = (word *)&table_%u;", m->number);
    line(m, "p[%u] = 1;", drawn_below(m, 4));
}

static void sized(maker *m) {
    unsigned n = 1 + drawn_below(m, 6);
    char index[64];
    if (drawn_below(m, 2)) {
        line(m, "word p[%u + x];", n);
        line(m, "memset(p, 0, sizeof p);");
    } else {
        line(m, "word *p = __builtin_alloca((%u + (size_t)x) * sizeof *p);", n);
        line(m, "memset(p, 0, (%u + (size_t)x) * sizeof *p);", n);
    }
    choose_index(m, n + 1, index);
    access_object(m, "word", index);
}

/* realloc of what is no block, or no longer one. */
static void resized(maker *m) {
    line(m, "word *p = calloc(4, sizeof *p), *q = p;");
    line(m, "if (x == %u)", drawn_below(m, 5));
    line(m, drawn_below(m, 2) ? "    q = p + 1;" : "    free(p);");
    line(m, "q = realloc(q, %u);", 1 + drawn_below(m, 40));
    line(m, "free(q);");
}

/* Lengths that were negative. */
static void uncountable(maker *m) {
    line(m, "byte a[16] = {0}, other[16] = {0};");
    line(m, "%s(a, other, (size_t)(x - %u));", ONE_OF(m, "memcpy", "memmove"), drawn_below(m, 3));
}

/* -- Numbers ---------------------------------------------------------------------------------- */

static void overflow(maker *m) {
    bool is_long = drawn_below(m, 2);
    const char *type = is_long ? "long" : "int", *least = is_long ? "LONG_MIN" : "INT_MIN",
               *most = is_long ? "LONG_MAX" : "INT_MAX";
    switch (drawn_below(m, 7)) {
    case 0:
        line(m, "%s v = %s - %u;", type, most, drawn_below(m, 4));
        line(m, "sink += (int)(v + x);");
        return;
    case 1:
        line(m, "%s v = %s + %u;", type, least, drawn_below(m, 4));
        line(m, "v -= x;");
        line(m, "sink += (int)v;");
        return;
    case 2:
        line(m, "%s v = %s / 2;", type, most);
        line(m, "v * x;");
        return;
    case 3:
        line(m, "%s v = x == %u ? %s : 1;", type, drawn_below(m, 5), least);
        line(m, "sink += (int)-v;");
        return;
    case 4:
        line(m, "%s v = x == %u ? %s : 1;", type, drawn_below(m, 5), most);
        line(m, "v++;");
        line(m, "sink += (int)v;");
        return;
    case 5:
        line(m, "%s v = %s;", type, most);
        line(m, "for (int i = 0; i < x; i++)");
        line(m, "    v += i;");
        line(m, "sink += (int)v;");
        return;
    default:
        hd_text_add(m->before, "static %s add_%u(%s a, int b) {\n    return a + b;\n}\n", type,
                    m->number, type);
        line(m, "%s v = add_%u(%s - 2, x);", type, m->number, most);
        line(m, "sink += (int)v;");
    }
}

static void shift(maker *m) {
    switch (drawn_below(m, 5)) {
    case 0:
        line(m, "int by = %u + x;", 29 + drawn_below(m, 4));
        line(m, "sink += 1u << by;");
        return;
    case 1:
        line(m, "int by = x - %u;", drawn_below(m, 3));
        line(m, "sink += 5 >> by;");
        return;
    case 2:
        line(m, "long by = %u + x;", 60 + drawn_below(m, 4));
        line(m, "sink += (int)(1l << by);");
        return;
    case 3:
        line(m, "int v = x - %u;", drawn_below(m, 3));
        line(m, "sink += v << 2;");
        return;
    default:
        line(m, "int v = 1 << 30;");
        line(m, "v <<= x;");
        line(m, "sink += v;");
    }
}

static void division(maker *m) {
    const char *op = ONE_OF(m, "/", "%");
    if (drawn_below(m, 2)) {
        line(m, "int by = x - %u;", drawn_below(m, 5));
        line(m, "sink += 7 %s by;", op);
        return;
    }
    line(m, "int v = x == %u ? INT_MIN : 3, by = -1;", drawn_below(m, 5));
    line(m, "sink += v %s by;", op);
}

/* What follows a wrong number is seen too, with the number as the processor makes it. */
static void behind(maker *m) {
    unsigned n = 2 + drawn_below(m, 4);
    line(m, "word a[%u] = {0}, *p = a;", n);
    line(m, "int v = INT_MAX - 1;");
    line(m, "v += x;");
    line(m, "if (v < 0)");
    line(m, "    sink += a[0] + (int)p[v - INT_MIN + %u];", n - 1);
    line(m, "v = v > 0 ? 1 : 40;");
    line(m, "sink += 1 << v;");
}

/* Both sides of a condition read, and what they make of it comes together: lines of their own. */
static void parted(maker *m) {
    unsigned n = 3 + drawn_below(m, 3);
    const char *type = choose_type(m), *more = ONE_OF(m, "", " + 1", " * 3", " & 5", " == 2");
    bool is_heap = define_object(m, type, n);
    line(m, "int v;");
    line(m, "if (x > %u)", drawn_below(m, 4));
    line(m, "    v = (int)p[x + %d]%s;", (int)n - 3 + (int)drawn_below(m, 2), more);
    line(m, "else");
    line(m, "    v = (int)p[%u - x]%s;", drawn_below(m, 4), more);
    line(m, "sink += v;");
    end_object(m, is_heap);
}

/* -- The program ------------------------------------------------------------------------------ */

static const struct shape {
    void (*write)(maker *);
    unsigned weight; /* how often it is used */
} shapes[] = {{element, 4},       {block, 2},         {string, 2},   {freed, 1},  {moved, 1},
              {lost, 1},          {freed_wrongly, 1}, {null, 1},     {shift, 1},  {division, 1},
              {overflow, 2},      {out_of_scope, 1},  {returned, 1}, {behind, 1}, {sized, 1},
              {resized, 1},       {uncountable, 1},   {constant, 1}, {swept, 6},  {printed, 4},
              {forgotten, 2},     {parted, 2},
#define X(name, weight) {name, weight},
              UNDEFINED_SHAPES(X)
#undef X
};
#define N_SHAPES (sizeof shapes / sizeof *shapes)

static const struct shape *choose_shape(maker *m) {
    unsigned all = 0, n = 0;
    for (size_t k = 0; k < N_SHAPES; k++)
        all += shapes[k].weight;
    unsigned left = drawn_below(m, all);
    while (left >= shapes[n].weight)
        left -= shapes[n++].weight;
    return &shapes[n];
}

static void write_case(hd_text *out, uint64_t seed, unsigned number, case_theme theme) {
    hd_text body = {0};
    maker m = {
        .out = &body, .before = out, .random = hd_mix(seed * 1000 + number), .number = number};
    if (theme == CASES_OF_LITERALS)
        literal(&m);
    else
        choose_shape(&m)->write(&m);
    hd_text_add(out, "\nstatic void case_%u(int x) {\n%s}\n", number, hd_text_string(&body));
    hd_text_release(&body);
}

/* Even at -O0 clang drops calls of functions that only read if nobody uses their result. */
static const char head[] = "#define _GNU_SOURCE\n"
                           "#include <dirent.h>\n"
                           "#include <fcntl.h>\n"
                           "#include <limits.h>\n"
                           "#include <net/if.h>\n"
                           "#include <netdb.h>\n"
                           "#include <stdarg.h>\n"
                           "#include <stdio.h>\n"
                           "#include <stdlib.h>\n"
                           "#include <string.h>\n"
                           "#include <sys/wait.h>\n"
                           "#include <unistd.h>\n"
                           "#include <wchar.h>\n"
                           "#ifdef __HEDDLE__\n"
                           "#include <heddle.h>\n"
                           "#endif\n"
                           "typedef unsigned char byte;\n"
                           "typedef unsigned short half;\n"
                           "typedef unsigned int word;\n"
                           "typedef unsigned long wide;\n"
                           "struct pair { byte small; wide large; };\n"
                           "static volatile unsigned sink;\nstatic word constant_word;\n"
                           "static inline word *same(word *p) { return p; }\n"
                           "#ifndef __HEDDLE__\n"
                           "static volatile unsigned long kept;\n"
                           "#define memcmp(...) (kept = memcmp(__VA_ARGS__))\n"
                           "#define strlen(...) (kept = strlen(__VA_ARGS__))\n"
                           "#define mempcpy     memcpy /* which AddressSanitizer looks at */\n"
                           "#define TEXT(s, n)  ((void)(kept = strnlen(s, (size_t)(n))))\n"
                           "#else\n"
                           "#define TEXT(s, n) ((void)0)\n"
                           "#endif\n";

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

/* Global objects of cases are made of what their text says about them.  Before the first stands
 * another one: AddressSanitizer has red zones behind globals only. */
static void write_globals(hd_text *out, const char *cases) {
    static const char mark[] = "    extern ";
    hd_text_add(out, "byte first_object[8];\n");
    for (const char *at = strstr(cases, mark); at; at = strstr(at + 1, mark)) {
        const char *from = at + sizeof mark - 1;
        hd_text_add(out, "%.*s\n", (int)strcspn(from, "\n"), from);
    }
}

void cases_write(hd_text *out, uint64_t seed, unsigned n, case_theme theme) {
    hd_text cases = {0};
    for (unsigned k = 0; k < n; k++)
        write_case(&cases, seed, k, theme);
    hd_text_add(out, "%s#define N_CASES %u\n", head, n);
    write_globals(out, hd_text_string(&cases));
    hd_text_add(out, "%s\nstatic void run(unsigned which, int x) {\n    switch (which) {\n",
                hd_text_string(&cases));
    for (unsigned k = 0; k < n; k++)
        hd_text_add(out, "    case %u:\n        case_%u(x);\n        return;\n", k, k);
    hd_text_add(out, "    }\n}\n%s", tail);
    hd_text_release(&cases);
}
