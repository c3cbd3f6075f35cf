/* List scheduling, one event after the other (schedule.h). */
#include "simulate/schedule.h"

#include "base/panic.h"

#include <stdlib.h>

/* Something that happens: a piece becomes known, or, with HD_NO_PIECE, a worker becomes free. */
typedef struct sim_event {
    double at;
    uint32_t piece;
} sim_event;

/* The earliest first; of two at a time the piece with the lower number. */
typedef hd_vec(sim_event) sim_events;

static bool is_before(sim_event a, sim_event b) {
    return a.at != b.at ? a.at < b.at : a.piece < b.piece;
}

static void push(sim_events *m, sim_event new) {
    hd_vec_push(m, new);
    size_t i = m->n - 1;
    for (; i > 0 && is_before(new, m->at[(i - 1) / 2]); i = (i - 1) / 2)
        m->at[i] = m->at[(i - 1) / 2];
    m->at[i] = new;
}

static sim_event pop(sim_events *m) {
    sim_event first = m->at[0], last = m->at[--m->n];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < m->n) {
        child += child + 1 < m->n && is_before(m->at[child + 1], m->at[child]);
        if (!is_before(m->at[child], last))
            break;
        m->at[i] = m->at[child];
        i = child;
    }
    m->at[i] = last;
    return first;
}

double hd_work_pieces_work(const hd_work_pieces *p) {
    double sum = 0;
    for (size_t i = 0; i < p->n; i++)
        sum += p->at[i].seconds;
    return sum;
}

/* When each could be begun by whoever waits for it. */
static double *find_earliest(const hd_work_pieces *p, const hd_delays *d) {
    double *earliest = calloc(p->n + 1, sizeof *earliest);
    if (!earliest)
        hd_out_of_memory();
    for (size_t i = 0; i < p->n; i++) {
        const hd_work_piece *piece = &p->at[i];
        HD_ASSERT(piece->parent == HD_NO_PIECE || piece->parent < i);
        earliest[i] = piece->parent == HD_NO_PIECE
                          ? d->start
                          : earliest[piece->parent] + piece->given_at + d->hand_over;
    }
    return earliest;
}

double hd_work_pieces_critical_path(const hd_work_pieces *p, const hd_delays *d, uint32_t *last) {
    double *earliest = find_earliest(p, d), longest = 0;
    *last = HD_NO_PIECE;
    for (uint32_t i = 0; i < p->n; i++)
        if (*last == HD_NO_PIECE || earliest[i] + p->at[i].seconds > longest) {
            longest = earliest[i] + p->at[i].seconds;
            *last = i;
        }
    free(earliest);
    return longest;
}

/* ---- a fleet ---- */

typedef struct gift_lists {
    uint32_t *first, *next; /* lists by piece, ended by HD_NO_PIECE */
} gift_lists;

static gift_lists find_children(const hd_work_pieces *p) {
    gift_lists c = {malloc((p->n + 1) * sizeof *c.first), malloc((p->n + 1) * sizeof *c.next)};
    if (!c.first || !c.next)
        hd_out_of_memory();
    for (size_t i = 0; i < p->n; i++)
        c.first[i] = HD_NO_PIECE;
    for (uint32_t i = (uint32_t)p->n; i-- > 0;) {
        uint32_t parent = p->at[i].parent;
        c.next[i] = HD_NO_PIECE;
        if (parent == HD_NO_PIECE)
            continue;
        c.next[i] = c.first[parent];
        c.first[parent] = i;
    }
    return c;
}

typedef struct fleet {
    const hd_work_pieces *pieces;
    const hd_delays *delays;
    gift_lists children;
    sim_events known, busy;
    uint32_t n, n_free;
    double now;
    /* Idle worker-seconds: since the beginning, and when last all were busy. */
    double idle, idle_when_busy;
    bool was_busy;
    hd_idle told;
    double *began; /* of each piece; NULL: nobody asks */
} fleet;

static void begin_piece(fleet *f, uint32_t piece) {
    const hd_work_piece *p = f->pieces->at;
    f->n_free--;
    if (f->began)
        f->began[piece] = f->now;
    push(&f->busy, (sim_event){f->now + p[piece].seconds, HD_NO_PIECE});
    for (uint32_t c = f->children.first[piece]; c != HD_NO_PIECE; c = f->children.next[c])
        push(&f->known, (sim_event){f->now + p[c].given_at + f->delays->hand_over, c});
}

static void note_busy(fleet *f) {
    if (f->n_free)
        return;
    if (!f->was_busy)
        f->told.start = f->idle;
    f->was_busy = true;
    f->idle_when_busy = f->idle;
}

static void hand_out(fleet *f) {
    while (f->n_free && f->known.n && f->known.at[0].at <= f->now)
        begin_piece(f, pop(&f->known).piece);
    HD_INVARIANT(P1, !f->n_free || !f->known.n || f->known.at[0].at > f->now);
    note_busy(f);
}

/* The next thing that changes anything; false if nothing is left. */
static bool advance(fleet *f) {
    bool can_take = f->known.n && f->n_free;
    if (!f->busy.n && !can_take)
        return false;
    double next = !f->busy.n                                         ? f->known.at[0].at
                  : can_take && f->known.at[0].at < f->busy.at[0].at ? f->known.at[0].at
                                                                     : f->busy.at[0].at;
    f->idle += (next - f->now) * f->n_free;
    f->now = next;
    while (f->busy.n && f->busy.at[0].at <= f->now) {
        pop(&f->busy);
        f->n_free++;
    }
    return true;
}

static void begin_fleet(fleet *f) {
    f->now = f->delays->start;
    for (uint32_t i = 0; i < f->pieces->n; i++)
        if (f->pieces->at[i].parent == HD_NO_PIECE)
            push(&f->known, (sim_event){f->now, i});
}

/* Never all at work: all that was idle was so at the start. */
static hd_idle sort_idle(const fleet *f) {
    hd_idle idle = f->told;
    if (!f->was_busy)
        return (hd_idle){.start = f->idle};
    idle.middle = f->idle_when_busy - idle.start;
    idle.end = f->idle - f->idle_when_busy;
    return idle;
}

static hd_simulated simulate(const hd_work_pieces *p, uint32_t n, const hd_delays *d,
                             double *began) {
    HD_ASSERT(n > 0);
    fleet f = {.pieces = p,
               .delays = d,
               .children = find_children(p),
               .n = n,
               .n_free = n,
               .began = began};
    begin_fleet(&f);
    do
        hand_out(&f);
    while (advance(&f));
    HD_ASSERT(!f.known.n && f.n_free == n);
    hd_simulated result = {f.now, sort_idle(&f)};
    free(f.children.first);
    free(f.children.next);
    hd_vec_release(&f.known);
    hd_vec_release(&f.busy);
    return result;
}

hd_simulated hd_simulate(const hd_work_pieces *p, uint32_t n, const hd_delays *d) {
    return simulate(p, n, d, NULL);
}

double hd_simulate_finding(const hd_work_pieces *p, const hd_mets *mets, uint32_t n,
                           const hd_delays *d) {
    double *began = calloc(p->n + 1, sizeof *began), last = 0;
    if (!began)
        hd_out_of_memory();
    simulate(p, n, d, began);
    for (size_t i = 0; i < mets->n; i++) {
        double at = began[mets->at[i].piece] + mets->at[i].at;
        last = at > last ? at : last;
    }
    free(began);
    return last;
}

/* ---- parts ---- */

/* What is given away first, first. */
static void mark_parts(const hd_work_pieces *p, uint32_t n, bool *is_part) {
    sim_events all = {0};
    double *earliest = find_earliest(p, &(hd_delays){0});
    for (uint32_t i = 0; i < p->n; i++) {
        bool is_root = p->at[i].parent == HD_NO_PIECE;
        is_part[i] = is_root;
        n -= is_root && n > 0;
        if (!is_root)
            push(&all, (sim_event){earliest[i], i});
    }
    for (; n > 0 && all.n; n--)
        is_part[pop(&all).piece] = true;
    hd_vec_release(&all);
    free(earliest);
}

void hd_work_pieces_partition(const hd_work_pieces *p, uint32_t n, hd_work_pieces *parts) {
    bool *is_part = calloc(p->n + 1, 1);
    uint32_t *part_of = calloc(p->n + 1, sizeof *part_of);
    if (!is_part || !part_of)
        hd_out_of_memory();
    hd_vec_clear(parts);
    mark_parts(p, n, is_part);
    for (uint32_t i = 0; i < p->n; i++) {
        part_of[i] = is_part[i] ? (uint32_t)parts->n : part_of[p->at[i].parent];
        if (is_part[i])
            hd_vec_push(parts, ((hd_work_piece){.parent = HD_NO_PIECE}));
        parts->at[part_of[i]].seconds += p->at[i].seconds;
    }
    free(is_part);
    free(part_of);
}
