/* Snapshots of a ledger (ledger.h): its record as one batch that another record can take, and who
 * has which unit.
 *
 * A ledger that goes on from a record hands out all units again.  One that goes on from a snapshot
 * must not: it applies what others have written since then, which only means something if every
 * unit is with whom it was (cluster/fold.h). */
#include "fleet/ledger.h"

#include "base/panic.h"
#include "record/stored.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC      UINT32_C(0x31534448) /* "HDS1" */
#define LEAST_UNIT 81                   /* bytes of a packed unit */

/* ---- units ---- */

static void pack_unit(hd_text *out, const hd_unit_cost *u) {
    size_t before = out->n;
    hd_pack_u64(out, u->number);
    hd_pack_u64(out, u->parent);
    hd_pack_double(out, u->given_at);
    hd_pack_double(out, u->begun);
    hd_pack_double(out, u->seconds);
    hd_pack_double(out, u->lost);
    hd_pack_u64(out, u->executions);
    hd_pack_u64(out, u->paths);
    hd_pack_u64(out, u->repeated);
    hd_pack_u64(out, u->hand_outs);
    hd_pack_u8(out, (uint8_t)u->state);
    HD_ASSERT(out->n - before == LEAST_UNIT);
}

static hd_unit_cost unpack_unit(hd_unpack *u) {
    hd_unit_cost c = {.number = hd_unpack_u64(u), .parent = hd_unpack_u64(u)};
    c.given_at = hd_unpack_double(u);
    c.begun = hd_unpack_double(u);
    c.seconds = hd_unpack_double(u);
    c.lost = hd_unpack_double(u);
    c.executions = hd_unpack_u64(u);
    c.paths = hd_unpack_u64(u);
    c.repeated = hd_unpack_u64(u);
    c.hand_outs = hd_unpack_u64(u);
    c.state = hd_unpack_below(u, HD_N_UNIT_STATES);
    u->failed |= !c.number || c.number > HD_MOST_UNITS;
    return c;
}

/* ---- a record as a batch ---- */

typedef hd_vec(hd_unit_cost) cost_list;

static bool add_unit(void *units, const hd_unit_cost *u) {
    hd_vec_push((cost_list *)units, *u);
    return true;
}

static bool read_tests(hd_record *r, hd_batch *b, hd_err *err) {
    uint64_t n;
    if (!hd_record_count_tests(r, &n, err))
        return false;
    b->tests = hd_allocate(n, sizeof *b->tests);
    for (; b->n_tests < n; b->n_tests++)
        if (!hd_record_test(r, b->n_tests + 1, &b->tests[b->n_tests], err))
            return false;
    return true;
}

/* In a record findings lead to numbers of others, in a batch to their signatures. */
static void name_what_races_lead_to(hd_batch *b) {
    for (uint32_t i = 0; i < b->n_findings; i++) {
        uint64_t number = b->findings[i].leads_to;
        b->findings[i].leads_to = 0;
        for (uint32_t k = 0; k < b->n_findings && number; k++)
            if (b->findings[k].number == number)
                b->findings[i].leads_to = b->findings[k].signature;
    }
}

static bool read_record(hd_record *r, hd_batch *b, hd_err *err) {
    cost_list units = {0};
    bool ok = hd_record_state(r, b, err) && hd_record_units(r, add_unit, &units, err) &&
              read_tests(r, b, err);
    b->units = units.at;
    b->n_units = (uint32_t)units.n;
    if (ok)
        name_what_races_lead_to(b);
    return ok;
}

bool hd_ledger_save(hd_ledger *l, hd_text *out, hd_err *err) {
    hd_batch b = {0};
    bool ok = hd_ledger_write(l, NULL, err) && read_record(hd_ledger_record(l), &b, err);
    if (ok) {
        hd_pack_u32(out, MAGIC);
        hd_wire_pack_batch(out, &b);
        hd_pack_bytes(out, b.frontier ? b.frontier : "", b.n_frontier);
        hd_pack_u32(out, b.n_units);
        for (uint32_t i = 0; i < b.n_units; i++)
            pack_unit(out, &b.units[i]);
        hd_ledger_save_owners(l, out);
    }
    hd_batch_release(&b);
    return ok;
}

/* ---- and back ---- */

static void unpack_rest(hd_unpack *u, hd_batch *b) {
    const void *frontier = hd_unpack_bytes(u, &b->n_frontier);
    b->frontier = hd_allocate(b->n_frontier, 1);
    if (b->frontier)
        memcpy(b->frontier, frontier, b->n_frontier);
    b->n_units = hd_unpack_count(u, LEAST_UNIT);
    b->units = hd_allocate(b->n_units, sizeof *b->units);
    for (uint32_t i = 0; i < b->n_units; i++)
        b->units[i] = unpack_unit(u);
}

static bool damaged(hd_err *err) {
    hd_err_set(err, "the snapshot of the run is damaged");
    return hd_err_hint(err, "explore the program again, under another name");
}

static bool fill_record(hd_record *record, hd_unpack *u, hd_err *err) {
    hd_batch b = {0};
    if (hd_unpack_u32(u) != MAGIC)
        return damaged(err);
    bool is_right = hd_wire_unpack_batch(u, &b);
    if (is_right)
        unpack_rest(u, &b);
    is_right = is_right && hd_unpack_ok(u);
    bool ok = is_right ? hd_record_commit(record, &b, err) : damaged(err);
    hd_batch_release(&b);
    return ok;
}

hd_ledger *hd_ledger_restore(hd_record *record, const hd_run_options *options,
                             const hd_watcher *watcher, const void *bytes, size_t n, hd_err *err) {
    hd_unpack u = hd_unpack_from(bytes, n);
    hd_ledger *l =
        fill_record(record, &u, err) ? hd_ledger_open(record, options, watcher, err) : NULL;
    if (!l)
        return NULL;
    if (hd_ledger_restore_owners(l, &u, err) && (u.at == u.end || damaged(err)))
        return l;
    hd_ledger_close(l);
    return NULL;
}
