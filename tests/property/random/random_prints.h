/* random_prints.h -- statements of random programs about printing functions: how much of a text is
 * read, and which conversions a format has, is decided as far as it makes a difference (SEEN); so
 * are the sign of a number that is printed into memory or a file, and how many digits it has.
 *
 * With `has_errors` texts have no end, and there is too little room for what is printed. */
#ifndef HD_TESTS_RANDOM_PRINTS_H
#define HD_TESTS_RANDOM_PRINTS_H

/* For brute force nothing is printed; SAY is for the user, with arguments of its own or of a list.
 */
static const char prints_prelude[] =
    "#include <stdarg.h>\n"
    "#define SIZE(k)  ((k) < 0 ? (k) < -9 ? -2 : -1 : (k) > 9 ? 2 : 1)\n"
    "#define OCTAL(k) ((k) < 8 ? 1 : (k) < 64 ? 2 : 3)\n"
    "#ifdef BRUTE\n"
    "#define SAY(...)  snprintf(NULL, 0, __VA_ARGS__)\n"
    "#define LIST(...) snprintf(NULL, 0, __VA_ARGS__)\n"
    "#else\n"
    "#define SAY(...)  printf(__VA_ARGS__)\n"
    "#define LIST(...) list(__VA_ARGS__)\n"
    "static void list(const char *format, ...) {\n"
    "    va_list arguments;\n"
    "    va_start(arguments, format);\n"
    "    vprintf(format, arguments);\n"
    "    va_end(arguments);\n"
    "}\n"
    "#endif\n\n";

/* A text of 4 characters, and an end behind it: a precision beyond them makes no difference. */
static void precision_statement(source *s) {
    static const char *const texts[] = {"(char[5]){'a', 'b', 'c', 'd'}", "\"abcd\""};
    unsigned id = s->n_ids++;
    const char *text =
        s->has_errors && pick(s, 2) ? "(char[4]){'a', 'b', 'c', 'd'}" : texts[pick(s, 2)];
    bool is_negative = pick(s, 3) == 0; /* it is none, if that is so */
    put(s, "{ int n = (int)");
    masked(s, 7);
    put(s, " - %u; SEEN(%u, n < 0 ? -1 : n > 4 ? 5 : n); %s(\"%s\", n, %s); }\n",
        is_negative ? 2u : 0u, id, pick(s, 2) ? "SAY" : "LIST", pick(s, 2) ? "%.*s" : "|%3.*s|",
        text);
    s->branches -= 3;
}

/* The letter of a conversion, or whether there is one. */
static void format_statement(source *s) {
    unsigned id = s->n_ids++;
    bool is_letter = pick(s, 2);
    put(s, "{ uint32_t k = ");
    masked(s, 3);
    put(s, "; SEEN(%u, %s); char f[] = {%s, 0}; %s(f, (int)v0); }\n", id,
        is_letter ? "k" : "k == 1", is_letter ? "'%', \"dxuc\"[k], 'a'" : "\"a%bc\"[k], 'd'",
        pick(s, 2) ? "SAY" : "LIST");
    s->branches -= 2;
}

/* Into memory, with the number of characters until somewhere. */
static void count_statement(source *s) {
    unsigned id = s->n_ids++;
    put(s, "{ uint32_t n = ");
    masked(s, 7);
    put(s, "; int at = 0; char t[%u] = {0}; ", s->has_errors ? 5 : 16);
    if (pick(s, 2))
        put(s, "SEEN(%u, 1 + (n * n > 9)); sprintf(t, \"%%u%%n,\", n * n, &at); ", id);
    else
        put(s, "SEEN(%u, n); snprintf(t, %s, \"%%.*s%%n\", (int)n, \"abcdef\", &at); ", id,
            s->has_errors ? "8" : "sizeof t");
    put(s, "v%u += (uint32_t)at + (uint8_t)t[1]; }\n", pick(s, 4));
    s->branches -= 3;
}

/* A number: SEEN is a path for each sign and number of digits, as far as the format does not fill
 * them up. */
typedef struct number_format {
    const char *format, *seen;
} number_format;

static void digits_statement(source *s) {
    static const number_format all[] = {
        {"<%d>", "SIZE(k)"},        {"%5d|", "SIZE(k)"},
        {"%-5i|", "SIZE(k)"},       {"%+d", "SIZE(k)"},
        {"%05d", "k < 0"},          {"%.3d", "k < 0"},
        {"%.0d", "SIZE(k) * !!k"},  {"%02x", "k < 0 ? 1 : 0"},
        {"%hhX", "(k & 255) > 15"}, {"%#4hhx", "(k & 255) > 15 ? 2 : !k"},
        {"%hho", "OCTAL(k & 255)"}, {"%5c", "0"},
        {"%1$d,%1$d", "SIZE(k)"},   {"% ld", "SIZE(k)"},
    };
    unsigned id = s->n_ids++;
    const number_format *f = &all[pick(s, sizeof all / sizeof *all)];
    bool is_file = pick(s, 4) == 0;
    put(s, "{ int k = (int)");
    masked(s, 63);
    put(s, " - %u; char t[16] = {0}; SEEN(%u, %s); ", pick(s, 16), id, f->seen);
    if (is_file)
        put(s,
            "FILE *f = tmpfile(); fprintf(f, \"%s\", %sk); rewind(f); fread(t, 1, 15, f); "
            "fclose(f); ",
            f->format, f->format[2] == 'l' ? "(long)" : "");
    else
        put(s, "v%u += (uint32_t)snprintf(t, %u, \"%s\", %sk); ", pick(s, 4), 3 + pick(s, 12),
            f->format, f->format[2] == 'l' ? "(long)" : "");
    put(s, "v%u += (uint32_t)(uint8_t)t[0] * 3 + (uint8_t)t[%u]; }\n", pick(s, 4), 1 + pick(s, 3));
    s->branches -= 4;
}

static void print_statement(source *s) {
    static void (*const all[])(source *) = {precision_statement, digits_statement, format_statement,
                                            count_statement, digits_statement};
    all[pick(s, 5)](s);
}
#endif
