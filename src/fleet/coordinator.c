/* Units, and what their commits do to the tree of lifted states (coordinator.h). */
#include "fleet/coordinator_int.h"

#include "base/panic.h"
#include "explore/events/action_bytes.h"
#include "explore/orders/needed_steps.h"
#include "fleet/whole.h"

#include <stdlib.h>

#define LOOKED_AT 64 /* sequences, to find one that is large */

/* ---- beginnings ---- */

static uint32_t add_beginning(hd_coordinator *c, uint32_t part) {
    uint32_t state = hd_lifted_add(&c->tree, HD_NO_STATE, NULL, c->giving);
    c->tree.at.at[state].place = (uint32_t)c->beginnings.n;
    hd_vec_push(&c->beginnings, ((hd_beginning){.state = state, .part = part}));
    return state;
}

static void drop_beginning(hd_coordinator *c, size_t i) {
    hd_beginning *b = &c->beginnings.at[i];
    hd_lifted_drop_root(&c->tree, b->state);
    hd_text_release(&b->context);
    *b = c->beginnings.at[--c->beginnings.n];
    if (i < c->beginnings.n)
        c->tree.at.at[b->state].place = (uint32_t)i;
}

static hd_beginning *beginning_of(const hd_coordinator *c, uint32_t state) {
    while (!hd_lifted_is_root(&c->tree, state))
        state = c->tree.at.at[state].parent;
    uint32_t place = c->tree.at.at[state].place;
    HD_INVARIANT(D7, place < c->beginnings.n && c->beginnings.at[place].state == state);
    return &c->beginnings.at[place];
}

/* ---- units ---- */

hd_open_unit *hd_coordinator_find(const hd_coordinator *c, uint64_t number) {
    for (size_t i = 0; i < c->units.n; i++)
        if (c->units.at[i].number == number)
            return &c->units.at[i];
    return NULL;
}

static hd_open_unit *add_unit(hd_coordinator *c, uint32_t base) {
    hd_vec_push(&c->units,
                ((hd_open_unit){.number = c->n_units++, .given = c->giving, .base = base}));
    hd_lifted_set_kind(&c->tree, base, HD_LIFTED_OUT);
    return &c->units.at[c->units.n - 1];
}

static void drop_unit(hd_coordinator *c, hd_open_unit *u) {
    hd_text_release(&u->journal);
    hd_text_release(&u->path);
    *u = c->units.at[--c->units.n];
}

hd_coordinator *hd_coordinator_make(void) {
    hd_coordinator *c = calloc(1, sizeof *c);
    if (!c)
        hd_out_of_memory();
    hd_lifted_init(&c->tree);
    c->giving = HD_NOBODYS;
    return c;
}

hd_coordinator *hd_coordinator_new(const void *journal, size_t n) {
    hd_coordinator *c = hd_coordinator_make();
    hd_open_unit *u = add_unit(c, add_beginning(c, HD_NO_PART));
    hd_text_add_bytes(&u->journal, journal, n);
    return c;
}

static void replace(hd_text *text, const hd_text *by) {
    hd_text_clear(text);
    hd_text_add_bytes(text, by->at, by->n);
}

static void add_part(hd_coordinator *c, uint32_t part, const hd_text *journal) {
    replace(&add_unit(c, add_beginning(c, part))->journal, journal);
}

hd_coordinator *hd_coordinator_new_parts(const hd_text *journals, size_t n, bool may_begin_anew) {
    hd_coordinator *c = hd_coordinator_make();
    for (uint32_t i = 0; i < n; i++) {
        add_part(c, i, &journals[i]);
        if (!may_begin_anew)
            continue;
        hd_vec_push(&c->parts, (hd_text){0});
        replace(&c->parts.at[i], &journals[i]);
    }
    return c;
}

void hd_coordinator_drop_units(hd_coordinator *c) {
    while (c->units.n)
        drop_unit(c, &c->units.at[0]);
    while (c->beginnings.n)
        drop_beginning(c, 0);
}

/* Half of a coordinator may be there, of damaged bytes. */
void hd_coordinator_free(hd_coordinator *c) {
    while (c->units.n)
        drop_unit(c, &c->units.at[0]);
    for (size_t i = 0; i < c->beginnings.n; i++)
        hd_text_release(&c->beginnings.at[i].context);
    for (size_t i = 0; i < c->parts.n; i++)
        hd_text_release(&c->parts.at[i]);
    hd_vec_release(&c->parts);
    hd_text_release(&c->rounds);
    hd_map_release(&c->known_rounds);
    hd_lifted_release(&c->tree);
    hd_vec_release(&c->beginnings);
    hd_vec_release(&c->units);
    free(c);
}

void hd_commit_release(hd_commit *commit) {
    hd_text *const texts[] = {&commit->lifted, &commit->context, &commit->followed, &commit->asked,
                              &commit->split,  &commit->journal, &commit->rounds};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        hd_text_release(texts[i]);
    *commit = (hd_commit){0};
}

/* ---- sleepers ---- */

static void add_sleeper(hd_lifted *kid, const hd_action *z) {
    if (hd_stays_asleep(z, &kid->action))
        hd_vec_push(&kid->sleepers, *z);
}

/* D1. */
static void find_sleepers(hd_coordinator *c, uint32_t number) {
    hd_lifted *kid = &c->tree.at.at[number], *parent = &c->tree.at.at[kid->parent];
    hd_vec_clear(&kid->sleepers);
    for (size_t i = 0; i < parent->sleepers.n; i++)
        add_sleeper(kid, &parent->sleepers.at[i]);
    for (size_t i = 0; parent->kids.at[i] != number; i++) {
        HD_INVARIANT(D1, i + 1 < parent->kids.n); /* it is one of them, and these are before it */
        add_sleeper(kid, &c->tree.at.at[parent->kids.at[i]].action);
    }
}

/* ---- requests ---- */

static bool is_asleep(const hd_lifted *state, const hd_sequence *s) {
    for (size_t i = 0; i < state->sleepers.n; i++)
        if (hd_sequence_may_begin_with(s, &state->sleepers.at[i]))
            return true;
    return false;
}

static bool may_begin_with(const hd_sequence *s, const hd_action *a) {
    uint32_t k = hd_sequence_step_of(s, a->thread);
    return hd_sequence_may_begin_with(s, a) && (k == s->n || hd_is_same_way(a, s->at[k].action));
}

/* The first child that may come first in the sequence; HD_NO_STATE if there is none.  *is_early: it
 * is before `asker`.  The asker's own action is what the sequence comes before: if the two do not
 * conflict, what the sequence does was foretold as less than it will be. */
static uint32_t find_child(const hd_coordinator *c, uint32_t state, const hd_sequence *s,
                           uint32_t asker, bool *is_early) {
    const hd_lifted *l = &c->tree.at.at[state];
    *is_early = true;
    for (size_t i = 0; i < l->kids.n; i++) {
        *is_early &= l->kids.at[i] != asker;
        if (l->kids.at[i] != asker && may_begin_with(s, &c->tree.at.at[l->kids.at[i]].action))
            return l->kids.at[i];
    }
    return HD_NO_STATE;
}

/* Who sleeps in the state that a request has come to, besides its children. */
typedef struct asleep_actions {
    hd_vec(hd_action) at;
    bool are_foretold; /* some of them: what wakes them is not known */
} asleep_actions;

/* As D1 says, whether or not the sleepers of planned states were looked for. */
static void go_asleep(const hd_coordinator *c, uint32_t state, uint32_t child,
                      asleep_actions *asleep) {
    const hd_lifted *l = &c->tree.at.at[state];
    const hd_action *executed = &c->tree.at.at[child].action;
    size_t n = 0;
    for (size_t i = 0; l->kids.at[i] != child; i++) {
        hd_vec_push(&asleep->at, c->tree.at.at[l->kids.at[i]].action);
        asleep->are_foretold |= !c->tree.at.at[l->kids.at[i]].is_known;
    }
    for (size_t i = 0; i < asleep->at.n; i++)
        if (hd_stays_asleep(&asleep->at.at[i], executed))
            asleep->at.at[n++] = asleep->at.at[i];
    asleep->at.n = n;
}

/* False: all of the sequence is needed. */
static bool find_needed(const hd_coordinator *c, uint32_t state, const hd_sequence *s,
                        const asleep_actions *asleep, hd_needed_steps *needed) {
    const hd_lifted *l = &c->tree.at.at[state];
    bool is_shorter = !asleep->are_foretold && hd_needed_begin(needed, s);
    for (size_t i = 0; i < asleep->at.n && is_shorter; i++)
        is_shorter = hd_needed_wake(needed, s, &asleep->at.at[i]);
    for (size_t i = 0; i < l->kids.n && is_shorter; i++) {
        const hd_lifted *kid = &c->tree.at.at[l->kids.at[i]];
        is_shorter = kid->is_known && hd_needed_wake(needed, s, &kid->action);
    }
    if (is_shorter)
        hd_needed_end(needed, s);
    return is_shorter;
}

static bool is_last_child(const hd_coordinator *c, uint32_t state) {
    const hd_lifted *parent = &c->tree.at.at[c->tree.at.at[state].parent];
    return parent->kids.at[parent->kids.n - 1] == state;
}

static void plan_rest(hd_coordinator *c, uint32_t state, const hd_sequence *s,
                      const asleep_actions *asleep) {
    hd_needed_steps needed = {0};
    bool is_shorter = find_needed(c, state, s, asleep, &needed);
    hd_lifted_open_again(&c->tree, state); /* D5 */
    for (uint32_t i = s->n_gone; i < s->n; i = hd_sequence_behind(s, i))
        if (!is_shorter || needed.at[i]) {
            state = hd_lifted_add(&c->tree, state, s->at[i].action, c->giving);
            HD_INVARIANT(D2, is_last_child(c, state));
        }
    hd_vec_release(&needed);
}

static void go_down(hd_coordinator *c, uint32_t child, hd_sequence *s) {
    uint32_t k = hd_sequence_step_of(s, c->tree.at.at[child].action.thread);
    if (k < s->n)
        hd_sequence_let_go(s, k);
    else
        s->n_foreign += hd_kind_is(c->tree.at.at[child].action.kind, HD_KIND_MEETS);
}

static void insert(hd_coordinator *c, uint32_t top, uint32_t asker, hd_sequence *s) {
    uint32_t state = top, child;
    asleep_actions asleep = {0};
    bool is_early, is_new = true;
    if (is_asleep(&c->tree.at.at[top], s))
        return;
    for (size_t i = 0; i < c->tree.at.at[top].sleepers.n; i++)
        hd_vec_push(&asleep.at, c->tree.at.at[top].sleepers.at[i]);
    while (is_new && (child = find_child(c, state, s, asker, &is_early)) != HD_NO_STATE) {
        const hd_lifted *l = &c->tree.at.at[child];
        is_new = !((state == top && is_early) || !l->kids.n || l->is_free);
        HD_INVARIANT(D9, l->kind != HD_LIFTED_OUT || l->is_free || (state == top && is_early));
        go_down(c, child, s);
        go_asleep(c, state, child, &asleep);
        state = child;
        is_new = is_new && !hd_sequence_is_used_up(s);
    }
    if (is_new)
        plan_rest(c, state, s, &asleep);
    hd_vec_release(&asleep.at);
}

/* The state above `from` at a depth. */
static uint32_t above(const hd_coordinator *c, uint32_t from, uint32_t depth) {
    while (c->tree.at.at[from].depth > depth)
        from = c->tree.at.at[from].parent;
    return from;
}

static bool apply_requests(hd_coordinator *c, const hd_open_unit *u, const hd_text *asked) {
    hd_unpack in = hd_unpack_from(asked->at, asked->n);
    uint32_t depth_of_base = c->tree.at.at[u->base].depth;
    while (in.at < in.end && hd_unpack_ok(&in)) {
        hd_packed_sequence p = {0};
        uint32_t depth = hd_unpack_u32(&in);
        hd_sequence s = hd_sequence_unpack(&p, &in);
        bool is_right = hd_unpack_ok(&in) && s.n && depth < depth_of_base;
        if (is_right)
            insert(c, above(c, u->base, depth), above(c, u->base, depth + 1), &s);
        hd_packed_sequence_release(&p);
        if (!is_right)
            return false;
    }
    return true;
}

/* ---- lifted states ---- */

static void restore_trees(hd_coordinator *c, uint32_t parent, hd_unpack *u) {
    uint32_t n = hd_unpack_count(u, HD_LEAST_ACTION);
    for (uint32_t i = 0; i < n && hd_unpack_ok(u); i++) {
        hd_action a = hd_journal_restore_action(u);
        restore_trees(c, hd_lifted_add(&c->tree, parent, &a, c->giving), u);
    }
}

/* The state becomes lifted; the child on the path, which takes its place as the base of the unit.
 */
static uint32_t graft(hd_coordinator *c, uint32_t state, hd_unpack *u) {
    uint32_t n = hd_unpack_count(u, HD_LEAST_ACTION);
    hd_lifted_set_kind(&c->tree, state, HD_LIFTED_KNOWN);
    hd_vec_clear(&c->tree.at.at[state].sleepers);
    for (uint32_t i = 0; i < n && hd_unpack_ok(u); i++)
        hd_vec_push(&c->tree.at.at[state].sleepers, hd_journal_restore_action(u));
    n = hd_unpack_count(u, HD_LEAST_ACTION);
    for (uint32_t i = 0; i < n && hd_unpack_ok(u); i++) {
        hd_action a = hd_journal_restore_action(u);
        uint32_t explored = hd_lifted_add(&c->tree, state, &a, c->giving); /* states may move */
        hd_lifted_set_kind(&c->tree, explored, HD_LIFTED_DONE);
        hd_lifted_set_known(&c->tree, explored);
    }
    hd_action a = hd_journal_restore_action(u);
    uint32_t next = hd_lifted_add(&c->tree, state, &a, c->giving);
    hd_lifted_set_kind(&c->tree, next, HD_LIFTED_OUT);
    hd_lifted_set_known(&c->tree, next);
    restore_trees(c, state, u);
    return next;
}

static bool apply_lifted(hd_coordinator *c, hd_open_unit *u, const hd_commit *commit) {
    if (!commit->lifted.n)
        return true;
    hd_unpack in = hd_unpack_from(commit->lifted.at, commit->lifted.n);
    uint32_t n = hd_unpack_u32(&in);
    for (uint32_t i = 0; i < n && hd_unpack_ok(&in); i++)
        u->base = graft(c, u->base, &in);
    hd_beginning *b = beginning_of(c, u->base);
    if (!b->context.n)
        hd_text_add_bytes(&b->context, commit->context.at, commit->context.n);
    return hd_unpack_ok(&in);
}

/* ---- commits ---- */

/* What was planned could not be handed out before this commit. */
static void give_planned(hd_coordinator *c, uint32_t state) {
    hd_lifted *l = &c->tree.at.at[state];
    if (l->kind == HD_LIFTED_PLANNED && l->given.giver != HD_NO_UNIT)
        l->given = c->giving;
    for (size_t i = 0; l->kind == HD_LIFTED_PLANNED && i < l->kids.n; i++)
        give_planned(c, l->kids.at[i]);
}

/* D3: those behind it waited for that. */
static void become_known(hd_coordinator *c, uint32_t state) {
    const hd_lifted *l = &c->tree.at.at[state], *parent = &c->tree.at.at[l->parent];
    uint32_t n_before = parent->n_visible;
    hd_lifted_set_known(&c->tree, state);
    for (uint32_t i = n_before; i < parent->n_visible; i++)
        give_planned(c, parent->kids.at[i]);
}

/* What was foretold is known, down to the base of the unit. */
static bool apply_followed(hd_coordinator *c, const hd_open_unit *u, const hd_text *followed) {
    hd_unpack in = hd_unpack_from(followed->at, followed->n);
    uint32_t n = followed->n ? hd_unpack_count(&in, HD_LEAST_ACTION) : 0;
    for (uint32_t i = 1; i <= n && hd_unpack_ok(&in); i++) {
        hd_action a = hd_journal_restore_action(&in);
        hd_lifted *l = &c->tree.at.at[above(c, u->base, i)];
        if (l->is_known || l->depth != i)
            continue;
        hd_action_copy(&l->action, &a);
        find_sleepers(c,
                      above(c, u->base, i)); /* how many had come to a barrier was foretold too */
    }
    for (uint32_t s = u->base; !hd_lifted_is_root(&c->tree, s); s = c->tree.at.at[s].parent)
        if (!c->tree.at.at[s].is_known)
            become_known(c, s);
    return hd_unpack_ok(&in);
}

void hd_coordinator_add_rounds(hd_coordinator *c, const hd_text *rounds) {
    hd_unpack in = hd_unpack_from(rounds->at, rounds->n);
    while (in.at < in.end && hd_unpack_ok(&in)) {
        uint64_t round = hd_unpack_u64(&in);
        if (round == HD_MAP_EMPTY || hd_map_find(&c->known_rounds, round))
            continue;
        hd_map_put(&c->known_rounds, round, 1);
        hd_pack_u64(&c->rounds, round);
    }
}

/* D10. */
static const hd_text *renewed_context(hd_coordinator *c, uint32_t state) {
    hd_beginning *b = beginning_of(c, state);
    if (b->context.n && b->n_rounds != c->rounds.n)
        hd_journal_renew(&b->context, c->generation, &c->rounds);
    b->n_rounds = b->context.n ? c->rounds.n : 0;
    HD_INVARIANT(D10, !b->context.n || b->n_rounds == c->known_rounds.n * sizeof(uint64_t));
    return &b->context;
}

static void add_other_parts(hd_coordinator *c, uint32_t mine, const hd_text *rounds) {
    hd_text journal = {0};
    for (uint32_t i = 0; i < c->parts.n; i++) {
        if (i == mine)
            continue;
        HD_INVARIANT(D8, c->generation <= HD_MOST_DIVISIONS);
        replace(&journal, &c->parts.at[i]);
        hd_journal_renew(&journal, c->generation, rounds);
        add_part(c, i, &journal);
    }
    hd_text_release(&journal);
}

static void begin_anew(hd_coordinator *c, hd_open_unit *u, const hd_commit *commit) {
    hd_open_unit mine = *u;
    uint32_t part = beginning_of(c, u->base)->part;
    *u = c->units.at[--c->units.n];
    hd_coordinator_drop_units(c);
    c->generation = commit->generation;
    mine.base = add_beginning(c, part);
    hd_lifted_set_kind(&c->tree, mine.base, HD_LIFTED_OUT);
    hd_vec_push(&c->units, mine);
    HD_INVARIANT(D6, c->units.n == 1 && !c->tree.n_ready);
    if (commit->generation <= HD_MOST_DIVISIONS)
        add_other_parts(c, part, &commit->rounds);
}

static void apply_split(hd_coordinator *c, uint32_t part, const hd_text *split) {
    if (split->n)
        add_part(c, part, split);
}

/* D5, D7. */
static void forget_done(hd_coordinator *c, uint32_t state) {
    size_t place = (size_t)(beginning_of(c, state) - c->beginnings.at);
    if (!hd_lifted_fold(&c->tree, state))
        drop_beginning(c, place);
}

static bool apply(hd_coordinator *c, hd_open_unit *u, const hd_commit *commit) {
    uint32_t part = beginning_of(c, u->base)->part;
    replace(&u->journal, &commit->journal);
    bool is_right = apply_followed(c, u, &commit->followed) && apply_lifted(c, u, commit);
    if (commit->is_done)
        hd_lifted_finish(&c->tree, u->base);
    is_right = is_right && apply_requests(c, u, &commit->asked);
    if (commit->is_done) {
        uint32_t base = u->base;
        drop_unit(c, u);
        forget_done(c, base);
    }
    apply_split(c, part, &commit->split);
    return is_right;
}

static bool is_tree_right(const hd_coordinator *c) {
    bool is_it = true;
    for (size_t i = 0; i < c->beginnings.n && is_it; i++)
        is_it = hd_lifted_is_right(&c->tree, c->beginnings.at[i].state);
    return is_it;
}

hd_commit_answer hd_coordinator_commit(hd_coordinator *c, const hd_commit *commit) {
    hd_open_unit *u = hd_coordinator_find(c, commit->unit);
    if (!u || commit->epoch != u->epoch || commit->generation < c->generation)
        return HD_COMMIT_REFUSED;
    if (commit->number != u->n_commits)
        return commit->number > u->n_commits ? HD_COMMIT_EARLY : HD_COMMIT_REPEATED;
    u->n_commits++;
    bool is_anew = commit->generation > c->generation;
    if (is_anew) {
        begin_anew(c, u, commit);
        u = &c->units.at[0];
    }
    c->giving = (hd_gift){commit->unit, commit->work};
    hd_coordinator_add_rounds(c, &commit->rounds);
    bool is_right = apply(c, u, commit);
    c->giving = HD_NOBODYS;
    if (!is_right)
        return HD_COMMIT_DAMAGED;
    HD_CHECK_INVARIANT(D5, is_tree_right(c));
    return is_anew ? HD_COMMIT_ANEW : HD_COMMIT_APPLIED;
}

/* ---- handing out ---- */

static void find_all_planned(const hd_coordinator *c, hd_state_numbers *out) {
    for (size_t i = 0; i < c->beginnings.n; i++)
        hd_lifted_list_ready(&c->tree, c->beginnings.at[i].state, out);
    HD_ASSERT(out->n == c->tree.n_ready);
}

/* The n-th of them. */
static uint32_t nth_planned(const hd_coordinator *c, uint64_t n) {
    HD_ASSERT(n < c->tree.n_ready);
    for (size_t i = 0;; i++) {
        uint32_t state = c->beginnings.at[i].state, here = hd_lifted_n_ready(&c->tree.at.at[state]);
        if (n < here)
            return hd_lifted_nth_ready(&c->tree, state, n);
        n -= here;
    }
}

static bool is_waiting(const hd_open_unit *u) {
    return !u->is_taken && !u->is_aside;
}

static void find_waiting(const hd_coordinator *c, hd_state_numbers *out) {
    for (uint32_t i = 0; i < c->units.n; i++)
        if (is_waiting(&c->units.at[i]))
            hd_vec_push(out, i);
}

bool hd_coordinator_has_waiting(const hd_coordinator *c) {
    bool has_one = c->tree.n_ready;
    for (size_t i = 0; i < c->units.n && !has_one; i++)
        has_one = is_waiting(&c->units.at[i]);
    return has_one;
}

uint64_t hd_coordinator_n_waiting(const hd_coordinator *c) {
    uint64_t n = c->tree.n_ready;
    for (size_t i = 0; i < c->units.n; i++)
        n += is_waiting(&c->units.at[i]);
    return n;
}

uint64_t hd_coordinator_n_left(const hd_coordinator *c) {
    return c->units.n + c->tree.n_ready;
}

/* All states of the way there are lifted, and have their sleepers. */
static void lift_way(hd_coordinator *c, uint32_t state) {
    if (hd_lifted_is_root(&c->tree, state))
        return;
    lift_way(c, c->tree.at.at[state].parent);
    if (c->tree.at.at[state].kind == HD_LIFTED_PLANNED)
        hd_lifted_set_kind(&c->tree, state, HD_LIFTED_KNOWN);
    find_sleepers(c, state);
}

static void write_path(const hd_coordinator *c, uint32_t state, hd_text *out) {
    if (hd_lifted_is_root(&c->tree, state))
        return;
    const hd_lifted *parent = &c->tree.at.at[c->tree.at.at[state].parent];
    uint32_t n = 0;
    write_path(c, c->tree.at.at[state].parent, out);
    while (parent->kids.at[n] != state)
        n++;
    hd_pack_u32(out, n);
    for (uint32_t i = 0; i < n; i++)
        hd_journal_save_action(&c->tree.at.at[parent->kids.at[i]].action, out);
    hd_journal_save_action(&c->tree.at.at[state].action, out);
}

/* Were all children before it run, on its whole way? */
static bool is_way_known(const hd_coordinator *c, uint32_t state) {
    for (; !hd_lifted_is_root(&c->tree, state); state = c->tree.at.at[state].parent) {
        const hd_lifted *parent = &c->tree.at.at[c->tree.at.at[state].parent];
        for (size_t i = 0; parent->kids.at[i] != state; i++)
            if (!c->tree.at.at[parent->kids.at[i]].is_known)
                return false;
    }
    return true;
}

/* A sequence, or all that is left of a state above it (D9). */
static hd_open_unit *make_unit(hd_coordinator *c, uint32_t end, bool is_whole) {
    uint32_t whole = is_whole ? hd_whole_find(&c->tree, end) : HD_NO_STATE;
    uint32_t base = whole == HD_NO_STATE ? end : whole;
    HD_CHECK_INVARIANT(D3, is_way_known(c, end));
    lift_way(c, base);
    hd_open_unit *u = add_unit(c, base);
    u->given = c->tree.at.at[end].given;
    c->tree.at.at[base].is_free |= base == end;
    hd_pack_u32(&u->path, c->tree.at.at[base].depth);
    write_path(c, base, &u->path);
    hd_whole_write(&c->tree, base, &u->path, &u->given);
    hd_lifted_give_below(&c->tree, base);
    return u;
}

/* Units move when others are finished: the oldest is the one of the lowest number. */
static hd_open_unit *find_oldest(const hd_coordinator *c, const hd_state_numbers *waiting) {
    hd_open_unit *best = &c->units.at[waiting->at[0]];
    for (size_t i = 1; i < waiting->n; i++)
        if (c->units.at[waiting->at[i]].number < best->number)
            best = &c->units.at[waiting->at[i]];
    return best;
}

/* Does the unit end in a state that was run before? */
static bool is_of_whole(const hd_coordinator *c, const hd_open_unit *u) {
    return u->path.n && !u->n_commits && c->tree.at.at[u->base].is_known;
}

static bool is_first_whole(const hd_coordinator *c) {
    return hd_whole_find(&c->tree, nth_planned(c, 0)) != HD_NO_STATE;
}

/* What is left behind a sequence is larger the sooner it ends.  The first ones only are looked at,
 * and the very first is taken while it is whole: so those before others are done before them,
 * nearly always, and more can be handed out whole. */
static uint32_t find_shallowest(const hd_coordinator *c) {
    uint64_t n = c->tree.n_ready < LOOKED_AT ? c->tree.n_ready : LOOKED_AT;
    uint32_t best = nth_planned(c, 0);
    for (uint64_t i = 1; i < n; i++) {
        uint32_t end = nth_planned(c, i);
        if (c->tree.at.at[end].depth < c->tree.at.at[best].depth)
            best = end;
    }
    return best;
}

static hd_open_unit *pick(hd_coordinator *c, const hd_state_numbers *waiting, uint64_t nth,
                          bool is_whole) {
    uint64_t n = waiting->n + c->tree.n_ready;
    if (!n)
        return NULL;
    if (nth == 0 && waiting->n)
        return find_oldest(c, waiting);
    if (nth == 0 && is_whole && !is_first_whole(c))
        return make_unit(c, find_shallowest(c), true);
    uint64_t i = nth ? (nth - 1) % n : 0;
    return i < waiting->n ? &c->units.at[waiting->at[i]]
                          : make_unit(c, nth_planned(c, i - waiting->n), is_whole);
}

void hd_coordinator_list_waiting(const hd_coordinator *c, hd_waiting_list *out) {
    hd_state_numbers waiting = {0}, planned = {0};
    find_waiting(c, &waiting);
    find_all_planned(c, &planned);
    for (size_t i = 0; i < waiting.n; i++) {
        const hd_open_unit *u = &c->units.at[waiting.at[i]];
        hd_vec_push(out, ((hd_waiting){u->number, u->given.giver, c->tree.at.at[u->base].depth}));
    }
    for (size_t i = 0; i < planned.n; i++) {
        const hd_lifted *l = &c->tree.at.at[planned.at[i]];
        hd_vec_push(out, ((hd_waiting){HD_NO_UNIT, l->given.giver, l->depth}));
    }
    hd_vec_release(&waiting);
    hd_vec_release(&planned);
}

static bool has_own_epoch(const hd_coordinator *c, const hd_open_unit *u) {
    for (size_t i = 0; i < c->units.n; i++)
        if (&c->units.at[i] != u && c->units.at[i].epoch == u->epoch)
            return false;
    return true;
}

bool hd_coordinator_is_next_large(const hd_coordinator *c) {
    return hd_coordinator_n_waiting(c) > c->tree.n_ready || (c->tree.n_ready && is_first_whole(c));
}

bool hd_coordinator_hand_out(hd_coordinator *c, uint64_t nth, bool is_whole, hd_unit *out) {
    hd_state_numbers waiting = {0};
    find_waiting(c, &waiting);
    hd_open_unit *u = pick(c, &waiting, nth, is_whole);
    hd_vec_release(&waiting);
    if (!u)
        return false;
    HD_INVARIANT(U1, is_waiting(u));
    u->is_taken = true;
    u->epoch = ++c->n_epochs;
    HD_CHECK_INVARIANT(D4, has_own_epoch(c, u));
    bool is_shared = c->beginnings.n > 1 || !hd_lifted_is_root(&c->tree, u->base);
    *out = (hd_unit){
        u->number, u->epoch,  u->n_commits,      &u->journal,    renewed_context(c, u->base),
        &u->path,  is_shared, is_of_whole(c, u), u->given.giver, u->given.at};
    return true;
}

bool hd_coordinator_is_out(const hd_coordinator *c, uint64_t number, uint64_t epoch) {
    const hd_open_unit *u = hd_coordinator_find(c, number);
    return u && u->is_taken && u->epoch == epoch;
}

bool hd_coordinator_next_out(const hd_coordinator *c, size_t *at, uint64_t *number,
                             uint64_t *epoch) {
    while (*at < c->units.n && !c->units.at[*at].is_taken)
        ++*at;
    if (*at >= c->units.n)
        return false;
    *number = c->units.at[*at].number;
    *epoch = c->units.at[(*at)++].epoch;
    return true;
}

void hd_coordinator_begin_epochs(hd_coordinator *c, uint64_t number) {
    c->n_epochs = (number & INT32_MAX) << 32;
}

void hd_coordinator_suspect(hd_coordinator *c, uint64_t number) {
    hd_open_unit *u = hd_coordinator_find(c, number);
    if (!u || !u->is_taken)
        return;
    u->epoch = ++c->n_epochs; /* D4 */
    u->is_taken = false;
}

void hd_coordinator_set_aside(hd_coordinator *c, uint64_t number) {
    hd_open_unit *u = hd_coordinator_find(c, number);
    hd_coordinator_suspect(c, number);
    if (u)
        u->is_aside = true;
}

uint64_t hd_coordinator_n_aside(const hd_coordinator *c) {
    uint64_t n = 0;
    for (size_t i = 0; i < c->units.n; i++)
        n += c->units.at[i].is_aside;
    return n;
}

bool hd_coordinator_is_complete(const hd_coordinator *c) {
    HD_INVARIANT(D7, c->beginnings.n || !c->units.n);
    return !c->beginnings.n;
}

uint64_t hd_coordinator_n_units(const hd_coordinator *c) {
    return c->n_units;
}

uint64_t hd_coordinator_generation(const hd_coordinator *c) {
    return c->generation;
}
