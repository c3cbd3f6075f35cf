/* Units from the ledger of this process, and bundles to it (local.h). */
#include "fleet/local.h"

#include "base/pack.h"
#include "fleet/turns.h"

#include <stdio.h>

static void copy_text(hd_text *to, const hd_text *from) {
    hd_text_add_bytes(to, from->at, from->n);
}

hd_work hd_ledger_describe(hd_ledger *l, const hd_unit *u) {
    const hd_batch *state = hd_ledger_state(l);
    hd_work work = {.unit = u->number,
                    .epoch = u->epoch,
                    .n_commits = u->n_commits,
                    .is_shared = u->is_shared,
                    .is_whole = u->is_whole,
                    .max_executions = UINT64_MAX,
                    .gives = hd_coordinator_n_left(hd_ledger_coordinator(l)) < HD_MOST_TURNS,
                    .turn = hd_ledger_take_turn(l, u->number)};
    copy_text(&work.journal, u->journal);
    copy_text(&work.context, u->context);
    copy_text(&work.path, u->path);
    hd_agreement_print(hd_ledger_agreement(l), &work.facts);
    hd_text_add_bytes(&work.coverage, state->coverage, (size_t)2 * state->n_branches);
    for (uint32_t i = 0; i < state->n_findings; i++)
        hd_pack_u64(&work.known, state->findings[i].signature);
    return work;
}

static hd_ledger *ledger_of(hd_source *s) {
    return ((hd_local_source *)s)->ledger;
}

static uint64_t n_waiting(hd_source *s) {
    return hd_coordinator_n_waiting(hd_ledger_coordinator(ledger_of(s)));
}

static bool is_next_large(hd_source *s) {
    return hd_coordinator_is_next_large(hd_ledger_coordinator(ledger_of(s)));
}

static bool hand_out(hd_source *s, bool is_whole, hd_work *work) {
    hd_unit u;
    if (!hd_ledger_hand_out(ledger_of(s), is_whole, &u))
        return false;
    *work = hd_ledger_describe(ledger_of(s), &u);
    return true;
}

static hd_commit_answer take(hd_source *s, hd_bundle *p, const void *payload, size_t n) {
    (void)payload, (void)n;
    return hd_ledger_take(ledger_of(s), p);
}

static void release(hd_source *s, uint64_t unit, uint64_t epoch) {
    hd_coordinator *c = hd_ledger_coordinator(ledger_of(s));
    if (hd_coordinator_is_out(c, unit, epoch))
        hd_coordinator_suspect(c, unit);
}

static void lose(hd_source *s, uint64_t unit, double seconds) {
    hd_ledger_note_lost(ledger_of(s), unit, seconds);
}

static void set_aside(hd_source *s, uint64_t unit, unsigned deaths, const hd_last_words *words) {
    hd_ledger_set_aside(ledger_of(s), unit, deaths, words);
}

static const hd_batch *state_of(hd_source *s) {
    return hd_ledger_state(ledger_of(s));
}

static bool tend(hd_source *s, const hd_shift *shift, double now, hd_err *err) {
    (void)shift;
    return !hd_ledger_is_due(ledger_of(s), now) || hd_ledger_write(ledger_of(s), NULL, err);
}

/* Whatever limit was met with the last execution: what is complete is complete. */
static bool end(hd_source *s, char why[128], hd_err *err) {
    if (hd_ledger_is_complete(ledger_of(s)))
        snprintf(why, 128, "%s", HD_STOP_COMPLETE);
    else if (!why[0])
        snprintf(why, 128, "%s",
                 hd_coordinator_n_aside(hd_ledger_coordinator(ledger_of(s))) ? HD_STOP_ASIDE
                                                                             : HD_STOP_EXHAUSTED);
    return hd_ledger_write(ledger_of(s), why, err);
}

hd_local_source hd_local_source_of(hd_ledger *ledger) {
    static const hd_source_calls calls = {.n_waiting = n_waiting,
                                          .is_next_large = is_next_large,
                                          .hand_out = hand_out,
                                          .take = take,
                                          .release = release,
                                          .lose = lose,
                                          .set_aside = set_aside,
                                          .state = state_of,
                                          .tend = tend,
                                          .end = end};
    return (hd_local_source){{&calls}, ledger};
}
