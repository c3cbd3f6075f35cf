/* random_fixed.h -- statements of random programs where values become constants: floating point,
 * integers of more than 64 bits, widths and wide characters that are printed, functions of the C library that run as they
 * are, assembly.  With `--values` each value is a path of its own there, which SEEN says to brute
 * force. */
#ifndef HD_TESTS_RANDOM_FIXED_H
#define HD_TESTS_RANDOM_FIXED_H

static const char fixed_prelude[] =
    "#include <stdio.h>\n"
    "__attribute__((noinline)) static uint32_t fixed_real(uint32_t x) {\n"
    "    SEEN(901, x);\n"
    "    return (uint32_t)((double)x * 1.5 + 0.25);\n"
    "}\n"
    "__attribute__((noinline)) static uint32_t fixed_wide(uint32_t x) {\n"
    "    SEEN(902, x);\n"
    "    unsigned __int128 w = (unsigned __int128)x << 70 | 5;\n"
    "    return (uint32_t)(w * w >> 100);\n"
    "}\n"
    "__attribute__((noinline)) static uint32_t fixed_print(uint32_t x) {\n"
    "    char t[8] = {0};\n"
    "    SEEN(903, x);\n"
    "    snprintf(t, sizeof t, \"%*u\", (int)x, 9u);\n"
    "    return (uint32_t)(t[0] + 3 * t[1]);\n"
    "}\n"
    "__attribute__((noinline)) static uint32_t fixed_text(uint32_t x) {\n"
    "    char t[8] = {0};\n"
    "    SEEN(904, x);\n"
    "    snprintf(t, sizeof t, \"%lcz\", (int)('0' + x));\n"
    "    return (uint32_t)(t[0] + 3 * t[1]);\n"
    "}\n"
    "__attribute__((noinline)) static uint32_t fixed_number(uint32_t x) {\n"
    "    char t[4] = {(char)('0' + x), '.', '5', 0};\n"
    "    SEEN(905, x);\n"
    "    return (uint32_t)(strtod(t, 0) * 4);\n"
    "}\n"
    "__attribute__((noinline)) static uint32_t fixed_assembly(uint32_t x) {\n"
    "    uint32_t m;\n"
    "    SEEN(906, x);\n"
    "    __asm__(\"movl %1, %0\" : \"=r\"(m) : \"m\"(x));\n"
    "    __asm__(\"addl $3, %0\" : \"+r\"(m));\n"
    "    return m;\n"
    "}\n\n";

static void fixed_statement(source *s) {
    static const char *const ways[] = {"real", "wide", "print", "text", "number", "assembly"};
    put(s, "v%u ^= fixed_%s(", pick(s, 4), ways[pick(s, 6)]);
    masked(s, 7);
    put(s, ");\n");
    s->branches -= 3;
}
#endif
