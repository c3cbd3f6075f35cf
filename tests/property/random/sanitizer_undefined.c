/* Shapes of cases whose error is in a value, a pointer or a call, not outside of an object. */
#include "property/random/sanitizer_maker.h"

#include <stdio.h>

/* -- Addresses -------------------------------------------------------------------------------- */

static void access_at(maker *m, const char *type, const char *at) {
    switch (drawn_below(m, 6)) {
    case 0:
        line(m, "sink += (unsigned)*(%s *)(%s);", type, at);
        return;
    case 1:
        line(m, "*(%s *)(%s) = 1;", type, at);
        return;
    case 2:
        line(m, "sink += ((struct pair *)(%s))->small;", at);
        return;
    case 3:
        line(m, "((struct pair *)(%s))->large = 2;", at);
        return;
    case 4:
        line(m, "wide *q = &((struct pair *)(%s))->large;", at);
        line(m, "sink += q != 0;");
        return;
    default:
        hd_text_add(m->before, "static void set_%u(%s *p, int i) {\n    p[i] += 3;\n}\n", m->number,
                    type);
        line(m, "set_%u((%s *)(%s), %u);", m->number, type, at, drawn_below(m, 3));
    }
}

void misaligned(maker *m) {
    char at[64];
    line(m, "_Alignas(16) byte a[64] = {0};");
    snprintf(at, sizeof at, "a + %s", ONE_OF(m, "x", "x + 1", "2 * x", "8 * x", "(x == 2)", "4"));
    access_at(m, ONE_OF(m, "half", "word", "wide"), at);
}

/* A number without a sign: what is less than 0 goes round, and so does what is too large for the
 * elements. */
static void step_unsigned(maker *m) {
    const char *n = ONE_OF(m, "n", "n - 1", "n - 2", "2 - n", "n << 62", "(n << 60) + 1");
    line(m, "unsigned long n = (unsigned long)x;");
    switch (drawn_below(m, 5)) {
    case 0:
        line(m, "p -= %s;", n);
        return;
    case 1:
        line(m, "p = &p[%s];", n);
        return;
    case 2:
        line(m, "p %s= 0x7ffffffffffffffful;", ONE_OF(m, "+", "-"));
        line(m, "p %s= 0x7ffffffffffffffful;", ONE_OF(m, "+", "-"));
        return;
    default:
        line(m, "p += %s;", n);
    }
}

static void step(maker *m) {
    switch (drawn_below(m, 8)) {
    case 0:
        line(m, "p++;");
        return;
    case 1:
        line(m, "p += x;");
        return;
    case 2:
        line(m, "p = &p[%u];", drawn_below(m, 4));
        return;
    case 3:
        line(m, "p -= 1;");
        return;
    case 5:
    case 6:
    case 7:
        step_unsigned(m);
        return;
    default:
        line(m, "p = p + (long)x * %u;", 1 + drawn_below(m, 2));
    }
}

void stepped(maker *m) {
    const char *type = ONE_OF(m, "byte", "word", "wide");
    if (drawn_below(m, 2)) {
        line(m, "%s a[4] = {0}, *p = a;", type);
        line(m, "if (x == %u)", drawn_below(m, 5));
        line(m, "    p = 0;");
    } else {
        line(m, "%s *p = (%s *)(x == %u ? -16ul : 4096ul);", type, type, drawn_below(m, 5));
        line(m, "p += %u;", drawn_below(m, 6));
    }
    step(m);
    line(m, "sink += p != 0;");
}

/* Members of what may be null, used or not. */
void memberless(maker *m) {
    line(m, "struct pair one = {0}, *p = x == %u ? 0 : &one;", drawn_below(m, 5));
    switch (drawn_below(m, 4)) {
    case 0:
        line(m, "wide *q = &p->large;");
        line(m, "sink += q != 0;");
        return;
    case 1:
        line(m, "sink += (unsigned)(p->small + p->large);");
        return;
    case 2:
        line(m, "void *q = &p->small;");
        line(m, "if (q)");
        line(m, "    sink += (unsigned)p->large;");
        return;
    default:
        hd_text_add(m->before, "static wide *at_%u(struct pair *p) {\n    return &p->large;\n}\n",
                    m->number);
        line(m, "sink += at_%u(p) == &one.large;", m->number);
    }
}

/* -- Values ----------------------------------------------------------------------------------- */

void inexact(maker *m) {
    line(m, "%s v = 1.5f;", ONE_OF(m, "float", "double"));
    line(m, "if (x == %u)", drawn_below(m, 5));
    line(m, "    v = %s;", ONE_OF(m, "3e9f", "-1.5f", "1e20f", "255.5f", "0.0f / 0.0f"));
    line(m, "sink += (unsigned)(%s)v;", ONE_OF(m, "int", "unsigned", "byte", "long", "wide"));
}

void untrue(maker *m) {
    line(m, "byte raw = x == %u ? %u : 1;", drawn_below(m, 5), 1 + drawn_below(m, 3));
    line(m, "_Bool truth;");
    line(m, "memcpy(&truth, &raw, 1);");
    switch (drawn_below(m, 3)) {
    case 0:
        line(m, "sink += truth;");
        return;
    case 1:
        line(m, "sink += truth ? 2 : 3;");
        return;
    default:
        line(m, "_Bool copy = truth;");
        line(m, "sink++;");
    }
}

void impossible(maker *m) {
    switch (drawn_below(m, 3)) {
    case 0:
        line(m, "sink += (unsigned)__builtin_%s;",
             ONE_OF(m, "ctz((unsigned)x)", "clz((unsigned)x)"));
        return;
    case 1:
        line(m, "if (x == %u)", drawn_below(m, 5));
        line(m, "    __builtin_unreachable();");
        return;
    default:
        line(m, "int n = x - %u;", drawn_below(m, 2));
        line(m, "if (n >= 0) {");
        line(m, "    byte a[n];");
        line(m, "    sink += sizeof a;");
        line(m, "}");
    }
}

/* -- Calls ------------------------------------------------------------------------------------ */

void forbidden(maker *m) {
    line(m, "byte keep[4] = {0}, *p = keep;");
    line(m, "if (x == %u)", drawn_below(m, 5));
    line(m, "    p = 0;");
    switch (drawn_below(m, 4)) {
    case 0:
        hd_text_add(m->before,
                    "__attribute__((nonnull(1))) static void take_%u(byte *p, int i) {\n"
                    "    sink += (unsigned)i + sizeof p;\n}\n",
                    m->number);
        line(m, "take_%u(p, x);", m->number);
        return;
    case 1:
        hd_text_add(m->before,
                    "__attribute__((returns_nonnull)) static byte *give_%u(byte *p) {\n"
                    "    return p;\n}\n",
                    m->number);
        line(m, "byte *q = give_%u(p);", m->number);
        line(m, "sink += sizeof q;");
        return;
    case 2:
        line(m, "%s(p, keep, %u);", ONE_OF(m, "memmove", "memcpy"), 0);
        return;
    default:
        line(m, "byte other[4] = {0};");
        line(m, "memcpy(other, p, %u);", 2 * drawn_below(m, 2));
    }
}

void miscalled(maker *m) {
    static const char *const types[] = {"unsigned", "int", "long", "double", "byte *"};
    const char *to = one_of(m, types, 5), *as = one_of(m, types, 5);
    hd_text_add(m->before,
                "static void right_%u(%s a) {\n    sink += sizeof a;\n}\n"
                "static void other_%u(%s a) {\n    sink += sizeof a;\n}\n",
                m->number, as, m->number, to);
    line(m, "void (*call)(%s) = right_%u;", as, m->number);
    line(m, "if (x == %u)", drawn_below(m, 5));
    line(m, "    call = (void (*)(%s))other_%u;", as, m->number);
    line(m, "call(0);");
}

/* One of several functions, by x.  Some are of another type: who calls by one that travels in other
 * registers goes on natively, with any value, and ends in Heddle. */
void tabled(maker *m) {
    bool has_real = drawn_below(m, 2);
    for (unsigned n = 0; n < 4; n++) {
        const char *type =
            ONE_OF(m, "unsigned", "int", "unsigned", has_real ? "double" : "unsigned");
        hd_text_add(m->before, "static %s entry_%u_%u(%s a) {\n    sink += %u;\n    return a;\n}\n",
                    type, m->number, n, type, n);
    }
    line(m, "%svoid *table[4] = {entry_%u_0, entry_%u_1, entry_%u_2, entry_%u_3};",
         drawn_below(m, 2) ? "static " : "", m->number, m->number, m->number, m->number);
    line(m, "unsigned (*call)(unsigned) = (unsigned (*)(unsigned))table[%s];",
         ONE_OF(m, "x", "3 - x", "x ^ 1", "x / 2"));
    line(m, "call(%u);", drawn_below(m, 9));
    line(m, "byte keep[4] = {0};");
    if (!has_real)
        line(m, "sink += keep[%u + x];", drawn_below(m, 3));
}

/* Structs of 8 bytes in one array: they may be assigned to themselves, and nothing in between. */
static void overlap_structs(maker *m) {
    unsigned to = drawn_below(m, 6), from = drawn_below(m, 6);
    line(m, "struct eight { short of[4]; };");
    line(m, "union { short all[16]; struct eight first; } u = {{1, 2, 3, 4}};");
    switch (drawn_below(m, 3)) {
    case 0:
        line(m, "*(struct eight *)(u.all + %u) = *(struct eight *)(u.all + %u);", to, from);
        break;
    case 1:
        line(m, "*(struct eight *)(u.all + x) = *(struct eight *)(u.all + %u);", from);
        break;
    default:
        line(m, "struct eight *p = (struct eight *)(u.all + %u + x);", to);
        line(m, "*p = u.first;");
    }
    line(m, "sink += u.all[x];");
}

void overlapping(maker *m) {
    unsigned kind = drawn_below(m, 8);
    if (kind >= 6) {
        overlap_structs(m);
        return;
    }
    line(m, "char s[64] = \"abcdefg\";");
    switch (kind) {
    case 0:
        line(m, "memcpy(s + x, s + %u, %u);", drawn_below(m, 4), 1 + drawn_below(m, 4));
        return;
    case 1:
        line(m, "memcpy(s, s + 4, %u + (size_t)x);", 1 + drawn_below(m, 4));
        return;
    case 2:
        line(m, "strcpy(s + x, s + %u);", drawn_below(m, 4));
        return;
    case 3:
        line(m, "strncpy(s + %u, s + x, %u);", drawn_below(m, 4), 1 + drawn_below(m, 8));
        return;
    case 4:
        line(m, "mempcpy(s + x, s + %u, %u);", drawn_below(m, 4), 1 + drawn_below(m, 4));
        return;
    default:
        line(m, "memmove(s + x, s + %u, %u);", drawn_below(m, 4), 1 + drawn_below(m, 4));
    }
}
