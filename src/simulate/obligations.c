/* What several runs met, put side by side (obligations.h). */
#include "simulate/obligations.h"

#include "base/panic.h"

#include <stdlib.h>

bool hd_obligations_add(hd_obligations *o, hd_record *record, hd_err *err) {
    hd_batch state;
    size_t n;
    if (!hd_record_state(record, &state, err))
        return false;
    const void *bytes = hd_observed_find(state.observed, state.n_observed, "firsts", &n);
    bool ok = !bytes || hd_firsts_unpack(bytes, n, &o->met);
    hd_batch_release(&state);
    hd_vec_push(&o->ends, o->met.n);
    return ok || hd_err_set(err, "the times in the run are damaged");
}

static int compare(const void *left, const void *right) {
    const hd_first *a = left, *b = right;
    return a->kind != b->kind   ? (a->kind < b->kind ? -1 : 1)
           : a->what != b->what ? (a->what < b->what ? -1 : 1)
                                : 0;
}

/* All that any run met, once, in order. */
static size_t list_all(const hd_obligations *o, hd_first *all) {
    size_t n = 0;
    for (size_t i = 0; i < o->met.n; i++)
        all[i] = o->met.at[i];
    qsort(all, o->met.n, sizeof *all, compare);
    for (size_t i = 0; i < o->met.n; i++)
        if (!n || compare(&all[n - 1], &all[i]) != 0)
            all[n++] = all[i];
    return n;
}

static void *allocate(size_t n, size_t size) {
    void *at = calloc(n + 1, size);
    if (!at)
        hd_out_of_memory();
    return at;
}

hd_first_times hd_obligations_times(hd_obligations *o) {
    hd_first *all = allocate(o->met.n, sizeof *all);
    hd_first_times t = {.n_runs = (uint32_t)o->ends.n, .n_obligations = (uint32_t)list_all(o, all)};
    t.at = allocate((size_t)t.n_runs * t.n_obligations, sizeof *t.at);
    for (size_t i = 0; i < (size_t)t.n_runs * t.n_obligations; i++)
        t.at[i] = -1;
    o->n_ways = o->n_findings = 0;
    for (uint32_t i = 0; i < t.n_obligations; i++) {
        o->n_ways += all[i].kind == HD_FIRST_WAY;
        o->n_findings += all[i].kind == HD_FIRST_FINDING;
    }
    for (size_t i = 0, run = 0; i < o->met.n; i++) {
        while (i >= o->ends.at[run])
            run++;
        const hd_first *found = bsearch(&o->met.at[i], all, t.n_obligations, sizeof *all, compare);
        t.at[run * t.n_obligations + (size_t)(found - all)] = o->met.at[i].seconds;
    }
    free(all);
    return t;
}

void hd_obligations_release(hd_obligations *o) {
    hd_vec_release(&o->met);
    hd_vec_release(&o->ends);
}
