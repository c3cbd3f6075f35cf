/* solve_int.h -- what the layers of the solver chain share.
 *
 * A layer is one row of functions over its own state.  The chain hands the same task to one
 * layer after the other until one of them decides it.
 *
 * L1. A layer that says HD_SAT has put values for the task's variables into the model, and
 *     they were checked by evaluating every constraint of the task.
 * L2. A layer that says HD_UNSAT has proved it from the task's constraints, and has listed in
 *     `core` constraints that cannot hold together, or has left `core` empty.
 * Promise (tests/property/property_solve.c): HD_UNKNOWN means "ask the next one"; the model may
 *     then hold anything, and does in the hostile build.
 * L4. A pointer variable is NULL, its own object, an address that the slice mentions or the
 *     address that the hint gives it, and nothing else (pointers.c).
 * Not here: the public contract (chain.h), gates (bits.h). */
#ifndef HD_SOLVE_SOLVE_INT_H
#define HD_SOLVE_SOLVE_INT_H
#include "solve/chain.h"

typedef hd_vec(hd_expr) hd_constraints;
typedef hd_vec(hd_var) hd_vars;

typedef struct hd_task {
    hd_graph *g;
    const hd_variables *variables;
    const hd_chain_options *options;
    const hd_query *query;
    hd_eval *eval;

    hd_constraints constraints; /* those of the slice, then the goal; empty before slicing */
    hd_vars vars;               /* all variables of the constraints; those of the goal first */
    uint32_t n_goal_vars;       /* how many of them are the goal's */
    uint32_t n_narrow;          /* how many have at most 8 bits */
    bool has_pointers;          /* some variable is a pointer */
    hd_constraints ranges;      /* L4 as constraints, made by hd_pointers_ranges() when needed */
    bool ranges_are_tight; /* the ranges leave out values that a pointer could have: what they have
                            * no solution for may have one (pointers.c) */

    hd_constraints core; /* L2 */
} hd_task;

typedef struct hd_layer_kind {
    void *(*new)(hd_graph *g);
    void (*free)(void *self);
    /* Expression ids are void from now on; NULL if the layer keeps none. */
    void (*forget)(void *self);
    /* Is the layer worth asking?  One that does not apply is not counted; NULL means always. */
    bool (*applies)(void *self, const hd_task *t);
    hd_verdict (*ask)(void *self, hd_task *t, hd_model *model);
    /* Hear what a later layer found out; NULL if it does not matter. */
    void (*learn)(void *self, const hd_task *t, hd_verdict verdict, const hd_model *model);
} hd_layer_kind;

#define X(name, symbol, what) extern const hd_layer_kind hd_layer_##symbol;
HD_LAYERS(X)
#undef X

/* Zeroed memory for a layer's state; never NULL. */
void *hd_layer_memory(size_t size);

/* Take the whole prefix and the goal: what slicing does when it is switched off. */
void hd_task_take_all(hd_task *t);
/* Find the variables of the constraints, and put the hint's values for them into `model`. */
void hd_task_gather(hd_task *t, hd_model *model);
/* Do all constraints hold under `model`?  Asks the goal first, because it fails most often. */
bool hd_task_holds(const hd_task *t, const hd_model *model);
/* Checks of C2 and L2: is there no model, as far as trying all values of a few bits can tell?  Is
 * the core a part of the constraints? */
bool hd_task_has_no_model(const hd_task *t);
bool hd_task_has_core(const hd_task *t);
/* When a query must stop: it has used its processor time, or the user's time is over (T1 of
 * base/clock.h). */
typedef struct hd_budget {
    double cpu_end;  /* hd_clock_cpu() value */
    double deadline; /* hd_clock_now() value, 0 = none */
} hd_budget;
/* The budget of a query that starts now, on this thread. */
hd_budget hd_task_budget(const hd_task *t);
/* `cpu` is the processor time that the thread of the query has used by now. */
bool hd_budget_is_spent(const hd_budget *b, double cpu);

static inline hd_expr hd_task_goal(const hd_task *t) {
    return t->constraints.at[t->constraints.n - 1];
}
static inline bool hd_task_is_pointer(const hd_task *t, hd_var v) {
    return hd_variables_info(t->variables, v)->kind == HD_VAR_POINTER;
}
/* Does the value of an expression depend on a pointer? */
static inline bool hd_task_mentions_pointer(const hd_task *t, hd_expr e) {
    const hd_support *support = hd_expr_support(t->g, e);
    for (uint32_t i = 0; i < support->n; i++)
        if (hd_task_is_pointer(t, support->v[i]))
            return true;
    return false;
}
static inline unsigned hd_task_width(const hd_task *t, hd_var v) {
    return hd_variables_info(t->variables, v)->width;
}

/* pointers.c: fill t->ranges, one constraint for each pointer variable (L4).  Idempotent. */
void hd_pointers_ranges(hd_task *t);
/* Does L4 allow `value` for the pointer variable `v` in this task? */
bool hd_pointers_may_be(const hd_task *t, hd_var v, uint64_t value);
/* Does L4 hold of all pointers of the task under `model`? */
bool hd_pointers_are_allowed(const hd_task *t, const hd_model *model);
/* Would the constraints of the task, as they are now, have fewer objects that pointers of two types
 * could share? */
bool hd_pointers_lose_objects(const hd_task *t, const hd_constraints *before);

/* Are pointers to be equal and to differ, whatever values they may have?  `self` is a state of the
 * layer of pointers. */
bool hd_pointers_contradict(void *self, const hd_task *t);

/* rewrite.c: put the equalities of pointers that the constraints state into the others; true
 * if anything changed.  What the constraints mean together stays the same. */
bool hd_rewrite_pointers(hd_task *t);

/* dump.c: the constraints as a script of SMT-LIB, with the answer that `layer` gave.  Not for tasks
 * with pointers, of which the constraints alone do not say which objects they may share. */
void hd_task_dump(const hd_task *t, const char *layer, hd_verdict verdict, double seconds, int to);

/* order.c: is `e` (or its negation) a comparison that the order layer understands? */
bool hd_order_understands(const hd_graph *g, hd_expr e);

/* The low `width` bits as a signed number. */
static inline int64_t hd_signed(uint64_t value, unsigned width) {
    return (int64_t)(value << (64 - width)) >> (64 - width);
}
#endif
