/* random_source.h -- random small C programs, from a seed; without undefined behaviour, unless it
 * is asked for.
 *
 * A program is one function `subject` over two or three inputs of 8 bits.  Its text serves two
 * compilations: for Heddle, where BRANCH, WAY and LABEL mean nothing or heddle_reach, and with
 * -DBRUTE, where they log the decisions, so that brute force knows the path of every input.
 *
 * Every condition is one branch of the compiled code: && and || join whole BRANCHes inside an
 * `if` only, and the arms of ?: are constants, which clang makes a select and not a branch.
 * Signed operations work on operands cut to 16 bits, so that nothing overflows; divisors are
 * odd; shift amounts and indexes are masked.
 *
 * The subject is called by main or by a thread (`mains`).  Its inputs are variables, or a few of
 * the many bit-fields of one struct. */
#ifndef HD_TESTS_RANDOM_SOURCE_H
#define HD_TESTS_RANDOM_SOURCE_H
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { MAX_LABELS = 64 };

typedef struct source {
    FILE *out;
    uint64_t state;
    unsigned n_inputs, n_ids, n_labels, indent;
    int branches; /* how many more may be written */
    unsigned in_loop;
    bool has_errors; /* undefined behaviour is wanted */
    bool has_threads;
    bool is_wide; /* the inputs are fields of one struct */
} source;

static uint64_t next_random(source *s) {
    uint64_t z = s->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static unsigned pick(source *s, unsigned n) {
    return (unsigned)(next_random(s) % n);
}

__attribute__((format(printf, 2, 3))) static void put(source *s, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vfprintf(s->out, format, args);
    va_end(args);
}

static void begin_line(source *s) {
    put(s, "%*s", (int)(4 * s->indent), "");
}

#include "property/random/random_memory.h"
/* which it uses */
#include "property/random/random_calls.h"
#include "property/random/random_fixed.h"
#include "property/random/random_prints.h"

/* ---- Expressions --------------------------------------------------------------------------- */

static const char *const types[] = {"int8_t",  "uint8_t",  "int16_t", "uint16_t",
                                    "int32_t", "uint32_t", "int64_t", "uint64_t"};
static void expression(source *s, unsigned depth);

static void leaf(source *s) {
    static const int constants[] = {0,   1,   2,   3,   7,   10,   31, 100,
                                    127, 128, 200, 255, 256, 1000, -1, -5};
    static const char *const memory[] = {"text[4]", "other[3]",    "block[2]",     "mine.x",
                                         "mine.y",  "mine.f",      "mine.g",       "yours.h",
                                         "yours.x", "mine.is_set", "yours.is_set", "more[1]"};
    switch (pick(s, 9)) {
    case 0:
    case 1:
    case 2:
        put(s, "%c", "abc"[pick(s, s->n_inputs)]);
        break;
    case 7:
        put(s, "%s", memory[pick(s, 12)]);
        break;
    case 3:
    case 4:
    case 5:
        put(s, "v%u", pick(s, 4));
        break;
    case 6:
        put(s, "cells[%u]", pick(s, 8));
        break;
    default:
        put(s, "%d", constants[pick(s, sizeof constants / sizeof *constants)]);
    }
}

/* ((cast)x op (cast)y) */
static void binary(source *s, unsigned depth, const char *cast, const char *op, const char *close) {
    put(s, "(%s(", cast);
    expression(s, depth);
    put(s, ") %s %s(", op, cast);
    expression(s, depth);
    put(s, ")%s)", close);
}

static void arithmetic(source *s, unsigned depth) {
    static const char *const ops[] = {"+", "-", "*", "&", "|", "^", "+", "-"};
    static const char *const casts[] = {"(int)(int16_t)", "(uint32_t)", "(uint64_t)",
                                        "(uint32_t)(uint8_t)"};
    binary(s, depth, casts[pick(s, 4)], ops[pick(s, 8)], "");
}

static void division(source *s, unsigned depth) {
    const char *op = pick(s, 2) ? "/" : "%";
    if (pick(s, 2)) {
        put(s, "((int)(int16_t)(");
        expression(s, depth);
        put(s, ") %s ((int)(int8_t)(", op);
        expression(s, depth);
        put(s, ") | 1))");
    } else {
        put(s, "((uint32_t)(uint16_t)(");
        expression(s, depth);
        put(s, ") %s ((uint32_t)(uint8_t)(", op);
        expression(s, depth);
        put(s, ") | 1u))");
    }
}

static void shift(source *s, unsigned depth) {
    switch (pick(s, 3)) {
    case 0:
        put(s, "((uint32_t)(");
        expression(s, depth);
        put(s, ") << ((uint32_t)(");
        expression(s, depth > 1 ? 1 : depth);
        put(s, ") & 31u))");
        break;
    case 1:
        put(s, "((int32_t)(");
        expression(s, depth);
        put(s, ") >> ((uint32_t)(");
        expression(s, depth > 1 ? 1 : depth);
        put(s, ") & 31u))");
        break;
    default:
        put(s, "((uint64_t)(");
        expression(s, depth);
        put(s, ") >> %u)", pick(s, 64));
    }
}

static const char *comparison(source *s) {
    static const char *const all[] = {"<", "<=", ">", ">=", "==", "!="};
    return all[pick(s, 6)];
}

/* ((T)x < (T)y) */
static void compare(source *s, unsigned depth) {
    const char *type = types[pick(s, 8)];
    put(s, "((%s)(", type);
    expression(s, depth);
    put(s, ") %s (%s)(", comparison(s), type);
    expression(s, depth > 1 ? 1 : depth);
    put(s, "))");
}

static void look_up(source *s, unsigned depth) {
    static const struct {
        const char *name;
        unsigned mask;
    } tables[] = {{"cells", 7}, {"table", 15}, {"pun.bytes", 7}};
    unsigned t = pick(s, 3);
    put(s, "%s[(uint32_t)(", tables[t].name);
    expression(s, depth);
    put(s, ") & %uu]", tables[t].mask);
}

static void other_expression(source *s, unsigned depth) {
    switch (pick(s, 6)) {
    case 0:
        put(s, "(~(uint32_t)(");
        expression(s, depth);
        put(s, "))");
        break;
    case 1:
        put(s, "(-(int)(int16_t)(");
        expression(s, depth);
        put(s, "))");
        break;
    case 2:
        compare(s, depth);
        break;
    case 3:
        put(s, "(");
        compare(s, depth);
        put(s, " ? %u : %u)", pick(s, 300), pick(s, 300));
        break;
    case 4:
        call_expression(s, depth);
        break;
    default:
        put(s, "mix(");
        expression(s, depth);
        put(s, ", ");
        expression(s, depth);
        put(s, ")");
    }
}

static void expression(source *s, unsigned depth) {
    if (depth == 0 || pick(s, 5) == 0) {
        leaf(s);
        return;
    }
    depth--;
    switch (pick(s, 12)) {
    case 0:
        division(s, depth);
        break;
    case 1:
    case 2:
        shift(s, depth);
        break;
    case 3:
        put(s, "((%s)(", types[pick(s, 8)]);
        expression(s, depth);
        put(s, "))");
        break;
    case 4:
        look_up(s, depth);
        break;
    case 5:
    case 6:
        other_expression(s, depth);
        break;
    default:
        arithmetic(s, depth);
    }
}

/* ---- Statements ----------------------------------------------------------------------------- */

static void statements(source *s, unsigned depth, unsigned n);

static void condition(source *s) {
    put(s, "BRANCH(%u, ", s->n_ids++);
    compare(s, 1 + pick(s, 3));
    put(s, ")");
    s->branches--;
}

static void block(source *s, unsigned depth, unsigned n) {
    put(s, " {\n");
    s->indent++;
    statements(s, depth, n);
    s->indent--;
    begin_line(s);
    put(s, "}");
}

static void assignment(source *s) {
    switch (pick(s, 6)) {
    case 0:
        put(s, "cells[(uint32_t)(");
        expression(s, 1);
        put(s, ") & 7u] = (uint16_t)(");
        break;
    case 1:
        put(s, "*(cells + ((uint32_t)(");
        expression(s, 1);
        put(s, ") & 7u)) += (uint16_t)(");
        break;
    case 2:
        if (pick(s, 2)) {
            put(s, "pun.whole = (uint64_t)(");
        } else {
            put(s, "pun.bytes[(uint32_t)(");
            expression(s, 1);
            put(s, ") & 7u] = (uint8_t)(");
        }
        break;
    default:
        put(s, "v%u = (", pick(s, 4));
    }
    expression(s, 3);
    put(s, ");\n");
}

static void if_statement(source *s, unsigned depth) {
    put(s, "if (");
    condition(s);
    if (pick(s, 4) == 0 && s->branches > 0) {
        put(s, pick(s, 2) ? " && " : " || ");
        condition(s);
    }
    put(s, ")");
    block(s, depth - 1, 1 + pick(s, 3));
    if (pick(s, 2)) {
        put(s, " else");
        block(s, depth - 1, 1 + pick(s, 2));
    }
    put(s, "\n");
}

/* The number of rounds is 0 to 3, by an input or not. */
static void loop(source *s, unsigned depth) {
    unsigned id = s->n_ids++;
    bool fixed = pick(s, 2);
    put(s, "for (uint32_t k%u = 0, n%u = ", id, id);
    if (fixed) {
        put(s, "%u", 1 + pick(s, 3));
    } else {
        put(s, "(uint32_t)(");
        expression(s, 2);
        put(s, ") & 3u");
        s->branches -= 2;
    }
    put(s, "; BRANCH(%u, k%u < n%u); k%u++)", id, id, id, id);
    s->in_loop++;
    s->branches -= 2;
    block(s, depth - 1, 1 + pick(s, 2));
    s->in_loop--;
    put(s, "\n");
}

/* Cases with shared targets, some falling through, with or without default. */
static void switch_statement(source *s, unsigned depth) {
    unsigned id = s->n_ids++, n = 2 + pick(s, 3), value = pick(s, 4);
    put(s, "switch ((%s)((uint32_t)(", types[pick(s, 8)]);
    expression(s, 2);
    put(s, ") & %uu)) {\n", pick(s, 2) ? 15u : 7u);
    for (unsigned i = 0; i < n; i++) {
        for (unsigned shared = 1 + pick(s, 2); shared > 0; shared--, value += 1 + pick(s, 2)) {
            begin_line(s);
            put(s, "case %u:\n", value);
        }
        s->indent++;
        begin_line(s);
        put(s, "WAY(%u, %u);\n", id, i);
        statements(s, depth - 1, 1);
        if (pick(s, 4)) {
            begin_line(s);
            put(s, "break;\n");
        }
        s->indent--;
        s->branches--;
    }
    if (pick(s, 2)) {
        begin_line(s);
        put(s, "default:\n");
        s->indent++;
        begin_line(s);
        put(s, "WAY(%u, %u);\n", id, n);
        statements(s, depth - 1, 1);
        s->indent--;
    }
    begin_line(s);
    put(s, "}\n");
}

/* One of two: which, may depend on inputs. */
static void either_label(source *s) {
    put(s, "LABELS(");
    condition(s);
    put(s, ", %u, %u);\n", s->n_labels, s->n_labels + 1);
    s->n_labels += 2;
}

static void label(source *s) {
    if (s->n_labels + 1 < MAX_LABELS && s->branches > 0 && pick(s, 4) == 0)
        either_label(s);
    else if (s->n_labels < MAX_LABELS)
        put(s, "LABEL(%u);\n", s->n_labels++);
    else
        put(s, ";\n");
}

static void statement(source *s, unsigned depth) {
    unsigned kind = depth == 3 ? 2 + pick(s, 8) : pick(s, 10);
    begin_line(s);
    if (pick(s, 5) == 0 && s->branches > 2)
        memory_statement(s);
    else if (pick(s, 12) == 0 && s->branches > 2)
        call_statement(s);
    else if (pick(s, 16) == 0 && s->branches > 2)
        fixed_statement(s);
    else if (pick(s, 14) == 0 && s->branches > 2)
        print_statement(s);
    else if (kind < 4 || depth == 0 || s->branches <= 0)
        kind == 0 ? label(s) : assignment(s);
    else if (kind < 8)
        if_statement(s, depth);
    else if (kind == 8 && s->in_loop == 0)
        loop(s, depth);
    else
        switch_statement(s, depth);
}

static void statements(source *s, unsigned depth, unsigned n) {
    if (depth < 3 && pick(s, 3) == 0) {
        begin_line(s);
        label(s);
    }
    for (unsigned i = 0; i < n; i++)
        statement(s, depth);
    if (depth < 2 && pick(s, 12) == 0) {
        begin_line(s);
        put(s, "if (v0 == v0) /* not at the end of the text for the compiler */\n");
        begin_line(s);
        put(s, "    return free(block), (int)((uint32_t)v1 & 127u);\n");
    }
}

/* ---- The whole program ----------------------------------------------------------------------- */

static const char prelude[] =
    "#include <stdint.h>\n"
    "#ifdef BRUTE\n"
    "uint64_t path, labels;\n"
    "static int choose(uint64_t id, int way) {\n"
    "    path = (path ^ (id * 64 + (uint64_t)way + 1)) * UINT64_C(0x9e3779b97f4a7c15);\n"
    "    path ^= path >> 29;\n"
    "    return way;\n"
    "}\n"
    "#define BRANCH(id, c) choose(id, (c) ? 1 : 0)\n"
    "#define SEEN(id, v)   choose(id, (int)(v))\n"
    "#define WAY(id, n)    choose(id, n)\n"
    "#define LABEL(n)      (labels |= UINT64_C(1) << n)\n"
    "#define LABELS(c, n, k) ((c) ? LABEL(n) : LABEL(k))\n"
    "#else\n"
    "#include <heddle.h>\n"
    "#define BRANCH(id, c) (c)\n"
    "#define SEEN(id, v)   ((void)0)\n"
    "#define WAY(id, n)    ((void)0)\n"
    "#define LABEL(n)      heddle_reach(\"L\" #n)\n"
    "#define LABELS(c, n, k) heddle_reach((c) ? \"L\" #n : \"L\" #k)\n"
    "#endif\n\n"
    "static const uint16_t table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 500, 3, 58, 97, 9, 323, 8, 46};\n\n"
    "static uint32_t mix(uint32_t x, uint32_t y) {\n"
    "    return (x << 3) ^ (y >> 1) ^ (x & y);\n"
    "}\n\n";

static void write_subject(source *s) {
    put(s, "int subject(");
    for (unsigned i = 0; i < s->n_inputs; i++)
        put(s, "%s%s %c", i ? ", " : "", types[pick(s, 2)], "abc"[i]);
    put(s, ") {\n    uint16_t cells[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n");
    put(s, "%s", memory_locals);
    put(s, "    union {\n        uint64_t whole;\n        uint8_t bytes[8];\n    } pun = {77};\n");
    s->indent = 1;
    for (unsigned i = 0; i < 4; i++)
        put(s, "    %s v%u = %u;\n", types[pick(s, 8)], i, pick(s, 200));
    for (unsigned i = 0; i < 2; i++) {
        put(s, "    v%u = (uint32_t)%c + (uint32_t)(", i, "abc"[i]);
        expression(s, 2);
        put(s, ");\n");
    }
    statements(s, 3, 5 + pick(s, 3));
    put(s, "    uint32_t sum = (uint32_t)v0 + (uint32_t)v1 * 3u + (uint32_t)v2 * 5u + (uint32_t)v3 "
           "* 7u;\n"
           "    for (int i = 0; i < 8; i++)\n        sum = sum * 3u + cells[i] + pun.bytes[i];\n"
           "    for (int i = 0; i < 12; i++)\n        sum = sum * 5u + text[i] + other[i];\n"
           "    sum += block[0] + block[3] * 7u + mine.x + yours.g + mine.is_set + more[3] + "
           "shelf.work[2];\n"
           "    free(block);\n"
           "    return (int)((sum ^ sum >> 16 ^ sum >> 8) & 127u);\n}\n\n");
}

/* Who calls the subject, with its inputs in RUN(): main, most of the time; or a thread, which ends
 * in any way before or after main; or main, before another thread has ended.  There is one order.
 */
enum { N_WITHOUT_THREADS = 3 };
static const char *const mains[] = {
    "int main(void) {\n    return RUN();\n}\n",
    "int main(void) {\n    return RUN();\n}\n",
    "int main(void) {\n    return RUN();\n}\n",
    /* joined, and what it returns */
    "static void *work(void *unused) {\n    (void)unused;\n    return (void *)(intptr_t)RUN();\n}\n"
    "int main(void) {\n    pthread_t t;\n    void *result;\n"
    "    pthread_create(&t, NULL, work, NULL);\n    pthread_join(t, &result);\n"
    "    return (int)(intptr_t)result;\n}\n",
    /* ends in a nested call */
    "static void leave(int depth, int status) {\n    if (depth == 0)\n"
    "        pthread_exit((void *)(intptr_t)status);\n    leave(depth - 1, status);\n}\n"
    "static void *work(void *unused) {\n    leave(3, RUN());\n    return unused;\n}\n"
    "int main(void) {\n    pthread_t t;\n    void *result;\n"
    "    pthread_create(&t, NULL, work, NULL);\n    pthread_join(t, &result);\n"
    "    return (int)(intptr_t)result;\n}\n",
    /* detached, and exits when main has ended */
    "static void *work(void *unused) {\n    (void)unused;\n    exit(RUN());\n}\n"
    "int main(void) {\n    pthread_t t;\n    pthread_create(&t, NULL, work, NULL);\n"
    "    pthread_detach(t);\n    pthread_exit(NULL);\n}\n",
    /* in a recursion of a thread, which main waits for */
    "static sem_t done;\nstatic int status;\n"
    "static int descend(int depth) {\n    return depth == 0 ? RUN() : descend(depth - 1);\n}\n"
    "static void *work(void *unused) {\n    status = descend(4);\n    sem_post(&done);\n"
    "    return unused;\n}\n"
    "int main(void) {\n    pthread_t t;\n    sem_init(&done, 0, 0);\n"
    "    pthread_create(&t, NULL, work, NULL);\n    sem_wait(&done);\n    return status;\n}\n",
    /* main returns, and another thread waits for ever */
    "static sem_t never;\nstatic int status;\nstatic void *work(void *unused) {\n"
    "    sem_wait(&never);\n    return unused;\n}\n"
    "static void finish(void) {\n    _exit(status);\n}\n"
    "int main(void) {\n    pthread_t t;\n    atexit(finish);\n    sem_init(&never, 0, 0);\n"
    "    pthread_create(&t, NULL, work, NULL);\n    status = RUN();\n    return 0;\n}\n",
};

/* The inputs are bit-fields of a struct that has more than 256 of them, in front of the others,
 * behind them or in between. */
static const char wide_struct[] =
    "#define FOUR(n)    unsigned n##0 : 1, n##1 : 3, n##2 : 5, n##3 : 2;\n"
    "#define SIXTEEN(n) FOUR(n##0) FOUR(n##1) FOUR(n##2) FOUR(n##3)\n"
    "#define SIXTY(n)   SIXTEEN(n##0) SIXTEEN(n##1) SIXTEEN(n##2) SIXTEEN(n##3)\n"
    "struct wide {\n";

static void write_wide_inputs(source *s, const char *arguments) {
    put(s, "%s", wide_struct);
    for (unsigned i = 0; i < 5; i++) {
        put(s, "    SIXTY(%c)\n", "pqrst"[i]);
        for (unsigned k = 0; k < s->n_inputs; k++)
            if (i == (k == 0 ? 4 : k == 1 ? 1 : 3))
                put(s, "    unsigned %c : 8;\n", "abc"[k]);
    }
    put(s, "};\nstatic int RUN(void) {\n    struct wide w;\n    heddle_input(w);\n    uint8_t ");
    for (unsigned k = 0; k < s->n_inputs; k++)
        put(s, "%s%c = (uint8_t)w.%c", k ? ", " : "", "abc"[k], "abc"[k]);
    put(s, ";\n    return subject(%s);\n}\n", arguments);
}

static void write_inputs(source *s, const char *arguments) {
    put(s, "static int RUN(void) {\n    uint8_t %s;\n", arguments);
    for (unsigned i = 0; i < s->n_inputs; i++)
        put(s, "    heddle_input(%c);\n", "abc"[i]);
    put(s, "    return subject(%s);\n}\n", arguments);
}

static void write_mains(source *s) {
    const char *arguments = s->n_inputs == 3 ? "a, b, c" : "a, b";
    put(s,
        "#ifdef BRUTE\nint run_subject(uint8_t a, uint8_t b, uint8_t c) {\n"
        "    path = 0x243f6a88, labels = 0, (void)c;\n    return subject(%s);\n}\n#else\n",
        arguments);
    put(s, "#include <pthread.h>\n#include <semaphore.h>\n#include <unistd.h>\n");
    unsigned which = pick(s, sizeof mains / sizeof *mains);
    s->has_threads = which >= N_WITHOUT_THREADS;
    s->is_wide = pick(s, 6) == 0;
    s->is_wide ? write_wide_inputs(s, arguments) : write_inputs(s, arguments);
    put(s, "%s#endif\n", mains[which]);
}

/* Writes the program of this seed; answers how many inputs it has, and whether threads. */
static source write_random_source(FILE *out, uint64_t seed, bool has_errors) {
    source s = {.out = out, .state = seed, .branches = 12, .has_errors = has_errors};
    s.n_inputs = pick(&s, 4) == 0 ? 3 : 2;
    put(&s, "/* Random program of seed %llu. */\n%s%s%s%s%s", (unsigned long long)seed, prelude,
        memory_prelude, calls_prelude, fixed_prelude, prints_prelude);
    write_subject(&s);
    write_mains(&s);
    return s;
}
#endif
