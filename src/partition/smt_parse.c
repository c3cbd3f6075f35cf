/* Scripts of SMT-LIB 2.6 (part_file.h): the part of QF_BV that has to do with conditions.
 *
 * A formula is a bit-vector of one bit: who takes one for the other is not refused. */
#include "partition/part_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 400, MAX_WORD = 256 };

typedef struct binding {
    char *name;
    hd_expr e;
} binding;

typedef struct level {
    size_t n_asserted, n_bound;
} level;

typedef struct script_reader {
    const hd_names *names;
    hd_graph *g;
    const char *file, *at;
    unsigned line, depth;
    hd_vec(binding) bound;
    hd_conditions asserted;
    hd_vec(level) levels;
    hd_division *parts;
    hd_err *err;
    bool failed;
    char word[MAX_WORD + 1];
} script_reader;

static hd_expr parse_term(script_reader *r);

static hd_expr nothing(const script_reader *r) {
    return hd_expr_const(r->g, 1, 0);
}

static hd_expr fail(script_reader *r, const char *what) {
    if (!r->failed) {
        hd_err_set(r->err, "'%.200s', line %u: %s", r->file, r->line, what);
        hd_err_hint(r->err, "a part is what is asserted at a (check-sat), in the logic QF_BV");
    }
    r->failed = true;
    return nothing(r);
}

static hd_expr fail_at(script_reader *r, const char *what) {
    char *sentence = hd_text_format("%s '%.60s'", what, r->word);
    hd_expr e = fail(r, sentence);
    free(sentence);
    return e;
}

/* ---- words ---- */

static void skip_space(script_reader *r) {
    while (isspace((unsigned char)*r->at) || *r->at == ';') {
        if (*r->at == ';')
            r->at += strcspn(r->at, "\n");
        else
            r->line += *r->at++ == '\n';
    }
}

static bool take(script_reader *r, char c) {
    skip_space(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static void expect(script_reader *r, char c) {
    if (!r->failed && !take(r, c))
        fail(r, c == '(' ? "'(' is missing" : "')' is missing");
}

static void take_bytes(script_reader *r, const char *from, size_t n, size_t behind) {
    if (n > MAX_WORD || (behind && from[n] == '\0')) {
        fail(r, n > MAX_WORD ? "a word is too long" : "a '|' or '\"' has no end");
        n = 0, behind = 0;
    }
    memcpy(r->word, from, n);
    r->word[n] = '\0';
    r->at = from + n + behind;
}

/* The next symbol, number or string into r->word. */
static void take_word(script_reader *r) {
    skip_space(r);
    if (*r->at == '|' || *r->at == '"')
        take_bytes(r, r->at + 1, strcspn(r->at + 1, *r->at == '|' ? "|" : "\""), 1);
    else
        take_bytes(r, r->at, strcspn(r->at, " \t\r\n\f\v();|\""), 0);
}

static bool is_word(const script_reader *r, const char *word) {
    return strcmp(r->word, word) == 0;
}

static unsigned take_number(script_reader *r, unsigned most) {
    take_word(r);
    char *end;
    unsigned long n = strtoul(r->word, &end, 10);
    if (!isdigit((unsigned char)*r->word) || *end || n > most)
        fail_at(r, "this number is not expected:");
    return r->failed ? 0 : (unsigned)n;
}

/* ---- names ---- */

static void bind(script_reader *r, const char *name, hd_expr e) {
    hd_vec_push(&r->bound, ((binding){hd_text_format("%s", name), e}));
}

static void unbind(script_reader *r, size_t n) {
    while (r->bound.n > n)
        free(r->bound.at[--r->bound.n].name);
}

static hd_expr lookup(script_reader *r) {
    for (size_t i = r->bound.n; i-- > 0;)
        if (strcmp(r->bound.at[i].name, r->word) == 0)
            return r->bound.at[i].e;
    return fail_at(r, "nothing was declared that is called");
}

/* ---- terms ---- */

static hd_expr parse_bits(script_reader *r) {
    bool is_hex = r->word[1] == 'x';
    const char *digits = r->word + 2;
    char *end;
    size_t n = strlen(digits);
    unsigned long long v = strtoull(digits, &end, is_hex ? 16 : 2);
    if ((!is_hex && r->word[1] != 'b') || !isxdigit((unsigned char)*digits) || *end ||
        n > (is_hex ? 16 : 64))
        return fail_at(r, "this is no bit-vector of at most 64 bits:");
    return hd_expr_const(r->g, (unsigned)n * (is_hex ? 4 : 1), v);
}

static hd_expr parse_atom(script_reader *r) {
    skip_space(r);
    bool is_quoted = *r->at == '|';
    take_word(r);
    if (r->failed || (!*r->word && !is_quoted))
        return fail(r, "a term is missing");
    if (!is_quoted && *r->word == '#')
        return parse_bits(r);
    if (!is_quoted && (is_word(r, "true") || is_word(r, "false")))
        return hd_expr_const(r->g, 1, is_word(r, "true"));
    return lookup(r);
}

/* (_ bv5 32), after "(_". */
static hd_expr parse_number(script_reader *r) {
    take_word(r);
    char *end;
    unsigned long long v =
        strtoull(r->word[0] == 'b' && r->word[1] == 'v' ? r->word + 2 : "x", &end, 10);
    if (r->word[0] != 'b' || r->word[1] != 'v' || !isdigit((unsigned char)r->word[2]) || *end)
        return fail_at(r, "this is no term:");
    unsigned width = take_number(r, 64);
    expect(r, ')');
    return width ? hd_expr_const(r->g, width, v & hd_mask(width)) : fail(r, "no width is 0");
}

static unsigned width_of(const script_reader *r, hd_expr e) {
    return hd_expr_width(r->g, e);
}

/* ((_ extract 7 0) t), after "((". */
static hd_expr parse_indexed(script_reader *r) {
    unsigned high = 0, low = 0;
    char op[16];
    take_word(r);
    if (!is_word(r, "_"))
        return fail_at(r, "this is no operator:");
    take_word(r);
    strncpy(op, r->word, sizeof op - 1);
    op[sizeof op - 1] = '\0';
    high = take_number(r, 64);
    if (strcmp(op, "extract") == 0)
        low = take_number(r, 64);
    expect(r, ')');
    hd_expr e = parse_term(r);
    expect(r, ')');
    unsigned width = width_of(r, e);
    if (r->failed)
        return e;
    if (strcmp(op, "extract") == 0)
        return low <= high && high < width ? hd_expr_extract(r->g, e, low, high - low + 1)
                                           : fail(r, "these bits are not there");
    if (width + high > 64)
        return fail(r, "a term has more than 64 bits");
    if (strcmp(op, "zero_extend") == 0)
        return hd_expr_zext(r->g, e, width + high);
    if (strcmp(op, "sign_extend") == 0)
        return hd_expr_sext(r->g, e, width + high);
    return fail(r, "only extract, zero_extend and sign_extend have numbers");
}

static hd_expr parse_let(script_reader *r) {
    size_t before = r->bound.n;
    hd_vec(binding) new = {0};
    expect(r, '(');
    while (!r->failed && take(r, '(')) {
        take_word(r);
        binding b = {hd_text_format("%s", r->word), HD_NONE};
        b.e = parse_term(r);
        hd_vec_push(&new, b);
        expect(r, ')');
    }
    expect(r, ')');
    for (size_t i = 0; i < new.n; i++)
        hd_vec_push(&r->bound, new.at[i]);
    hd_vec_release(&new);
    hd_expr e = parse_term(r);
    unbind(r, before);
    return e;
}

/* What takes two terms, or more from the left: of what the operands are, and how. */
static const struct operation {
    const char *name;
    hd_op op;
    bool is_swapped, is_negated, is_chain, is_truth;
} operations[] = {
    {"bvadd", HD_OP_ADD, false, false, true, false},
    {"bvsub", HD_OP_SUB, false, false, false, false},
    {"bvmul", HD_OP_MUL, false, false, true, false},
    {"bvudiv", HD_OP_UDIV, false, false, false, false},
    {"bvsdiv", HD_OP_SDIV, false, false, false, false},
    {"bvurem", HD_OP_UREM, false, false, false, false},
    {"bvsrem", HD_OP_SREM, false, false, false, false},
    {"bvand", HD_OP_AND, false, false, true, false},
    {"bvor", HD_OP_OR, false, false, true, false},
    {"bvxor", HD_OP_XOR, false, false, true, false},
    {"bvshl", HD_OP_SHL, false, false, false, false},
    {"bvlshr", HD_OP_LSHR, false, false, false, false},
    {"bvashr", HD_OP_ASHR, false, false, false, false},
    {"bvult", HD_OP_ULT, false, false, false, false},
    {"bvule", HD_OP_ULE, false, false, false, false},
    {"bvugt", HD_OP_ULT, true, false, false, false},
    {"bvuge", HD_OP_ULE, true, false, false, false},
    {"bvslt", HD_OP_SLT, false, false, false, false},
    {"bvsle", HD_OP_SLE, false, false, false, false},
    {"bvsgt", HD_OP_SLT, true, false, false, false},
    {"bvsge", HD_OP_SLE, true, false, false, false},
    {"=", HD_OP_EQ, false, false, false, false},
    {"distinct", HD_OP_EQ, false, true, false, false},
    {"and", HD_OP_AND, false, false, true, true},
    {"or", HD_OP_OR, false, false, true, true},
    {"xor", HD_OP_XOR, false, false, true, true},
};

static hd_expr apply(script_reader *r, const struct operation *o, hd_expr a, hd_expr b) {
    if (width_of(r, a) != width_of(r, b) || (o->is_truth && width_of(r, a) != 1))
        return fail(r, "the operands are not of the same width");
    hd_expr e = hd_expr_binary(r->g, o->op, o->is_swapped ? b : a, o->is_swapped ? a : b);
    return o->is_negated ? hd_expr_not(r->g, e) : e;
}

static hd_expr parse_operation(script_reader *r, const struct operation *o) {
    hd_expr e = parse_term(r);
    bool needs_more = !o->is_chain;
    while (!r->failed && (needs_more || !take(r, ')'))) {
        e = apply(r, o, e, parse_term(r));
        if (!o->is_chain) {
            expect(r, ')');
            break;
        }
    }
    return e;
}

static hd_expr parse_choice(script_reader *r) {
    hd_expr c = parse_term(r), yes = parse_term(r), no = parse_term(r);
    expect(r, ')');
    if (!r->failed && (width_of(r, c) != 1 || width_of(r, yes) != width_of(r, no)))
        return fail(r, "the operands are not of the same width");
    return r->failed ? c : hd_expr_ite(r->g, c, yes, no);
}

static hd_expr parse_one(script_reader *r, bool is_truth, bool is_minus) {
    hd_expr e = parse_term(r);
    expect(r, ')');
    if (is_truth && width_of(r, e) != 1)
        return fail(r, "'not' is of formulas");
    return is_minus ? hd_expr_binary(r->g, HD_OP_SUB, hd_expr_const(r->g, width_of(r, e), 0), e)
                    : hd_expr_not(r->g, e);
}

/* Two terms: (=> a b) and (concat a b). */
static hd_expr parse_two(script_reader *r, bool is_concat) {
    hd_expr a = parse_term(r), b = parse_term(r);
    expect(r, ')');
    if (is_concat)
        return width_of(r, a) + width_of(r, b) <= 64 ? hd_expr_concat(r->g, a, b)
                                                     : fail(r, "a term has more than 64 bits");
    if (width_of(r, a) != 1 || width_of(r, b) != 1)
        return fail(r, "'=>' is of formulas");
    return hd_expr_binary(r->g, HD_OP_OR, hd_expr_not(r->g, a), b);
}

static hd_expr parse_named(script_reader *r) {
    take_word(r);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (is_word(r, operations[i].name))
            return parse_operation(r, &operations[i]);
    if (is_word(r, "_"))
        return parse_number(r);
    if (is_word(r, "ite"))
        return parse_choice(r);
    if (is_word(r, "not") || is_word(r, "bvnot") || is_word(r, "bvneg"))
        return parse_one(r, is_word(r, "not"), is_word(r, "bvneg"));
    if (is_word(r, "=>") || is_word(r, "concat"))
        return parse_two(r, is_word(r, "concat"));
    if (!is_word(r, "let"))
        return fail_at(r, "this operator is not known:");
    hd_expr e = parse_let(r);
    expect(r, ')');
    return e;
}

static hd_expr parse_list(script_reader *r) {
    return take(r, '(') ? parse_indexed(r) : parse_named(r);
}

static hd_expr parse_term(script_reader *r) {
    if (r->failed)
        return nothing(r);
    if (r->depth == MAX_DEPTH)
        return fail(r, "the term is nested too deeply");
    r->depth++;
    hd_expr e = take(r, '(') ? parse_list(r) : parse_atom(r);
    r->depth--;
    return r->failed ? nothing(r) : e;
}

/* ---- commands ---- */

/* The width of a sort; 0 and failure if it is neither Bool nor a bit-vector. */
static unsigned parse_sort(script_reader *r) {
    unsigned width = 1;
    if (take(r, '(')) {
        take_word(r);
        bool is_right = is_word(r, "_");
        take_word(r);
        if (!is_right || !is_word(r, "BitVec"))
            fail(r, "sorts are Bool and (_ BitVec N)");
        width = take_number(r, 64);
        expect(r, ')');
    } else {
        take_word(r);
        if (!is_word(r, "Bool"))
            fail(r, "sorts are Bool and (_ BitVec N)");
    }
    return r->failed ? 0 : width;
}

static void expect_no_arguments(script_reader *r) {
    expect(r, '(');
    expect(r, ')');
}

static void declare(script_reader *r, bool is_function) {
    char *where = hd_text_format("'%.200s', line %u: ", r->file, r->line);
    hd_var v = 0;
    take_word(r);
    char *name = hd_text_format("%s", r->word);
    if (is_function)
        expect_no_arguments(r);
    unsigned width = parse_sort(r);
    if (!r->failed && !hd_names_find(r->names, name, where, &v, r->err))
        r->failed = true;
    if (!r->failed && hd_variables_info(r->names->variables, v)->width != width)
        fail(r, "the input has another width than that");
    if (!r->failed)
        bind(r, name, hd_expr_var(r->g, v, width));
    free(name);
    free(where);
}

static void define(script_reader *r, bool is_function) {
    take_word(r);
    char *name = hd_text_format("%s", r->word);
    if (is_function)
        expect_no_arguments(r);
    unsigned width = parse_sort(r);
    hd_expr e = parse_term(r);
    if (!r->failed && width_of(r, e) != width)
        fail(r, "the term has another width than its name");
    if (!r->failed)
        bind(r, name, e);
    free(name);
}

static void assert_term(script_reader *r) {
    hd_expr e = parse_term(r);
    if (!r->failed && width_of(r, e) != 1)
        fail(r, "what is asserted is no formula");
    hd_vec_push(&r->asserted, e);
}

static void note_part(script_reader *r) {
    hd_conditions part = {0};
    for (size_t i = 0; i < r->asserted.n; i++)
        hd_conditions_add(r->g, &part, r->asserted.at[i]);
    hd_vec_push(r->parts, part);
}

static unsigned take_levels(script_reader *r) {
    skip_space(r);
    return *r->at == ')' ? 1 : take_number(r, 100);
}

static void push(script_reader *r) {
    for (unsigned n = take_levels(r); n > 0 && !r->failed; n--)
        hd_vec_push(&r->levels, ((level){r->asserted.n, r->bound.n}));
}

static void pop(script_reader *r) {
    for (unsigned n = take_levels(r); n > 0 && !r->failed; n--) {
        if (!r->levels.n) {
            fail(r, "there is no (push) before this (pop)");
            return;
        }
        level l = r->levels.at[--r->levels.n];
        r->asserted.n = l.n_asserted;
        unbind(r, l.n_bound);
    }
}

/* Whatever is there, up to the parenthesis that closes the command. */
static void skip_rest(script_reader *r) {
    for (unsigned depth = 0; *r->at && (depth || *r->at != ')');) {
        skip_space(r);
        if (*r->at == '(' || *r->at == ')')
            depth += *r->at++ == '(' ? 1 : -1u;
        else if (*r->at)
            take_word(r);
        if (r->failed)
            return;
        skip_space(r);
    }
}

static void run_command(script_reader *r) {
    take_word(r);
    if (is_word(r, "declare-const") || is_word(r, "declare-fun"))
        declare(r, is_word(r, "declare-fun"));
    else if (is_word(r, "define-const") || is_word(r, "define-fun"))
        define(r, is_word(r, "define-fun"));
    else if (is_word(r, "assert"))
        assert_term(r);
    else if (is_word(r, "check-sat"))
        note_part(r);
    else if (is_word(r, "push"))
        push(r);
    else if (is_word(r, "pop"))
        pop(r);
    else if (strncmp(r->word, "set-", 4) == 0 || strncmp(r->word, "get-", 4) == 0 ||
             is_word(r, "exit"))
        skip_rest(r);
    else
        fail_at(r, "this command is not known:");
    expect(r, ')');
}

bool hd_division_parse_smt(const hd_names *names, const char *file, const char *text,
                           hd_division *parts, hd_err *err) {
    script_reader r = {.names = names,
                       .g = names->graph,
                       .file = file,
                       .at = text,
                       .line = 1,
                       .parts = parts,
                       .err = err};
    for (skip_space(&r); *r.at && !r.failed; skip_space(&r)) {
        expect(&r, '(');
        if (!r.failed)
            run_command(&r);
    }
    unbind(&r, 0);
    hd_vec_release(&r.bound);
    hd_vec_release(&r.asserted);
    hd_vec_release(&r.levels);
    return !r.failed;
}
