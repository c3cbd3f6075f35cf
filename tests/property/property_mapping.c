/* State mapping: random scripts of little systems, without a machine.  COB is the truth: COW and
 * SDS must have the same dscenarios (as a multiset of histories), no dscenario may have a conflict,
 * and SDS may have no two states of one history.  With constraints the possible dscenarios are
 * compared, with and without states that were discarded early; so are those that keep to budgets.
 *
 *     property_mapping [seed [count]]     (SOAK: many more) */
#include "mapping/covering.h"
#include "mapping/dscenarios.h"
#include "property/model/little_system.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STATES     2000
#define MOST_DSCENARIOS 4000

typedef hd_vec(uint64_t) hashes;

static uint64_t seed_now;
static bool fail(const char *what, const little_system *y) {
    printf("seed %" PRIu64 ": %s: %s (%u nodes, shape %d, way %d, %u events)\n", seed_now,
           hd_mapping_name(hd_mapping_kind_of(y->mapping)), what, y->script.n_nodes,
           (int)y->script.shape, (int)y->script.way, y->n_run);
    return false;
}

static int compare_hashes(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool is_free_of_conflicts(const little_system *y, const uint32_t *states) {
    for (unsigned a = 0; a < y->script.n_nodes; a++)
        for (unsigned b = 0; b < a; b++)
            if (little_conflict(y, states[a], states[b]))
                return false;
    return true;
}

/* All dscenarios as sorted hashes; X2 and the count are looked at on the way. */
static bool explode(little_system *y, hashes *all) {
    hd_explosion e;
    const uint32_t *states;
    bool is_good = true;
    mpz_t total, given;
    hd_vec_clear(all);
    mpz_init(given);
    hd_explosion_init(&e, y->mapping, little_is_limited(&y->script) ? little_agree : NULL, y);
    while ((states = hd_explosion_next(&e))) {
        hd_vec_push(all, little_hash(y, states));
        is_good = is_good && little_agree(y, states, 0) == true;
        is_good = is_good && is_free_of_conflicts(y, states);
    }
    if (all->n)
        qsort(all->at, all->n, sizeof *all->at, compare_hashes);
    hd_text decimal = {0};
    hd_dscenarios_count(y->mapping, &decimal);
    mpz_init_set_str(total, hd_text_string(&decimal), 10);
    mpz_add_ui(given, e.pruned, all->n);
    if (mpz_cmp(given, total) != 0)
        is_good = fail("dscenarios and what was pruned are not all", y);
    mpz_clears(total, given, NULL);
    hd_text_release(&decimal);
    hd_explosion_release(&e);
    return is_good || fail("a dscenario has a conflict", y);
}

/* Those that keep to budgets are as many as are found one by one, unless variables contradict too.
 */
static bool is_affordable_count(little_system *y, uint64_t n) {
    hd_text decimal = {0};
    bool is_counted = hd_dscenarios_count_affordable(y->mapping, &decimal);
    uint64_t counted = is_counted ? strtoull(hd_text_string(&decimal), NULL, 10) : 0;
    hd_text_release(&decimal);
    bool is_good = is_counted && (y->script.has_constraints ? counted >= n : counted == n);
    return is_good || fail("dscenarios that keep to budgets are counted wrong", y);
}

static bool has_no_duplicates(const little_system *y) {
    hashes known = {0};
    bool is_good = true;
    for (uint32_t s = 0; s < y->states.n; s++)
        if (hd_mapping_knows(y->mapping, s))
            hd_vec_push(&known, y->states.at[s].hash);
    qsort(known.at, known.n, sizeof *known.at, compare_hashes);
    for (size_t i = 1; i < known.n; i++)
        is_good = is_good && known.at[i] != known.at[i - 1];
    hd_vec_release(&known);
    return is_good;
}

/* A cover has every state of every possible dscenario, and none of its dscenarios is for nothing
 * (C1, C2). */
static bool is_covered(little_system *y) {
    hd_covering c;
    hd_explosion e;
    const uint32_t *states;
    uint64_t n = 0;
    bool is_good = true;
    hd_covering_init(&c, y->mapping, little_agree, y);
    for (uint64_t left = c.n_left; (states = hd_covering_next(&c)); left = c.n_left, n++)
        is_good = is_good && c.n_left < left && little_agree(y, states, 0);
    is_good = is_good && (little_is_limited(&y->script) || c.n_left == 0);
    is_good = is_good && (little_is_limited(&y->script) || n >= hd_covering_bound(y->mapping));
    hd_explosion_init(&e, y->mapping, little_agree, y);
    while (is_good && (states = hd_explosion_next(&e)))
        for (unsigned i = 0; i < y->script.n_nodes; i++)
            is_good = is_good && c.is_covered.at[states[i]];
    hd_explosion_release(&e);
    hd_covering_release(&c);
    return is_good || fail("a cover leaves states out, or has too many dscenarios", y);
}

/* A sample of all: each possible dscenario once. */
static bool can_be_drawn(little_system *y, const hashes *all) {
    hd_sample s;
    hashes drawn = {0};
    const uint32_t *states;
    hd_sample_init(&s, y->mapping, seed_now, little_agree, y);
    while ((states = hd_sample_next(&s)))
        hd_vec_push(&drawn, little_hash(y, states));
    if (drawn.n)
        qsort(drawn.at, drawn.n, sizeof *drawn.at, compare_hashes);
    bool is_good = s.has_given_up ||
                   (drawn.n == all->n &&
                    (!drawn.n || memcmp(drawn.at, all->at, drawn.n * sizeof *drawn.at) == 0));
    hd_vec_release(&drawn);
    hd_sample_release(&s);
    return is_good || fail("a sample of all is not all", y);
}

typedef struct totals {
    uint64_t scripts, states[HD_N_MAPPINGS], virtual_states, dstates, sends, joined, discarded,
        too_dear, dscenarios;
} totals;

static void add_up(totals *t, const little_system *y) {
    hd_mapping_counts c = hd_mapping_count(y->mapping);
    hd_mapping_kind kind = hd_mapping_kind_of(y->mapping);
    t->states[kind] += c.states;
    if (kind != HD_MAPPING_SDS)
        return;
    t->virtual_states += c.virtual_states;
    t->dstates += c.dstates;
    t->sends += c.sends;
    t->joined += c.joined;
    t->discarded += c.discarded;
    t->too_dear += c.too_dear;
}

/* One algorithm on the script, compared with `truth`. */
static bool try_mapping(const little_script *script, hd_mapping_kind kind, bool discards,
                        const hashes *truth, totals *t) {
    little_system y;
    hashes all = {0};
    little_init(&y, script, kind);
    y.discards = discards;
    little_run(&y);
    hd_mapping_check(y.mapping);
    bool is_good = explode(&y, &all) && is_affordable_count(&y, all.n);
    if (is_good &&
        (all.n != truth->n || (all.n && memcmp(all.at, truth->at, all.n * sizeof *all.at) != 0)))
        is_good = fail("dscenarios are not those of cob", &y);
    hd_mapping_groups groups = hd_mapping_group(y.mapping);
    if (is_good && kind != HD_MAPPING_SDS && groups.n != hd_mapping_count(y.mapping).dstates)
        is_good = fail("dstates share states", &y);
    if (is_good && kind == HD_MAPPING_SDS && !has_no_duplicates(&y))
        is_good = fail("two states have one history", &y);
    if (is_good && seed_now % 10 == 0)
        is_good = is_covered(&y) && can_be_drawn(&y, &all);
    if (discards || !little_is_limited(script))
        add_up(t, &y);
    hd_vec_release(&all);
    little_release(&y);
    return is_good;
}

/* How many events the script may have, and its dscenarios, from COB. */
static bool find_truth(little_script *script, hashes *truth) {
    little_system y;
    little_init(&y, script, HD_MAPPING_COB);
    y.most_states = MOST_STATES;
    little_run(&y);
    script->n_events = y.n_run;
    bool is_good = hd_dscenarios_estimate(y.mapping) > MOST_DSCENARIOS || explode(&y, truth);
    if (truth->n == 0)
        script->n_events = 0;
    little_release(&y);
    return is_good;
}

static bool try_script(uint64_t seed, totals *t) {
    little_script script = little_script_of(seed);
    hashes truth = {0};
    bool is_good = find_truth(&script, &truth);
    for (hd_mapping_kind k = 0; k < HD_N_MAPPINGS && is_good && script.n_events; k++)
        for (int discards = 0; discards <= little_is_limited(&script) && is_good; discards++)
            is_good = try_mapping(&script, k, discards, &truth, t);
    t->scripts += script.n_events > 0;
    t->dscenarios += truth.n;
    hd_vec_release(&truth);
    return is_good;
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : getenv("SOAK") ? 1000000 : 10000;
    totals t = {0};
    for (seed_now = seed; seed_now < seed + count; seed_now++)
        if (!try_script(seed_now, &t))
            return 1;
    printf("%" PRIu64 " scripts with %" PRIu64 " dscenarios: states %" PRIu64 " (cob), %" PRIu64
           " (cow), %" PRIu64 " (sds: %" PRIu64 " virtual, %" PRIu64 " dstates, %" PRIu64
           " sends, %" PRIu64 " joined, %" PRIu64 " discarded, %" PRIu64 " dstates too dear)\n",
           t.scripts, t.dscenarios, t.states[HD_MAPPING_COB], t.states[HD_MAPPING_COW],
           t.states[HD_MAPPING_SDS], t.virtual_states, t.dstates, t.sends, t.joined, t.discarded,
           t.too_dear);
    /* Else nothing was shown. */
    return !(t.scripts * 10 > count * 9 && t.joined && t.discarded && t.too_dear &&
             t.states[HD_MAPPING_SDS] < t.states[HD_MAPPING_COW] &&
             t.states[HD_MAPPING_COW] < t.states[HD_MAPPING_COB]);
}
