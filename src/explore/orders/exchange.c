/* Exchanges that inputs decide.
 *
 * A compare-and-exchange that fails is a read, one that succeeds a write.  If what it meets depends
 * on inputs both are possible, for different inputs: they are two events that conflict with
 * different things.  Which one an executed exchange was is the first decision of its outcome
 * (outcome.c).  What it would meet in another order is an expression: that of the memory before
 * the first write that would not have happened, byte by byte because accesses have different
 * sizes (as past.h does it for values). */
#include "explore/orders/weave.h"

#include "base/panic.h"
#include "explore/events/past.h"

uint32_t hd_exchange_find_decision(const hd_weave *w, uint32_t e) {
    uint32_t found = HD_NO_EVENT;
    HD_ASSERT(e < w->log.at.n);
    if (!hd_kind_is(hd_event_action(&w->log, e)->kind, HD_KIND_EXCHANGES))
        return HD_NO_EVENT;
    for (uint32_t i = (uint32_t)w->decisions.n; i-- > 0 && w->decisions.at[i].at > e;)
        if (w->decisions.at[i].at == e + 1 && w->decisions.at[i].kind == HD_BRANCH_EXCHANGE)
            found = i;
    HD_CHECK(found == HD_NO_EVENT || w->decisions.at[found].at == e + 1);
    return found;
}

void hd_exchange_turn(const hd_weave *w, hd_action *a, bool fails) {
    HD_ASSERT(hd_kind_is(a->kind, HD_KIND_EXCHANGES) && a->n_accesses > 0);
    bool reads = fails && !w->x->options.reads_conflict;
    a->access[0].mode = reads ? HD_MODE_READ : HD_MODE_WRITE;
    a->flags = (uint8_t)((a->flags & ~HD_ACTION_FAILED) | (fails ? HD_ACTION_FAILED : 0));
}

/* A byte of what is there: number `at` of an expression; HD_NONE = as in all executions. */
typedef struct source {
    hd_expr content;
    uint32_t at;
} source;

#define MAX_BYTES 8

/* The bytes of `x` that are those of `y` were `content` before. */
static void take_bytes(source *bytes, const hd_access *x, const hd_access *y, hd_expr content) {
    HD_ASSERT(x->size > 0 && x->size <= MAX_BYTES);
    for (uint32_t i = 0; i < x->size; i++)
        if (x->address + i - y->address < y->size) /* not below it either */
            bytes[i] = (source){content, (uint32_t)(x->address + i - y->address)};
}

/* A section may have written to some bytes twice: its first access tells what was before it. */
static void go_back(const hd_events *log, source *bytes, const hd_access *x, uint32_t e) {
    const hd_action *b = hd_event_action(log, e);
    if (!hd_kind_is(b->kind, HD_KIND_SECTION)) {
        take_bytes(bytes, x, &b->access[0], hd_event_content(log, e));
        return;
    }
    for (size_t i = log->inner.n; i-- > 0 && log->inner.at[i].event >= e;) {
        const hd_inner_access *y = &log->inner.at[i].access;
        if (log->inner.at[i].event == e)
            take_bytes(bytes, x, &y->access, y->content);
    }
}

static bool is_symbolic(const source *bytes, uint32_t size) {
    for (uint32_t i = 0; i < size; i++)
        if (bytes[i].content)
            return true;
    return false;
}

static hd_expr joined(hd_graph *g, const source *bytes, uint32_t size, uint64_t value) {
    hd_expr whole = HD_NONE;
    for (uint32_t i = 0, n; i < size; i += n) {
        const source *b = &bytes[i];
        n = 1;
        while (i + n < size && b->content && b[n].content == b->content && b[n].at == b->at + n)
            n++;
        hd_expr piece = b->content ? hd_expr_extract(g, b->content, 8 * b->at, 8 * n)
                                   : hd_expr_const(g, 8, value >> 8 * i & 0xff);
        whole = whole ? hd_expr_concat(g, piece, whole) : piece;
    }
    HD_ASSERT(hd_expr_width(g, whole) == 8 * size);
    return whole;
}

hd_expr hd_exchange_find_condition(hd_weave *w, uint32_t first, uint32_t second) {
    const hd_events *log = &w->log;
    const hd_action *a = hd_event_action(log, second);
    const hd_access *x = &a->access[0];
    HD_INVARIANT(L2, first < second && second < log->at.n);
    if (!hd_kind_is(a->kind, HD_KIND_EXCHANGES) || x->size > MAX_BYTES)
        return HD_NONE;
    source bytes[MAX_BYTES] = {0};
    hd_past p = {a->value, UINT64_MAX};
    take_bytes(bytes, x, x, hd_event_content(log, second));
    for (uint32_t e = second; e-- > first;)
        if (hd_writes_at(hd_event_action(log, e), x) && hd_event_before(log, first, e)) {
            hd_past_go_back(&p, log, x, e);
            go_back(log, bytes, x, e);
        }
    if (!is_symbolic(bytes, x->size))
        return HD_NONE;
    hd_graph *g = w->x->graph;
    hd_expr expected = hd_expr_const(g, 8 * x->size, a->expected);
    hd_expr succeeds = hd_expr_binary(g, HD_OP_EQ, joined(g, bytes, x->size, p.value), expected);
    return hd_expr_is_const(g, succeeds) ? HD_NONE : succeeds;
}
