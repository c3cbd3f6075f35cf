/* Parts of a box (prune.h). */
#include "solve/prune.h"

#include "solve/arc.h"

#include "base/panic.h"

enum {
    MAX_PIECES = 3,
    MAX_PARTS = 81, /* of a box */
};

typedef struct pieces {
    hd_interval at[MAX_PIECES];
    uint32_t n; /* 0: anything */
} pieces;

typedef struct prune {
    hd_intervals *intervals;
    const hd_task *t;
    const hd_side *sides;
    uint32_t n;
    pieces pieces[HD_MAX_LEAVES];
    hd_interval chosen[HD_MAX_LEAVES];
} prune;

/* ---- pieces ---- */

static void add_piece(pieces *p, uint64_t from, uint64_t to, unsigned width) {
    HD_ASSERT(from > to || p->n < MAX_PIECES);
    if (from <= to)
        p->at[p->n++] = (hd_interval){hd_signed(from, width), hd_signed(to, width)};
}

/* From `from` to `to` without going over the end of the circle: below the middle, and above. */
static void add_run(pieces *p, uint64_t from, uint64_t to, unsigned width) {
    uint64_t half = hd_mask(width) >> 1;
    add_piece(p, from, to < half ? to : half, width);
    add_piece(p, from > half ? from : half + 1, to, width);
}

static pieces cut(const hd_side *side) {
    pieces p = {.n = 0};
    uint64_t mask = hd_mask(side->width), way, end;
    if (__builtin_mul_overflow(side->n_more, side->by, &way) || way > mask) {
        add_run(&p, 0, mask, side->width);
        return p;
    }
    end = (side->start + way) & mask;
    if (side->start <= end) {
        add_run(&p, side->start, end, side->width);
        return p;
    }
    add_run(&p, side->start, mask, side->width);
    if (p.n + 2 > MAX_PIECES && end > mask >> 1) { /* four pieces: all numbers, nearly */
        p.n = 0;
        add_run(&p, 0, mask, side->width);
    } else {
        add_run(&p, 0, end, side->width);
    }
    return p;
}

/* ---- one part ---- */

static void set_bounds(const prune *s) {
    hd_intervals_begin(s->intervals);
    for (uint32_t i = 0; i < s->n; i++)
        if (s->pieces[i].n && s->sides[i].width > 1)
            hd_intervals_bound_signed(s->intervals, s->sides[i].v, s->chosen[i].least,
                                      s->chosen[i].most);
}

static bool fails(const prune *s) {
    for (size_t i = s->t->constraints.n; i-- > 0;)
        if (hd_intervals_of(s->intervals, s->t->constraints.at[i]).most == 0)
            return true;
    return hd_intervals_are_empty(s->intervals);
}

/* What a comparison leaves of a term: one that leaves a gap, as `!= 0`, takes an end that is in it.
 */
static hd_interval shorten(hd_interval x, const hd_arc *arc, unsigned width) {
    int64_t from = hd_signed(arc->start, width), to = hd_signed(arc->start + arc->span, width);
    bool has_gap = from > to;
    if (has_gap ? x.least > to && x.least < from : x.least < from)
        x.least = from;
    if (has_gap ? x.most > to && x.most < from : x.most > to)
        x.most = to;
    return x;
}

typedef struct assumed_term {
    hd_expr e;
    hd_interval x;
} assumed_term;

/* A product of numbers that were made wider, if it is small: so is the product as it was before.
 */
static bool is_narrow_too(const prune *s, assumed_term *x) {
    const hd_node *n = hd_expr_node(s->t->g, x->e), *a = hd_expr_node(s->t->g, n->a),
                  *b = hd_expr_node(s->t->g, n->b);
    if (n->op != HD_OP_MUL || a->op != HD_OP_SEXT || b->op != HD_OP_SEXT)
        return false;
    unsigned width = hd_expr_width(s->t->g, a->a);
    int64_t most = (int64_t)(hd_mask(width) >> 1);
    bool is_small = width > 1 && width == hd_expr_width(s->t->g, b->a) && x->x.least >= -most - 1 &&
                    x->x.most <= most;
    if (is_small)
        x->e = hd_expr_binary(s->t->g, HD_OP_MUL, a->a, b->a);
    return is_small;
}

/* Terms that comparisons with constants bound, beyond what the part does; -1 if one of them has no
 * value at all. */
static int list_assumed(const prune *s, assumed_term *list, int capacity) {
    int n = 0;
    for (size_t i = s->t->constraints.n; i-- > 0 && n < capacity;) {
        hd_arc arc;
        hd_expr e = hd_arc_term(s->t->g, s->t->constraints.at[i], &arc);
        unsigned width = e ? hd_expr_width(s->t->g, e) : 1;
        if (width == 1 || arc.is_empty)
            continue;
        hd_interval now = hd_intervals_of(s->intervals, e), then = shorten(now, &arc, width);
        if (then.least > then.most)
            return -1;
        if (then.least == now.least && then.most == now.most)
            continue;
        assumed_term x = {e, then};
        list[n++] = x;
        if (n < capacity && is_narrow_too(s, &x))
            list[n++] = x;
    }
    return n;
}

/* False if a term has no value between all its bounds. */
static bool assume_all(const prune *s, const assumed_term *list, int n) {
    for (int i = 0; i < n; i++) {
        hd_interval x = list[i].x;
        for (int k = 0; k < i; k++)
            if (list[k].e == list[i].e) {
                x.least = list[k].x.least > x.least ? list[k].x.least : x.least;
                x.most = list[k].x.most < x.most ? list[k].x.most : x.most;
            }
        if (x.least > x.most)
            return false;
        hd_intervals_assume(s->intervals, list[i].e, x.least, x.most);
    }
    return true;
}

static bool is_refuted(const prune *s) {
    enum { MAX_ASSUMED = 16 };
    assumed_term list[MAX_ASSUMED];
    set_bounds(s);
    if (fails(s))
        return true;
    int n = list_assumed(s, list, MAX_ASSUMED);
    if (n <= 0)
        return n < 0;
    set_bounds(s);
    return !assume_all(s, list, n) || fails(s);
}

/* ---- all parts ---- */

static bool are_refuted(prune *s, uint32_t at) {
    if (at == s->n)
        return is_refuted(s);
    const pieces *p = &s->pieces[at];
    if (!p->n)
        return are_refuted(s, at + 1);
    for (uint32_t i = 0; i < p->n; i++) {
        HD_INVARIANT(Z1, p->at[i].least <= p->at[i].most);
        s->chosen[at] = p->at[i];
        if (!are_refuted(s, at + 1))
            return false;
    }
    return true;
}

/* A side of several pieces becomes anything when there are too many parts. */
static bool make_pieces(prune *s) {
    uint32_t n_parts = 1;
    for (uint32_t i = 0; i < s->n; i++) {
        s->pieces[i] = cut(&s->sides[i]);
        HD_ASSERT(s->pieces[i].n && s->pieces[i].n <= MAX_PIECES);
        if (n_parts * s->pieces[i].n > MAX_PARTS)
            s->pieces[i].n = 0;
        else
            n_parts *= s->pieces[i].n;
    }
    return n_parts > 1;
}

bool hd_prune_refute(hd_intervals *intervals, const hd_task *t, const hd_side *sides, uint32_t n) {
    prune s = {.intervals = intervals, .t = t, .sides = sides, .n = n};
    HD_ASSERT(n <= HD_MAX_LEAVES);
    return make_pieces(&s) && are_refuted(&s, 0);
}
