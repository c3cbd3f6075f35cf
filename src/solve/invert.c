/* invert.c -- solve simple chains backwards, as one would by hand.
 *
 * To make x*7+3 == 24 true, make x*7+3 equal 24, so x*7 equal 21, so x equal 3.  The layer walks
 * from a constraint that does not hold down to the inputs, choosing for each operation operand
 * values that give the wanted result; the other operands keep the value they have.  The result
 * is a proposal: every constraint is then evaluated, and one that fails is repaired the same
 * way, for a few rounds.  Where several operands could give way, the bits of `choices` decide,
 * so that another attempt goes another way.
 *
 * The layer proves nothing: it finds values or passes on.  Pointers are left alone (L4). */
#include "solve/solve_int.h"

#include "base/panic.h"

enum {
    ATTEMPTS = 8,
    ROUNDS = 5,   /* repairs in one attempt */
    WORK = 1200,  /* nodes visited and constraints evaluated in one query */
    BORED = 64,   /* failures in a row after which most queries are passed on at once */
    CURIOUS = 16, /* one in so many is tried nevertheless */
};

typedef struct invert {
    const hd_task *task;
    hd_model *model;
    uint32_t choices;
    uint32_t work;
    uint32_t failures, skipped;
} invert;

static void *invert_new(hd_graph *g) {
    (void)g;
    return hd_layer_memory(sizeof(invert));
}

static bool make(invert *s, hd_expr e, uint64_t wanted);

static const hd_node *node_of(const invert *s, hd_expr e) {
    return hd_expr_node(s->task->g, e);
}

static unsigned width_of(const invert *s, hd_expr e) {
    return hd_expr_width(s->task->g, e);
}

static bool is_constant(const invert *s, hd_expr e) {
    return hd_expr_support(s->task->g, e)->n == 0;
}

/* The value before this round. */
static uint64_t now(const invert *s, hd_expr e) {
    return hd_eval_value(s->task->eval, e);
}

static bool next_choice(invert *s) {
    bool bit = s->choices & 1;
    s->choices >>= 1;
    return bit;
}

/* Should the second operand give way rather than the first? */
static bool move_second(invert *s, const hd_node *n) {
    if (is_constant(s, n->a))
        return true;
    return !is_constant(s, n->b) && next_choice(s);
}

static bool set_variable(invert *s, hd_var v, uint64_t value) {
    HD_CHECK((value & ~hd_mask(hd_task_width(s->task, v))) == 0);
    if (hd_task_is_pointer(s->task, v))
        return false;
    hd_model_set(s->model, v, value);
    return true;
}

static bool make_sum(invert *s, const hd_node *n, uint64_t wanted) {
    return move_second(s, n) ? make(s, n->b, wanted - now(s, n->a))
                             : make(s, n->a, wanted - now(s, n->b));
}

static bool make_difference(invert *s, const hd_node *n, uint64_t wanted) {
    return move_second(s, n) ? make(s, n->b, now(s, n->a) - wanted)
                             : make(s, n->a, wanted + now(s, n->b));
}

static uint64_t inverse_of_odd(uint64_t x) {
    HD_ASSERT(x & 1);
    uint64_t y = x; /* right in the lowest three bits; each step doubles that */
    for (int i = 0; i < 5; i++)
        y *= 2 - x * y;
    HD_ASSERT(x * y == 1);
    return y;
}

/* x * factor == wanted: divide out the power of two, invert the odd rest. */
static bool make_product(invert *s, const hd_node *n, uint64_t wanted) {
    bool second = move_second(s, n);
    hd_expr moved = second ? n->b : n->a;
    uint64_t factor = now(s, second ? n->a : n->b);
    if (!factor)
        return false;
    unsigned zeros = (unsigned)__builtin_ctzll(factor);
    HD_ASSERT(zeros < n->width);
    if (wanted & hd_mask(zeros))
        return false;
    uint64_t low = (wanted >> zeros) * inverse_of_odd(factor >> zeros);
    uint64_t free_bits = ~hd_mask(n->width - zeros);
    return make(s, moved, (low & ~free_bits) | (now(s, moved) & free_bits));
}

static bool make_quotient(invert *s, const hd_node *n, uint64_t wanted) {
    uint64_t divisor = now(s, n->b);
    if (!divisor || is_constant(s, n->a))
        return false;
    uint64_t rest = n->op == HD_OP_UDIV ? now(s, n->a) % divisor : 0;
    return make(s, n->a, next_choice(s) ? wanted * divisor : wanted * divisor + rest);
}

/* Keep the quotient, change the rest. */
static bool make_remainder(invert *s, const hd_node *n, uint64_t wanted) {
    uint64_t old = now(s, n->a), divisor = now(s, n->b);
    if (!divisor || is_constant(s, n->a))
        return false;
    uint64_t rest = hd_op_apply(n->op, n->width, old, divisor);
    return make(s, n->a, next_choice(s) ? wanted : old - rest + wanted);
}

static bool make_unless_there(invert *s, hd_expr e, uint64_t wanted) {
    return now(s, e) == wanted || make(s, e, wanted);
}

/* Two operands may share inputs: the second must see what the first has set. */
static bool make_both(invert *s, const hd_node *n, uint64_t a, uint64_t b) {
    if (!make_unless_there(s, n->a, a))
        return false;
    hd_eval_begin(s->task->eval, s->model);
    return make_unless_there(s, n->b, b);
}

/* Bits that `e` can have at all, as far as a quick look tells. */
static uint64_t possible_bits(const invert *s, hd_expr e, int depth) {
    const hd_node *n = node_of(s, e);
    uint64_t all = hd_mask(n->width);
    if (is_constant(s, e))
        return now(s, e);
    if (!depth)
        return all;
    bool by_constant = (n->op == HD_OP_SHL || n->op == HD_OP_LSHR) && is_constant(s, n->b);
    if (by_constant && now(s, n->b) < n->width)
        return hd_op_apply(n->op, n->width, possible_bits(s, n->a, depth - 1), now(s, n->b));
    if (n->op == HD_OP_ZEXT)
        return possible_bits(s, n->a, depth - 1);
    if (n->op == HD_OP_AND)
        return possible_bits(s, n->a, depth - 1) & possible_bits(s, n->b, depth - 1);
    if (n->op == HD_OP_OR)
        return possible_bits(s, n->a, depth - 1) | possible_bits(s, n->b, depth - 1);
    return all;
}

enum { LOOK = 3 }; /* depth of the quick look */

/* Bits that must be one are set on both sides; a bit that must be zero but is one on both
 * sides is cleared on one. */
static bool make_and(invert *s, const hd_node *n, uint64_t wanted) {
    uint64_t a = now(s, n->a) | wanted, b = now(s, n->b) | wanted;
    if (move_second(s, n))
        b &= ~(a & ~wanted);
    else
        a &= ~(b & ~wanted);
    return make_both(s, n, a, b);
}

/* A bit that is missing goes to a side that can have it. */
static bool make_or(invert *s, const hd_node *n, uint64_t wanted) {
    uint64_t can_a = possible_bits(s, n->a, LOOK), can_b = possible_bits(s, n->b, LOOK);
    uint64_t a = now(s, n->a) & wanted, b = now(s, n->b) & wanted, missing = wanted & ~(a | b);
    if (missing & ~(can_a | can_b))
        return false;
    bool second = move_second(s, n);
    a |= missing & (second ? ~can_b : can_a);
    b |= missing & (second ? can_b : ~can_a);
    return make_both(s, n, a, b);
}

/* Sums and exclusive ors of disjoint bits are disjunctions: rotations are written so. */
static bool is_disjoint(const invert *s, const hd_node *n) {
    return !is_constant(s, n->a) && !is_constant(s, n->b) &&
           !(possible_bits(s, n->a, LOOK) & possible_bits(s, n->b, LOOK));
}

static bool make_xor(invert *s, const hd_node *n, uint64_t wanted) {
    return move_second(s, n) ? make(s, n->b, wanted ^ now(s, n->a))
                             : make(s, n->a, wanted ^ now(s, n->b));
}

/* Bits that the shift throws away keep their value. */
static bool make_shift(invert *s, const hd_node *n, uint64_t wanted) {
    uint64_t by = now(s, n->b), old = now(s, n->a);
    if (by >= n->width || is_constant(s, n->a))
        return false;
    if (n->op == HD_OP_SHL)
        return make(s, n->a, wanted >> by | (old & ~hd_mask(n->width - (unsigned)by)));
    return make(s, n->a, wanted << by | (old & ((UINT64_C(1) << by) - 1)));
}

static bool make_concat(invert *s, const hd_node *n, uint64_t wanted) {
    unsigned low = width_of(s, n->b);
    HD_ASSERT(low < n->width);
    return make_both(s, n, wanted >> low, wanted & hd_mask(low));
}

static bool make_extract(invert *s, const hd_node *n, uint64_t wanted) {
    HD_ASSERT(n->aux + n->width <= width_of(s, n->a));
    uint64_t field = hd_mask(n->width) << n->aux;
    return make(s, n->a, (now(s, n->a) & ~field) | wanted << n->aux);
}

/* A branch that is a constant decides by itself whether it can be the one. */
static bool make_ite(invert *s, const hd_node *n, uint64_t wanted) {
    bool can_be_then = !is_constant(s, n->b) || now(s, n->b) == wanted;
    bool can_be_else = !is_constant(s, n->c) || now(s, n->c) == wanted;
    bool is_then = now(s, n->a);
    if (can_be_then && can_be_else)
        is_then ^= next_choice(s);
    else if (can_be_then != can_be_else)
        is_then = can_be_then;
    else
        return false;
    return make_unless_there(s, n->a, is_then) &&
           make_unless_there(s, is_then ? n->b : n->c, wanted);
}

/* Some element has the wanted value: point the index there. */
static bool make_read(invert *s, const hd_node *n, uint64_t wanted) {
    uint32_t size = hd_table_size(s->task->g, n->a), found = UINT32_MAX;
    const hd_expr *elements = hd_table_elements(s->task->g, n->a);
    for (uint32_t i = 0; i < size && s->work; i++, s->work--) {
        if (now(s, elements[i]) != wanted)
            continue;
        found = i;
        if (!next_choice(s))
            break;
    }
    if (found != UINT32_MAX && !is_constant(s, n->b))
        return make(s, n->b, found);
    uint64_t index = now(s, n->b);
    return index < size && make(s, elements[index], wanted);
}

static bool make_equal(invert *s, const hd_node *n, bool wanted) {
    bool second = move_second(s, n);
    uint64_t other = now(s, second ? n->a : n->b);
    uint64_t distance = wanted ? 0 : next_choice(s) ? UINT64_MAX : 1;
    return make(s, second ? n->b : n->a, other + distance);
}

static bool is_signed_op(const hd_node *n) {
    return n->op == HD_OP_SLT || n->op == HD_OP_SLE;
}

/* The end of the numbers of this width: the largest, or the smallest. */
static uint64_t extreme(const hd_node *n, unsigned width, bool largest) {
    if (!is_signed_op(n))
        return largest ? hd_mask(width) : 0;
    return largest ? hd_mask(width - 1) : UINT64_C(1) << (width - 1);
}

/* a < b, a <= b or the opposite: the side that moves goes just far enough, or to the end. */
static bool make_ordered(invert *s, const hd_node *n, bool wanted) {
    bool second = move_second(s, n), is_strict = n->op == HD_OP_ULT || n->op == HD_OP_SLT;
    unsigned width = width_of(s, n->a);
    uint64_t other = now(s, second ? n->a : n->b);
    bool upwards = second == wanted;
    if (other == extreme(n, width, upwards) && is_strict == wanted)
        return false;
    uint64_t near = is_strict == wanted ? (upwards ? other + 1 : other - 1) : other;
    uint64_t target = next_choice(s) ? extreme(n, width, upwards) : near;
    return make(s, second ? n->b : n->a, target);
}

static bool make_extended(invert *s, const hd_node *n, uint64_t wanted) {
    unsigned width = width_of(s, n->a);
    uint64_t kept = n->op == HD_OP_ZEXT ? wanted & hd_mask(width)
                                        : (uint64_t)hd_signed(wanted, width) & hd_mask(n->width);
    return kept == wanted && make(s, n->a, wanted);
}

static bool make_operation(invert *s, const hd_node *n, uint64_t wanted) {
    switch (n->op) {
    case HD_OP_VAR:
        return set_variable(s, n->a, wanted);
    case HD_OP_NOT:
        return make(s, n->a, ~wanted);
    case HD_OP_ADD:
        return is_disjoint(s, n) ? make_or(s, n, wanted) : make_sum(s, n, wanted);
    case HD_OP_SUB:
        return make_difference(s, n, wanted);
    case HD_OP_MUL:
        return make_product(s, n, wanted);
    case HD_OP_UDIV:
    case HD_OP_SDIV:
        return make_quotient(s, n, wanted);
    case HD_OP_UREM:
    case HD_OP_SREM:
        return make_remainder(s, n, wanted);
    case HD_OP_AND:
        return make_and(s, n, wanted);
    case HD_OP_OR:
        return make_or(s, n, wanted);
    case HD_OP_XOR:
        return is_disjoint(s, n) ? make_or(s, n, wanted) : make_xor(s, n, wanted);
    case HD_OP_SHL:
    case HD_OP_LSHR:
    case HD_OP_ASHR:
        return make_shift(s, n, wanted);
    case HD_OP_EQ:
        return make_equal(s, n, wanted);
    case HD_OP_ULT:
    case HD_OP_ULE:
    case HD_OP_SLT:
    case HD_OP_SLE:
        return make_ordered(s, n, wanted);
    case HD_OP_ZEXT:
    case HD_OP_SEXT:
        return make_extended(s, n, wanted);
    case HD_OP_EXTRACT:
        return make_extract(s, n, wanted);
    case HD_OP_CONCAT:
        return make_concat(s, n, wanted);
    case HD_OP_ITE:
        return make_ite(s, n, wanted);
    case HD_OP_READ:
        return make_read(s, n, wanted);
    default:
        return false;
    }
}

/* Propose inputs that give `e` the wanted value.  The depth is bounded by the work allowed. */
static bool make(invert *s, hd_expr e, uint64_t wanted) {
    if (!s->work || is_constant(s, e))
        return false;
    s->work--;
    HD_ASSERT(s->work < WORK);
    return make_operation(s, node_of(s, e), wanted & hd_mask(width_of(s, e)));
}

/* The first constraint that does not hold, the goal before all; HD_NONE if all hold. */
static hd_expr find_violated(invert *s) {
    const hd_task *t = s->task;
    hd_eval_begin(t->eval, s->model);
    for (size_t i = t->constraints.n; i-- > 0;) {
        if (!hd_eval_value(t->eval, t->constraints.at[i]))
            return t->constraints.at[i];
        s->work -= s->work > 0;
    }
    return HD_NONE;
}

static void start_from_hint(invert *s) {
    const hd_task *t = s->task;
    HD_ASSERT(t->vars.n > 0);
    for (size_t i = 0; i < t->vars.n; i++)
        hd_model_set(s->model, t->vars.at[i], hd_model_get(t->query->hint, t->vars.at[i]));
}

/* Repair until all constraints hold.  Later rounds take their choices from the same number. */
static bool attempt(invert *s, uint32_t number) {
    start_from_hint(s);
    s->choices = number;
    for (int round = 0; round <= ROUNDS && s->work; round++) {
        hd_expr violated = find_violated(s);
        if (violated == HD_NONE)
            return true;
        if (round == ROUNDS || !make(s, violated, 1))
            return false;
    }
    return false;
}

/* What the order layer understands completely it also decides completely. */
static bool is_for_order(const hd_task *t) {
    if (!t->options->enabled[HD_LAYER_ORDER])
        return false;
    for (size_t i = t->constraints.n; i-- > 0;)
        if (!hd_order_understands(t->g, t->constraints.at[i]))
            return false;
    return true;
}

static bool applies(void *self, const hd_task *t) {
    (void)self;
    return t->vars.n && !is_for_order(t);
}

static hd_verdict ask(void *self, hd_task *t, hd_model *model) {
    invert *s = self;
    if (s->failures >= BORED && ++s->skipped % CURIOUS)
        return HD_UNKNOWN;
    s->task = t;
    s->model = model;
    s->work = WORK;
    for (uint32_t number = 0; number < ATTEMPTS && s->work; number++)
        if (attempt(s, number)) {
            s->failures = 0;
            HD_CHECK_INVARIANT(L1, hd_task_holds(t, model));
            return HD_SAT;
        }
    s->failures++;
    return HD_UNKNOWN;
}

const hd_layer_kind hd_layer_invert = {
    .new = invert_new, .free = free, .applies = applies, .ask = ask};
