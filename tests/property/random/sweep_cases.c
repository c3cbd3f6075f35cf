/* Loops over arrays that are asked about once, before they begin (compile/compiler/clean_loops.c):
 * loops that go too far, for some x only, backwards, in steps, nested, until something is found;
 * over arrays of which an element depends on x, by a store of every kind before the loop or in it.
 * What is found in the array decides about an error behind it: who loses that an element depends on
 * x does not see it for every x. */
#include "property/random/sanitizer_maker.h"

#include <stdio.h>

/* One of p's n elements, or none, depends on x. */
static void spoil(maker *m, const char *type, unsigned n) {
    switch (drawn_below(m, 7)) {
    case 0:
        line(m, "p[x %% %u] = 100;", n);
        return;
    case 1:
        line(m, "p[%u] = (%s)x;", n - 1, type);
        return;
    case 2:
        line(m, "%s *r = p + %u;", type, n - 1);
        line(m, "*r = (%s)x;", type);
        return;
    case 3:
        line(m, "%s from = (%s)x;", type, type);
        line(m, "memcpy(p + %u, &from, sizeof from);", n - 1);
        return;
    case 4:
        line(m, "memset(p, x, sizeof *p);");
        return;
    }
}

static const char *limit_of(maker *m, unsigned n) {
    static char text[32];
    unsigned kind = drawn_below(m, 5);
    if (kind == 0)
        snprintf(text, sizeof text, "x + %u", n - 2);
    else
        snprintf(text, sizeof text, "%u", n + (kind == 1));
    return text;
}

static void walk(maker *m, const char *type, unsigned n) {
    switch (drawn_below(m, 8)) {
    case 0:
        line(m, "for (int i = 0; i < %s; i++)", limit_of(m, n));
        line(m, "    sum += (unsigned)p[i];");
        return;
    case 1:
        line(m, "for (int i = %u; i >= %s; i--)", n - 1, ONE_OF(m, "0", "-1", "x - 2"));
        line(m, "    q[i] = p[i];");
        return;
    case 2:
        line(m, "for (unsigned i = 0; i < (unsigned)(%s); i += 2)", limit_of(m, n));
        line(m, "    p[i] ^= q[0];");
        return;
    case 3:
        line(m, "for (int i = 0; i < %u; i++)", n);
        line(m, "    for (int j = 0; j < %s; j++)", limit_of(m, n));
        line(m, "        sum += (unsigned)(p[i] + q[j]);");
        return;
    case 4:
        line(m, "for (int i = 0;; i++) {");
        line(m, "    if (p[i] == %u)", n - 2);
        line(m, "        break;");
        line(m, "    at = i;");
        line(m, "}");
        return;
    case 5:
        line(m, "for (int i = 0; i < %u; i++)", n - 1);
        line(m, "    p[i + 1] = (%s)(p[i] + (i == %u ? x : 1));", type, drawn_below(m, n));
        return;
    case 6:
        hd_text_add(m->before, "static void put_%u(%s *r, int x) {\n    *r = (%s)x;\n}\n",
                    m->number, type, type);
        line(m, "for (int i = 0; i < %u; i++) {", n);
        line(m, "    if (i == %u)", drawn_below(m, n));
        line(m, "        put_%u(q + i, x);", m->number);
        line(m, "    sum += (unsigned)q[i];");
        line(m, "}");
        return;
    default:
        line(m, "for (int i = 0; i < %u; i++)", n);
        line(m, "    q[i] = (%s)(p[i] + x);", type);
    }
}

void swept(maker *m) {
    const char *type = ONE_OF(m, "byte", "half", "word", "wide"), *found = ONE_OF(m, "p", "q");
    unsigned n = 4 + drawn_below(m, 6);
    line(m, "static %s p[%u], q[%u];", type, n, n);
    line(m, "unsigned sum = 0;");
    line(m, "int at = 0;");
    line(m, "for (int i = 0; i < %u; i++)", n);
    line(m, "    p[i] = (%s)i;", type);
    spoil(m, type, n);
    walk(m, type, n);
    line(m, "for (int i = 0; i < %u; i++)", n);
    line(m, "    if (%s[i] == %u)", found, drawn_below(m, 4));
    line(m, "        at = i;");
    line(m, "if (%s[%u] == %u)", found, drawn_below(m, n), 1 + drawn_below(m, n + 1));
    line(m, "    at = %u;", n - 1);
    line(m, "q[at + %u]++;", drawn_below(m, 3));
    line(m, "if (sum %% 4 == %u)", drawn_below(m, 4));
    line(m, "    p[at + %u]++;", drawn_below(m, 3));
    line(m, "sink += sum;");
}
