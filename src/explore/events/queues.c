/* Queues without some events: see queues.h. */
#include "explore/events/queues.h"

#include "base/panic.h"
#include "explore/events/kinds.h"
#include "explore/events/queue_places.h"

/* Kinds that put, take, and set what a queue is like. */
#define PUTS  hd_kinds_with(HD_KIND_PUTS)
#define TAKES hd_kinds_with(HD_KIND_TAKES)
#define SETS  hd_kinds_with(HD_KIND_SETS)

/* The item that the action puts into the queue (or takes from it, by `kinds`); NO_ITEM if it does
 * not. */
static uint64_t changed_item(const hd_action *b, hd_kind_set kinds, uint64_t queue) {
    const hd_access *c =
        hd_kind_in(b->kind, kinds) && !has_failed(b) ? access_that(b, is_item) : NULL;
    return c && c->mode == HD_MODE_WRITE && queue_of(c->address) == queue ? c->address : NO_ITEM;
}

/* The item of the first event from `first` on that depends on it and puts (takes); all later ones
 * depend on it too. */
static uint64_t first_item(const hd_events *log, uint32_t first, uint32_t end, hd_kind_set kinds,
                           uint64_t queue) {
    for (uint32_t e = first; e < end; e++) {
        uint64_t item = changed_item(hd_event_action(log, e), kinds, queue);
        if (item && hd_event_before(log, first, e))
            return item;
    }
    return NO_ITEM;
}

/* The event before `end` that put (took) last. */
static uint32_t last_change(const hd_events *log, uint32_t end, hd_kind_set kinds, uint64_t queue) {
    for (uint32_t e = end; e-- > 0;)
        if (changed_item(hd_event_action(log, e), kinds, queue))
            return e;
    return HD_NO_EVENT;
}

/* ---- counters (Q8) ---- */

static bool changes_count(const hd_action *b, uint64_t count) {
    const hd_access *c = access_that(b, is_count);
    return c && c->address == count && c->mode == HD_MODE_WRITE &&
           !hd_kind_is(b->kind, HD_KIND_POLLS);
}

/* What the counter would hold: all who change it are ordered, so that is what it held before the
 * first of them that is removed.  False: none is. */
static bool count_without(const hd_events *log, uint32_t first, uint32_t end, uint64_t count,
                          uint64_t *value) {
    for (uint32_t e = first; e < end; e++) {
        const hd_action *b = hd_event_action(log, e);
        if (changes_count(b, count) && hd_event_before(log, first, e)) {
            HD_CHECK_INVARIANT(Q8, !access_that(b, is_item));
            *value = b->expected;
            return true;
        }
    }
    return false;
}

/* Could PUT or TAKE `a` go on if its counter held `value`? */
static bool suits(const hd_action *a, uint64_t value) {
    uint64_t amount = (uint64_t)a->detail << 32 | a->state;
    HD_INVARIANT(Q8, !hd_kind_is(a->kind, HD_KIND_PUTS) || amount <= HD_COUNT_MOST);
    return hd_kind_is(a->kind, HD_KIND_PUTS) ? value <= HD_COUNT_MOST - amount : value > 0;
}

static bool counts_without(const hd_events *log, uint32_t first, uint32_t end, const hd_action *a) {
    uint64_t value = a->expected;
    count_without(log, first, end, access_that(a, is_count)->address, &value);
    return suits(a, value);
}

/* Would POLL `n` find the counter of access `c` set? */
static bool is_set_without(const hd_events *log, uint32_t first, uint32_t n, const hd_access *c) {
    uint64_t value = c->size > 1;
    count_without(log, first, n, c->address, &value);
    return value > 0;
}

/* May the counter be set before event `n`, in which nobody looked at it?  What is not known counts
 * as yes. */
static bool may_be_set_without(const hd_events *log, uint32_t first, uint32_t n, uint64_t count) {
    uint64_t value = 1;
    count_without(log, first, n, count, &value);
    return value > 0;
}

/* ---- going on ---- */

/* Does TAKE `a` take the item of `c`?  It may have found the end of the queue instead. */
static bool takes(const hd_action *a, const hd_access *c) {
    return !has_failed(a) && c->mode == HD_MODE_WRITE;
}

/* The item after the last that was there for action `a`, which found those of `c`. */
static uint64_t tail_then(const hd_action *a, const hd_access *c) {
    HD_INVARIANT(Q3, is_item(c->address) && c->size > 0);
    if (hd_kind_is(a->kind, HD_KIND_POLLS))
        return c->address + c->size - 1;
    return c->address + takes(a, c);
}

/* Would the queue of access `c` of event `n` hold something? */
static bool is_filled_without(const hd_events *log, uint32_t first, uint32_t n,
                              const hd_access *c) {
    uint64_t queue = queue_of(c->address);
    uint64_t head = first_item(log, first, n, TAKES, queue);
    uint64_t tail = first_item(log, first, n, PUTS, queue);
    if (head == NO_ITEM)
        head = c->address;
    if (tail == NO_ITEM)
        tail = tail_then(hd_event_action(log, n), c);
    return head < tail;
}

/* May the queue hold something before event `n`, in which nobody looked at it?  What was put while
 * nobody else ran has left no event, and counts. */
static bool may_be_filled_without(const hd_events *log, uint32_t first, uint32_t n,
                                  uint64_t queue) {
    uint64_t head = first_item(log, first, n, TAKES, queue);
    uint64_t tail = first_item(log, first, n, PUTS, queue);
    uint32_t take = last_change(log, n, TAKES, queue);
    uint32_t put = last_change(log, n, PUTS, queue);
    if (head == NO_ITEM)
        head = queue;
    if (head == queue && take != HD_NO_EVENT) {
        const hd_access *c = access_that(hd_event_action(log, take), is_item);
        head = c->address + (c->size > 1 ? c->size - 1 : 1);
    }
    if (tail == NO_ITEM && put != HD_NO_EVENT)
        tail = access_that(hd_event_action(log, put), is_item)->address + 1;
    return head < tail;
}

static bool covers(const hd_access *c, uint64_t address) {
    return address >= c->address && address < c->address + c->size;
}

/* May one of the queues of some processes be filled? */
static bool any_is_filled_without(const hd_events *log, uint32_t first, uint32_t n,
                                  const hd_access *tokens) {
    for (uint32_t e = n; e-- > 0;) {
        const hd_action *b = hd_event_action(log, e);
        const hd_access *token = access_that(b, is_ready_token), *c = access_that(b, is_item);
        const hd_access *count = access_that(b, is_count);
        if (!token || !covers(tokens, token->address))
            continue;
        if (hd_kind_is(b->kind, HD_KIND_PUTS | HD_KIND_TAKES) && c &&
            may_be_filled_without(log, first, n, queue_of(c->address)))
            return true;
        if (count && may_be_set_without(log, first, n, count->address))
            return true;
    }
    return false;
}

/* Does `b` change something that `a` looks at?  Who only asks for it leaves it there. */
static bool changes_seen(const hd_action *a, const hd_action *b) {
    for (unsigned i = 0; i < b->n_accesses; i++)
        for (unsigned k = 0; b->access[i].mode != HD_MODE_READ && k < a->n_accesses; k++)
            if (b->access[i].address < a->access[k].address + a->access[k].size &&
                a->access[k].address < b->access[i].address + b->access[i].size)
                return true;
    return false;
}

/* Children that have ended and the like: `state` says how many things there were. */
static bool some_are_left(const hd_events *log, uint32_t first, uint32_t n) {
    const hd_action *a = hd_event_action(log, n);
    uint32_t n_gone = 0;
    for (uint32_t e = first; e < n; e++) {
        const hd_action *b = hd_event_action(log, e);
        n_gone += hd_event_before(log, first, e) && hd_actions_conflict(a, b) &&
                  changes_seen(a, b) && !hd_kind_is(b->kind, HD_KIND_POLLS | HD_KIND_TAKES);
    }
    return a->state > n_gone;
}

static bool closes_source(const hd_action *b) {
    return hd_kind_is(b->kind, HD_KIND_PUTS) && b->n_accesses && b->access[0].mode == HD_MODE_ADD &&
           is_queue(b->access[0].address);
}

static bool closes(const hd_action *b, const hd_access *end_of_queue) {
    bool is_it = closes_source(b) && covers(end_of_queue, b->access[0].address);
    HD_INVARIANT(Q7, !is_it || b->state <= HD_ENDS_AT_ONCE);
    return is_it;
}

/* Does `a` look at the queue of which `b` closes a source, or at what stands for it? */
static bool is_looked_at(const hd_action *a, const hd_action *b) {
    const hd_access *at_end = access_that(a, is_end);
    for (unsigned i = 0; at_end && i < a->n_accesses; i++)
        if (is_end(a->access[i].address) && closes(b, &a->access[i]))
            return true;
    return !at_end && hd_actions_conflict(a, b);
}

/* Is the queue of END access `c` at its end without `first`, whoever else could put into it? */
static bool is_shut_without(const hd_events *log, uint32_t first, uint32_t end,
                            const hd_access *c) {
    for (uint32_t e = 0; e < end; e++) {
        const hd_action *b = hd_event_action(log, e);
        if (closes(b, c) && b->state == HD_ENDS_AT_ONCE &&
            (e < first || !hd_event_before(log, first, e)))
            return true;
    }
    return false;
}

/* Was POLL `n` ready for a reason that is no item?  What depends on `first` has closed sources that
 * it may have waited for. */
static bool has_other_reason(const hd_events *log, uint32_t first, uint32_t n) {
    const hd_action *a = hd_event_action(log, n);
    bool is_vague = access_that(a, is_ready_token), is_one_left = false;
    uint32_t n_closed = 0;
    for (uint32_t e = 0; a->detail && e < n; e++) {
        const hd_action *b = hd_event_action(log, e);
        if (!closes_source(b) || !is_looked_at(a, b))
            continue;
        bool is_gone = e >= first && hd_event_before(log, first, e) &&
                       !is_shut_without(log, first, n, &b->access[0]);
        n_closed += is_gone;
        is_one_left |= !is_gone; /* of a queue that has the same token, or that it looked at */
    }
    return a->detail > n_closed || (is_vague && a->detail && is_one_left);
}

static bool polls_without(const hd_events *log, uint32_t first, uint32_t n) {
    const hd_action *a = hd_event_action(log, n);
    uint32_t n_filled = 0;
    if (has_other_reason(log, first, n))
        return true;
    if (access_that(a, is_ready_token)) {
        for (unsigned i = 0; i < a->n_accesses; i++)
            if (is_ready_token(a->access[i].address) &&
                any_is_filled_without(log, first, n, &a->access[i]))
                return true;
        return false;
    }
    if (!access_that(a, is_item) && !access_that(a, is_count))
        return some_are_left(log, first, n);
    for (unsigned i = 0; i < a->n_accesses; i++) {
        const hd_access *c = &a->access[i];
        if (!is_item(c->address) && !is_count(c->address))
            continue;
        n_filled += c->size > 1;
        if (is_item(c->address) ? is_filled_without(log, first, n, c)
                                : is_set_without(log, first, n, c))
            return true;
    }
    return a->state > n_filled; /* it was ready for something else */
}

/* Would there be room for what `a` puts?  Who took something made room for it, who put something
 * used it up. */
static bool has_room_without(const hd_events *log, uint32_t first, uint32_t end,
                             const hd_action *a) {
    uint64_t queue = queue_of(access_that(a, is_queue)->address);
    int64_t room = a->state;
    HD_INVARIANT(Q4, a->detail == 0 || a->state <= a->detail);
    for (uint32_t e = first; e < end; e++) {
        const hd_action *b = hd_event_action(log, e);
        if (!hd_event_before(log, first, e))
            continue;
        room += changed_item(b, PUTS, queue) != NO_ITEM;
        room -= changed_item(b, TAKES, queue) != NO_ITEM;
    }
    return room > 0;
}

/* Has TAKE `a` found the end of the queue, and would it still? */
static bool sees_end_without(const hd_events *log, uint32_t first, uint32_t end,
                             const hd_action *a) {
    const hd_access *item = access_that(a, is_item);
    if (has_failed(a) || item->mode == HD_MODE_WRITE)
        return false;
    const hd_access *at_end = access_that(a, is_end);
    if (!at_end || is_shut_without(log, first, end, at_end))
        return true;
    for (uint32_t e = first; e < end; e++) {
        const hd_action *b = hd_event_action(log, e);
        bool is_removed = hd_event_before(log, first, e) && closes(b, at_end);
        if (is_removed && (!a->detail || b->state == HD_ENDS_AT_ONCE))
            return false;
    }
    return true;
}

bool hd_queues_go_without(const hd_events *log, uint32_t first, uint32_t n) {
    const hd_action *a = hd_event_action(log, n);
    HD_ASSERT(hd_kind_is(a->kind, HD_KIND_QUEUE) && first < n);
    if (hd_kind_is(a->kind, HD_KIND_POLLS))
        return polls_without(log, first, n);
    if (access_that(a, is_count))
        return counts_without(log, first, n, a);
    if (hd_kind_is(a->kind, HD_KIND_PUTS) && !a->detail) /* who takes makes room for it */
        return !hd_kind_is(hd_event_action(log, first)->kind, HD_KIND_TAKES);
    if (hd_kind_is(a->kind, HD_KIND_PUTS))
        return has_room_without(log, first, n, a);
    const hd_access *c = access_that(a, is_item);
    return c && (is_filled_without(log, first, n, c) || sees_end_without(log, first, n, a));
}

/* ---- what it would do ---- */

/* The token of the owner of a queue, which goes with everything that changes it. */
static const hd_access *ready_token_of(const hd_events *log, uint32_t end, uint64_t queue) {
    for (uint32_t e = 0; e < end; e++) {
        const hd_action *b = hd_event_action(log, e);
        const hd_access *token = access_that(b, is_ready_token), *c = access_that(b, is_item);
        if (hd_kind_is(b->kind, HD_KIND_PUTS | HD_KIND_TAKES) && token && c &&
            queue_of(c->address) == queue)
            return token;
    }
    return NULL;
}

static void add_access(hd_action *a, hd_access c) {
    HD_CHECK(c.size > 0);
    if (a->n_accesses < HD_MAX_ACCESSES)
        a->access[a->n_accesses++] = c;
}

/* Has the access nothing to do with the queue?  A listener may be looked at besides it. */
static bool is_of_another(const hd_access *c, uint64_t queue) {
    bool is_listener = is_reader_place(c->address) && queue_of(c->address) != queue;
    return is_listener || (!is_queue(c->address) && !is_ready_token(c->address));
}

/* New accesses: `end` of the queue, the item, readiness; and what has nothing to do with it. */
static void set_accesses(hd_action *a, hd_access end, const hd_access *item,
                         const hd_access *token) {
    hd_action old = *a;
    a->n_accesses = 0;
    add_access(a, end);
    if (item)
        add_access(a, *item);
    if (token)
        add_access(a, *token);
    for (unsigned i = 0; i < old.n_accesses; i++)
        if (is_of_another(&old.access[i], queue_of(end.address)))
            add_access(a, old.access[i]);
}

static void set_outcome(hd_action *a, bool succeeds) {
    const unsigned failed = HD_ACTION_FAILED | HD_ACTION_TIMEOUT;
    a->flags = (uint8_t)(succeeds ? a->flags & ~failed : a->flags | HD_ACTION_FAILED);
}

/* The item behind all that was put so far, or `known` if that is behind them. */
static uint64_t tail_now(const hd_events *log, uint64_t queue, uint64_t known) {
    uint32_t put = last_change(log, (uint32_t)log->at.n, PUTS, queue);
    uint64_t tail =
        put == HD_NO_EVENT ? known : access_that(hd_event_action(log, put), is_item)->address + 1;
    return tail > known ? tail : known;
}

/* How much of a stream it would get is not known: all that there is, which conflicts with more. */
static bool predict_take(const hd_events *log, uint32_t first, uint32_t end, hd_action *a) {
    const hd_access *old = access_that(a, is_item);
    if (!old)
        return true;
    hd_access item = *old, token, place = {.size = 1, .is_atomic = true};
    HD_INVARIANT(Q2, item.size == 1 || a->state > 1);
    uint64_t queue = queue_of(item.address);
    uint64_t head = first_item(log, first, end, TAKES, queue);
    uint64_t tail = first_item(log, first, end, PUTS, queue);
    uint64_t last = item.address + (item.size > 1 ? item.size - 1 : takes(a, &item));
    if (head == NO_ITEM)
        head = item.address;
    if (tail == NO_ITEM)
        tail = last;
    if (end == log->at.n && tail == last) /* it waits, and what it saw is old */
        tail = tail_now(log, queue, last);
    if (head >= tail && sees_end_without(log, first, end, a))
        return true;
    bool succeeds = head < tail || (a->flags & HD_ACTION_WAITS && !has_failed(a));
    bool is_same = head == item.address && !has_failed(a); /* perhaps it only looks (an end) */
    item.size = succeeds && a->state > 1 ? (uint32_t)(tail - head + 1) : 1;
    HD_INVARIANT(Q2, item.size >= 1 && queue_of(head) == queue);
    item.address = head;
    place.address = head_of(queue);
    if (!succeeds || !is_same)
        item.mode = succeeds ? HD_MODE_WRITE : HD_MODE_READ;
    place.mode = item.mode;
    const hd_access *ready = access_that(a, is_ready_token);
    if (!ready)
        ready = ready_token_of(log, end, queue);
    if (ready)
        token = *ready;
    hd_access end_of_queue = {.size = 0};
    if (access_that(a, is_end))
        end_of_queue = *access_that(a, is_end);
    set_outcome(a, succeeds);
    set_accesses(a, place, &item, item.mode == HD_MODE_WRITE && ready ? &token : NULL);
    if (end_of_queue.size && item.mode == HD_MODE_READ)
        add_access(a, end_of_queue);
    return a->state <= 1 && (ready || item.mode != HD_MODE_WRITE);
}

/* What a PUT would see of the readers of its queue (Q5). */
typedef struct readers {
    bool are_there; /* what is not known counts as yes: it conflicts with more */
    bool is_exact;
    hd_access seen;       /* where it would look */
    uint32_t is_back;     /* the first of those who closed it in events that are removed */
    uint32_t is_own_back; /* the place of its own process, if that is among them */
} readers;

static uint64_t readers_of(uint64_t address) {
    return queue_of(address) | (HD_QUEUE_READERS(0) & OF_QUEUE);
}

static void bring_back(readers *r, const hd_events *log, const hd_action *a, const hd_action *b,
                       uint64_t queue) {
    uint32_t own = a->value ? UINT32_MAX : log->threads->process[a->thread]; /* no courier's */
    for (unsigned i = 0; i < b->n_accesses; i++) {
        uint64_t address = b->access[i].address;
        if (!is_reader_place(address) || queue_of(address) != queue ||
            b->access[i].mode != HD_MODE_ADD)
            continue;
        uint32_t place = (uint32_t)(address - readers_of(queue));
        HD_INVARIANT(Q5, place < HD_N_READERS);
        r->is_back = place < r->is_back ? place : r->is_back;
        bool is_own = own != UINT32_MAX && place == HD_READER_PLACE(own);
        r->is_own_back = is_own ? place : r->is_own_back;
        r->is_exact &= place != HD_N_READERS - 1; /* some share it: whose is it? */
    }
}

/* With one more reader than it saw: where it would stop looking. */
static void see_reader(readers *r, const hd_action *a, uint64_t queue) {
    bool knows = !has_failed(a) && (r->seen.size == 1 || r->seen.size == HD_N_READERS);
    uint32_t n = r->is_back + 1;
    r->are_there = true;
    if (r->is_own_back)
        r->seen = (hd_access){readers_of(queue) + r->is_own_back, 1, HD_MODE_READ, true, 0};
    else if (!knows) /* else the one it found is before all others, or it looks at all of them */
        r->seen.size = n < r->seen.size ? n : r->seen.size;
}

static bool changes_tail(const hd_action *b, hd_kind_set kinds, unsigned nth, uint64_t queue) {
    return hd_kind_in(b->kind, kinds) && b->n_accesses > nth &&
           b->access[nth].mode == HD_MODE_WRITE && b->access[nth].address == tail_of(queue);
}

/* Does `b` close the listener that is to accept what `a` puts into? */
static bool closes_listener(const hd_action *a, const hd_action *b, uint64_t queue) {
    for (unsigned i = 0; i < a->n_accesses; i++)
        for (unsigned k = 0; k < b->n_accesses; k++)
            if (is_reader_place(a->access[i].address) && queue_of(a->access[i].address) != queue &&
                hd_accesses_conflict(&a->access[i], 0, &b->access[k], 0))
                return true;
    return false;
}

/* Is event `e` gone without `first` and all after it? */
static bool is_gone(const hd_events *log, uint32_t first, uint32_t e) {
    return e >= first && hd_event_before(log, first, e);
}

/* Did somebody begin to listen before event `e`, in an event that stays?  Several may, who share a
 * socket: each has only the last of them in its past. */
static bool is_open_before(const hd_events *log, uint32_t first, uint32_t e, uint64_t queue) {
    while (e-- > 0) {
        const hd_action *b = hd_event_action(log, e);
        if (changes_tail(b, SETS, 0, queue) && b->state != 2 && !is_gone(log, first, e))
            return b->state == 1;
    }
    return false;
}

/* Did somebody begin to listen in an event that is removed, and nobody before?  Nobody is there
 * then. */
static bool is_deaf_without(const hd_events *log, uint32_t first, uint32_t end, uint64_t queue) {
    while (end > first && !changes_tail(hd_event_action(log, end - 1), SETS, 0, queue))
        end--;
    return end > first && hd_event_action(log, end - 1)->state == 1 &&
           hd_event_before(log, first, end - 1) && !is_open_before(log, first, end - 1, queue);
}

static readers readers_without(const hd_events *log, uint32_t first, uint32_t end,
                               const hd_action *a) {
    const hd_access *seen = access_that(a, is_reader_place);
    uint64_t queue = queue_of(access_that(a, is_queue)->address);
    if (!seen) /* it knows its reader: who listens */
        return (readers){.are_there = !has_failed(a) && !is_deaf_without(log, first, end, queue),
                         .is_exact = true,
                         .is_back = HD_N_READERS};
    readers r = {!has_failed(a), true, *seen, HD_N_READERS, 0};
    for (uint32_t e = end; e-- > 0;) {
        const hd_action *b = hd_event_action(log, e);
        bool is_removed = is_gone(log, first, e);
        if (is_removed && closes_listener(a, b, queue)) {
            r.are_there = true;
            r.is_exact = false;
        }
        HD_INVARIANT(Q5, !changes_tail(b, SETS, 0, queue) || b->state <= 2);
        if (changes_tail(b, SETS, 0, queue) && b->state != 2) {
            r.is_exact &= b->state == 1 || (!is_removed && r.is_back == HD_N_READERS);
            if (!is_removed || b->state != 1)
                break;
            if (is_open_before(log, first, e, queue))
                continue;
            r.are_there = false;
            r.seen.address = readers_of(queue);
            r.seen.size = HD_N_READERS;
            return r;
        }
        if (is_removed && changes_tail(b, PUTS, 2, queue) && closes_source(b)) {
            r.are_there = true; /* it was shut down */
            r.is_exact = false;
        }
        if (is_removed)
            bring_back(&r, log, a, b, queue);
    }
    if (r.is_back < HD_N_READERS)
        see_reader(&r, a, queue);
    return r;
}

/* Where it would put something. */
static uint64_t tail_without(const hd_events *log, uint32_t first, uint32_t end,
                             const hd_action *a) {
    const hd_access *old = access_that(a, is_item);
    uint64_t queue = queue_of(access_that(a, is_queue)->address);
    uint64_t tail = first_item(log, first, end, PUTS, queue);
    if (tail != NO_ITEM || old)
        return tail != NO_ITEM ? tail : old->address;
    uint32_t put = last_change(log, end, PUTS, queue);
    return put == HD_NO_EVENT ? queue
                              : access_that(hd_event_action(log, put), is_item)->address + 1;
}

/* The door that it was led past (Q9). */
static const hd_access *passed_door(const hd_action *a) {
    const hd_access *any = access_that(a, is_queue);
    for (unsigned i = 0; any && i < a->n_accesses; i++) {
        uint64_t at = a->access[i].address;
        if (is_queue(at) && at == tail_of(at) && queue_of(at) != queue_of(any->address))
            return &a->access[i];
    }
    return NULL;
}

/* A PUT that may be about anything there. */
static bool predict_passing(hd_access *door) {
    door->address = queue_of(door->address);
    door->size = UINT32_MAX;
    door->mode = HD_MODE_WRITE;
    return false;
}

static bool predict_put(const hd_events *log, uint32_t first, uint32_t end, hd_action *a) {
    const hd_access *passed = passed_door(a);
    if (passed)
        return predict_passing(&a->access[passed - a->access]);
    const hd_access *any = access_that(a, is_queue), *ready = access_that(a, is_ready_token);
    if (!any || (!access_that(a, is_item) && !has_failed(a) && !(a->flags & HD_ACTION_WAITS)))
        return true; /* it puts nothing, whatever happened */
    bool is_bounded = a->detail > 0;
    readers readers = readers_without(log, first, end, a);
    bool succeeds = is_bounded ? has_room_without(log, first, end, a) || a->flags & HD_ACTION_WAITS
                               : readers.are_there;
    uint64_t queue = queue_of(any->address), tail = tail_without(log, first, end, a);
    HD_INVARIANT(Q1, is_item(tail) && queue_of(tail) == queue);
    hd_access token, place = *any, head = {head_of(queue), 1, HD_MODE_READ, true, 0};
    hd_access item = {tail, 1, HD_MODE_WRITE, true, 0};
    if (!ready)
        ready = ready_token_of(log, end, queue);
    if (ready)
        token = *ready;
    if (!succeeds)
        place = (hd_access){tail_of(queue), 1, HD_MODE_READ, true, 0};
    else if (has_failed(a) || place.address == head.address)
        place = (hd_access){tail_of(queue), 1, HD_MODE_WRITE, true, 0};
    if (is_item(place.address)) /* one that does not mind who else puts */
        place = item;
    bool adds = succeeds && place.address != item.address;
    bool makes_room = is_bounded && (tail - queue >= a->detail || !succeeds);
    set_outcome(a, succeeds);
    set_accesses(a, place, adds ? &item : NULL, succeeds && ready ? &token : NULL);
    if (makes_room)
        add_access(a, head);
    if (readers.seen.size)
        add_access(a, readers.seen);
    return readers.is_exact && (ready || !succeeds);
}

/* Items that came later are not there, those that were taken still are. */
static void predict_poll(const hd_events *log, uint32_t first, uint32_t end, hd_action *a) {
    for (unsigned i = 0; i < a->n_accesses; i++) {
        hd_access *c = &a->access[i];
        if (!is_item(c->address))
            continue;
        uint64_t queue = queue_of(c->address), last = c->address + c->size - 1;
        uint64_t head = first_item(log, first, end, TAKES, queue);
        uint64_t tail = first_item(log, first, end, PUTS, queue);
        uint64_t behind = tail == NO_ITEM ? last : tail;
        c->address = head == NO_ITEM ? c->address : head;
        if (c->address > behind) /* who took what came before is not among the events */
            c->address = behind;
        c->size = (uint32_t)(behind - c->address + 1);
        HD_INVARIANT(Q3, c->size > 0);
    }
}

/* The token is that of somebody who did change it; if nobody did it is not known. */
static const hd_access *token_of_count(const hd_events *log, uint32_t end, const hd_action *a,
                                       uint64_t count) {
    const hd_access *token = access_that(a, is_ready_token);
    for (uint32_t e = 0; !token && e < end; e++)
        if (changes_count(hd_event_action(log, e), count))
            token = access_that(hd_event_action(log, e), is_ready_token);
    return token;
}

static bool predict_count(const hd_events *log, uint32_t first, uint32_t end, hd_action *a) {
    hd_access place = *access_that(a, is_count), token;
    bool succeeds =
        counts_without(log, first, end, a) || (a->flags & HD_ACTION_WAITS && !has_failed(a));
    const hd_access *ready = token_of_count(log, end, a, place.address);
    if (ready)
        token = *ready;
    place.mode = succeeds ? HD_MODE_WRITE : HD_MODE_READ;
    HD_INVARIANT(Q8, !access_that(a, is_item));
    count_without(log, first, end, place.address, &a->expected);
    set_outcome(a, succeeds);
    set_accesses(a, place, NULL, succeeds && ready ? &token : NULL);
    return ready || !succeeds;
}

/* Whether there is something to be read, at counters. */
static void predict_counts(const hd_events *log, uint32_t first, uint32_t end, hd_action *a) {
    for (unsigned i = 0; i < a->n_accesses; i++)
        if (is_count(a->access[i].address))
            a->access[i].size = is_set_without(log, first, end, &a->access[i]) ? 2 : 1;
}

bool hd_queues_predict(const hd_events *log, uint32_t first, uint32_t end, hd_action *a) {
    HD_ASSERT(hd_kind_is(a->kind, HD_KIND_QUEUE) && first < end && end <= log->at.n);
    if (!hd_kind_is(a->kind, HD_KIND_POLLS) && access_that(a, is_count))
        return predict_count(log, first, end, a);
    if (hd_kind_is(a->kind, HD_KIND_TAKES))
        return predict_take(log, first, end, a);
    if (hd_kind_is(a->kind, HD_KIND_PUTS))
        return predict_put(log, first, end, a);
    predict_poll(log, first, end, a);
    predict_counts(log, first, end, a);
    for (unsigned i = 0; i < a->n_accesses; i++)
        if (is_ready_token(a->access[i].address) && a->access[i].size > 1)
            return false; /* at which of the queues it looks is not known: it may have to wait */
    return true;
}

/* ---- answers ---- */

bool hd_queues_is_answer(const hd_action *a, const hd_action *b) {
    HD_CHECK_INVARIANT(Q6, hd_actions_conflict(a, b));
    const hd_access *seen = closes_source(a) ? access_that(a, is_reader_place) : NULL;
    if (!seen || seen->mode != HD_MODE_READ)
        return false;
    for (unsigned i = 0; i < b->n_accesses; i++)
        if (hd_accesses_conflict(seen, 0, &b->access[i], 0))
            return true;
    return false;
}

/* ---- who was faster ---- */

static bool is_listed(const hd_events *log, const uint32_t *out, uint32_t n, uint64_t queue) {
    for (uint32_t i = 0; i < n; i++)
        if (queue_of(access_that(hd_event_action(log, out[i]), is_item)->address) == queue)
            return true;
    return false;
}

/* The last to take from each queue of some processes, besides the n that are there already. */
static uint32_t takers_of(const hd_events *log, const hd_access *tokens, uint32_t end,
                          const uint32_t *clock, uint32_t *out, uint32_t n) {
    for (uint32_t e = end; e-- > 0 && n < HD_MAX_THREADS;) {
        const hd_action *b = hd_event_action(log, e);
        const hd_access *token = access_that(b, is_ready_token), *c = access_that(b, is_item);
        if (hd_kind_is(b->kind, HD_KIND_TAKES) && token && c && covers(tokens, token->address) &&
            c->mode == HD_MODE_WRITE && !hd_clock_has_seen(log, clock, e) &&
            !is_listed(log, out, n, queue_of(c->address)))
            out[n++] = e;
    }
    return n;
}

/* The event before `end` that changed the queue last, in out[n] if `clock` has not seen it. */
static uint32_t add_rival(const hd_events *log, hd_kind_set kinds, uint64_t queue, uint32_t end,
                          const uint32_t *clock, uint32_t *out, uint32_t n) {
    HD_ASSERT(n < HD_MAX_THREADS);
    out[n] = last_change(log, end, kinds, queue);
    return n + (out[n] != HD_NO_EVENT && !hd_clock_has_seen(log, clock, out[n]));
}

/* The last to change the counter before whom the action could have gone on. */
static uint32_t add_count_rival(const hd_events *log, const hd_action *a, uint64_t count,
                                uint32_t end, const uint32_t *clock, uint32_t *out, uint32_t n) {
    while (end-- > 0) {
        const hd_action *b = hd_event_action(log, end);
        if (!changes_count(b, count) || !suits(a, b->expected))
            continue;
        out[n] = end;
        return n + !hd_clock_has_seen(log, clock, end);
    }
    return n;
}

uint32_t hd_queues_rivals(const hd_events *log, const hd_action *a, uint32_t end,
                          const uint32_t *clock, uint32_t *out) {
    const hd_access *any = access_that(a, is_queue);
    uint32_t n = 0;
    HD_ASSERT(hd_kind_is(a->kind, HD_KIND_QUEUE) && end <= log->at.n);
    for (unsigned i = 0; i < a->n_accesses && n < HD_MAX_THREADS; i++)
        if (is_count(a->access[i].address))
            n = add_count_rival(log, a, a->access[i].address, end, clock, out, n);
    if (hd_kind_is(a->kind, HD_KIND_PUTS) && access_that(a, is_count))
        return n;
    if (hd_kind_is(a->kind, HD_KIND_PUTS))
        return any ? add_rival(log, PUTS, queue_of(any->address), end, clock, out, 0) : 0;
    for (unsigned i = 0; hd_kind_is(a->kind, HD_KIND_POLLS) && i < a->n_accesses; i++)
        if (is_ready_token(a->access[i].address))
            n = takers_of(log, &a->access[i], end, clock, out, n);
    for (unsigned i = 0; i < a->n_accesses; i++)
        if (is_item(a->access[i].address))
            n = add_rival(log, TAKES, queue_of(a->access[i].address), end, clock, out, n);
    return n;
}

/* ---- who made it possible ---- */

/* The event before `end` that put or took the item; HD_NO_EVENT if there is none. */
static uint32_t change_of(const hd_events *log, uint32_t end, hd_kind_set kinds, uint64_t item) {
    HD_INVARIANT(Q1, is_item(item));
    while (end-- > 0)
        if (changed_item(hd_event_action(log, end), kinds, queue_of(item)) == item)
            return end;
    return HD_NO_EVENT;
}

/* Events that changed the counter since event `e` could not have gone on. */
static uint32_t count_sources(const hd_events *log, uint32_t e, uint32_t *out) {
    const hd_action *a = hd_event_action(log, e);
    uint64_t count = access_that(a, is_count)->address;
    uint32_t n = 0;
    while (e-- > 0 && n < HD_MAX_THREADS) {
        const hd_action *b = hd_event_action(log, e);
        if (!changes_count(b, count))
            continue;
        if (b->kind != a->kind)
            out[n++] = e;
        if (!suits(a, b->expected))
            break;
    }
    return n;
}

uint32_t hd_queues_sources(const hd_events *log, uint32_t e, uint32_t *out) {
    const hd_action *a = hd_event_action(log, e);
    const hd_access *c = access_that(a, is_item);
    uint32_t n = 0;
    if (!hd_kind_is(a->kind, HD_KIND_POLLS) && access_that(a, is_count) && !has_failed(a))
        return count_sources(log, e, out);
    if (!c || has_failed(a))
        return 0;
    if (hd_kind_is(a->kind, HD_KIND_PUTS)) {
        bool needs_room = a->detail && c->address - queue_of(c->address) >= a->detail;
        out[0] = needs_room ? change_of(log, e, TAKES, c->address - a->detail) : HD_NO_EVENT;
        return out[0] != HD_NO_EVENT;
    }
    for (uint32_t i = 0; i < c->size && n < HD_MAX_THREADS; i++) {
        out[n] = change_of(log, e, PUTS, c->address + i);
        n += out[n] != HD_NO_EVENT;
    }
    return n;
}

/* ---- costly checks: is an event what queues.h says? ---- */

static void check_put(const hd_events *log, uint32_t e, const hd_action *a) {
    const hd_access *item = access_that(a, is_item);
    bool puts = item && changed_item(a, PUTS, queue_of(item->address));
    uint32_t before = puts ? last_change(log, e, PUTS, queue_of(item->address)) : HD_NO_EVENT;
    HD_INVARIANT(Q1,
                 before == HD_NO_EVENT ||
                     access_that(hd_event_action(log, before), is_item)->address < item->address);
    HD_INVARIANT(Q7, !closes_source(a) || a->state <= HD_ENDS_AT_ONCE);
    const hd_access *seen = closes_source(a) ? access_that(a, is_reader_place) : NULL;
    HD_INVARIANT(Q6, !seen || seen->mode == HD_MODE_READ || seen->mode == HD_MODE_ADD);
    bool is_bounded = puts && a->detail > 0;
    HD_INVARIANT(Q4, !is_bounded || a->state <= a->detail);
    const hd_access *passed = passed_door(a);
    HD_INVARIANT(Q9, !passed || (passed->mode == HD_MODE_READ && puts));
}

/* A part of an item may be left for the next one (--partial-io). */
static void check_take(const hd_events *log, uint32_t e, const hd_action *a) {
    const hd_access *item = access_that(a, is_item);
    HD_INVARIANT(Q2, !item || item->size == 1 || a->state > 1);
    bool takes = item && changed_item(a, TAKES, queue_of(item->address));
    uint32_t before = takes ? last_change(log, e, TAKES, queue_of(item->address)) : HD_NO_EVENT;
    HD_INVARIANT(Q1,
                 before == HD_NO_EVENT ||
                     access_that(hd_event_action(log, before), is_item)->address <= item->address);
}

static void check_poll(const hd_action *a) {
    for (unsigned i = 0; i < a->n_accesses; i++) {
        const hd_access *c = &a->access[i];
        HD_INVARIANT(Q3, !is_queue(c->address) || (c->mode == HD_MODE_READ && c->size > 0));
        HD_INVARIANT(Q8, !is_count(c->address) || c->size <= 2);
    }
}

bool hd_queues_are_right(const hd_events *log, uint32_t e) {
    const hd_action *a = hd_event_action(log, e);
    const hd_access *any = access_that(a, is_queue);
    if (!any)
        return true;
    HD_INVARIANT(Q8, !access_that(a, is_count) || hd_kind_is(a->kind, HD_KIND_POLLS) ||
                         !access_that(a, is_item));
    HD_INVARIANT(Q5, !changes_tail(a, SETS, 0, queue_of(any->address)) || a->state <= 2);
    if (hd_kind_is(a->kind, HD_KIND_PUTS) && !access_that(a, is_count))
        check_put(log, e, a);
    if (hd_kind_is(a->kind, HD_KIND_TAKES) && !access_that(a, is_count))
        check_take(log, e, a);
    if (hd_kind_is(a->kind, HD_KIND_POLLS))
        check_poll(a);
    return true;
}

/* ---- columns of the table of kinds ---- */

HD_PREDICT(queue) {
    return !hd_queues_predict(log, first, second, a);
}

HD_RACE(queue) {
    (void)clock;
    return hd_queues_go_without(log, c, n) ? c : HD_NO_EVENT;
}

HD_BLOCKERS(queue) {
    return hd_queues_rivals(log, a, (uint32_t)log->at.n, clock, out);
}
