/* The frontier as bytes, for --resume and for a worker that takes over from a dead one.
 *
 * Expressions are not stored: a run's inputs are, and executing them again rebuilds the tree
 * (docs/design.md D5: a resume point is a path).  Variables are stored by name, because their
 * numbers depend on what a worker met first; pointers by the variable that owns their object. */
#include "explore/explore_int.h"

#include "base/hash.h"
#include "base/hostile.h"
#include "base/pack.h"
#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC        UINT32_C(0x424a4448) /* "HDJB" */
#define NULL_POINTER UINT32_MAX

/* ---- saving ---- */

static void save_counters(const hd_explorer_counters *c, hd_text *out) {
    const uint64_t numbers[] = {
        c->executions,     c->paths,        c->rejected,    c->infeasible,
        c->unknown,        c->mispredicted, c->bounded,     c->deepest,
        c->redundant,      c->events,       c->races,       c->longest,
        c->preempted_away, c->sampled,      c->node_events, c->contradictions};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        hd_pack_u64(out, numbers[i]);
}

static void save_lost(const hd_explorer *x, hd_text *out) {
    hd_pack_u32(out, (uint32_t)x->lost.n);
    for (size_t i = 0; i < x->lost.n; i++) {
        hd_pack_u32(out, x->lost.at[i].site);
        hd_pack_u8(out, x->lost.at[i].mispredicted);
        hd_pack_u64(out, x->lost.at[i].count);
    }
}

/* A pointer is saved as the variable whose object it points to. */
static uint64_t saved_value(const hd_explorer *x, const hd_var_info *info, uint64_t value) {
    if (info->kind != HD_VAR_POINTER)
        return value;
    if (HD_POINTER_IS_FRESH(value)) /* loaded, and not run since */
        return (value - HD_POINTER_FRESH(0)) / (HD_POINTER_FRESH(1) - HD_POINTER_FRESH(0));
    hd_var owner = value ? hd_variables_owner_of(x->variables, value) : UINT32_MAX;
    return owner == UINT32_MAX ? NULL_POINTER : owner;
}

static void save_variables(const hd_explorer *x, hd_text *out) {
    uint32_t n = hd_variables_n(x->variables);
    hd_pack_u32(out, n);
    for (hd_var v = 0; v < n; v++) {
        const hd_var_info *info = hd_variables_info(x->variables, v);
        hd_pack_u8(out, (uint8_t)info->kind);
        hd_pack_u8(out, info->width);
        hd_pack_u8(out, info->is_root);
        hd_pack_u32(out, info->is_root ? 0 : info->owner);
        hd_pack_u64(out, info->number);
        hd_pack_u32(out, info->type);
        hd_pack_string(out, info->name);
    }
}

/* How many it knows. */
static uint32_t n_known(const hd_model *m) {
    uint32_t n = 0;
    for (hd_var v = 0; v < m->n; v++)
        n += hd_model_has(m, v);
    return n;
}

/* Most of a frontier are models: a hundred thousand of them, of a byte for each input mostly.  Of
 * one that knows all variables up to some number only values are saved, otherwise how many were
 * skipped before each as well. */
void hd_journal_save_model(const hd_explorer *x, const hd_model *m, hd_text *out) {
    HD_ASSERT(m->n <= hd_variables_n(x->variables));
    uint32_t n = n_known(m), next = 0;
    bool has_all = n == m->n;
    hd_pack_short(out, (uint64_t)n << 1 | has_all);
    for (hd_var v = 0; v < m->n; v++)
        if (hd_model_has(m, v)) {
            if (!has_all)
                hd_pack_short(out, v - next);
            hd_pack_short(out,
                          saved_value(x, hd_variables_info(x->variables, v), hd_model_get(m, v)));
            next = v + 1;
        }
}

/* Behind the mark, the counters, the random number and whether it has started. */
#define GENERATION_AT (4 + 16 * 8 + 8 + 1)

void hd_journal_write(const hd_explorer *x, hd_text *out) {
    size_t before = out->n;
    hd_pack_u32(out, MAGIC);
    save_counters(&x->counters, out);
    hd_pack_u64(out, x->random);
    hd_pack_u8(out, x->has_started);
    HD_ASSERT(out->n - before == GENERATION_AT);
    hd_pack_u64(out, x->generation);
    save_lost(x, out);
    save_variables(x, out);
    x->search->save(x->state, out);
}

/* The n rounds at the end of `journal`, and those of `rounds` that are not among them, with their
 * number behind them. */
static void join_rounds(hd_text *journal, uint32_t n, const hd_text *rounds) {
    hd_map known = {0};
    hd_unpack old = hd_unpack_from(journal->at + journal->n - 8 * (size_t)n, 8 * (size_t)n);
    hd_unpack more = hd_unpack_from(rounds->at, rounds->n);
    for (uint32_t i = 0; i < n; i++)
        hd_map_put(&known, hd_unpack_u64(&old), 1);
    while (more.at < more.end && hd_unpack_ok(&more)) {
        uint64_t round = hd_unpack_u64(&more);
        if (round == HD_MAP_EMPTY || hd_map_find(&known, round))
            continue;
        hd_map_put(&known, round, 1);
        hd_pack_u64(journal, round);
        n++;
    }
    hd_pack_u32(journal, n);
    hd_map_release(&known);
}

/* What is known about loops stands at the end, and behind it how much that is: of a part that has
 * not begun it is nothing. */
void hd_journal_renew(hd_text *journal, uint64_t generation, const hd_text *rounds) {
    size_t least = GENERATION_AT + 8 + 4;
    hd_unpack u = hd_unpack_from(journal->at, journal->n);
    if (journal->n < least || hd_unpack_u32(&u) != MAGIC)
        return;
    u = hd_unpack_from(journal->at + journal->n - 4, 4);
    uint32_t n = hd_unpack_u32(&u);
    if (n > (journal->n - least) / 8)
        return;
    hd_text bytes = {0};
    hd_pack_u64(&bytes, generation);
    memcpy(journal->at + GENERATION_AT, bytes.at, bytes.n);
    hd_text_release(&bytes);
    hd_text_cut(journal, journal->n - 4);
    join_rounds(journal, n, rounds);
}

void hd_explorer_save(const hd_explorer *x, hd_text *out) {
    size_t before = out->n;
    HD_INVARIANT(S1, !x->is_running);
    hd_journal_write(x, out);
    HD_CHECK_INVARIANT(S2, hd_journal_reads_back(x, out->at + before, out->n - before));
}

void hd_explorer_set_worth(hd_explorer *x, hd_worth worth) {
    HD_ASSERT(worth.least >= 0);
    x->worth = worth;
}

uint64_t hd_explorer_n_to_repeat(const hd_explorer *x) {
    return x->n_to_repeat;
}

bool hd_explorer_split(hd_explorer *x, hd_text *out) {
    size_t before = out->n;
    HD_INVARIANT(S1, !x->is_running);
    hd_pack_u32(out, MAGIC);
    save_counters(&(hd_explorer_counters){0}, out);
    hd_pack_u64(out, hd_random_next(&x->random));
    hd_pack_u8(out, x->has_started);
    hd_pack_u64(out, x->generation);
    hd_pack_u32(out, 0); /* ways that were lost */
    save_variables(x, out);
    bool is_split = x->has_started && x->search->split(x->state, out);
    if (!is_split)
        hd_text_cut(out, before);
    HD_CHECK_INVARIANT(S3,
                       !is_split || hd_journal_reads_back(x, out->at + before, out->n - before));
    return is_split;
}

void hd_explorer_save_context(hd_explorer *x, hd_text *out) {
    hd_pack_u32(out, MAGIC);
    save_counters(&(hd_explorer_counters){0}, out);
    hd_pack_u64(out, hd_random_next(&x->random));
    hd_pack_u8(out, true);
    hd_pack_u64(out, x->generation);
    hd_pack_u32(out, 0); /* ways that were lost */
    save_variables(x, out);
    x->search->save_context(x->state, out);
}

bool hd_explorer_begin_unit(hd_explorer *x, const hd_text *context, const hd_text *path) {
    hd_err err = {0};
    hd_unpack u = hd_unpack_from(path->at, path->n);
    return hd_explorer_restore(x, context->at, context->n, &err) &&
           x->search->begin_unit(x->state, &u);
}

bool hd_explorer_lift(hd_explorer *x, hd_text *out) {
    return x->has_started && x->search->lift(x->state, out);
}

void hd_explorer_save_followed(const hd_explorer *x, hd_text *out) {
    x->search->save_followed(x->state, out);
}

void hd_explorer_take_asked(hd_explorer *x, hd_text *out) {
    x->search->take_asked(x->state, out);
}

static int compare_keys(const void *a, const void *b) {
    return memcmp(a, b, sizeof(uint64_t));
}

void hd_journal_save_keys(const hd_map *m, hd_text *out) {
    hd_pack_u32(out, (uint32_t)m->n);
    size_t before = out->n;
    for (size_t i = 0; i < m->capacity; i++)
        if (m->keys[i] != HD_MAP_EMPTY)
            hd_pack_u64(out, m->keys[i]);
    HD_ASSERT(out->n - before == m->n * sizeof *m->keys);
    if (HD_HOSTILE(false, true)) /* journals are compared there (journal_check.c) */
        qsort(out->at + before, m->n, sizeof *m->keys, compare_keys);
}

/* ---- restoring ---- */

static void restore_counters(hd_explorer *x, hd_unpack *u) {
    hd_explorer_counters *c = &x->counters;
    uint64_t *const numbers[] = {&c->executions, &c->paths,        &c->rejected, &c->infeasible,
                                 &c->unknown,    &c->mispredicted, &c->bounded};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = hd_unpack_u64(u);
    c->deepest = (uint32_t)hd_unpack_u64(u);
    c->redundant = hd_unpack_u64(u);
    c->events = hd_unpack_u64(u);
    c->races = hd_unpack_u64(u);
    c->longest = hd_unpack_u64(u);
    c->preempted_away = hd_unpack_u64(u);
    c->sampled = hd_unpack_u64(u);
    c->node_events = hd_unpack_u64(u);
    c->contradictions = hd_unpack_u64(u);
    x->random = hd_unpack_u64(u);
    x->has_started = hd_unpack_u8(u);
    x->generation = hd_unpack_u64(u);
    uint32_t n_lost = hd_unpack_count(u, 13);
    for (uint32_t i = 0; i < n_lost; i++) {
        uint32_t site = hd_unpack_u32(u);
        bool mispredicted = hd_unpack_u8(u);
        hd_vec_push(&x->lost, ((hd_lost_way){site, mispredicted, hd_unpack_u64(u)}));
    }
}

/* Can there be a cell of that number in what the variable points to? */
static bool is_pointer(const hd_explorer *x, const hd_renaming *names, uint32_t variable,
                       uint64_t cell) {
    return variable < names->n && cell <= UINT32_MAX &&
           hd_variables_info(x->variables, names->at[variable])->kind == HD_VAR_POINTER;
}

static void restore_variable(hd_explorer *x, hd_unpack *u, hd_renaming *names) {
    hd_var_kind kind = hd_unpack_u8(u) ? HD_VAR_POINTER : HD_VAR_INTEGER;
    uint8_t width = hd_unpack_u8(u);
    bool is_root = hd_unpack_u8(u);
    uint32_t owner = hd_unpack_u32(u);
    uint64_t number = hd_unpack_u64(u);
    uint32_t type = hd_unpack_u32(u);
    char *name = hd_unpack_string(u);
    if (width < 1 || width > 64 || (!is_root && !is_pointer(x, names, owner, number)))
        u->failed = true;
    if (hd_unpack_ok(u))
        hd_vec_push(names, is_root
                               ? hd_variables_root(x->variables, number, kind, width, type, name)
                               : hd_variables_cell(x->variables, names->at[owner], (uint32_t)number,
                                                   kind, width, type, name));
    free(name);
}

/* Of a pointer it is the variable whose object it points to. */
static uint64_t restored_value(const hd_explorer *x, hd_var v, uint64_t value, hd_unpack *u,
                               const hd_renaming *names) {
    if (hd_variables_info(x->variables, v)->kind != HD_VAR_POINTER)
        return value;
    if (value == NULL_POINTER)
        return 0;
    if (value < names->n)
        return HD_POINTER_FRESH(names->at[value]);
    u->failed = true;
    return 0;
}

void hd_journal_restore_model(hd_explorer *x, hd_unpack *u, const hd_renaming *names,
                              hd_model *model) {
    uint64_t n = hd_unpack_short(u), next = 0;
    bool has_all = n & 1;
    for (n >>= 1; n > 0 && hd_unpack_ok(u); n--, next++) {
        uint64_t skipped = has_all ? 0 : hd_unpack_short(u), value = hd_unpack_short(u);
        if (skipped >= names->n || (next += skipped) >= names->n) {
            u->failed = true;
            return;
        }
        hd_var v = names->at[next];
        hd_model_set(model, v, restored_value(x, v, value, u, names));
    }
}

void hd_journal_restore_keys(hd_map *m, hd_unpack *u) {
    uint32_t n = hd_unpack_count(u, 8);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t key = hd_unpack_u64(u);
        if (key != HD_MAP_EMPTY)
            hd_map_put(m, key, 1);
    }
}

bool hd_explorer_restore(hd_explorer *x, const void *bytes, size_t n, hd_err *err) {
    hd_unpack u = hd_unpack_from(bytes, n);
    hd_renaming names = {0};
    HD_INVARIANT(S1, !x->is_running && !x->has_started); /* of a new explorer */
    uint32_t magic = hd_unpack_u32(&u);
    if (hd_unpack_ok(&u) && magic != MAGIC && (magic ^ MAGIC) >> 24 << 24 == (magic ^ MAGIC)) {
        hd_err_set(err, "the run was left by another version of Heddle");
        return hd_err_hint(err, "go on with that one, or explore the program again");
    }
    u.failed |= magic != MAGIC;
    restore_counters(x, &u);
    uint32_t n_variables = hd_unpack_count(&u, 19);
    for (uint32_t i = 0; i < n_variables && hd_unpack_ok(&u); i++)
        restore_variable(x, &u, &names);
    if (hd_unpack_ok(&u))
        x->search->restore(x->state, &u, &names);
    hd_vec_release(&names);
    if (hd_unpack_ok(&u))
        return true;
    hd_err_set(err, "the journal of the run is damaged");
    return hd_err_hint(err, "explore the program again with 'heddle run'");
}
