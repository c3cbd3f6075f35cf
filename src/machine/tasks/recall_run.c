/* Executions from tables: the sink is asked as if threads ran (see recall.h). */
#include "machine/tasks/recall_int.h"

#include "machine/core/kinds.h"

#define MOST_EVENTS 10000 /* of those that are recalled: limits are for the machine to find */
/* Executions that have to be run after all were tried in vain: if most of so many are, as many are
 * left out, and twice as many each time. */
#define TRIES      64
#define MOST_RESTS 8

/* ---- what the sink may ask ---- */

static bool has_ended(const hd_recall *r, uint32_t thread) {
    return hd_recall_stop(r, thread)->role == HD_ROLE_ENDED;
}

static bool can_go_on(const hd_recall *r, uint32_t thread) {
    const hd_stop *s = hd_recall_stop(r, thread);
    switch ((hd_recall_role)s->role) {
    case HD_ROLE_TAKES:
        return !(s->action.flags & HD_ACTION_WAITS) || !r->places.at[s->location].value;
    case HD_ROLE_JOINS:
        return has_ended(r, s->action.detail);
    case HD_ROLE_EXITS:
    case HD_ROLE_ENDED:
        return false;
    default:
        return true;
    }
}

/* The end of the program comes last. */
static hd_thread_set enabled(hd_threads *threads) {
    const hd_machine *m = threads->machine;
    hd_set_maker going = {0}, ending = {0};
    uint32_t i;
    HD_SET_EACH(i, threads->alive) {
        if (can_go_on(m->recall, i))
            hd_set_maker_add(&going, i);
        else if (hd_recall_stop(m->recall, i)->role == HD_ROLE_EXITS)
            hd_set_maker_add(&ending, i);
    }
    hd_thread_set yes = hd_set_made(&going), at_exit = hd_set_made(&ending);
    return hd_set_is_empty(yes) ? at_exit : yes;
}

static uint32_t first(hd_threads *threads, hd_thread_set among) {
    const hd_machine *m = threads->machine;
    uint32_t i;
    HD_SET_EACH(i, among)
    if (can_go_on(m->recall, i))
        return i;
    return HD_MAX_THREADS;
}

/* As hd_settle_compare, with the value that is known. */
static void settle_exchange(hd_action *a) {
    bool fails = a->value != a->expected;
    a->access[0].mode = fails ? HD_MODE_READ : HD_MODE_WRITE;
    a->flags = (uint8_t)((a->flags & ~HD_ACTION_FAILED) | (fails ? HD_ACTION_FAILED : 0));
}

static void settle(hd_threads *threads, uint32_t thread) {
    const hd_machine *m = threads->machine;
    hd_action *a = &threads->action[thread];
    const hd_stop *s = hd_recall_stop(m->recall, thread);
    if (s->role != HD_ROLE_ACCESS)
        return;
    a->value = hd_recall_value(m->recall, s);
    if (hd_kind_is(a->kind, HD_KIND_EXCHANGES))
        settle_exchange(a);
}

/* ---- one execution ---- */

/* What the machine has of its threads, while others are shown. */
typedef struct hd_put_aside {
    hd_thread_set alive;
    uint32_t n, current;
    hd_thread_set (*enabled)(hd_threads *t);
    uint32_t (*first)(hd_threads *t, hd_thread_set among);
    void (*settle)(hd_threads *t, uint32_t thread);
} hd_put_aside;

static hd_put_aside put_aside(hd_threads *t) {
    hd_put_aside kept = {t->alive, t->n, t->current, t->enabled, t->first, t->settle};
    t->enabled = enabled;
    t->first = first;
    t->settle = settle;
    t->is_recalled = true;
    return kept;
}

static void take_out(hd_threads *t, const hd_put_aside *kept) {
    HD_ASSERT(t->is_recalled && kept->n && kept->settle != t->settle);
    t->alive = kept->alive;
    t->n = kept->n;
    t->current = kept->current;
    t->enabled = kept->enabled;
    t->first = kept->first;
    t->settle = kept->settle;
    t->is_recalled = false;
}

static void show(hd_machine *m, uint32_t thread) {
    const hd_stop *s = hd_recall_stop(m->recall, thread);
    if (s->role == HD_ROLE_ENDED) {
        m->threads.alive = hd_set_without(m->threads.alive, thread);
        return;
    }
    hd_action_copy(&m->threads.action[thread], &s->action);
}

static void show_all(hd_machine *m) {
    const hd_recall *r = m->recall;
    HD_INVARIANT(K6, r->trail.n && r->trail.n == m->call.sink->script->n);
    HD_ASSERT(r->n_threads && r->n_threads <= HD_RECALL_THREADS && !r->is_under_way);
    hd_threads *t = &m->threads;
    t->n = r->n_threads;
    t->current = r->trail.at[r->trail.n - 1].thread;
    t->alive = HD_SET_EMPTY;
    for (uint32_t i = 0; i < t->n; i++) {
        t->alive = hd_set_with(t->alive, i);
        show(m, i);
    }
}

enum progress { GOES_ON, IS_OVER, IS_UNKNOWN };

static uint64_t steps_from(const hd_recall *r, uint32_t thread) {
    uint64_t n = 0;
    for (uint32_t i = thread; i < r->n_threads; i++)
        n += hd_recall_stop(r, i)->steps;
    return n;
}

static enum progress finish(hd_recall *r, hd_recalled *out) {
    const uint64_t *steps = hd_map_find(&r->endings, hd_recall_name_ending(r, false));
    if (steps && *steps == HD_ENDING_LOOKS)
        steps = hd_map_find(&r->endings, hd_recall_name_ending(r, true));
    if (!steps)
        return IS_UNKNOWN;
    *out = (hd_recalled){*steps + steps_from(r, 1), r->hash, r->trail.n, HD_END_EXIT};
    return IS_OVER;
}

/* By event `a`, behind which main comes to no stop: it does not stay on the trail. */
static enum progress try_to_finish(hd_recall *r, const hd_action *a, hd_recalled *out) {
    hd_recall_push(r, a, 0);
    enum progress p = finish(r, out);
    hd_recall_cut(r, (uint32_t)r->trail.n - 1);
    return p;
}

/* The event that the sink has chosen. */
static enum progress do_event(hd_machine *m, uint32_t thread, hd_recalled *out) {
    hd_recall *r = m->recall;
    const hd_action *a = &m->threads.action[thread];
    const hd_stop *s = hd_recall_stop(r, thread);
    if (s->role == HD_ROLE_BEARS ||
        (s->role == HD_ROLE_JOINS && r->joined & hd_recall_bit(s->action.detail)))
        return IS_UNKNOWN;
    bool is_last = s->role == HD_ROLE_EXITS || (s->role == HD_ROLE_JOINS && r->n_unjoined == 2);
    if (is_last)
        return thread ? IS_UNKNOWN : try_to_finish(r, a, out);
    const hd_recall_way *way = hd_recall_find_way(
        r, r->stop_of[thread], s->role == HD_ROLE_ACCESS ? hd_recall_value(r, s) : 0);
    if (!way || !way->is_clean)
        return IS_UNKNOWN;
    hd_recall_push(r, a, way->left);
    r->stop_of[thread] = way->to;
    m->threads.current = thread;
    show(m, thread);
    return GOES_ON;
}

/* Nobody goes on: if the rest is seen elsewhere nothing more is to be known of it.  Whoever runs it
 * after all is not to ask again. */
static enum progress stop(hd_machine *m, uint32_t answer, hd_recalled *out) {
    const hd_recall *r = m->recall;
    m->call.is_answered = answer != HD_SCHEDULE_STOP || HD_HOSTILE(false, true);
    m->call.answer = answer;
    *out = (hd_recalled){steps_from(r, 0), r->hash, r->trail.n, HD_END_STOPPED};
    return answer == HD_SCHEDULE_STOP ? IS_OVER : IS_UNKNOWN;
}

static enum progress go_on(hd_machine *m, hd_recalled *out) {
    const hd_sink *sink = m->call.sink;
    if (m->recall->trail.n >= MOST_EVENTS)
        return IS_UNKNOWN;
    uint32_t next = sink->schedule(sink->context, &m->threads);
    return next < HD_MAX_THREADS ? do_event(m, next, out) : stop(m, next, out);
}

/* Is the execution one of a search, so that it may be recalled? */
static bool is_asked_for(const hd_machine *m) {
    const hd_sink *sink = m->call.sink;
    return m->recall && !m->recall->is_off && sink->again && sink->script && sink->script->n &&
           !m->call.n_watches && !m->isolation.forks;
}

/* Does recalling pay?  If most executions have to be run after all it does not. */
static bool is_worth_while(hd_recall *r) {
    if (r->n_resting) {
        r->n_resting--;
        return false;
    }
    bool pays = r->n_tried < TRIES || r->n_recalled * 2 >= r->n_tried;
    if (r->n_tried == TRIES)
        r->n_tried = r->n_recalled = 0;
    r->n_tried++;
    if (pays)
        return true;
    r->n_resting = TRIES << r->n_rests;
    r->n_rests += r->n_rests < MOST_RESTS;
    r->starts_anew = true;
    return false;
}

bool hd_recall_starts_anew(const hd_machine *m) {
    return m->recall && m->recall->starts_anew && !m->recall->n_resting;
}

bool hd_recall_run(hd_machine *m, hd_recalled *out) {
    if (!is_asked_for(m) || !is_worth_while(m->recall) ||
        !hd_recall_is_on_trail(m->recall, m->call.sink->script))
        return false;
    hd_recall *r = m->recall;
    const hd_sink *sink = m->call.sink;
    hd_recall_cut(r, sink->script->n);
    sink->script->n_done = sink->script->n;
    hd_put_aside kept = put_aside(&m->threads);
    show_all(m);
    enum progress p = GOES_ON;
    while (p == GOES_ON)
        p = go_on(m, out);
    take_out(&m->threads, &kept);
    r->n_recalled += p == IS_OVER;
    if (p != IS_OVER || HD_HOSTILE(false, true))
        sink->again(sink->context);
    return p == IS_OVER;
}
