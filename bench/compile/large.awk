# A program of about 6,000 lines with large functions, for the row of bench/run compile:
#
#     awk -v functions=40 -f bench/compile/large.awk >large.c
#
# Each function works on a record and an array: loops, a switch, arithmetic that can overflow, pointers, calls of functions
# before it.  What it computes means nothing; one input keeps Heddle's hooks from being folded away.
function statement(f, n) {
    kind = (f * 7 + n * 5) % 9
    if (kind == 0) printf "    r->total += r->values[(i + %d) %% 32] * %d;\n", n, f + 2
    if (kind == 1) printf "    if (r->total > %d && r->count < %d)\n        r->count++;\n    else\n        r->total ^= %d;\n", 1000 * f + n, 50 + n, n * 31
    if (kind == 2) printf "    for (unsigned k = 0; k < %d; k++)\n        r->values[k %% 32] = r->values[(k + %d) %% 32] + k * %du;\n", 2 + n % 7, n % 31, f + 1
    if (kind == 3) printf "    switch (r->values[%d] %% 5) {\n    case 0:\n        r->next = r;\n        break;\n    case 3:\n        r->count -= %d;\n        break;\n    default:\n        r->total += %d;\n    }\n", n % 32, n % 5, f
    if (kind == 4) printf "    r->text[%d] = (char)('a' + (r->total + %d) %% 26);\n    i += (unsigned)r->text[%d];\n", n % 48, n, (n * 3) % 48
    if (kind == 5) printf "    while (i > %d)\n        i = i / 2 + %d;\n", 64 + n, n % 3
    if (kind == 6) printf "    r->values[i %% 32] |= r->values[%d] << %d;\n", (n * 5) % 32, n % 13
    if (kind == 7) printf "    if (r->next && r->next->count == %d)\n        r = r->next;\n", n
    if (kind == 8 && f > 0) printf "    if (r->count == %d)\n        i ^= step%d(r, i + %d);\n", 100 + n, (f * 3 + n) % f, n
}
BEGIN {
    if (!functions) functions = 40
    print "#include <heddle.h>\n"
    print "struct record {\n    long total;\n    int count;\n    unsigned values[32];\n    char text[48];\n    struct record *next;\n};\n"
    for (f = 0; f < functions; f++) {
        printf "static unsigned step%d(struct record *r, unsigned i) {\n", f
        for (n = 0; n < 44; n++) statement(f, n)
        print "    return i + (unsigned)r->count;\n}\n"
    }
    print "int main(void) {\n    struct record r = {0};\n    unsigned char x;\n    heddle_input(x);\n    unsigned i = x;"
    for (f = 0; f < functions; f++) printf "    i = step%d(&r, i);\n", f
    print "    return i == 12345;\n}"
}
