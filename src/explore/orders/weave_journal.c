/* The path of a search through threads as bytes, with everything that is left along it.
 *
 * Events are saved as their threads: the path is executed once again, which makes the log anew;
 * then what each state had left is attached (docs/design.md D5).  Actions of sleepers and of wakeup
 * trees are saved whole: addresses and sites mean the same in every process that runs the module.
 * Their conditions are numbers of expressions that stand before everything else (journal_expr.c).
 */
#include "explore/events/action_bytes.h"
#include "explore/orders/reduction.h"
#include "explore/orders/restrict.h"

#include "base/panic.h"

/* Least sizes, for hd_unpack_count: of an event with what its state has left, and of a decision or
 * an outcome that was explored. */
enum { LEAST_EVENT = 25, LEAST_DECISION = 9 };

#define MAX_DEPTH 30000 /* of a tree that is read back: nodes with others behind them */

/* ---- saving ---- */

typedef struct path_writer {
    const hd_weave *w;
    hd_text *out;
    hd_exprs conditions; /* that were named */
    hd_map actions;      /* of trees that were said, with their numbers */
    hd_weave_view view;
} path_writer;

static void save_condition(path_writer *s, hd_expr e) {
    HD_CHECK(!e || hd_expr_width(s->w->x->graph, e) == 1);
    if (e)
        hd_vec_push(&s->conditions, e);
    hd_pack_u32(s->out, e ? (uint32_t)s->conditions.n : 0);
}

/* What a node of a tree is like, below the number of its action: one number says both, of one or
 * two bytes for nearly all of them, and there are thousands. */
enum { HAS_CHILD = 1, HAS_NEXT = 2, IS_PLAIN = 4, HAS_SCOPE = 8, NODE_BITS = 4 };

static bool has_scope(const hd_wakeup_node *node) {
    return node->outcome || node->scope || node->run != UINT32_MAX;
}

static unsigned describe_node(const hd_wakeup_node *node) {
    return (node->child ? HAS_CHILD : 0) | (node->next ? HAS_NEXT : 0) |
           (node->is_plain ? IS_PLAIN : 0) | (has_scope(node) ? HAS_SCOPE : 0);
}

/* Nodes of trees do the same few things: each is said where it comes first, and has its number
 * from then on. */
static void save_head(path_writer *s, const hd_wakeup_node *node) {
    const uint64_t *known = hd_map_find(&s->actions, node->does);
    uint64_t number = known ? *known : s->actions.n;
    hd_pack_short(s->out, number << NODE_BITS | describe_node(node));
    if (known)
        return;
    hd_map_put(&s->actions, node->does, number);
    hd_journal_save_action(hd_shared_action_at(&s->w->wakeups.actions, node->does), s->out);
}

static void save_scope(path_writer *s, const hd_wakeup_node *node) {
    const hd_weave *w = s->w;
    save_condition(s, node->outcome);
    save_condition(s, node->scope);
    hd_pack_u8(s->out, node->run != UINT32_MAX);
    if (node->run != UINT32_MAX)
        hd_journal_save_model(w->x, hd_runs_model(&w->x->runs, node->run), s->out);
}

/* A node, what is below it, and then those beside it. */
static void save_tree(path_writer *s, uint32_t tree) {
    while (tree) {
        const hd_wakeup_node *node = &s->w->wakeups.at.at[tree];
        save_head(s, node);
        if (has_scope(node))
            save_scope(s, node);
        if (node->next)
            save_tree(s, node->child);
        tree = node->next ? node->next : node->child;
    }
}

static void save_node(path_writer *s, const hd_weave_node *node) {
    const hd_weave *w = s->w;
    hd_text *out = s->out;
    uint32_t n = 0;
    for (uint32_t z = node->sleep; z != HD_NO_EVENT; z = w->sleepers.at[z].next)
        n++;
    hd_pack_u32(out, n);
    for (uint32_t z = node->sleep; z != HD_NO_EVENT; z = w->sleepers.at[z].next) {
        hd_journal_save_action(&w->sleepers.at[z].action, out);
        save_condition(s, w->sleepers.at[z].scope);
    }
    hd_pack_u32(out, node->preemptions);
    hd_set_pack(out, node->enabled);
    hd_set_pack(out, node->todo);
    hd_set_pack(out, node->done);
    hd_pack_u8(out, (uint8_t)(node->has_race | (node->tree != HD_NO_WAKEUP) << 1));
    save_tree(s, node->tree);
}

/* Of event e of the path; of one that was restored and not run again there are no others. */
static uint32_t thread_of(const hd_weave *w, uint32_t e) {
    HD_INVARIANT(S2, e < (w->state == HD_WEAVE_SAVED ? w->saved_threads.n : w->log.at.n));
    return w->state == HD_WEAVE_SAVED ? w->saved_threads.at[e]
                                      : hd_event_action(&w->log, e)->thread;
}

static void save_restrictions(path_writer *s) {
    const hd_weave *w = s->w;
    HD_INVARIANT(X1, w->n_restrictions <= w->decisions.n);
    hd_pack_u32(s->out, w->n_given);
    hd_pack_u32(s->out, w->n_restrictions);
    for (uint32_t i = 0; i < w->n_restrictions; i++)
        save_condition(s, w->decisions.at[i].condition);
    save_condition(s, w->waiting_restriction);
}

static void save_path(path_writer *s) {
    const hd_weave *w = s->w;
    hd_text *out = s->out;
    save_restrictions(s);
    hd_pack_u32(out, s->view.n_nodes);
    for (uint32_t e = 0; e < s->view.n_nodes; e++) {
        size_t before = out->n;
        hd_pack_u32(out, thread_of(w, e));
        save_node(s, &s->view.nodes[e]);
        HD_ASSERT(out->n - before >= LEAST_EVENT);
    }
    hd_pack_u32(out, s->view.n_decisions);
    for (uint32_t i = 0; i < s->view.n_decisions; i++) {
        const hd_decision *d = &s->view.decisions[i];
        hd_pack_u32(out, d->at);
        hd_pack_u8(out, (uint8_t)(d->way | d->is_open << 1 | d->is_tried << 2 | d->is_left << 3 |
                                  d->was_partial << 4 | d->is_second << 5));
        hd_pack_u32(out, d->n_explored);
    }
    hd_pack_u32(out, (uint32_t)w->explored.n);
    for (size_t i = 0; i < w->explored.n; i++) {
        hd_pack_u32(out, w->explored.at[i].event);
        save_condition(s, w->explored.at[i].scope);
        hd_pack_u8(out, w->explored.at[i].fails);
    }
}

/* Everything, with what states and decisions have left in this view. */
static void save_view(const hd_weave *w, const hd_weave_view *view, hd_text *out) {
    hd_text path = {0};
    path_writer s = {.w = w, .out = &path, .view = *view};
    save_path(&s);
    hd_pack_u32(out, (uint32_t)w->bound);
    hd_pack_u8(out,
               (uint8_t)(w->has_inner_decisions | w->are_alike << 1 | w->was_alike_in_vain << 2));
    hd_pack_u8(out, w->has_fallen_back);
    hd_pack_u8(out, w->state == HD_WEAVE_ANEW || w->state == HD_WEAVE_RETRYING);
    hd_pack_u32(out, w->floor);
    hd_journal_save_model(w->x, &w->model, out);
    hd_journal_save_exprs(w->x->graph, s.conditions.at, (uint32_t)s.conditions.n, out);
    hd_pack_bytes(out, path.at, path.n);
    hd_vec_release(&s.conditions);
    hd_map_release(&s.actions);
    hd_text_release(&path);
}

void hd_weave_save_rounds(const void *search, hd_text *out) {
    const hd_weave *w = search;
    for (size_t i = 0; i < w->rounds.n; i++)
        hd_pack_u64(out, w->rounds.at[i]);
}

/* What was found out about the program. */
static void save_facts(const hd_weave *w, hd_text *out) {
    hd_journal_save_keys(&w->log.assumed, out);
    hd_weave_save_rounds(w, out);
    hd_pack_u32(out, (uint32_t)w->rounds.n); /* behind them: hd_journal_renew */
}

void hd_weave_save(const void *search, hd_text *out) {
    const hd_weave *w = search;
    HD_INVARIANT(S1, w->state < HD_WEAVE_RUNNING);
    bool is_saved = w->state == HD_WEAVE_SAVED;
    HD_INVARIANT(S2, is_saved || w->nodes.n >= w->log.at.n); /* every state is in the view */
    hd_weave_view all = {.nodes = is_saved ? w->saved_rest.at : w->nodes.at,
                         .decisions = is_saved ? w->saved_ways.at : w->decisions.at,
                         .n_nodes = (uint32_t)(is_saved ? w->saved_rest.n : w->log.at.n),
                         .n_decisions = (uint32_t)(is_saved ? w->saved_ways.n : w->decisions.n)};
    save_view(w, &all, out);
    hd_journal_save_keys(&w->seen_races, out);
    hd_journal_save_keys(&w->seen_classes, out);
    save_facts(w, out);
}

void hd_weave_save_part(const hd_weave *w, const hd_weave_view *view, hd_text *out) {
    save_view(w, view, out);
    hd_journal_save_keys(&w->seen_races, out);
    hd_journal_save_keys(&(hd_map){0}, out);
    save_facts(w, out);
}

/* ---- restoring ---- */

typedef struct path_reader {
    hd_weave *w;
    hd_unpack *u;
    const hd_renaming *names;
    hd_exprs conditions;
    hd_vec(hd_action) actions; /* of trees, by number */
} path_reader;

static hd_expr restore_condition(path_reader *r) {
    uint32_t i = hd_unpack_u32(r->u);
    if (i > r->conditions.n)
        r->u->failed = true;
    return i && i <= r->conditions.n ? r->conditions.at[i - 1] : HD_NONE;
}

static hd_action restore_shared_action(path_reader *r, uint64_t number) {
    if (number == r->actions.n)
        hd_vec_push(&r->actions, hd_journal_restore_action(r->u));
    if (number < r->actions.n)
        return r->actions.at[number];
    r->u->failed = true;
    return (hd_action){0};
}

static uint32_t restore_run(path_reader *r) {
    hd_runs *runs = &r->w->x->runs;
    hd_model model = {0};
    hd_journal_restore_model(r->w->x, r->u, r->names, &model);
    uint32_t run = hd_runs_add(runs, &model);
    hd_runs_use(runs, run);
    hd_model_release(&model);
    return run;
}

static void restore_scope(path_reader *r, uint32_t node) {
    hd_expr outcome = restore_condition(r), scope = restore_condition(r);
    uint32_t run = hd_unpack_u8(r->u) ? restore_run(r) : UINT32_MAX;
    hd_wakeup_node *made = &r->w->wakeups.at.at[node];
    made->outcome = outcome;
    made->scope = scope;
    made->run = run;
}

/* Says what the node is like. */
static unsigned restore_wakeup(path_reader *r, uint32_t node) {
    hd_wakeups *all = &r->w->wakeups;
    uint64_t head = hd_unpack_short(r->u);
    hd_action action = restore_shared_action(r, head >> NODE_BITS);
    hd_wakeup_do(all, node, &action);
    all->at.at[node].is_plain = head & IS_PLAIN;
    if (head & HAS_SCOPE)
        restore_scope(r, node);
    return head & (HAS_CHILD | HAS_NEXT);
}

static uint32_t restore_tree(path_reader *r, uint32_t depth);

static void restore_below(path_reader *r, uint32_t node, uint32_t depth) {
    uint32_t child = restore_tree(r, depth);
    r->w->wakeups.at.at[node].child = child; /* nodes may have moved */
}

/* As save_tree() writes it: what is below the last of several is read without a call, so that long
 * sequences are not deep. */
static uint32_t restore_tree(path_reader *r, uint32_t depth) {
    hd_wakeups *all = &r->w->wakeups;
    uint32_t root = HD_NO_WAKEUP, list = HD_NO_WAKEUP, above = HD_NO_WAKEUP, last = HD_NO_WAKEUP;
    unsigned is_like = HAS_NEXT;
    r->u->failed |= depth > MAX_DEPTH;
    while (is_like && hd_unpack_ok(r->u)) {
        last = hd_wakeups_append(all, &list, last);
        root = root ? root : list;
        if (above)
            all->at.at[above].child = list;
        is_like = restore_wakeup(r, last);
        if (is_like == (HAS_CHILD | HAS_NEXT)) {
            restore_below(r, last, depth + 1);
        } else if (is_like == HAS_CHILD) {
            above = last;
            list = last = HD_NO_WAKEUP;
        }
    }
    return root;
}

static void restore_node(path_reader *r) {
    hd_weave *w = r->w;
    hd_unpack *u = r->u;
    hd_weave_node node = {.sleep = HD_NO_EVENT};
    uint32_t n = hd_unpack_count(u, HD_LEAST_ACTION);
    for (uint32_t i = 0; i < n && hd_unpack_ok(u); i++) {
        hd_action a = hd_journal_restore_action(u);
        hd_expr scope = restore_condition(r);
        hd_vec_push(&w->sleepers, ((hd_sleeper){a, scope, node.sleep}));
        node.sleep = (uint32_t)w->sleepers.n - 1;
        node.asleep = scope ? node.asleep : hd_set_with(node.asleep, a.thread);
    }
    node.n_sleepers = (uint32_t)w->sleepers.n;
    node.preemptions = hd_unpack_u32(u);
    node.enabled = hd_set_unpack(u, HD_MAX_THREADS);
    node.todo = hd_set_unpack(u, HD_MAX_THREADS);
    node.done = hd_set_unpack(u, HD_MAX_THREADS);
    unsigned flags = hd_unpack_u8(u);
    node.has_race = flags & 1;
    node.tree = flags >> 1 & 1 ? restore_tree(r, 0) : HD_NO_WAKEUP;
    hd_vec_push(&w->saved_rest, node);
}

static void restore_restrictions(path_reader *r) {
    uint32_t n_given = hd_unpack_u32(r->u), n = hd_unpack_count(r->u, 4);
    r->u->failed |= n_given > n;
    for (uint32_t i = 0; i < n && hd_unpack_ok(r->u); i++) {
        hd_expr condition = restore_condition(r);
        r->u->failed |= !condition;
        if (condition)
            hd_restrict_add(r->w, condition);
    }
    r->w->n_given = n_given;
    r->w->waiting_restriction = restore_condition(r);
}

static void restore_path(path_reader *r) {
    hd_weave *w = r->w;
    hd_unpack *u = r->u;
    restore_restrictions(r);
    uint32_t n = hd_unpack_count(u, LEAST_EVENT);
    for (uint32_t i = 0; i < n && hd_unpack_ok(u); i++) {
        uint32_t thread = hd_unpack_u32(u);
        if (thread >= HD_MAX_THREADS)
            u->failed = true;
        hd_vec_push(&w->saved_threads, thread);
        restore_node(r);
        HD_INVARIANT(V1, w->saved_rest.n == w->saved_threads.n);
    }
    n = hd_unpack_count(u, LEAST_DECISION);
    for (uint32_t i = 0; i < n; i++) {
        hd_decision d = {.at = hd_unpack_u32(u)};
        uint8_t flags = hd_unpack_u8(u);
        d.way = flags & 1;
        d.is_open = flags >> 1 & 1;
        d.is_tried = flags >> 2 & 1;
        d.is_left = flags >> 3 & 1;
        d.was_partial = flags >> 4 & 1;
        d.is_second = flags >> 5 & 1;
        d.n_explored = hd_unpack_u32(u);
        hd_vec_push(&w->saved_ways, d);
    }
    n = hd_unpack_count(u, LEAST_DECISION);
    for (uint32_t i = 0; i < n; i++) {
        hd_explored one = {.event = hd_unpack_u32(u)};
        one.scope = restore_condition(r);
        one.fails = hd_unpack_u8(u);
        hd_vec_push(&w->explored, one);
    }
    for (size_t i = 0; i < w->saved_ways.n; i++)
        u->failed |= w->saved_ways.at[i].n_explored > w->explored.n;
}

void hd_weave_restore(void *search, hd_unpack *u, const hd_renaming *names) {
    hd_weave *w = search;
    w->bound = (int)hd_unpack_u32(u);
    unsigned facts = hd_unpack_u8(u);
    w->has_inner_decisions = facts & 1;
    w->are_alike = facts >> 1 & 1;
    w->was_alike_in_vain = facts >> 2 & 1;
    w->has_fallen_back = hd_unpack_u8(u);
    hd_reduce_set(w);
    bool is_anew = hd_unpack_u8(u);
    w->floor = hd_unpack_u32(u);
    hd_journal_restore_model(w->x, u, names, &w->model);
    path_reader r = {.w = w, .names = names};
    hd_journal_restore_exprs(w->x, u, names, &r.conditions);
    size_t n_bytes;
    const void *bytes = hd_unpack_bytes(u, &n_bytes);
    hd_unpack path = hd_unpack_from(bytes, n_bytes);
    r.u = &path;
    restore_path(&r);
    u->failed |= !hd_unpack_ok(&path);
    hd_vec_release(&r.conditions);
    hd_vec_release(&r.actions);
    hd_journal_restore_keys(&w->seen_races, u);
    hd_journal_restore_keys(&w->seen_classes, u);
    hd_journal_restore_keys(&w->log.assumed, u);
    while (hd_unpack_ok(u) && u->end - u->at >= 8)
        hd_vec_push(&w->rounds, hd_unpack_u64(u));
    u->failed |= hd_unpack_u32(u) != w->rounds.n;
    if (!w->x->has_started)
        hd_vec_clear(&w->saved_ways); /* restrictions, which it has */
    if (is_anew)
        hd_weave_enter(w, HD_WEAVE_ANEW);
    else if (w->x->has_started && !w->x->options.sampling && hd_unpack_ok(u))
        hd_weave_enter(w, HD_WEAVE_SAVED);
    w->x->counters.open = w->state != HD_WEAVE_READY; /* until the path was run again */
}

/* Was the saved path followed to its end? */
static bool is_same_path(const hd_weave *w) {
    if (w->log.at.n != w->saved_rest.n || w->decisions.n != w->saved_ways.n ||
        w->state == HD_WEAVE_LOST)
        return false;
    for (size_t i = 0; i < w->decisions.n; i++)
        if (w->decisions.at[i].at != w->saved_ways.at[i].at ||
            w->decisions.at[i].way != w->saved_ways.at[i].way)
            return false;
    return true;
}

static void attach_decision(hd_decision *d, const hd_decision *saved) {
    d->is_open = saved->is_open;
    d->is_tried = saved->is_tried;
    d->is_left = saved->is_left;
    d->was_partial = saved->was_partial;
    d->is_second = saved->is_second;
    d->n_explored = saved->n_explored;
}

void hd_weave_rebuilt(hd_weave *w) {
    if (is_same_path(w)) {
        w->nodes.n = 0;
        for (size_t i = 0; i < w->saved_rest.n; i++)
            hd_vec_push(&w->nodes, w->saved_rest.at[i]);
        for (size_t i = 0; i < w->decisions.n; i++)
            attach_decision(&w->decisions.at[i], &w->saved_ways.at[i]);
        HD_INVARIANT(V1, w->nodes.n == w->log.at.n);
        HD_INVARIANT(V1, !w->nodes.n || w->nodes.at[w->nodes.n - 1].n_sleepers == w->sleepers.n);
        w->treats_all = true; /* which races were slept away is not known any more */
    } else if (w->state != HD_WEAVE_LOST) {
        w->x->counters.mispredicted++; /* not the run it was: not deterministic */
        hd_explorer_lose(w->x, 0, true);
    }
    w->treats_all = true; /* which races a sleeper covered was not saved */
    hd_vec_clear(&w->saved_threads);
    hd_vec_clear(&w->saved_ways);
    hd_vec_clear(&w->saved_rest);
}
