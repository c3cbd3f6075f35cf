/* Expressions mean what they should, whatever the constructors made of them.
 *
 * Random terms are built twice: through the simplifying constructors, and as a plain list of
 * operations that is evaluated here with 128-bit arithmetic of its own.  Values must agree for
 * corner and random inputs, and for all values of an 8-bit one; on a sample Z3 must prove both
 * equal for all inputs.  Machine arithmetic itself is compared with the CPU's.
 *
 *     property_expr [seed [count]] */
#include "symbolic/model.h"
#include "symbolic/symbolic_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <z3.h>

enum { N_VARIABLES = 6, MAX_TERMS = 48, MAX_TABLE = 20, N_INPUTS = 40, Z3_EVERY = 40 };

static const unsigned variable_width[N_VARIABLES] = {8, 8, 1, 16, 32, 64};
static const unsigned widths[] = {1, 2, 3, 4, 7, 8, 9, 12, 16, 24, 31, 32, 33, 48, 63, 64};

/* One operation of the reference; operands are indices of earlier terms. */
typedef struct term {
    hd_op op;
    unsigned width, low;
    int a, b, c;
    int element[MAX_TABLE], n_elements;
    uint64_t constant;
    hd_expr built;
} term;

static uint64_t random_state, seed_of_case;
static term terms[MAX_TERMS];
static int n_terms;
static hd_graph *g;

static uint64_t draw(uint64_t below) {
    return hd_random_next(&random_state) % below;
}

static int draw_term(void) {
    if (draw(3) == 0 && n_terms > 6) /* recent ones often, so that rules meet */
        return n_terms - 1 - (int)draw(5);
    return (int)draw((uint64_t)n_terms);
}

/* ---- the reference ---- */

static __int128 as_signed(uint64_t x, unsigned width) {
    __int128 value = x;
    return value >> (width - 1) & 1 ? value - ((__int128)1 << width) : value;
}

static uint64_t reference_division(hd_op op, unsigned w, uint64_t x, uint64_t y) {
    __int128 sx = as_signed(x, w), sy = as_signed(y, w);
    if (op == HD_OP_UDIV)
        return y ? x / y : ~UINT64_C(0);
    if (op == HD_OP_UREM)
        return y ? x % y : x;
    if (op == HD_OP_SDIV)
        return (uint64_t)(sy ? sx / sy : sx < 0 ? 1 : -1);
    return (uint64_t)(sy ? sx % sy : sx);
}

static uint64_t reference_binary(hd_op op, unsigned w, uint64_t x, uint64_t y) {
    __int128 sx = as_signed(x, w), sy = as_signed(y, w);
    unsigned shift = y >= w ? w : (unsigned)y;
    switch (op) {
    case HD_OP_ADD:
        return (uint64_t)((__int128)x + y);
    case HD_OP_SUB:
        return (uint64_t)((__int128)x - y);
    case HD_OP_MUL:
        return (uint64_t)((unsigned __int128)x * y);
    case HD_OP_AND:
        return x & y;
    case HD_OP_OR:
        return x | y;
    case HD_OP_XOR:
        return x ^ y;
    case HD_OP_SHL:
        return (uint64_t)((unsigned __int128)x << shift);
    case HD_OP_LSHR:
        return (uint64_t)((unsigned __int128)x >> shift);
    case HD_OP_ASHR:
        return (uint64_t)(sx >> shift);
    case HD_OP_EQ:
        return x == y;
    case HD_OP_ULT:
        return x < y;
    case HD_OP_ULE:
        return x <= y;
    case HD_OP_SLT:
        return sx < sy;
    case HD_OP_SLE:
        return sx <= sy;
    default:
        return reference_division(op, w, x, y);
    }
}

static uint64_t reference_value(const term *t, const uint64_t *value, const uint64_t *input) {
    switch (t->op) {
    case HD_OP_CONST:
        return t->constant;
    case HD_OP_VAR:
        return input[t->a];
    case HD_OP_NOT:
        return ~value[t->a];
    case HD_OP_ZEXT:
        return value[t->a];
    case HD_OP_SEXT:
        return (uint64_t)as_signed(value[t->a], terms[t->a].width);
    case HD_OP_EXTRACT:
        return value[t->a] >> t->low;
    case HD_OP_CONCAT:
        return value[t->a] << terms[t->b].width | value[t->b];
    case HD_OP_ITE:
        return value[value[t->a] ? t->b : t->c];
    case HD_OP_READ:
        return value[t->element[value[t->a]]];
    default:
        return reference_binary(t->op, terms[t->a].width, value[t->a], value[t->b]);
    }
}

static void reference_values(const uint64_t *input, uint64_t *value) {
    for (int i = 0; i < n_terms; i++) {
        value[i] = reference_value(&terms[i], value, input);
        if (terms[i].width < 64)
            value[i] %= UINT64_C(1) << terms[i].width;
    }
}

/* ---- both at once ---- */

static hd_expr build_read(const term *t) {
    hd_expr element[MAX_TABLE];
    for (int i = 0; i < t->n_elements; i++)
        element[i] = terms[t->element[i]].built;
    return hd_expr_read(g, element, (uint32_t)t->n_elements, terms[t->a].built);
}

static hd_expr build(const term *t) {
    hd_expr a = t->op == HD_OP_CONST || t->op == HD_OP_VAR ? HD_NONE : terms[t->a].built;
    switch (t->op) {
    case HD_OP_CONST:
        return hd_expr_const(g, t->width, t->constant);
    case HD_OP_VAR:
        return hd_expr_var(g, (hd_var)t->a, t->width);
    case HD_OP_NOT:
        return hd_expr_not(g, a);
    case HD_OP_ZEXT:
        return hd_expr_zext(g, a, t->width);
    case HD_OP_SEXT:
        return hd_expr_sext(g, a, t->width);
    case HD_OP_EXTRACT:
        return hd_expr_extract(g, a, t->low, t->width);
    case HD_OP_CONCAT:
        return hd_expr_concat(g, a, terms[t->b].built);
    case HD_OP_ITE:
        return hd_expr_ite(g, a, terms[t->b].built, terms[t->c].built);
    case HD_OP_READ:
        return build_read(t);
    default:
        return hd_expr_binary(g, t->op, a, terms[t->b].built);
    }
}

static int add(term t) {
    if (n_terms == MAX_TERMS)
        return n_terms - 1;
    t.built = build(&t);
    terms[n_terms] = t;
    return n_terms++;
}

static bool is_full(int needed) {
    return n_terms + needed > MAX_TERMS;
}

static uint64_t draw_constant(unsigned width) {
    uint64_t mask = hd_mask(width), power = UINT64_C(1) << draw(width);
    switch (draw(8)) {
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return mask;
    case 3:
        return power;
    case 4:
        return power - 1;
    case 5:
        return (0 - power) & mask;
    case 6:
        return draw(300) & mask;
    default:
        return hd_random_next(&random_state) & mask;
    }
}

static int add_constant(unsigned width) {
    return add((term){.op = HD_OP_CONST, .width = width, .constant = draw_constant(width)});
}

/* Some term of `width` bits made from an earlier one; needs room for one. */
static int coerce(int from, unsigned width) {
    unsigned have = terms[from].width;
    if (have == width)
        return from;
    if (have > width) {
        unsigned low = draw(2) ? 0 : (unsigned)draw(have - width + 1);
        return add((term){.op = HD_OP_EXTRACT, .width = width, .low = low, .a = from});
    }
    return add((term){.op = draw(2) ? HD_OP_ZEXT : HD_OP_SEXT, .width = width, .a = from});
}

static int draw_of_width(unsigned width) {
    for (int i = 0; i < 4; i++) {
        int t = draw_term();
        if (terms[t].width == width)
            return t;
    }
    return draw(3) ? coerce(draw_term(), width) : add_constant(width);
}

static void add_binary(void) {
    hd_op op = (hd_op)(HD_OP_ADD + draw(HD_OP_SLE - HD_OP_ADD + 1));
    int a = draw_term(), b = draw(2) ? add_constant(terms[a].width) : draw_of_width(terms[a].width);
    bool is_comparison = op >= HD_OP_EQ;
    unsigned width = is_comparison ? 1 : terms[a].width;
    if (draw(3) == 0)
        add((term){.op = op, .width = width, .a = b, .b = a});
    else
        add((term){.op = op, .width = width, .a = a, .b = b});
}

static void add_cast(void) {
    int a = draw_term();
    unsigned width = widths[draw(sizeof widths / sizeof *widths)];
    if (width != terms[a].width)
        coerce(a, width);
}

static void add_concat(void) {
    int a = draw_term(), b = draw_term();
    unsigned width = terms[a].width + terms[b].width;
    if (width <= 64)
        add((term){.op = HD_OP_CONCAT, .width = width, .a = a, .b = b});
}

/* Cut a term into two or three pieces and glue them together again, as memory does. */
static void add_cut_and_glue(void) {
    int a = draw_term();
    unsigned width = terms[a].width;
    if (width < 3)
        return;
    unsigned x = 1 + (unsigned)draw(width - 2), y = x + 1 + (unsigned)draw(width - x - 1);
    int low = add((term){.op = HD_OP_EXTRACT, .width = x, .a = a});
    int middle = add((term){.op = HD_OP_EXTRACT, .width = y - x, .low = x, .a = a});
    int glued = add((term){.op = HD_OP_CONCAT, .width = y, .a = middle, .b = low});
    if (y == width)
        return;
    int high = add((term){.op = HD_OP_EXTRACT, .width = width - y, .low = y, .a = a});
    add((term){.op = HD_OP_CONCAT, .width = width, .a = high, .b = glued});
}

/* (zext x << k) | zext y, as a program assembles a word from bytes. */
static void add_assembly(void) {
    int x = draw_term(), y = draw_term();
    unsigned width = widths[draw(sizeof widths / sizeof *widths)];
    if (terms[x].width >= width || terms[y].width >= width)
        return;
    static const hd_op joins[] = {HD_OP_OR, HD_OP_ADD, HD_OP_XOR};
    int wide = add((term){.op = HD_OP_ZEXT, .width = width, .a = x});
    int low = add((term){.op = HD_OP_ZEXT, .width = width, .a = y});
    uint64_t shift = draw(4) ? terms[y].width : draw(width);
    int k = add((term){.op = HD_OP_CONST, .width = width, .constant = shift & hd_mask(width)});
    int high = add((term){.op = HD_OP_SHL, .width = width, .a = wide, .b = k});
    add((term){.op = joins[draw(3)], .width = width, .a = high, .b = low});
}

static int add_operation(hd_op op, int a, int b) {
    unsigned width = op >= HD_OP_EQ && op <= HD_OP_SLE ? 1 : terms[a].width;
    return add((term){.op = op, .width = width, .a = a, .b = b});
}

/* Two operations with an operand in common, joined by a third: where terms cancel. */
static void add_related(void) {
    static const hd_op ops[] = {HD_OP_ADD, HD_OP_SUB, HD_OP_XOR, HD_OP_AND, HD_OP_OR, HD_OP_MUL};
    int x = draw_term();
    unsigned width = terms[x].width;
    int y = draw_of_width(width), z = draw(2) ? add_constant(width) : draw_of_width(width);
    hd_op first = ops[draw(6)], second = draw(3) ? first : ops[draw(6)];
    int p = draw(2) ? add_operation(first, x, y) : add_operation(first, y, x);
    int q = draw(2) ? add_operation(second, x, z) : add_operation(second, z, x);
    if (draw(3) == 0)
        q = draw(2) ? x : y;
    if (draw(4) == 0)
        p = add((term){.op = HD_OP_NOT, .width = width, .a = p});
    add_operation((hd_op)(HD_OP_ADD + draw(HD_OP_SLE - HD_OP_ADD + 1)), p, q);
}

/* c ? (d ? x : y) : y and its like. */
static void add_nested_choice(void) {
    int c = draw_of_width(1), d = draw_of_width(1), x = draw_term();
    if (terms[c].width != 1 || terms[d].width != 1)
        return;
    unsigned width = terms[x].width;
    int y = draw(2) ? add_constant(width) : draw_of_width(width);
    int arms[3] = {x, y, draw_of_width(width)};
    int inner = add(
        (term){.op = HD_OP_ITE, .width = width, .a = d, .b = arms[draw(3)], .c = arms[draw(3)]});
    int other = arms[draw(3)];
    if (draw(2))
        add((term){.op = HD_OP_ITE, .width = width, .a = c, .b = inner, .c = other});
    else
        add((term){.op = HD_OP_ITE, .width = width, .a = c, .b = other, .c = inner});
}

static void add_choice(void) {
    int c = draw_of_width(1), x = draw_term();
    if (terms[c].width != 1)
        return;
    int y = draw(2) ? add_constant(terms[x].width) : draw_of_width(terms[x].width);
    if (draw(2))
        x = add_constant(terms[y].width);
    add((term){.op = HD_OP_ITE, .width = terms[x].width, .a = c, .b = x, .c = y});
}

/* A table that the index cannot leave: 2^k elements for k bits. */
static void add_read(void) {
    unsigned bits = 1 + (unsigned)draw(4), width = terms[draw_term()].width;
    term t = {.op = HD_OP_READ, .width = width, .n_elements = 1 << bits};
    t.a = coerce(draw_term(), bits);
    int pool[3] = {draw_of_width(width), add_constant(width), add_constant(width)};
    int n_pool = 1 + (int)draw(3);
    for (int i = 0; i < t.n_elements; i++)
        t.element[i] = pool[draw((uint64_t)n_pool)];
    if (draw(2))
        t.a = add((term){.op = HD_OP_ZEXT, .width = 32, .a = t.a});
    int read = add(t);
    add_operation(HD_OP_EQ, read, pool[1 + draw(2)]);
}

static void add_random(void) {
    uint64_t kind = draw(19);
    if (kind < 7)
        add_binary();
    else if (kind < 9)
        add_cast();
    else if (kind == 9)
        add_concat();
    else if (kind == 10)
        add_cut_and_glue();
    else if (kind == 11)
        add_assembly();
    else if (kind == 12)
        add_read();
    else if (kind == 13) {
        int a = draw_term();
        add((term){.op = HD_OP_NOT, .width = terms[a].width, .a = a});
    } else if (kind < 16)
        add_choice();
    else if (kind == 16)
        add_nested_choice();
    else
        add_related();
}

static void build_case(void) {
    n_terms = 0;
    for (int v = 0; v < N_VARIABLES; v++)
        add((term){.op = HD_OP_VAR, .width = variable_width[v], .a = v});
    while (!is_full(10))
        add_random();
}

/* ---- comparison ---- */

static void print_reference(int i) {
    const term *t = &terms[i];
    printf("  #%d = op %d width %u low %u operands #%d #%d #%d constant %#llx\n", i, t->op,
           t->width, t->low, t->a, t->b, t->c, (unsigned long long)t->constant);
}

static void fail(int i, const uint64_t *input, uint64_t expected, uint64_t got) {
    hd_text text = {0};
    hd_expr_print_smt(g, terms[i].built, &text);
    printf("seed %llu: term #%d has value %#llx, expected %#llx\n",
           (unsigned long long)seed_of_case, i, (unsigned long long)got,
           (unsigned long long)expected);
    for (int k = 0; k <= i; k++)
        print_reference(k);
    printf("  built: %s\n  inputs:", hd_text_string(&text));
    for (int v = 0; v < N_VARIABLES; v++)
        printf(" v%d=%#llx", v, (unsigned long long)input[v]);
    printf("\n");
    exit(1);
}

static void compare_under(hd_eval *ev, const uint64_t *input) {
    uint64_t expected[MAX_TERMS];
    hd_model model = {0};
    for (hd_var v = 0; v < N_VARIABLES; v++)
        hd_model_set(&model, v, input[v]);
    hd_eval_begin(ev, &model);
    reference_values(input, expected);
    for (int i = 0; i < n_terms; i++) {
        uint64_t got = hd_eval_value(ev, terms[i].built);
        bool breaks_zeros = expected[i] & hd_expr_zeros(g, terms[i].built);
        if (got != expected[i] || breaks_zeros ||
            hd_expr_width(g, terms[i].built) != terms[i].width)
            fail(i, input, expected[i], got);
    }
    hd_model_release(&model);
}

static void draw_input(uint64_t *input) {
    for (int v = 0; v < N_VARIABLES; v++)
        input[v] = draw_constant(variable_width[v]);
}

static void check_values(hd_eval *ev, bool all_bytes) {
    uint64_t input[N_VARIABLES];
    for (int i = 0; i < N_INPUTS; i++) {
        draw_input(input);
        compare_under(ev, input);
    }
    for (input[0] = 0; all_bytes && input[0] < 256; input[0]++)
        compare_under(ev, input);
}

/* ---- Z3 ---- */

static void write_read(hd_text *out, const term *t) {
    unsigned width = terms[t->a].width;
    for (int i = 0; i + 1 < t->n_elements; i++)
        hd_text_add(out, "(ite (= r%d (_ bv%d %u)) r%d ", t->a, i, width, t->element[i]);
    hd_text_add(out, "r%d", t->element[t->n_elements - 1]);
    for (int i = 0; i + 1 < t->n_elements; i++)
        hd_text_add(out, ")");
}

static void write_binary(hd_text *out, const term *t) {
    static const char *const names[] = {
#define X(name, text, smt) smt,
        HD_OPS(X)
#undef X
    };
    if (hd_op_is_comparison(t->op))
        hd_text_add(out, "(ite (%s r%d r%d) #b1 #b0)", names[t->op], t->a, t->b);
    else
        hd_text_add(out, "(%s r%d r%d)", names[t->op], t->a, t->b);
}

static void write_term(hd_text *out, const term *t) {
    unsigned inner = terms[t->a].width;
    switch (t->op) {
    case HD_OP_CONST:
        hd_text_add(out, "(_ bv%llu %u)", (unsigned long long)t->constant, t->width);
        return;
    case HD_OP_VAR:
        hd_text_add(out, "v%d", t->a);
        return;
    case HD_OP_NOT:
        hd_text_add(out, "(bvnot r%d)", t->a);
        return;
    case HD_OP_ZEXT:
        hd_text_add(out, "((_ zero_extend %u) r%d)", t->width - inner, t->a);
        return;
    case HD_OP_SEXT:
        hd_text_add(out, "((_ sign_extend %u) r%d)", t->width - inner, t->a);
        return;
    case HD_OP_EXTRACT:
        hd_text_add(out, "((_ extract %u %u) r%d)", t->low + t->width - 1, t->low, t->a);
        return;
    case HD_OP_ITE:
        hd_text_add(out, "(ite (= r%d #b1) r%d r%d)", t->a, t->b, t->c);
        return;
    case HD_OP_READ:
        write_read(out, t);
        return;
    default:
        write_binary(out, t);
    }
}

/* Can term i and what was built for it differ? */
static void write_question(hd_text *out, int i) {
    hd_text_add(out, "(reset)\n(set-option :rlimit 100000)\n(set-logic QF_BV)\n");
    for (int v = 0; v < N_VARIABLES; v++)
        hd_text_add(out, "(declare-fun v%d () (_ BitVec %u))\n", v, variable_width[v]);
    for (int k = 0; k <= i; k++) {
        hd_text_add(out, "(define-fun r%d () (_ BitVec %u) ", k, terms[k].width);
        write_term(out, &terms[k]);
        hd_text_add(out, ")\n");
    }
    hd_text_add(out, "(assert (not (= r%d ", i);
    hd_expr_print_smt(g, terms[i].built, out);
    hd_text_add(out, ")))\n(check-sat)\n");
}

static unsigned n_proved, n_unknown;

static void ask_z3(Z3_context z3, int i) {
    hd_text script = {0};
    write_question(&script, i);
    const char *answer = Z3_eval_smtlib2_string(z3, hd_text_string(&script));
    if (strncmp(answer, "unsat", 5) == 0)
        n_proved++;
    else if (strncmp(answer, "unknown", 7) == 0)
        n_unknown++;
    else {
        printf("seed %llu: Z3 says %s to\n%s\n", (unsigned long long)seed_of_case, answer,
               hd_text_string(&script));
        exit(1);
    }
    hd_text_release(&script);
}

/* ---- the CPU ---- */

static void expect_cpu(hd_op op, unsigned width, uint64_t x, uint64_t y, uint64_t cpu) {
    uint64_t got = hd_op_apply(op, width, x, y);
    if (got == (cpu & hd_mask(width)))
        return;
    printf("seed %llu: operation %d on %u bits of %#llx and %#llx gives %#llx, the CPU %#llx\n",
           (unsigned long long)seed_of_case, op, width, (unsigned long long)x,
           (unsigned long long)y, (unsigned long long)got, (unsigned long long)cpu);
    exit(1);
}

#define COMPARE_WITH_CPU(bits)                                                                     \
    static void compare_with_cpu_##bits(void) {                                                    \
        uint##bits##_t x = (uint##bits##_t)draw_constant(bits);                                    \
        uint##bits##_t y = (uint##bits##_t)draw_constant(bits), k = (uint##bits##_t)(y % bits);    \
        int##bits##_t sx = (int##bits##_t)x, sy = (int##bits##_t)y;                                \
        expect_cpu(HD_OP_ADD, bits, x, y, (uint##bits##_t)(x + y));                                \
        expect_cpu(HD_OP_SUB, bits, x, y, (uint##bits##_t)(x - y));                                \
        expect_cpu(HD_OP_MUL, bits, x, y, (uint##bits##_t)((uint64_t)x * y));                      \
        if (y) {                                                                                   \
            expect_cpu(HD_OP_UDIV, bits, x, y, (uint##bits##_t)(x / y));                           \
            expect_cpu(HD_OP_UREM, bits, x, y, (uint##bits##_t)(x % y));                           \
        }                                                                                          \
        if (y && sy != -1) {                                                                       \
            expect_cpu(HD_OP_SDIV, bits, x, y, (uint##bits##_t)(sx / sy));                         \
            expect_cpu(HD_OP_SREM, bits, x, y, (uint##bits##_t)(sx % sy));                         \
        }                                                                                          \
        expect_cpu(HD_OP_AND, bits, x, y, x &y);                                                   \
        expect_cpu(HD_OP_OR, bits, x, y, x | y);                                                   \
        expect_cpu(HD_OP_XOR, bits, x, y, x ^ y);                                                  \
        expect_cpu(HD_OP_SHL, bits, x, k, (uint##bits##_t)((uint64_t)x << k));                     \
        expect_cpu(HD_OP_LSHR, bits, x, k, (uint##bits##_t)(x >> k));                              \
        expect_cpu(HD_OP_ASHR, bits, x, k, (uint##bits##_t)(sx >> k));                             \
        expect_cpu(HD_OP_EQ, bits, x, y, x == y);                                                  \
        expect_cpu(HD_OP_ULT, bits, x, y, x < y);                                                  \
        expect_cpu(HD_OP_ULE, bits, x, y, x <= y);                                                 \
        expect_cpu(HD_OP_SLT, bits, x, y, sx < sy);                                                \
        expect_cpu(HD_OP_SLE, bits, x, y, sx <= sy);                                               \
    }
COMPARE_WITH_CPU(8)
COMPARE_WITH_CPU(16)
COMPARE_WITH_CPU(32)
COMPARE_WITH_CPU(64)

static void compare_with_cpu(void) {
    for (int i = 0; i < 20; i++) {
        compare_with_cpu_8();
        compare_with_cpu_16();
        compare_with_cpu_32();
        compare_with_cpu_64();
    }
}

/* Nothing changes its meaning or its normal form when the graph is compacted. */
static void compact_to_case(void) {
    hd_expr *roots[MAX_TERMS];
    for (int i = 0; i < n_terms; i++)
        roots[i] = &terms[i].built;
    hd_graph_compact(g, roots, (uint32_t)n_terms);
    for (int i = 0; i < n_terms; i++)
        if (build(&terms[i]) != terms[i].built) {
            printf("seed %llu: term #%d is built anew after compaction\n",
                   (unsigned long long)seed_of_case, i);
            exit(1);
        }
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 2000;
    Z3_config config = Z3_mk_config();
    Z3_context z3 = Z3_mk_context(config);
    g = hd_graph_new(false);
    hd_eval *ev = hd_eval_new(g);
    for (uint64_t i = 0; i < count; i++) {
        random_state = seed_of_case = seed + i;
        build_case();
        check_values(ev, i % 8 == 0);
        compare_with_cpu();
        if (i % 50 == 49) {
            compact_to_case();
            check_values(ev, false);
        }
        if (i % Z3_EVERY == 0)
            for (int k = N_VARIABLES; k < n_terms; k += 5)
                ask_z3(z3, k);
    }
    printf("%llu cases from seed %llu agree; Z3 proved %u terms and gave up on %u\n",
           (unsigned long long)count, (unsigned long long)seed, n_proved, n_unknown);
    hd_eval_free(ev);
    hd_graph_free(g);
    Z3_del_context(z3);
    Z3_del_config(config);
    return 0;
}
