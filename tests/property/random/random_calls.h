/* random_calls.h -- expressions and statements of random programs that are about calls: by other
 * types than the function is defined with, as far as the processor says what comes of it (an
 * argument that is cut off, a result of which less is used, an argument too many), through tables
 * of which inputs decide the entry, some of another type (with `has_errors` one that takes other
 * registers), recursion whose depth inputs decide, and assembly that knows nothing of inputs. */
#ifndef HD_TESTS_RANDOM_CALLS_H
#define HD_TESTS_RANDOM_CALLS_H

/* As another file declares them, or as nobody does. */
static const char calls_prelude[] =
    "__attribute__((noinline)) uint64_t own_cut(uint8_t x, uint16_t y) {\n"
    "    return ((uint64_t)y << 32) + x * 5u + y;\n"
    "}\n"
    "__attribute__((noinline)) uint32_t own_more(uint32_t x) {\n"
    "    return x ^ x >> 3;\n"
    "}\n"
    "int cut() __asm__(\"own_cut\");\n"
    "int more_of() __asm__(\"own_more\");\n"
    "static uint32_t entry_right(uint32_t x) {\n"
    "    return x * 7u + 1u;\n"
    "}\n"
    "static uint32_t entry_other(uint32_t x) {\n"
    "    return x >> 1;\n"
    "}\n"
    "static int entry_signed(int x) {\n"
    "    return (int)((uint32_t)x ^ 5u);\n"
    "}\n"
    "static double entry_real(double x) {\n"
    "    return x;\n"
    "}\n"
    "static uint32_t down(uint32_t n, uint32_t x) {\n"
    "    if (BRANCH(900, n == 0))\n"
    "        return x;\n"
    "    return down(n - 1, x * 3u + n) ^ n;\n"
    "}\n\n";

static void call_expression(source *s, unsigned depth) {
    static const char *const ends[] = {"", ", 3", ", 4, 5"};
    bool is_cut = pick(s, 2);
    put(s, is_cut ? "cut((int)(" : "more_of((uint32_t)(");
    expression(s, depth);
    put(s, is_cut ? "), (int)(v1)" : ")");
    put(s, "%s)", ends[pick(s, 3)]);
}

static void recursive_statement(source *s) {
    put(s, "v%u += down(", pick(s, 4));
    masked(s, 3);
    put(s, ", (uint32_t)(");
    expression(s, 1);
    put(s, "));\n");
    s->branches -= 3;
}

static void assembly_statement(source *s) {
    static const char *const ways[] = {
        "__asm__ volatile(\"\" ::: \"memory\")",
        "{ uint32_t n = 5; __asm__(\"addl $2, %0\" : \"+r\"(n)); v2 ^= n; }",
        "{ uint32_t n = 6, m; __asm__(\"movl %1, %0\" : \"=r\"(m) : \"m\"(n)); v3 += m; }"};
    put(s, "%s;\n", ways[pick(s, 3)]);
}

/* Each of its entries is a path. */
static void table_statement(source *s) {
    unsigned id = s->n_ids++;
    put(s,
        "{ %svoid *const entries[] = {entry_right, entry_other, entry_signed, %s}; uint32_t k = ",
        pick(s, 2) ? "static " : "", s->has_errors ? "entry_real" : "own_more");
    masked(s, 3);
    put(s, "; SEEN(%u, k); v%u ^= ((uint32_t (*)(uint32_t))entries[k])((uint32_t)v1); }\n", id,
        pick(s, 4));
    s->branches -= 2;
}

static void call_statement(source *s) {
    static void (*const all[])(source *) = {recursive_statement, assembly_statement,
                                            table_statement};
    all[pick(s, 3)](s);
}
#endif
