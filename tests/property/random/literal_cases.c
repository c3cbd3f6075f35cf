/* Cases of compound literals: each lives as long as the block around it, and is used inside,
 * behind, and in the next round of a loop.
 *
 * Blocks are braces: what else C takes for one (a statement without braces in a loop) is larger for
 * Heddle (docs/limits.md), and not drawn. */
#include "property/random/sanitizer_maker.h"

#include <stdbool.h>

/* What p points to, and how it is made. */
typedef struct kind {
    const char *type, *field;
    const char *const *texts;
} kind;

static const char *const word_texts[] = {"(word[]){1, (word)x, 3}", "(word[3]){(word)x}",
                                         "&(word){(word)x + 1}", "same((word[]){4, 5})", 0};
static const char *const pair_texts[] = {
    "&(struct pair){1, 2}", "(struct pair[]){{1, 2}, {3, (wide)x}}",
    "&(struct pair){.large = (wide)x}", "x ? &(struct pair){5, 6} : &(struct pair){7, 8}", 0};
static const char *const byte_texts[] = {"(byte[]){\"text\"}", "(byte[9]){[8] = 1}",
                                         "x == 1 ? (byte[]){1} : p", 0};
static const kind kinds[] = {
    {"word", "", word_texts}, {"struct pair", ".large", pair_texts}, {"byte", "", byte_texts}};

static const char *text_of(maker *m, const kind *k) {
    unsigned n = 0;
    while (k->texts[n])
        n++;
    return k->texts[drawn_below(m, n)];
}

static void use(maker *m, const kind *k) {
    if (drawn_below(m, 3) == 0)
        line(m, "sink += (unsigned)p[0]%s;", k->field);
    else if (drawn_below(m, 4) == 0)
        line(m, "p[0]%s += 3;", k->field); /* of two stores in a row the second one counts */
}

/* The value of a literal that is evaluated again may be made of its old one.  (gcc takes a literal
 * for new before it looks at its parts: in another block an old one is not used for it.) */
static void again(maker *m, const kind *k, unsigned depth) {
    line(m, "int round_%u = 0;", depth);
    line(m, "again_%u:", depth);
    if (k == &kinds[0])
        line(m, "p = (word[]){1, round_%u ? p[1] + p[0] : (word)x};", depth);
    else
        line(m, "p = %s;", text_of(m, k));
    line(m, "if (++round_%u < 3)", depth);
    line(m, "    goto again_%u;", depth);
}

/* A function runs when the block ends, and the literal is still there. */
static void cleaned(maker *m, const kind *k, unsigned depth) {
    hd_text_add(m->before,
                "static void look_%u_%u(%s **p) {\n    sink += (unsigned)(*p)[0]%s;\n}\n",
                m->number, depth, k->type, k->field);
    line(m, "__attribute__((cleanup(look_%u_%u))) %s *q_%u = p;", m->number, depth, k->type, depth);
    if (drawn_below(m, 2)) {
        line(m, "word sized_%u[x + 1];", depth);
        line(m, "sized_%u[x] = 1;", depth);
    }
    line(m, "q_%u = %s;", depth, text_of(m, k));
    line(m, "p = q_%u;", depth);
}

static void make(maker *m, const kind *k, unsigned depth) {
    switch (drawn_below(m, 6)) {
    case 0:
        again(m, k, depth);
        return;
    case 1:
        cleaned(m, k, depth);
        return;
    case 2:
        line(m, "%s *q_%u = %s;", k->type, depth, text_of(m, k));
        line(m, "p = q_%u;", depth);
        return;
    default:
        line(m, "p = %s;", text_of(m, k));
    }
}

/* How a block begins and ends; %u is its depth. */
static const struct {
    const char *before, *begin, *last, *end;
} blocks[] = {
    {"", "{", "", "}"},
    {"", "if (x != 1) {", "", "}"},
    {"", "if (x == 2) {", "", "} else { sink++; }"},
    {"", "for (int i_%u = 0; i_%u < 2; i_%u++) {", "", "}"},
    {"", "for (;;) {", "if (x >= 0) break;", "}"},
    {"int n_%u = 0;", "while (n_%u++ < 2) {", "if (x == 3) continue;", "}"},
    {"int n_%u = 0;", "do {", "", "} while (n_%u++ < 1);"},
    {"", "switch (x) { default: {", "", "} }"},
    {"", "sink += ({", "1u;", "});"},
    {"", "{", "if (x == 2) goto out_%u;", "} out_%u:;"},
};

static void say(maker *m, const char *format, unsigned depth) {
    if (!*format)
        return;
    hd_text_add(m->out, "    ");
    hd_text_add(m->out, format, depth, depth, depth);
    hd_text_add(m->out, "\n");
}

static void nest(maker *m, const kind *k, unsigned depth) {
    unsigned n = drawn_below(m, sizeof blocks / sizeof *blocks);
    say(m, blocks[n].before, depth);
    say(m, blocks[n].begin, depth);
    use(m, k);
    if (depth == 0 || drawn_below(m, 3) == 0)
        make(m, k, depth);
    if (depth > 0)
        nest(m, k, depth - 1);
    use(m, k);
    say(m, blocks[n].last, depth);
    say(m, blocks[n].end, depth);
    use(m, k);
}

void literal(maker *m) {
    const kind *k = &kinds[drawn_below(m, sizeof kinds / sizeof *kinds)];
    line(m, "%s keep[9] = {0}, *p = keep;", k->type);
    nest(m, k, drawn_below(m, 3));
    line(m, "sink += (unsigned)p[0]%s;", k->field);
}
