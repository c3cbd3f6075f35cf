/* Evaluation of expressions under a model, remembering each node's value.
 *
 * A value counts if its stamp is that of the current begin, so beginning costs nothing.  An
 * explicit stack stands in for recursion: a long loop builds chains deeper than a C stack.
 * Choices and table reads look only at the arm that the values select. */
#include "symbolic/model.h"

#include "base/reserve.h"
#include "base/vec.h"
#include "symbolic/symbolic_int.h"
#include "symbolic/undefined.h"

typedef struct known_value {
    uint64_t value;
    uint32_t stamp;
} known_value;

struct hd_eval {
    const hd_graph *g;
    const hd_model *model;
    known_value *known; /* by node */
    uint32_t stamp;
    hd_vec(hd_expr) todo;
};

#define KNOWN_SIZE (HD_MAX_NODES * sizeof(known_value))

hd_eval *hd_eval_new(const hd_graph *g) {
    hd_eval *ev = calloc(1, sizeof *ev);
    if (!ev)
        hd_out_of_memory();
    ev->g = g;
    ev->known = hd_reserve_new(KNOWN_SIZE, false);
    return ev;
}

void hd_eval_free(hd_eval *ev) {
    if (!ev)
        return;
    hd_reserve_free(ev->known, KNOWN_SIZE);
    hd_vec_release(&ev->todo);
    free(ev);
}

void hd_eval_begin(hd_eval *ev, const hd_model *m) {
    ev->model = m;
    if (++ev->stamp == 0) { /* stamps of 2^32 begins ago would look fresh */
        hd_reserve_clear(ev->known, KNOWN_SIZE);
        ev->stamp = 1;
    }
    HD_CHECK(ev->model && ev->stamp);
}

/* The value of an operand if it is known; else put it on the stack and say so. */
static inline bool is_ready(hd_eval *ev, hd_expr e, uint64_t *value) {
    HD_CHECK_INVARIANT(E3, e != HD_NONE);
    if (ev->known[e].stamp == ev->stamp) {
        *value = ev->known[e].value;
        return true;
    }
    if (hd_expr_is_const(ev->g, e)) {
        *value = hd_expr_value(ev->g, e);
        return true;
    }
    hd_vec_push(&ev->todo, e);
    return false;
}

static bool read_table(hd_eval *ev, const hd_node *n, uint64_t *value) {
    uint64_t index;
    if (!is_ready(ev, n->b, &index))
        return false;
    if (index >= hd_table_size(ev->g, n->a)) {
        *value = 0;
        return true;
    }
    return is_ready(ev, hd_table_elements(ev->g, n->a)[index], value);
}

static bool apply_binary(hd_eval *ev, const hd_node *n, uint64_t *value) {
    uint64_t x, y;
    bool is_left_ready = is_ready(ev, n->a, &x);
    if (!is_ready(ev, n->b, &y) || !is_left_ready)
        return false;
    if (n->op == HD_OP_CONCAT)
        *value = x << hd_expr_width(ev->g, n->b) | y;
    else
        *value = hd_op_apply((hd_op)n->op, hd_expr_width(ev->g, n->a), x, y);
    return true;
}

/* The value of `n` if all it needs is known; else the missing operands are on the stack. */
static bool compute(hd_eval *ev, const hd_node *n, uint64_t *value) {
    uint64_t x;
    switch ((hd_op)n->op) {
    case HD_OP_CONST:
        *value = (uint64_t)n->b << 32 | n->a;
        return true;
    case HD_OP_VAR:
        *value = n->a == HD_UNDEFINED ? HD_UNDEFINED_VALUE : hd_model_get(ev->model, n->a);
        *value &= hd_mask(n->width);
        return true;
    case HD_OP_READ:
        return read_table(ev, n, value);
    case HD_OP_ITE:
        return is_ready(ev, n->a, &x) && is_ready(ev, x ? n->b : n->c, value);
    case HD_OP_NOT:
    case HD_OP_ZEXT:
    case HD_OP_SEXT:
    case HD_OP_EXTRACT:
        break;
    default:
        return apply_binary(ev, n, value);
    }
    if (!is_ready(ev, n->a, &x))
        return false;
    if (n->op == HD_OP_SEXT)
        x = (uint64_t)hd_signed(x, hd_expr_width(ev->g, n->a));
    *value = (n->op == HD_OP_NOT ? ~x : x >> n->aux) & hd_mask(n->width);
    return true;
}

static void remember(hd_eval *ev, hd_expr e, uint64_t value) {
    HD_CHECK((value & ~hd_mask(hd_expr_width(ev->g, e))) == 0);
    HD_CHECK((value & hd_expr_zeros(ev->g, e)) == 0); /* zeros.c is right about this value */
    ev->known[e].value = value;
    ev->known[e].stamp = ev->stamp;
}

static __attribute__((noinline)) uint64_t evaluate(hd_eval *ev, hd_expr e) {
    uint64_t value = 0;
    hd_vec_clear(&ev->todo);
    if (is_ready(ev, e, &value))
        return value;
    while (ev->todo.n) {
        hd_expr top = ev->todo.at[ev->todo.n - 1];
        size_t n = ev->todo.n;
        if (compute(ev, hd_expr_node(ev->g, top), &value)) {
            remember(ev, top, value);
            ev->todo.n = n - 1;
        }
    }
    return value;
}

uint64_t hd_eval_value(hd_eval *ev, hd_expr e) {
    HD_CHECK(e < ev->g->n_nodes);
    const known_value *known = &ev->known[e];
    return __builtin_expect(known->stamp == ev->stamp, 1) ? known->value : evaluate(ev, e);
}

void hd_eval_tell(hd_eval *ev, hd_expr e, uint64_t value) {
    HD_CHECK(ev->known[e].stamp == ev->stamp || evaluate(ev, e) == value);
    remember(ev, e, value);
}
