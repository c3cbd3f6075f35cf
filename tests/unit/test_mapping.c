/* State mapping: the worked figures of paper 004, states that are discarded, large numbers, covers,
 * and what a step costs.  (Random scripts are in property_mapping.c.) */
#include "mapping/covering.h"
#include "mapping/dscenarios.h"
#include "mapping/sendings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST_NODES 1000

/* States are numbers, and forks the next ones. */
typedef struct owner {
    uint32_t next;
    hd_vec(uint32_t) origin; /* of each state */
    hd_states released;
} owner;

static uint32_t fork_state(void *context, uint32_t state) {
    owner *o = context;
    hd_vec_push(&o->origin, state);
    return o->next++;
}

static void release_state(void *context, uint32_t state) {
    hd_vec_push(&((owner *)context)->released, state);
}

typedef struct fixture {
    owner owner;
    hd_mapping *m;
    hd_states receivers;
} fixture;

static void begin(fixture *f, hd_mapping_kind kind, uint32_t n_nodes) {
    uint32_t first[MOST_NODES];
    *f = (fixture){0};
    for (uint32_t n = 0; n < n_nodes; n++) {
        first[n] = n;
        hd_vec_push(&f->owner.origin, n);
    }
    f->owner.next = n_nodes;
    f->m = hd_mapping_new(kind, n_nodes, first,
                          (hd_mapping_owner){&f->owner, fork_state, release_state});
}

static void end(fixture *f) {
    hd_mapping_check(f->m);
    hd_mapping_free(f->m);
    hd_vec_release(&f->owner.origin);
    hd_vec_release(&f->owner.released);
    hd_vec_release(&f->receivers);
}

static uint32_t branch(fixture *f, uint32_t state) {
    uint32_t child = fork_state(&f->owner, state);
    hd_mapping_branch(f->m, state, child);
    return child;
}

static size_t send_to(fixture *f, uint32_t state, uint32_t node) {
    hd_mapping_send(f->m, &state, 1, node, &f->receivers);
    return f->receivers.n;
}

static uint64_t n_states(const fixture *f) {
    return hd_mapping_count(f->m).states;
}
static uint64_t n_dstates(const fixture *f) {
    return hd_mapping_count(f->m).dstates;
}
static uint64_t n_virtual(const fixture *f) {
    return hd_mapping_count(f->m).virtual_states;
}
static double n_dscenarios(const fixture *f) {
    return hd_dscenarios_estimate(f->m);
}

/* Is there a dscenario with both? */
static bool are_together(const fixture *f, uint32_t a, uint32_t b) {
    hd_explosion e;
    bool found = false;
    hd_explosion_init(&e, f->m, NULL, NULL);
    for (const uint32_t *s; (s = hd_explosion_next(&e));) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < hd_mapping_n_nodes(f->m); i++)
            n += s[i] == a || s[i] == b;
        found |= n == 2;
    }
    hd_explosion_release(&e);
    return found;
}

/* ---- the figures ---- */

/* Fig. 3: node 1 branches, and the states on nodes 2 and 3 are forked at once. */
static void figure_3_cob_copies_on_a_branch(void **state) {
    (void)state;
    fixture f;
    begin(&f, HD_MAPPING_COB, 3);
    uint32_t s = branch(&f, 0);
    assert_int_equal(n_states(&f), 6);
    assert_int_equal(n_dstates(&f), 2);
    assert_int_equal(hd_mapping_count(f.m).forks, 2);
    assert_int_equal(send_to(&f, s, 1), 1); /* one receiver, and nobody is forked */
    assert_int_equal(f.owner.origin.at[f.receivers.at[0]], 1);
    assert_int_equal(n_states(&f), 6);
    assert_false(are_together(&f, s, 1));
    end(&f);
}

/* Section III-B: the two dscenarios of Fig. 3 are the one dstate {s1+, s1-, s2, s3}; Fig. 4: when
 * one of them sends to node 2, nodes 2 and 3 are forked. */
static void figure_4_cow_copies_on_a_send(void **state) {
    (void)state;
    fixture f;
    begin(&f, HD_MAPPING_COW, 3);
    uint32_t s = branch(&f, 0);
    assert_int_equal(n_states(&f), 4);
    assert_int_equal(n_dstates(&f), 1);
    assert_int_equal(send_to(&f, s, 1), 1);
    assert_int_equal(n_states(&f), 6);
    assert_int_equal(n_dstates(&f), 2);
    assert_true(are_together(&f, s, f.receivers.at[0]));
    assert_false(are_together(&f, 0, f.receivers.at[0]));
    assert_int_equal(send_to(&f, s, 1), 1); /* no rivals are left */
    assert_int_equal(n_states(&f), 6);
    assert_int_equal(hd_mapping_group(f.m).n, 2);
    assert_int_equal(hd_mapping_group(f.m).largest, 3);
    end(&f);
}

/* Fig. 5: four nodes in a line, two dstates; the sender has two targets, two rivals and four
 * bystanders on nodes 3 and 4. */
static void figure_5_roles(void **state) {
    (void)state;
    for (hd_mapping_kind kind = HD_MAPPING_COW; kind <= HD_MAPPING_SDS; kind++) {
        fixture f;
        begin(&f, kind, 4);
        uint32_t other = branch(&f, 3);
        send_to(&f, other, 2); /* a second dstate: 0, 1 and 2 are in both, or have copies */
        uint64_t forks = hd_mapping_count(f.m).forks;
        assert_int_equal(n_dstates(&f), 2);
        assert_int_equal(forks, kind == HD_MAPPING_COW ? 3 : 1);
        uint32_t sender = branch(&f, 0);
        branch(&f, 0);
        branch(&f, 1);
        branch(&f, 2);
        branch(&f, 3);
        size_t n_receivers = send_to(&f, sender, 1);
        assert_int_equal(n_receivers, 2);
        /* Two targets and four bystanders, or two targets only. */
        assert_int_equal(hd_mapping_count(f.m).forks - forks, kind == HD_MAPPING_COW ? 6 : 2);
        assert_int_equal(n_dstates(&f), kind == HD_MAPPING_COW ? 3 : 4);
        end(&f);
    }
}

/* Fig. 6: a bystander is not forked, but is in both dstates. */
static void figure_6_bystanders_are_virtually_forked(void **state) {
    (void)state;
    fixture f;
    begin(&f, HD_MAPPING_SDS, 3);
    uint32_t s = branch(&f, 0);
    assert_int_equal(send_to(&f, s, 1), 1);
    assert_int_equal(n_states(&f), 5);
    assert_int_equal(n_dstates(&f), 2);
    assert_int_equal(n_virtual(&f), 6);
    assert_int_equal(hd_mapping_group(f.m).n, 1); /* by the bystander */
    assert_int_equal(hd_mapping_group(f.m).largest, 5);
    assert_true(are_together(&f, 0, 2) && are_together(&f, s, 2));
    assert_true(are_together(&f, s, f.receivers.at[0]));
    assert_false(are_together(&f, 0, f.receivers.at[0]));
    end(&f);
}

/* Fig. 7 (A4.1): the sender has no direct rival but a super-rival, because the target is in its
 * dstate too: the target is forked, the copy takes its place there, no dstate is. */
static void figure_7_super_rivals(void **state) {
    (void)state;
    fixture f;
    begin(&f, HD_MAPPING_SDS, 3);
    uint32_t s = branch(&f, 0);
    send_to(&f, s, 1); /* s and its rival 0 are in different dstates, 2 is in both */
    uint64_t dstates = n_dstates(&f), virtual = n_virtual(&f);
    assert_int_equal(send_to(&f, s, 2), 1);
    assert_int_equal(f.receivers.at[0], 2);
    uint32_t copy = f.owner.next - 1;
    assert_int_equal(f.owner.origin.at[copy], 2);
    assert_int_equal(n_dstates(&f), dstates);
    assert_int_equal(n_virtual(&f), virtual);
    assert_true(are_together(&f, s, 2) && !are_together(&f, s, copy));
    assert_true(are_together(&f, 0, copy) && !are_together(&f, 0, 2));
    end(&f);
}

/* Fig. 8, as far as it can come up: the sender is in two dstates with direct rivals; some of its
 * targets are in a third, whose states of the sender's node are super-rivals.  Dstates with direct
 * rivals get twins, targets are forked once, bystanders are not. */
static void figure_8_direct_and_super_rivals(void **state) {
    (void)state;
    fixture f;
    begin(&f, HD_MAPPING_SDS, 4);
    uint32_t left = branch(&f, 0);
    send_to(&f, left, 3); /* 0 and left are in different dstates, 1 and 2 are in both */
    uint32_t bystander = branch(&f, 2);
    send_to(&f, bystander, 3); /* each of the two gets a twin */
    assert_int_equal(n_dstates(&f), 4);
    uint32_t sender = branch(&f, 0), rival = branch(&f, 0);
    uint32_t target = branch(&f, 1);
    uint64_t forks = hd_mapping_count(f.m).forks;
    /* Sender, 0 and rival are in two dstates; left is in the other two: a super-rival. */
    assert_int_equal(send_to(&f, sender, 1), 2);
    assert_int_equal(hd_mapping_count(f.m).forks - forks, 2);
    assert_int_equal(n_dstates(&f), 6);
    assert_true(are_together(&f, sender, target) && !are_together(&f, rival, target));
    assert_true(!are_together(&f, left, target) && !are_together(&f, left, 1));
    assert_true(are_together(&f, left, bystander) && are_together(&f, sender, bystander));
    end(&f);
}

/* Section III-D: equal packets of the sender and all its rivals need no mapping. */
static void equal_packets_need_no_mapping(void **state) {
    (void)state;
    for (hd_mapping_kind kind = HD_MAPPING_COW; kind <= HD_MAPPING_SDS; kind++) {
        fixture f;
        begin(&f, kind, 3);
        uint32_t senders[] = {0, branch(&f, 0), branch(&f, 0)};
        hd_mapping_send(f.m, senders, 3, 1, &f.receivers);
        assert_int_equal(f.receivers.n, 1);
        assert_int_equal(n_dstates(&f), 1);
        hd_mapping_send(f.m, senders, 2, 2, &f.receivers); /* one rival: two stay together */
        assert_int_equal(n_dstates(&f), 2);
        hd_mapping_counts c = hd_mapping_count(f.m);
        assert_int_equal(c.joined, 3);
        assert_int_equal(c.forks, kind == HD_MAPPING_COW ? 2 : 1);
        end(&f);
    }
}

static void nodes_send_to_themselves_without_mapping(void **state) {
    (void)state;
    fixture f;
    begin(&f, HD_MAPPING_SDS, 2);
    uint32_t s = branch(&f, 0);
    assert_int_equal(send_to(&f, s, 0), 1);
    assert_int_equal(f.receivers.at[0], s);
    assert_int_equal(n_dstates(&f), 1);
    end(&f);
}

/* ---- sendings ---- */

typedef struct delivery {
    uint64_t packet;
    size_t n_senders, n_receivers;
} delivery;
static hd_vec(delivery) deliveries;

static void deliver(void *context, uint64_t packet, const hd_sending *senders, size_t n,
                    const hd_states *receivers) {
    (void)context, (void)senders;
    hd_vec_push(&deliveries, ((delivery){packet, n, receivers->n}));
}

/* Rounds come one after the other, whatever the keys; equal ones of a round are one packet. */
static void sendings_are_mapped_in_rounds(void **state) {
    (void)state;
    fixture f;
    hd_sendings s = {0};
    begin(&f, HD_MAPPING_SDS, 3);
    uint32_t other = branch(&f, 0);
    hd_sendings_add(&s, 0, 1, 9, 100);
    hd_sendings_add(&s, 0, 2, 5, 101);
    hd_sendings_add(&s, other, 1, 9, 200);
    hd_sendings_add(&s, other, 2, 4, 201);
    hd_sendings_flush(&s, f.m, deliver, NULL);
    assert_int_equal(deliveries.n, 3);
    assert_int_equal(deliveries.at[0].packet, 100);
    assert_int_equal(deliveries.at[0].n_senders, 2);
    assert_int_equal(deliveries.at[1].packet, 201);
    assert_int_equal(deliveries.at[2].packet, 101);
    assert_int_equal(n_dstates(&f), 2);
    assert_int_equal(n_states(&f), 5); /* node 2 has two, for the two packets */
    hd_sendings_release(&s);
    hd_vec_release(&deliveries);
    end(&f);
}

/* ---- states that are impossible ---- */

static void discarded_states_take_their_dstates_with_them(void **state) {
    (void)state;
    for (hd_mapping_kind kind = 0; kind < HD_N_MAPPINGS; kind++) {
        fixture f;
        begin(&f, kind, 3);
        uint32_t s = branch(&f, 0);
        send_to(&f, s, 1);
        hd_mapping_discard(f.m, f.receivers.at[0]);
        /* Whoever was with s only is gone too. */
        assert_int_equal(n_dstates(&f), 1);
        assert_int_equal(n_states(&f), 3);
        assert_int_equal(hd_mapping_count(f.m).discarded, f.owner.released.n);
        assert_false(hd_mapping_knows(f.m, s));
        assert_true(hd_mapping_knows(f.m, 0) && n_dscenarios(&f) == 1);
        uint32_t again = branch(&f, 0); /* in memory of what is gone */
        send_to(&f, again, 2);
        assert_true(n_dstates(&f) == 2 && n_dscenarios(&f) == 2);
        end(&f);
    }
}

static void others_of_the_node_stay_when_one_is_discarded(void **state) {
    (void)state;
    fixture f;
    begin(&f, HD_MAPPING_SDS, 2);
    uint32_t s = branch(&f, 0);
    hd_mapping_discard(f.m, 0);
    assert_int_equal(n_states(&f), 2);
    assert_int_equal(n_dstates(&f), 1);
    assert_true(hd_mapping_knows(f.m, s));
    end(&f);
}

/* ---- numbers ---- */

/* 40 nodes with 16 states each: 16^40 = 2^160 dscenarios. */
static void large_numbers_are_exact(void **state) {
    (void)state;
    fixture f;
    hd_text decimal = {0};
    begin(&f, HD_MAPPING_SDS, 40);
    for (uint32_t n = 0; n < 40; n++)
        for (unsigned i = 1; i < 16; i++)
            branch(&f, n);
    hd_dscenarios_count(f.m, &decimal);
    assert_string_equal(hd_text_string(&decimal),
                        "1461501637330902918203684832716283019655932542976");
    /* Some of them, drawn: all differ, and one seed gives the same. */
    hd_sample a, b;
    hd_sample_init(&a, f.m, 7, NULL, NULL);
    hd_sample_init(&b, f.m, 7, NULL, NULL);
    uint64_t n_of[16] = {0};
    for (unsigned i = 0; i < 4000; i++) {
        const uint32_t *s = hd_sample_next(&a), *t = hd_sample_next(&b);
        assert_memory_equal(s, t, 40 * sizeof *s);
        n_of[s[39] == 39 ? 0 : s[39] % 15 + 1]++;
    }
    for (unsigned i = 0; i < 16; i++) /* 250 of each are expected, with a deviation of 15 */
        assert_in_range(n_of[i], 170, 330);
    hd_sample_release(&a);
    hd_sample_release(&b);
    hd_text_release(&decimal);
    end(&f);
}

static bool never_with_5(void *context, const uint32_t *states, uint32_t node) {
    (void)context, (void)node;
    return !(states[0] == 4 && states[1] == 5);
}

/* Draws from dstates of different sizes are as frequent as their dscenarios; a sample of all is
 * all. */
static void samples_are_uniform(void **state) {
    (void)state;
    uint64_t n_small = 0;
    for (uint64_t seed = 0; seed < 900; seed++) {
        fixture f;
        hd_sample s;
        begin(&f, HD_MAPPING_SDS, 3);
        uint32_t sender = branch(&f, 0);
        send_to(&f, sender, 1);
        uint32_t kept = branch(&f, 1); /* of the dstate with the sender: 2 of 3 dscenarios */
        hd_sample_init(&s, f.m, seed, NULL, NULL);
        n_small += hd_sample_next(&s)[0] == 0;
        assert_true(hd_sample_next(&s) && hd_sample_next(&s) && !hd_sample_next(&s));
        assert_false(s.has_given_up);
        assert_true(are_together(&f, sender, kept));
        hd_sample_release(&s);
        end(&f);
    }
    assert_in_range(n_small, 240, 360); /* 300 are expected */
}

static void impossible_draws_are_left_out(void **state) {
    (void)state;
    fixture f;
    hd_sample s;
    begin(&f, HD_MAPPING_SDS, 4);
    assert_int_equal(branch(&f, 0), 4);
    assert_int_equal(branch(&f, 1), 5);
    hd_sample_init(&s, f.m, 1, never_with_5, NULL);
    unsigned n = 0;
    while (hd_sample_next(&s))
        n++;
    assert_int_equal(n, 3);
    assert_int_equal(s.n_impossible, 1);
    hd_sample_release(&s);
    hd_explosion e;
    hd_text pruned = {0};
    hd_explosion_init(&e, f.m, never_with_5, NULL);
    for (n = 0; hd_explosion_next(&e);)
        n++;
    hd_explosion_pruned(&e, &pruned);
    assert_int_equal(n, 3);
    assert_string_equal(hd_text_string(&pruned), "1");
    hd_explosion_release(&e);
    hd_text_release(&pruned);
    end(&f);
}

/* ---- covers ---- */

/* One dstate with 5, 3 and 1 states: five dscenarios do, and no fewer. */
static void a_cover_is_as_small_as_can_be(void **state) {
    (void)state;
    fixture f;
    hd_covering c;
    begin(&f, HD_MAPPING_SDS, 3);
    for (unsigned i = 0; i < 4; i++)
        branch(&f, 0);
    branch(&f, 1);
    branch(&f, 1);
    assert_int_equal(hd_covering_bound(f.m), 5);
    hd_covering_init(&c, f.m, NULL, NULL);
    unsigned n = 0;
    while (hd_covering_next(&c))
        n++;
    assert_int_equal(n, 5);
    assert_int_equal(c.n_left, 0);
    hd_covering_release(&c);
    end(&f);
}

/* Dstates whose states others have too are taken last: two of three are enough. */
static void a_cover_takes_dstates_with_most_new_states_first(void **state) {
    (void)state;
    fixture f;
    hd_covering c;
    begin(&f, HD_MAPPING_SDS, 4);
    uint32_t s = branch(&f, 0);
    send_to(&f, s, 1); /* {0, 1', 2, 3} and {s, 1, 2, 3} */
    uint32_t t = branch(&f, 2);
    send_to(&f, t,
            3); /* and each with t and 3 that received: four, of which two opposite ones do */
    assert_int_equal(n_dstates(&f), 4);
    hd_covering_init(&c, f.m, NULL, NULL);
    unsigned n = 0;
    while (hd_covering_next(&c))
        n++;
    assert_int_equal(n, 2);
    hd_covering_release(&c);
    end(&f);
}

static bool never(void *context, const uint32_t *states, uint32_t node) {
    (void)context, (void)node;
    return states[0] != 0;
}

static void a_cover_says_what_is_in_no_possible_dscenario(void **state) {
    (void)state;
    fixture f;
    hd_covering c;
    begin(&f, HD_MAPPING_SDS, 2);
    branch(&f, 0);
    hd_covering_init(&c, f.m, never, NULL);
    assert_non_null(hd_covering_next(&c));
    assert_null(hd_covering_next(&c));
    assert_int_equal(c.n_left, 1);
    hd_covering_release(&c);
    end(&f);
}

/* ---- costs ---- */

/* A send with rivals among 100,000 states that have nothing to do with it. */
static void a_send_touches_only_those_involved(void **state) {
    (void)state;
    fixture f;
    begin(&f, HD_MAPPING_SDS, 8);
    for (unsigned i = 0; i < 100000; i++)
        branch(&f, 2 + i % 6);
    uint32_t s = branch(&f, 0);
    uint64_t before = hd_mapping_count(f.m).touched;
    assert_int_equal(send_to(&f, s, 1), 1);
    assert_in_range(hd_mapping_count(f.m).touched - before, 1, 40);
    hd_mapping_counts c = hd_mapping_count(f.m);
    assert_int_equal(c.states, 100000 + 8 + 2);
    assert_true(c.bytes < 100000 * 20); /* for 200,000 virtual states */
    assert_true(c.virtual_states > 200000);
    end(&f);
}

/* Every one of 20,000 states sends: each leaves its rivals at once, without going through them. */
static void many_rivals_send_one_after_the_other(void **state) {
    (void)state;
    fixture f;
    begin(&f, HD_MAPPING_SDS, 3);
    for (unsigned i = 0; i < 20000; i++)
        branch(&f, 0);
    uint64_t before = hd_mapping_count(f.m).touched;
    for (uint32_t s = 3; s < 20003; s++)
        send_to(&f, s, 1);
    hd_mapping_counts c = hd_mapping_count(f.m);
    assert_int_equal(c.dstates, 20001);
    assert_true((c.touched - before) / 20000 < 20);
    assert_true(c.bytes / c.virtual_states < 100);
    end(&f);
}

/* COB with 100,000 states. */
static void copies_cost_tens_of_bytes(void **state) {
    (void)state;
    fixture f;
    begin(&f, HD_MAPPING_COB, 10);
    for (unsigned i = 0; i < 10000; i++)
        branch(&f, 0);
    hd_mapping_counts c = hd_mapping_count(f.m);
    assert_int_equal(c.states, 100010);
    assert_true(c.bytes / c.states < 160);
    end(&f);
}

/* Twelve of a thousand nodes have sent something to their neighbour, or not: 4,096 dstates, of
 * which each differs from another in two nodes. */
static void dstates_share_what_they_have_in_common(void **state) {
    (void)state;
    enum { NODES = 1000, PAIRS = 12, APART = 80 };
    fixture f;
    begin(&f, HD_MAPPING_SDS, NODES);
    for (uint32_t i = 0; i < PAIRS; i++)
        assert_int_equal(send_to(&f, branch(&f, i * APART), i * APART + 1), 1);
    hd_mapping_counts c = hd_mapping_count(f.m);
    assert_int_equal(c.states, NODES + 2 * PAIRS);
    assert_int_equal(c.dstates, 1 << PAIRS);
    assert_true(c.bytes / c.dstates <
                250); /* a row of all nodes has 4,000, and so have lists of them */
    end(&f);
}

static void algorithms_have_names(void **state) {
    (void)state;
    for (hd_mapping_kind kind = 0; kind < HD_N_MAPPINGS; kind++)
        assert_int_equal(hd_mapping_named(hd_mapping_name(kind)), kind);
    assert_int_equal(hd_mapping_named("copy"), HD_N_MAPPINGS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_3_cob_copies_on_a_branch),
        cmocka_unit_test(figure_4_cow_copies_on_a_send),
        cmocka_unit_test(figure_5_roles),
        cmocka_unit_test(figure_6_bystanders_are_virtually_forked),
        cmocka_unit_test(figure_7_super_rivals),
        cmocka_unit_test(figure_8_direct_and_super_rivals),
        cmocka_unit_test(equal_packets_need_no_mapping),
        cmocka_unit_test(nodes_send_to_themselves_without_mapping),
        cmocka_unit_test(sendings_are_mapped_in_rounds),
        cmocka_unit_test(discarded_states_take_their_dstates_with_them),
        cmocka_unit_test(others_of_the_node_stay_when_one_is_discarded),
        cmocka_unit_test(large_numbers_are_exact),
        cmocka_unit_test(samples_are_uniform),
        cmocka_unit_test(impossible_draws_are_left_out),
        cmocka_unit_test(a_cover_is_as_small_as_can_be),
        cmocka_unit_test(a_cover_takes_dstates_with_most_new_states_first),
        cmocka_unit_test(a_cover_says_what_is_in_no_possible_dscenario),
        cmocka_unit_test(a_send_touches_only_those_involved),
        cmocka_unit_test(many_rivals_send_one_after_the_other),
        cmocka_unit_test(copies_cost_tens_of_bytes),
        cmocka_unit_test(dstates_share_what_they_have_in_common),
        cmocka_unit_test(algorithms_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
