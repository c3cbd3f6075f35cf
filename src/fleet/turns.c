/* Strategies as the order in which units have their turns (turns.h). */
#include "fleet/turns.h"

#include "base/hash.h"
#include "base/hostile.h"
#include "base/panic.h"

#define FIRST_TURN HD_HOSTILE(32, 1) /* executions */
#define DOUBLINGS  HD_HOSTILE(7, 2)  /* so that the longest turn is 4096 of them */

/* How units of one strategy are compared: the lowest is next. */
typedef uint64_t rank_of(hd_turns *t, const hd_waiting *w);

static uint64_t n_taken(const hd_turns *t, const hd_waiting *w) {
    const uint64_t *n = w->unit == HD_NO_UNIT ? NULL : hd_map_find(&t->n_taken, w->unit);
    return n ? *n : 0;
}

/* Who has had fewer turns, and of those the shallowest. */
static uint64_t rank_breadth(hd_turns *t, const hd_waiting *w) {
    return n_taken(t, w) << 32 | w->depth;
}

static uint64_t rank_random(hd_turns *t, const hd_waiting *w) {
    (void)w;
    return hd_random_next(&t->random);
}

/* A sequence that nobody has taken is as promising as who asked for it. */
static uint64_t rank_coverage(hd_turns *t, const hd_waiting *w) {
    uint64_t from = w->unit == HD_NO_UNIT ? w->giver : w->unit;
    const uint64_t *gains = from == HD_NO_UNIT ? NULL : hd_map_find(&t->gained, from);
    return (uint64_t)!(gains && *gains) << 63 | rank_breadth(t, w);
}

/* A strategy without a row takes no turns: units are run to their ends, the oldest first. */
static rank_of *const ranks[HD_N_STRATEGIES] = {[HD_STRATEGY_BFS] = rank_breadth,
                                                [HD_STRATEGY_RANDOM] = rank_random,
                                                [HD_STRATEGY_COVERAGE] = rank_coverage};

hd_turns hd_turns_begin(hd_strategy strategy, uint64_t seed) {
    HD_ASSERT(strategy < HD_N_STRATEGIES);
    return (hd_turns){.strategy = strategy, .random = seed};
}

void hd_turns_release(hd_turns *t) {
    hd_map_release(&t->n_taken);
    hd_map_release(&t->gained);
}

void hd_turns_save(const hd_turns *t, hd_text *out) {
    hd_pack_u64(out, t->random);
    hd_pack_map(out, &t->n_taken);
    hd_pack_map(out, &t->gained);
}

bool hd_turns_restore(hd_turns *t, hd_unpack *u) {
    t->random = hd_unpack_u64(u);
    hd_unpack_map(u, &t->n_taken);
    hd_unpack_map(u, &t->gained);
    return hd_unpack_ok(u);
}

uint64_t hd_turns_next(hd_turns *t, const hd_coordinator *c) {
    rank_of *rank = ranks[t->strategy];
    hd_waiting_list all = {0};
    uint64_t best = 0, lowest = UINT64_MAX;
    if (!rank)
        return 0;
    hd_coordinator_list_waiting(c, &all);
    for (size_t i = 0; i < all.n; i++) {
        uint64_t r = rank(t, &all.at[i]);
        if (r < lowest) {
            lowest = r;
            best = i + 1;
        }
    }
    hd_vec_release(&all);
    return best;
}

uint64_t hd_turns_take(hd_turns *t, uint64_t unit) {
    if (!ranks[t->strategy])
        return 0;
    const uint64_t *before = hd_map_find(&t->n_taken, unit);
    uint64_t n = before ? *before : 0;
    hd_map_put(&t->n_taken, unit, n + 1);
    return (uint64_t)FIRST_TURN << (n < DOUBLINGS ? n : DOUBLINGS);
}

void hd_turns_note(hd_turns *t, uint64_t unit, bool gains) {
    if (gains && ranks[t->strategy])
        hd_map_put(&t->gained, unit, 1);
    else if (hd_map_find(&t->gained, unit))
        hd_map_put(&t->gained, unit, 0);
}
