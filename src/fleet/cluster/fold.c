/* Entries of the log, applied (fold.h). */
#include "fleet/cluster/fold.h"

#include "base/panic.h"
#include "fleet/local.h"

static hd_coordinator *coordinator_of(const hd_fold *f) {
    return hd_ledger_coordinator(f->ledger);
}

static void suspect_all(hd_fold *f) {
    hd_vec(uint64_t) out = {0};
    uint64_t unit, epoch;
    for (size_t at = 0; hd_coordinator_next_out(coordinator_of(f), &at, &unit, &epoch);)
        hd_vec_push(&out, unit);
    for (size_t i = 0; i < out.n; i++)
        hd_coordinator_suspect(coordinator_of(f), out.at[i]);
    HD_INVARIANT(C3, !hd_coordinator_next_out(coordinator_of(f), &(size_t){0}, &unit, &epoch));
    hd_vec_release(&out);
}

void hd_fold_release(hd_fold *f) {
    if (f->ledger)
        hd_ledger_close(f->ledger);
    hd_map_release(&f->committers);
    hd_map_release(&f->begun);
    *f = (hd_fold){0};
}

static hd_effect begin(hd_fold *f, const hd_log_entry *e) {
    if (e->writer == HD_MAP_EMPTY || hd_map_find(&f->begun, e->writer))
        return (hd_effect){0};
    hd_map_put(&f->begun, e->writer, 1);
    hd_coordinator_begin_epochs(coordinator_of(f), e->writer); /* C5 */
    suspect_all(f);
    hd_map_clear(&f->committers); /* nothing is out */
    f->coordinator = e->writer;
    return (hd_effect){.kind = HD_EFFECT_BEGAN};
}

static hd_effect hand_out(hd_fold *f, const hd_log_entry *e) {
    hd_unit u;
    if (e->writer != f->coordinator || !hd_ledger_hand_out(f->ledger, e->is_whole, &u))
        return (hd_effect){0};
    HD_INVARIANT(C2, hd_map_find(&f->begun, f->coordinator));
    HD_INVARIANT(C5, !hd_map_find(&f->committers, u.epoch));
    return (hd_effect){.kind = HD_EFFECT_HANDED_OUT,
                       .unit = u.number,
                       .epoch = u.epoch,
                       .work = hd_ledger_describe(f->ledger, &u)};
}

static bool is_only_committer(hd_fold *f, uint64_t epoch, uint64_t machine) {
    const uint64_t *first = hd_map_find(&f->committers, epoch);
    if (!first)
        hd_map_put(&f->committers, epoch, machine);
    return !first || *first == machine;
}

/* One whose commits make no sense, or come without those before them, has lost its unit. */
static hd_effect take(hd_fold *f, hd_bundle *p, uint64_t machine) {
    hd_effect effect = {.kind = HD_EFFECT_COMMITTED,
                        .unit = p->commit.unit,
                        .epoch = p->commit.epoch,
                        .gives = p->commit.lifted.n || p->commit.split.n,
                        .is_done = p->commit.is_done,
                        .seconds = p->results.counters.work_seconds};
    bool was_out = hd_coordinator_is_out(coordinator_of(f), p->commit.unit, p->commit.epoch);
    bool is_right = was_out && is_only_committer(f, p->commit.epoch, machine);
    if (was_out && !is_right)
        hd_coordinator_suspect(coordinator_of(f), p->commit.unit);
    switch (is_right ? hd_ledger_take(f->ledger, p) : HD_COMMIT_REFUSED) {
    case HD_COMMIT_APPLIED:
    case HD_COMMIT_ANEW:
        f->n_commits++;
        HD_INVARIANT(C4, *hd_map_find(&f->committers, effect.epoch) == machine);
        return effect;
    case HD_COMMIT_REPEATED:
        return (hd_effect){0};
    case HD_COMMIT_EARLY:
    case HD_COMMIT_DAMAGED:
        hd_coordinator_suspect(coordinator_of(f), p->commit.unit);
        break;
    case HD_COMMIT_REFUSED:
        break;
    }
    f->n_refused++;
    effect.kind = HD_EFFECT_REFUSED;
    return effect;
}

static hd_effect commit(hd_fold *f, const hd_log_entry *e) {
    hd_bundle p;
    if (!hd_wire_unpack_bundle(e->bundle, e->n_bundle, &p))
        return (hd_effect){0};
    hd_effect effect = take(f, &p, e->writer);
    hd_bundle_release(&p);
    return effect;
}

static hd_effect give_back(hd_fold *f, const hd_log_entry *e) {
    if (hd_coordinator_is_out(coordinator_of(f), e->unit, e->epoch))
        hd_coordinator_suspect(coordinator_of(f), e->unit);
    return (hd_effect){0};
}

static hd_effect set_aside(hd_fold *f, const hd_log_entry *e) {
    hd_unpack u = hd_unpack_from(e->bundle, e->n_bundle);
    uint32_t deaths = hd_unpack_u32(&u);
    hd_last_words words = hd_last_words_unpack(&u);
    if (hd_unpack_ok(&u) && hd_coordinator_is_out(coordinator_of(f), e->unit, e->epoch))
        hd_ledger_set_aside(f->ledger, e->unit, deaths, &words);
    return (hd_effect){0};
}

/* No clock, no number of chance, nobody else is asked. */
hd_effect hd_fold_apply(hd_fold *f, const void *bytes, size_t n) {
    static hd_effect (*const apply[HD_N_ENTRIES])(hd_fold *, const hd_log_entry *) = {
        [HD_ENTRY_BEGIN] = begin,
        [HD_ENTRY_HAND_OUT] = hand_out,
        [HD_ENTRY_COMMIT] = commit,
        [HD_ENTRY_GIVE_BACK] = give_back,
        [HD_ENTRY_ASIDE] = set_aside};
    hd_log_entry e;
    return hd_log_entry_unpack(bytes, n, &e) ? apply[e.kind](f, &e) : (hd_effect){0};
}

/* ---- snapshots ---- */

bool hd_fold_save(hd_fold *f, hd_text *out, hd_err *err) {
    hd_pack_u64(out, f->coordinator);
    hd_pack_u64(out, f->n_commits);
    hd_pack_u64(out, f->n_refused);
    hd_pack_map(out, &f->committers);
    hd_pack_map(out, &f->begun);
    return hd_ledger_save(f->ledger, out, err);
}

bool hd_fold_restore(hd_fold *f, hd_record *record, const hd_run_options *options,
                     const hd_watcher *watcher, const void *bytes, size_t n, hd_err *err) {
    hd_unpack u = hd_unpack_from(bytes, n);
    *f = (hd_fold){.coordinator = hd_unpack_u64(&u), .n_commits = hd_unpack_u64(&u)};
    f->n_refused = hd_unpack_u64(&u);
    hd_unpack_map(&u, &f->committers);
    hd_unpack_map(&u, &f->begun);
    f->ledger = hd_ledger_restore(record, options, watcher, u.at, (size_t)(u.end - u.at), err);
    if (!f->ledger)
        hd_fold_release(f);
    return f->ledger;
}
