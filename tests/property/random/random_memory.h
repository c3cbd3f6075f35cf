/* random_memory.h -- statements of random programs that move bytes: copies of symbolic length
 * between symbolic places, blocks that grow, structs, bit-fields, _Bool, tables that are too large
 * to be one expression, pointers that are one of several, that lie beside tables, or are numbers.
 *
 * SEEN(id, v) notes a value that Heddle decides to be one value where it is used: brute force logs
 * it. Nothing is decided about the places of a copy of no bytes.
 *
 * With `has_errors` some of them go wrong for some inputs: past the end, into a block that was
 * freed, through a null pointer, to any address. */
#ifndef HD_TESTS_RANDOM_MEMORY_H
#define HD_TESTS_RANDOM_MEMORY_H

static void expression(source *s, unsigned depth);

static void masked(source *s, unsigned mask) {
    put(s, "((uint32_t)(");
    expression(s, 1);
    put(s, ") & %uu)", mask);
}

/* Past the end of what has `mask` + 1 elements, if errors are wanted. */
static void index_below(source *s, unsigned mask) {
    masked(s, s->has_errors && pick(s, 4) == 0 ? 2 * mask + 1 : mask);
}

/* By an input or not: each of its values is a path. */
static void amount(source *s, unsigned mask) {
    if (pick(s, 2))
        put(s, "%u", pick(s, mask + 1));
    else
        index_below(s, mask);
}

static void copy_statement(source *s) {
    static const char *const ways[] = {
        "memmove(text + to, text + from, n)", "memmove(text + to, other + from, n)",
        "memcpy(other + to, text + from, n)", "memset(text + to, (int)(uint8_t)v0, n)",
        /* as much room as is needed, or a little more */
        "memset(text + 12 - n - to, (int)(uint8_t)v0, n)"};
    unsigned way = pick(s, s->has_errors ? 4 : 5), id = s->n_ids++;
    put(s, "{ volatile uint32_t n = "); /* LLVM makes copies of known length loads and stores */
    amount(s, 3);
    put(s, "; uint32_t to = ");
    amount(s, 3);
    put(s, ", from = ");
    amount(s, 3);
    put(s, "; SEEN(%u, n); if (n > 0) { SEEN(%u, to);", id, id);
    if (way < 3)
        put(s, " SEEN(%u, from);", id);
    put(s, " } %s; }\n", ways[way]);
    s->branches -= 3;
}

static void grow_statement(source *s) {
    unsigned id = s->n_ids++;
    put(s, "{ uint32_t n = 4u + ");
    masked(s, 3);
    put(s,
        "; SEEN(%u, n); block = realloc(block, n); for (uint32_t i = 4; i < n; i++) block[i] = 9;",
        id);
    put(s, " block[3] += (uint8_t)(");
    expression(s, 1);
    put(s, "); }\n");
    s->branches -= 3;
}

static void block_statement(source *s) {
    if (s->has_errors && pick(s, 6) == 0) {
        put(s, "if ((uint8_t)(");
        expression(s, 1);
        put(s, ") == %u) free(block);\n", pick(s, 256));
        return;
    }
    put(s, "block[");
    index_below(s, 3);
    put(s, "] = (uint8_t)(");
    expression(s, 2);
    put(s, ");\n");
}

static void record_statement(source *s) {
    static const char *const fields[] = {"x", "y", "f", "g", "h", "is_set"};
    if (pick(s, 3) == 0) {
        put(s, pick(s, 2) ? "mine = yours;\n" : "yours = mine;\n");
        return;
    }
    put(s, "%s.%s = (", pick(s, 2) ? "mine" : "yours", fields[pick(s, 6)]);
    expression(s, 2);
    put(s, ") & 127u;\n");
}

/* More elements than one expression has: each place is a path, unless the index is a multiple of
 * something, which reaches few of them.  What is read goes into memory: a read that is certainly
 * inside and of no use to anybody may go. */
static void large_statement(source *s) {
    unsigned id = s->n_ids++;
    bool is_followed = pick(s, 3) == 0;
    const char *index = is_followed ? "k * 1500u + 7u" : "(k * 1500u) ^ 7u";
    put(s, "{ uint32_t k = ");
    masked(s, 3);
    if (!is_followed)
        put(s, "; SEEN(%u, k)", id);
    if (pick(s, 2))
        put(s, "; other[11] += large[%s]; }\n", index);
    else
        put(s, "; large[%s] += (uint8_t)v1; }\n", index);
    s->branches -= 3;
}

static void pointer_statement(source *s) {
    unsigned id = s->n_ids++;
    put(s, "{ uint32_t k = ");
    masked(s, 1);
    put(s, "; SEEN(%u, k); uint16_t *p = k ? cells : more; p[", id);
    index_below(s, 7);
    put(s, "] ^= (uint16_t)(");
    expression(s, 1);
    put(s, "); }\n");
    s->branches--;
}

/* A write beside a pointer, as far as its index tells (which is less than 9, and below 16 for who
 * looks at bits only); then through the pointer.  Sometimes the index comes out of an array that is
 * not written everywhere. */
static void shelf_statement(source *s) {
    bool is_indirect = pick(s, 3) == 0;
    put(s, "{ uint16_t *work = shelf.work, places[4]; places[1] = 3, places[2] = (uint16_t)(");
    masked(s, 7);
    put(s, "); work[");
    put(s, is_indirect ? "places[1u + " : "");
    masked(s, is_indirect ? 1 : s->has_errors ? 15 : 255);
    put(s, "%s] += (uint16_t)v2; shelf.next[", is_indirect ? "]" : s->has_errors ? "" : " % 9u");
    index_below(s, 7);
    put(s, "] ^= (uint16_t)(");
    expression(s, 1);
    put(s, "); }\n");
}

/* An address that is a number, among few objects or many. */
static void number_statement(source *s) {
    unsigned id = s->n_ids++;
    if (pick(s, 4) == 0)
        put(s, "for (int i = 0; i < 1100; i++) if (!many[i]) many[i] = calloc(1, 4);\n");
    put(s, "{ uint32_t k = ");
    masked(s, 1);
    put(s,
        "; SEEN(%u, k); uintptr_t x = (uintptr_t)cells, y = (uintptr_t)more; "
        "v3 += *(uint16_t *)(x ^ k * (x ^ y)); }\n",
        id);
    s->branches--;
}

/* Through an address that an input made. */
static void wild_statement(source *s) {
    static const char *const ways[] = {
        "if ((uint8_t)(v0) == 77) v1 += *(volatile uint8_t *)(uintptr_t)(v1 & 3)",
        "if ((uint8_t)(v1) == 78) v0 += cells[(uint32_t)v0 * 3u]",
        "if ((uint8_t)(v2) == 79) text[(int64_t)v3 - 1] = 1",
        "if ((uint8_t)(v3) == 80) v0 += ((uint8_t *)cells)[(uint64_t)v1 * v1]"};
    put(s, "%s;\n", ways[pick(s, 4)]);
}

static void memory_statement(source *s) {
    static void (*const all[])(source *) = {copy_statement,  copy_statement,    grow_statement,
                                            block_statement, record_statement,  record_statement,
                                            large_statement, pointer_statement, shelf_statement,
                                            shelf_statement, number_statement,  wild_statement};
    enum { N = sizeof all / sizeof *all };
    all[pick(s, s->has_errors ? N : N - 1)](s);
}

static const char memory_prelude[] = "#include <stdlib.h>\n"
                                     "#include <string.h>\n"
                                     "struct record {\n"
                                     "    uint8_t x;\n"
                                     "    uint16_t y;\n"
                                     "    unsigned f : 3, g : 7, h : 11;\n"
                                     "    _Bool is_set;\n"
                                     "};\n"
                                     "struct shelf {\n"
                                     "    uint16_t work[9], *next, behind[4];\n"
                                     "};\n"
                                     "static void *many[1100];\n"
                                     "static uint8_t large[6000];\n\n";

static const char memory_locals[] =
    "    uint8_t text[12] = {1, 2, 3, 4, 5, 6, 7, 8}, other[12] = {9, 8, 7, 6, 5, 4, 3, 2, 1};\n"
    "    uint16_t more[8] = {8, 7, 6, 5, 4, 3, 2, 1};\n"
    "    struct record mine = {.x = a, .f = 1}, yours = {.y = b, .is_set = a > b};\n"
    "    struct shelf shelf = {.next = more};\n"
    "    uint8_t *block = malloc(4);\n"
    "    memcpy(block, text + 2, 4);\n"
    "    memset(large, 3, sizeof large);\n";
#endif
