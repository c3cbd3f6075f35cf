/* List scheduling, one event after the other (schedule.h). */
#include "simulate/schedule.h"

#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

/* Something that happens to a piece, or to a worker. */
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

typedef hd_vec(uint32_t) piece_list;

typedef struct fleet {
    const hd_work_pieces *pieces;
    const hd_delays *delays;
    gift_lists children;
    sim_events busy;     /* workers, by when they are done; `piece` is a worker here */
    sim_events gifts;    /* pieces that will be given, */
    sim_events known;    /* and those that were, by when others have them */
    piece_list *kept;    /* by worker: pieces that nobody wanted when they were given, */
    piece_list all_kept; /* and of all workers, oldest first; those before `first_kept` are gone */
    size_t first_kept;
    bool *is_begun;      /* by piece */
    uint32_t *worker_of; /* by piece: who runs it, or ran it */
    piece_list free;     /* workers that had something before; others are behind n_used */
    uint32_t n, n_used, n_free;
    double now;
    /* Idle worker-seconds: since the beginning, and when last all were busy. */
    double idle, idle_when_busy;
    bool was_busy;
    hd_idle told;
    double *began; /* of each piece; NULL: nobody asks */
} fleet;

/* What a moment of a piece is if nobody else takes it: it was not cut off then. */
static double uncut(const fleet *f, double seconds) {
    return seconds > f->delays->cut ? seconds - f->delays->cut : 0;
}

static void begin_piece(fleet *f, uint32_t worker, uint32_t piece, bool was_kept) {
    const hd_work_piece *p = f->pieces->at;
    double seconds = was_kept ? uncut(f, p[piece].seconds) : p[piece].seconds;
    HD_INVARIANT(P2, !f->is_begun[piece]);
    f->is_begun[piece] = true;
    f->worker_of[piece] = worker;
    if (f->began)
        f->began[piece] = f->now;
    push(&f->busy, (sim_event){f->now + seconds, worker});
    for (uint32_t c = f->children.first[piece]; c != HD_NO_PIECE; c = f->children.next[c])
        push(&f->gifts,
             (sim_event){f->now + (was_kept ? uncut(f, p[c].given_at) : p[c].given_at), c});
}

static void offer(fleet *f, uint32_t piece) {
    push(&f->known, (sim_event){f->now + f->delays->hand_over, piece});
}

/* Does somebody wait for a piece, or is there none to spare on a machine? */
static bool is_wanted(const fleet *f) {
    uint32_t n_spare = f->n > 1 ? (f->n + HD_MACHINE_SIZE - 1) / HD_MACHINE_SIZE : 0;
    return f->known.n < f->n_free + n_spare;
}

/* Whoever gives it keeps it, unless somebody wants it. */
static void take_gift(fleet *f, uint32_t piece) {
    if (is_wanted(f)) {
        offer(f, piece);
        return;
    }
    hd_vec_push(&f->kept[f->worker_of[f->pieces->at[piece].parent]], piece);
    hd_vec_push(&f->all_kept, piece);
}

/* A worker is done, and goes on with what it kept last, if nobody took that. */
static void finish(fleet *f, uint32_t worker) {
    piece_list *mine = &f->kept[worker];
    while (mine->n && f->is_begun[mine->at[mine->n - 1]])
        mine->n--;
    if (mine->n) {
        begin_piece(f, worker, mine->at[--mine->n], true);
        return;
    }
    f->n_free++;
    hd_vec_push(&f->free, worker);
}

static uint32_t take_worker(fleet *f) {
    HD_ASSERT(f->n_free > 0);
    f->n_free--;
    return f->free.n ? f->free.at[--f->free.n] : f->n_used++;
}

static void note_busy(fleet *f) {
    if (f->n_free)
        return;
    if (!f->was_busy)
        f->told.start = f->idle;
    f->was_busy = true;
    f->idle_when_busy = f->idle;
}

/* What was kept longest goes to who waits. */
static bool offer_kept(fleet *f) {
    while (f->first_kept < f->all_kept.n && f->is_begun[f->all_kept.at[f->first_kept]])
        f->first_kept++;
    if (!is_wanted(f) || f->first_kept == f->all_kept.n)
        return false;
    uint32_t piece = f->all_kept.at[f->first_kept++];
    piece_list *from = &f->kept[f->worker_of[f->pieces->at[piece].parent]];
    size_t i = 0;
    while (from->at[i] != piece)
        i++;
    memmove(from->at + i, from->at + i + 1, (--from->n - i) * sizeof *from->at);
    offer(f, piece);
    return true;
}

/* Something that happens now; false if nothing does. */
static bool settle(fleet *f) {
    if (f->gifts.n && f->gifts.at[0].at <= f->now)
        take_gift(f, pop(&f->gifts).piece);
    else if (f->busy.n && f->busy.at[0].at <= f->now)
        finish(f, pop(&f->busy).piece);
    else if (f->n_free && f->known.n && f->known.at[0].at <= f->now) {
        uint32_t piece = pop(&f->known).piece;
        begin_piece(f, take_worker(f), piece, false);
    } else
        return offer_kept(f);
    return true;
}

static void hand_out(fleet *f) {
    while (settle(f))
        ;
    HD_INVARIANT(P1, !f->n_free || !f->known.n || f->known.at[0].at > f->now);
    HD_INVARIANT(P1, !is_wanted(f) || f->first_kept == f->all_kept.n);
    note_busy(f);
}

static void look_at(double *next, const sim_events *events) {
    if (events->n && (*next < 0 || events->at[0].at < *next))
        *next = events->at[0].at;
}

/* The next thing that changes anything; false if nothing is left. */
static bool advance(fleet *f) {
    double next = -1;
    look_at(&next, &f->busy);
    look_at(&next, &f->gifts);
    if (f->n_free)
        look_at(&next, &f->known);
    if (next < 0)
        return false;
    f->idle += (next - f->now) * f->n_free;
    f->now = next;
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

/* No more workers than pieces ever have something. */
static fleet open_fleet(const hd_work_pieces *p, uint32_t n, const hd_delays *d) {
    fleet f = {.pieces = p, .delays = d, .children = find_children(p), .n = n, .n_free = n};
    size_t most = (n < p->n ? n : p->n) + 1;
    f.kept = calloc(most, sizeof *f.kept);
    f.is_begun = calloc(p->n + 1, sizeof *f.is_begun);
    f.worker_of = calloc(p->n + 1, sizeof *f.worker_of);
    if (!f.kept || !f.is_begun || !f.worker_of)
        hd_out_of_memory();
    return f;
}

static void close_fleet(fleet *f) {
    for (uint32_t i = 0; i < f->n_used; i++)
        hd_vec_release(&f->kept[i]);
    free(f->kept);
    free(f->is_begun);
    free(f->worker_of);
    free(f->children.first);
    free(f->children.next);
    hd_vec_release(&f->known);
    hd_vec_release(&f->busy);
    hd_vec_release(&f->gifts);
    hd_vec_release(&f->all_kept);
    hd_vec_release(&f->free);
}

static hd_simulated simulate(const hd_work_pieces *p, uint32_t n, const hd_delays *d,
                             double *began) {
    HD_ASSERT(n > 0);
    fleet f = open_fleet(p, n, d);
    f.began = began;
    begin_fleet(&f);
    do
        hand_out(&f);
    while (advance(&f));
    HD_ASSERT(!f.known.n && !f.gifts.n && f.n_free == n);
    hd_simulated result = {f.now, sort_idle(&f)};
    close_fleet(&f);
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
