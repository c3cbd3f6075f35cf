/* One row for each unit (costs.h). */
#include "fleet/costs.h"

#include "base/panic.h"
#include "record/stored.h"

static hd_unit_cost *at(hd_costs *c, uint64_t unit) {
    while (c->units.n <= unit) {
        hd_known_cost new = {.cost.number = c->units.n + 1};
        hd_vec_push(&c->units, new);
    }
    c->units.at[unit].has_changed = true;
    return &c->units.at[unit].cost;
}

static void finish(hd_costs *c, hd_unit_cost *u) {
    u->state = HD_UNIT_DONE;
    c->n_done++;
    c->n_paths += u->paths;
}

static bool read_one(void *costs, const hd_unit_cost *u) {
    hd_costs *c = costs;
    *at(c, u->number - 1) = *u;
    if (u->state == HD_UNIT_DONE)
        finish(c, &c->units.at[u->number - 1].cost);
    c->units.at[u->number - 1].has_changed = false;
    return true;
}

bool hd_costs_read(hd_costs *c, hd_record *record, hd_err *err) {
    return hd_record_units(record, read_one, c, err);
}

void hd_costs_release(hd_costs *c) {
    hd_vec_release(&c->units);
}

void hd_costs_hand_out(hd_costs *c, const hd_unit *unit, double now) {
    hd_unit_cost *u = at(c, unit->number);
    u->state = HD_UNIT_OPEN;
    if (u->hand_outs++ > 0)
        return;
    u->begun = now;
    if (unit->giver == HD_NO_UNIT)
        return;
    HD_ASSERT(unit->giver < unit->number);
    u->parent = unit->giver + 1;
    u->given_at = (double)unit->given_at / 1e6;
}

uint64_t hd_costs_work(const hd_costs *c, uint64_t unit, const hd_run_counters *part) {
    double before = unit < c->units.n ? c->units.at[unit].cost.seconds : 0;
    double seconds = before + part->work_seconds;
    return seconds > 0 ? (uint64_t)(seconds * 1e6) : 0;
}

void hd_costs_add(hd_costs *c, uint64_t unit, const hd_run_counters *part, bool is_done) {
    hd_unit_cost *u = at(c, unit);
    u->seconds += part->work_seconds > 0 ? part->work_seconds : 0;
    u->executions += part->explore.executions;
    u->paths += part->explore.paths;
    u->repeated += part->repeated;
    if (is_done)
        finish(c, u);
}

void hd_costs_lose(hd_costs *c, uint64_t unit, double seconds) {
    at(c, unit)->lost += seconds > 0 ? seconds : 0;
}

void hd_costs_set_state(hd_costs *c, uint64_t unit, hd_unit_state state) {
    at(c, unit)->state = state;
}

void hd_costs_begin_anew(hd_costs *c, uint64_t unit) {
    c->n_done = c->n_paths = 0;
    for (size_t i = 0; i < c->units.n; i++) {
        hd_unit_cost *u = at(c, i);
        u->lost += u->seconds;
        u->seconds = 0;
        u->executions = u->paths = u->repeated = 0;
        u->state = i == unit ? HD_UNIT_OPEN : HD_UNIT_VOID;
    }
    at(c, unit)->parent = 0; /* nobody gave it this */
    at(c, unit)->given_at = 0;
}

double hd_costs_mean_paths(const hd_costs *c) {
    return c->n_done ? (double)c->n_paths / (double)c->n_done : 0;
}

uint64_t hd_costs_paths(const hd_costs *c, uint64_t unit) {
    return unit < c->units.n ? c->units.at[unit].cost.paths : 0;
}

void hd_costs_take_changed(hd_costs *c, hd_batch *batch) {
    uint32_t n = 0;
    batch->units = hd_allocate(c->units.n, sizeof *batch->units);
    for (size_t i = 0; i < c->units.n; i++) {
        hd_known_cost *u = &c->units.at[i];
        if (u->has_changed)
            batch->units[n++] = u->cost;
        u->has_changed = false;
    }
    batch->n_units = n;
}
