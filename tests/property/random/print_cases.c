/* Printing functions: texts that have no end or a precision, formats that x makes, numbers that %n
 * stores in too little room, and too little room for what is printed.
 *
 * A width of x that is printed into memory is a constant for Heddle, which it lists: an error on
 * such a line may be missing (property_sanitizers.c).  What comes behind it must be seen for every
 * x all the same.  Numbers are followed.
 */
#include "property/random/sanitizer_maker.h"

#include <stdio.h>

/* s: a text of some characters in n bytes, perhaps without its end.  True if it must be freed. */
static bool define_text(maker *m, unsigned n) {
    bool is_heap = drawn_below(m, 3) == 0;
    if (is_heap)
        line(m, "char *s = malloc(%u);", n);
    else
        line(m, "char s[%u];", n);
    line(m, "memset(s, 'a', %u);", n);
    if (drawn_below(m, 3))
        line(m, "s[%s] = 0;", ONE_OF(m, "1", "x % 3", "0", "2 - x % 2"));
    return is_heap;
}

/* A function of the program that prints by a list of arguments, and is told what of which text that
 * reads. */
static const char *say(maker *m, const char *text) {
    static char name[96];
    hd_text_add(m->before,
                "static void say_%u(char *s, int n, const char *format, ...) {\n"
                "    va_list list;\n    va_start(list, format);\n"
                "    TEXT(s, n), vprintf(format, list);\n    va_end(list);\n}\n",
                m->number);
    snprintf(name, sizeof name, "say_%u(%s, ", m->number, text);
    return name;
}

static const char *printer(maker *m) {
    return drawn_below(m, 3) ? ONE_OF(m, "printf(", "fprintf(stdout, ") : say(m, "s, 0");
}

static void text(maker *m, unsigned n) {
    switch (drawn_below(m, 5)) {
    case 0:
        line(m, "%s\"%%s\", s);", printer(m));
        return;
    case 1:
        line(m, "%s\"%%.%us\", s);", printer(m), n - 1 + drawn_below(m, 3));
        return;
    case 2:
        line(m, "%s;", ONE_OF(m, "puts(s)", "fputs(s, stdout)"));
        return;
    case 3:
        line(m, "fwrite(s, 1, %u + (size_t)x, stdout);", n - 2);
        return;
    default:
        line(m, "TEXT(s, -1), perror(s);");
    }
}

/* Texts of as many characters as an argument says, which AddressSanitizer does not know: TEXT says
 * what is read. */
static void precise(maker *m, unsigned n) {
    char most[32], given[64];
    const char *how = ONE_OF(m, "%.*s", "%3.*s", "%2$.*1$s");
    snprintf(most, sizeof most, "x + %d",
             (int)(n - 2 + drawn_below(m, 2)) - (drawn_below(m, 3) ? 0 : (int)n));
    snprintf(given, sizeof given, "s, %s", most);
    if (drawn_below(m, 3))
        line(m, "TEXT(s, %s), %s\"%s\", %s, s);", most, ONE_OF(m, "printf(", "dprintf(1, "), how,
             most);
    else
        line(m, "%s\"%s\", %s, s);", say(m, given), how, most);
}

static void format(maker *m) {
    line(m, "char f[] = {%s, %s, 0};",
         ONE_OF(m, "'%', \"dsux\"[x]", "'%', \"s%xs\"[x]", "\"a%%a\"[x], 's'"),
         ONE_OF(m, "'b'", "(char)('b' + x)", "0"));
    line(m, "%sf, s);", printer(m));
}

/* Where the number goes there is room for 4 bytes. */
static void count(maker *m) {
    line(m, "half counts[2] = {0};");
    line(m, "%s\"%s%%%sn\", %s, (void *)&counts[%u]);", printer(m), ONE_OF(m, "%d", "%u", "%x"),
         ONE_OF(m, "", "h", "hh", "h"), ONE_OF(m, "3", "x", "x + 100"), drawn_below(m, 2));
}

static void room(maker *m, unsigned n) {
    bool is_bounded = drawn_below(m, 3) == 0;
    line(m, "char room[%u];", n);
    if (is_bounded)
        hd_text_add(m->out, "    snprintf(room, %u + (size_t)x, ", n - 1);
    else
        hd_text_add(m->out, "    sprintf(room, ");
    switch (drawn_below(m, 4)) {
    case 0:
        hd_text_add(m->out, "\"%%*d\", %u + x, 7);\n", n - 2);
        return;
    case 1:
        hd_text_add(m->out, "\"%%0%ud%s\", x%s);\n", n - 1 + drawn_below(m, 2),
                    ONE_OF(m, "", "\\n"), ONE_OF(m, "", " * 40 - 20", " * 30000"));
        return;
    case 2:
        hd_text_add(m->out, "\"%%.*s\", %u + x, \"abcdefghijklmnop\");\n", n - 3);
        return;
    default:
        hd_text_add(m->out, "\"%%s\", \"abcdefghijkl\" + %u - x);\n", 14 - n);
    }
}

void printed(maker *m) {
    unsigned n = 3 + drawn_below(m, 6), kind = drawn_below(m, 7), behind = drawn_below(m, 3);
    bool is_heap = define_text(m, n);
    if (kind == 0)
        text(m, n);
    else if (kind < 3)
        precise(m, n);
    else if (kind == 3)
        format(m);
    else if (kind == 4)
        count(m);
    else
        room(m, n);
    if (behind) {
        line(m, "if (x == %u)", drawn_below(m, 4));
        line(m, "    sink += (unsigned)s[%u + x];", n - 1);
    }
    if (is_heap)
        line(m, "free(s);");
}
