/* Units of a record (measured.h). */
#include "simulate/measured.h"

#include <stdlib.h>

static uint32_t find_piece(const hd_measured *m, uint64_t number) {
    size_t low = 0, high = m->numbers.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (m->numbers.at[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->numbers.n && m->numbers.at[low] == number ? (uint32_t)low : HD_NO_PIECE;
}

/* Void units were for nothing; who was given away by one is there from the beginning. */
static bool add_unit(void *context, const hd_unit_cost *u) {
    hd_measured *m = context;
    m->lost += u->lost;
    if (u->state == HD_UNIT_VOID)
        return true;
    hd_work_piece piece = {.seconds = u->seconds, .parent = HD_NO_PIECE, .given_at = u->given_at};
    if (u->parent)
        piece.parent = find_piece(m, u->parent);
    hd_vec_push(&m->pieces, piece);
    hd_vec_push(&m->numbers, u->number);
    m->executions += u->executions;
    m->repeated += u->repeated;
    m->n_left += u->state != HD_UNIT_DONE;
    return true;
}

/* Who is still running may have given away more than it has committed. */
static void bound_gifts(hd_work_pieces *p) {
    for (size_t i = 0; i < p->n; i++) {
        hd_work_piece *piece = &p->at[i];
        if (piece->parent != HD_NO_PIECE && piece->given_at > p->at[piece->parent].seconds)
            piece->given_at = p->at[piece->parent].seconds;
    }
}

/* Where in a list of parts, which were run one after the other, a moment is. */
static hd_met find_moment(const hd_work_pieces *p, double seconds) {
    uint32_t i = 0;
    for (; i + 1 < p->n && seconds > p->at[i].seconds; i++)
        seconds -= p->at[i].seconds;
    return (hd_met){i, seconds < p->at[i].seconds ? seconds : p->at[i].seconds};
}

static bool are_parts(const hd_work_pieces *p) {
    for (size_t i = 0; i < p->n; i++)
        if (p->at[i].parent != HD_NO_PIECE)
            return false;
    return p->n > 1;
}

/* Times are those of workers: with one worker they say which part came to it first. */
static bool read_mets(hd_measured *m, const hd_batch *state, hd_err *err) {
    hd_firsts met = {0};
    size_t n;
    const void *bytes = hd_observed_find(state->observed, state->n_observed, "firsts", &n);
    bool ok = !bytes || hd_firsts_unpack(bytes, n, &met);
    for (size_t i = 0; i < met.n && state->counters.workers == 1 && are_parts(&m->pieces); i++)
        hd_vec_push(&m->mets, find_moment(&m->pieces, met.at[i].seconds));
    hd_vec_release(&met);
    return ok || hd_err_set(err, "the times in the run are damaged");
}

static double start_of(const hd_run_counters *c) {
    double outside = c->cpu_seconds - c->work_seconds - c->sample_seconds;
    return c->workers && outside > 0 ? outside / (double)c->workers : 0;
}

bool hd_measured_read(hd_measured *m, hd_record *record, const char *directory, hd_err *err) {
    hd_batch state;
    if (!hd_record_units(record, add_unit, m, err) || !hd_record_state(record, &state, err))
        return false;
    m->delays.start = start_of(&state.counters);
    bound_gifts(&m->pieces);
    bool ok = read_mets(m, &state, err);
    hd_batch_release(&state);
    if (!ok)
        return false;
    if (m->pieces.n && hd_work_pieces_work(&m->pieces) > 0)
        return true;
    hd_err_set(err, "'%s' has no costs of units to simulate with", directory);
    return hd_err_hint(err, "explore the program again: 'heddle run --unit-time 5ms ...'");
}

/* What all pieces cost more than the search that nobody cut, for each that was cut off. */
static double cost_of_cutting(const hd_measured *m) {
    size_t n = 0;
    for (size_t i = 0; i < m->pieces.n; i++)
        n += m->pieces.at[i].parent != HD_NO_PIECE;
    double more = hd_work_pieces_work(&m->pieces) - m->delays.base;
    return n && more > 0 ? more / (double)n : 0;
}

bool hd_measured_read_base(hd_measured *m, hd_record *record, hd_record *base,
                           const char *directory, hd_err *err) {
    hd_measured other = {0};
    if (hd_record_info(record)->module_hash != hd_record_info(base)->module_hash) {
        hd_err_set(err, "'%s' is a run of another program", directory);
        return hd_err_hint(err, "'--base' takes a run of the same one, with '-j 1'");
    }
    bool ok = hd_measured_read(&other, base, directory, err);
    m->delays.base = hd_work_pieces_work(&other.pieces);
    m->delays.cut = cost_of_cutting(m);
    m->is_base_whole = other.executions == m->executions;
    hd_measured_release(&other);
    return ok;
}

void hd_measured_release(hd_measured *m) {
    hd_vec_release(&m->pieces);
    hd_vec_release(&m->numbers);
    hd_vec_release(&m->mets);
}
