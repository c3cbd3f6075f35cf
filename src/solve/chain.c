/* chain.c -- ask one layer after the other, count who decided, and merge the answer.
 *
 * Asking the system for the time costs as much as deciding a query over one byte, so layers
 * are timed in ticks of the processor, which become seconds when somebody asks.  Even these are
 * asked for once a layer only: its time is that since the layer before it. */
#include "solve/chain.h"

#include "base/clock.h"
#include "base/hostile.h"
#include "base/panic.h"
#include "solve/solve_int.h"

#include <stdio.h>
#include <string.h>

static const hd_layer_kind *const layers[HD_N_LAYERS] = {
#define X(name, symbol, what) &hd_layer_##symbol,
    HD_LAYERS(X)
#undef X
};

static const char *const layer_names[HD_N_LAYERS] = {
#define X(name, symbol, what) #symbol,
    HD_LAYERS(X)
#undef X
};

struct hd_chain {
    hd_chain_options options;
    hd_chain_counters counters;
    hd_task task;
    hd_model model; /* what the layers write; knows exactly the variables of the task */
    void *self[HD_N_LAYERS];
    double born; /* when, by the clock and by the processor */
    unsigned long long born_ticks;
    unsigned long long ticks, layer_ticks[HD_N_LAYERS];
    unsigned long long now; /* when the last layer was done, or the query began */
    uint64_t hostility;
};

hd_chain_options hd_chain_defaults(void) {
    hd_chain_options o = {.query_seconds = 10, .blast_conflicts = 20000};
    for (int i = 0; i < HD_N_LAYERS; i++)
        o.enabled[i] = true;
    return o;
}

static int layer_named(const char *name, size_t length) {
    for (int i = 0; i < HD_N_LAYERS; i++)
        if (strlen(layer_names[i]) == length && !memcmp(layer_names[i], name, length))
            return i;
    return -1;
}

static bool complain(hd_err *err, const char *name, size_t length) {
    hd_err_set(err, "there is no solver layer '%.*s'", (int)length, name);
    char known[256] = "";
    for (int i = 0; i < HD_N_LAYERS; i++) {
        size_t at = strlen(known);
        snprintf(known + at, sizeof known - at, "%s%s", i ? ", " : "", layer_names[i]);
    }
    return hd_err_hint(err, "the layers are %s; 'all' means all of them, '-cache' all but one",
                       known);
}

static bool parse_name(const char *name, size_t length, bool *enabled, hd_err *err) {
    bool off = length > 0 && name[0] == '-';
    if (!off && length == 3 && !memcmp(name, "all", 3)) {
        memset(enabled, true, HD_N_LAYERS * sizeof *enabled);
        return true;
    }
    int layer = layer_named(name + off, length - off);
    HD_ASSERT(layer < HD_N_LAYERS);
    if (layer < 0)
        return complain(err, name, length);
    enabled[layer] = !off;
    return true;
}

/* A list that starts with a name says what is on; one that starts with a minus, what is off. */
bool hd_chain_parse(const char *text, hd_chain_options *options, hd_err *err) {
    bool enabled[HD_N_LAYERS];
    memset(enabled, text[0] == '-', sizeof enabled);
    for (const char *at = text;;) {
        size_t length = strcspn(at, ",");
        if (!parse_name(at, length, enabled, err))
            return false;
        if (!at[length])
            break;
        at += length + 1;
    }
    memcpy(options->enabled, enabled, sizeof enabled);
    return true;
}

hd_chain *hd_chain_new(hd_graph *g, const hd_variables *variables,
                       const hd_chain_options *options) {
    HD_ASSERT(g && variables);
    HD_ASSERT(options->query_seconds >= 0);
    hd_chain *c = calloc(1, sizeof *c);
    if (!c)
        hd_out_of_memory();
    c->options = *options;
    c->task.g = g;
    c->task.variables = variables;
    c->task.options = &c->options;
    c->task.eval = hd_eval_new(g);
    c->born = hd_clock_now();
    c->born_ticks = hd_clock_ticks();
    for (int i = 0; i < HD_N_LAYERS; i++)
        if (layers[i]->new && options->enabled[i])
            c->self[i] = layers[i]->new(g);
    return c;
}

void hd_chain_free(hd_chain *c) {
    if (!c)
        return;
    for (int i = 0; i < HD_N_LAYERS; i++)
        if (c->self[i])
            layers[i]->free(c->self[i]);
    hd_eval_free(c->task.eval);
    hd_model_release(&c->model);
    hd_vec_release(&c->task.constraints);
    hd_vec_release(&c->task.vars);
    hd_vec_release(&c->task.ranges);
    hd_vec_release(&c->task.core);
    free(c);
}

void hd_chain_forget(hd_chain *c) {
    for (int i = 0; i < HD_N_LAYERS; i++)
        if (c->self[i] && layers[i]->forget)
            layers[i]->forget(c->self[i]);
    hd_eval_free(c->task.eval);
    c->task.eval = hd_eval_new(c->task.g);
}

void hd_chain_set_deadline(hd_chain *c, double deadline) {
    c->options.deadline = deadline;
}

static double seconds_of_tick(const hd_chain *c) {
    double ticks = (double)(hd_clock_ticks() - c->born_ticks);
    return ticks > 0 ? (hd_clock_now() - c->born) / ticks : 0;
}

const hd_chain_counters *hd_chain_counted(hd_chain *c) {
    double a_tick = seconds_of_tick(c);
    c->counters.seconds = (double)c->ticks * a_tick;
    for (int i = 0; i < HD_N_LAYERS; i++)
        c->counters.layer[i].seconds = (double)c->layer_ticks[i] * a_tick;
    return &c->counters;
}

static hd_verdict ask_layer(hd_chain *c, int layer) {
    c->counters.layer[layer].asked++;
    HD_ASSERT(!layers[layer]->new || c->self[layer]); /* a layer with a state has one */
    hd_verdict verdict = layers[layer]->ask(c->self[layer], &c->task, &c->model);
    HD_ASSERT(verdict == HD_UNSAT || verdict == HD_SAT || verdict == HD_UNKNOWN);
    HD_INVARIANT(L2, verdict == HD_UNSAT || c->task.core.n == 0);
    unsigned long long now = hd_clock_ticks();
    c->layer_ticks[layer] += now - c->now;
    c->now = now;
    return verdict;
}

/* Layers may give up: z3, behind which there is nobody, and blast less often than the others. */
static bool gives_up(hd_chain *c, int layer) {
    unsigned odds = layer == HD_LAYER_Z3 ? 64 : layer == HD_LAYER_BLAST ? 16 : 4;
    return layer > HD_LAYER_SLICE && hd_hostile_strikes(&c->hostility, odds);
}

static bool should_ask(const hd_chain *c, int layer) {
    return c->options.enabled[layer] &&
           (!layers[layer]->applies || layers[layer]->applies(c->self[layer], &c->task));
}

/* From the constraints of the path to those of the task. */
static void prepare(hd_chain *c) {
    if (!c->options.enabled[HD_LAYER_SLICE])
        hd_task_take_all(&c->task);
    HD_ASSERT(c->task.constraints.n >= 1 && hd_task_goal(&c->task) == c->task.query->goal);
    HD_ASSERT(c->task.constraints.n <= (size_t)c->task.query->n + 1);
    c->counters.constraints_before += c->task.query->n + 1;
    c->counters.constraints_after += c->task.constraints.n;
    hd_task_gather(&c->task, &c->model);
    if (c->task.has_pointers && c->options.enabled[HD_LAYER_POINTERS] &&
        hd_rewrite_pointers(&c->task))
        hd_task_gather(&c->task, &c->model);
}

/* Whoever relies on what an earlier layer left in the model is seen in the hostile build. */
static void spoil_model(hd_chain *c) {
    for (size_t i = 0; i < c->task.vars.n && !c->task.has_pointers; i++) {
        hd_var v = c->task.vars.at[i];
        hd_model_set(&c->model, v,
                     hd_random_next(&c->hostility) & hd_mask(hd_task_width(&c->task, v)));
    }
}

/* Which layer decided, or the last one asked; -1 if none was. */
static hd_verdict ask_all(hd_chain *c, int *decided) {
    *decided = -1;
    for (int i = 0; i < HD_N_LAYERS; i++) {
        if (i == HD_LAYER_SLICE + 1)
            prepare(c);
        if (!should_ask(c, i))
            continue;
        *decided = i;
        hd_verdict verdict = ask_layer(c, i);
        if (verdict != HD_UNKNOWN && !gives_up(c, i))
            return verdict;
        hd_vec_clear(&c->task.core); /* of a layer that gave up */
        if (HD_HOSTILE(false, i > HD_LAYER_SLICE))
            spoil_model(c);
    }
    return HD_UNKNOWN;
}

/* What a verdict promises, checked again where that costs too much for every query. */
static void check_verdict(hd_chain *c, hd_verdict verdict) {
    (void)c;
    if (verdict == HD_SAT) {
        HD_CHECK_INVARIANT(C1, hd_task_holds(&c->task, &c->model));
        HD_CHECK_INVARIANT(L4, hd_pointers_are_allowed(&c->task, &c->model));
    } else if (verdict == HD_UNSAT) {
        HD_CHECK_INVARIANT(C2, hd_task_has_no_model(&c->task));
        HD_CHECK_INVARIANT(L2, hd_task_has_core(&c->task));
    }
}

static void tell_earlier_layers(hd_chain *c, int decided, hd_verdict verdict) {
    for (int i = 0; i < decided; i++)
        if (layers[i]->learn && should_ask(c, i))
            layers[i]->learn(c->self[i], &c->task, verdict, &c->model);
}

static void count(hd_chain_counters *n, int decided, hd_verdict verdict) {
    HD_ASSERT(decided >= 0 || verdict == HD_UNKNOWN); /* somebody has decided */
    hd_layer_counters unasked = {0}, *layer = decided < 0 ? &unasked : &n->layer[decided];
    n->queries++;
    if (verdict == HD_SAT)
        n->sat++, layer->sat++;
    else if (verdict == HD_UNSAT)
        n->unsat++, layer->unsat++;
    else
        n->unknown++, layer->unknown++;
    HD_ASSERT(n->sat + n->unsat + n->unknown == n->queries);
    HD_ASSERT(layer->sat + layer->unsat + layer->unknown <= n->queries);
}

/* Is `out` the hint but for the variables of the slice? */
static bool differs_in_slice_only(const hd_chain *c, const hd_model *out) {
    const hd_model *hint = c->task.query->hint;
    for (hd_var v = 0; v < hint->n && out != hint; v++)
        if (hd_model_has(hint, v) && !hd_model_has(&c->model, v) &&
            hd_model_get(out, v) != hd_model_get(hint, v))
            return false;
    return true;
}

/* C3: the hint, but for the variables of the slice. */
static void merge(const hd_chain *c, int decided, hd_model *out) {
    if (out != c->task.query->hint)
        hd_model_copy(out, c->task.query->hint);
    if (decided <= HD_LAYER_SLICE)
        return;
    for (size_t i = 0; i < c->task.vars.n; i++) {
        hd_var v = c->task.vars.at[i];
        hd_model_set(out, v, hd_model_get(&c->model, v));
    }
}

/* What contradiction and slice decide is no question to a solver. */
static void dump(hd_chain *c, int decided, hd_verdict verdict, unsigned long long ticks) {
    if (c->options.dump_to && decided > HD_LAYER_SLICE && !c->task.has_pointers)
        hd_task_dump(&c->task, layer_names[decided], verdict, (double)ticks * seconds_of_tick(c),
                     c->options.dump_to);
}

hd_verdict hd_chain_solve(hd_chain *c, const hd_query *q, hd_model *out) {
    unsigned long long start = hd_clock_ticks();
    HD_ASSERT(q->goal != HD_NONE);
    HD_CHECK(hd_expr_width(c->task.g, q->goal) == 1);
    c->now = start;
    c->task.query = q;
    hd_vec_clear(&c->task.core);
    int decided;
    hd_verdict verdict = ask_all(c, &decided);
    if (decided > HD_LAYER_SLICE)
        check_verdict(c, verdict);
    if (verdict == HD_SAT)
        merge(c, decided, out);
    HD_CHECK_INVARIANT(C3, verdict != HD_SAT || differs_in_slice_only(c, out));
    if (verdict != HD_UNKNOWN && decided > HD_LAYER_CACHE)
        tell_earlier_layers(c, decided, verdict);
    count(&c->counters, decided, verdict);
    unsigned long long ticks = hd_clock_ticks() - start;
    c->ticks += ticks;
    dump(c, decided, verdict, ticks);
    return verdict;
}
