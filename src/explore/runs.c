#include "explore/runs.h"

#include "base/panic.h"

void hd_runs_release(hd_runs *r) {
    for (size_t i = 0; i < r->at.n; i++)
        hd_model_release(&r->at.at[i].model);
    hd_vec_release(&r->at);
    hd_vec_release(&r->unused);
}

uint32_t hd_runs_add(hd_runs *r, const hd_model *model) {
    if (!r->unused.n) {
        hd_vec_push(&r->at, (hd_past_run){0});
        hd_vec_push(&r->unused, (uint32_t)(r->at.n - 1));
    }
    uint32_t run = r->unused.at[--r->unused.n];
    HD_INVARIANT(U1, run < r->at.n && r->at.at[run].n_open == 0);
    hd_model_copy(&r->at.at[run].model, model);
    return run;
}

void hd_runs_use(hd_runs *r, uint32_t run) {
    HD_ASSERT(run < r->at.n);
    r->at.at[run].n_open++;
}

void hd_runs_drop(hd_runs *r, uint32_t run) {
    HD_INVARIANT(U1, run < r->at.n && r->at.at[run].n_open > 0);
    if (--r->at.at[run].n_open == 0)
        hd_vec_push(&r->unused, run);
}

const hd_model *hd_runs_model(const hd_runs *r, uint32_t run) {
    HD_INVARIANT(U1, run < r->at.n && r->at.at[run].n_open > 0); /* else they are dropped */
    return &r->at.at[run].model;
}
