/* random_prints.h -- statements of random programs about printing functions: how much of a text is
 * read, and which conversions a format has, is decided as far as it makes a difference (SEEN); what
 * is printed into memory is one value on each path (`--values`).
 *
 * With `has_errors` texts have no end, and there is too little room for what is printed. */
#ifndef HD_TESTS_RANDOM_PRINTS_H
#define HD_TESTS_RANDOM_PRINTS_H

/* For brute force nothing is printed; SAY is for the user, with arguments of its own or of a list.
 */
static const char prints_prelude[] = "#include <stdarg.h>\n"
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
    put(s, "; int at = 0; char t[%u] = {0}; SEEN(%u, n); ", s->has_errors ? 5 : 16, id);
    if (pick(s, 2))
        put(s, "sprintf(t, \"%%u%%n,\", n * n, &at); ");
    else
        put(s, "snprintf(t, %s, \"%%.*s%%n\", (int)n, \"abcdef\", &at); ",
            s->has_errors ? "8" : "sizeof t");
    put(s, "v%u += (uint32_t)at + (uint8_t)t[1]; }\n", pick(s, 4));
    s->branches -= 3;
}

static void print_statement(source *s) {
    static void (*const all[])(source *) = {precision_statement, precision_statement,
                                            format_statement, count_statement};
    all[pick(s, 4)](s);
}
#endif
