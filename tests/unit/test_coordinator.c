/* The coordinator: which units there are, whose commits count, when all is done; and what workers
 * agree on.  That it finds every class once is for property_split to show. */
#include "explore/events/action_bytes.h"
#include "explore/orders/sequence.h"
#include "fleet/agreement.h"
#include "fleet/coordinator.h"
#include "fleet/pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static hd_unit take(hd_coordinator *c) {
    hd_unit u;
    assert_true(hd_coordinator_hand_out(c, 0, false, &u));
    return u;
}

static hd_commit commit_of(const hd_unit *u, const char *journal) {
    hd_commit commit = {.unit = u->number, .epoch = u->epoch, .number = u->n_commits};
    commit.is_done = !journal;
    hd_text_add(&commit.journal, "%s", journal ? journal : "");
    return commit;
}

static hd_commit_answer send(hd_coordinator *c, hd_commit commit) {
    hd_commit_answer answer = hd_coordinator_commit(c, &commit);
    hd_commit_release(&commit);
    return answer;
}

static void one_unit_is_the_whole_search(void **state) {
    (void)state;
    hd_coordinator *c = hd_coordinator_new("left", 4);
    hd_unit u = take(c), other;
    assert_string_equal(u.journal->at, "left");
    assert_false(u.is_shared);
    assert_false(hd_coordinator_hand_out(c, 0, false, &other));
    assert_int_equal(send(c, commit_of(&u, "less")), HD_COMMIT_APPLIED);
    assert_false(hd_coordinator_is_complete(c));
    u.n_commits++;
    assert_int_equal(send(c, commit_of(&u, NULL)), HD_COMMIT_APPLIED);
    assert_true(hd_coordinator_is_complete(c));
    assert_int_equal(hd_coordinator_n_left(c), 0);
    hd_coordinator_free(c);
}

static hd_coordinator *new_parts(bool may_begin_anew) {
    hd_text parts[4] = {0};
    for (int i = 0; i < 4; i++)
        hd_text_add(&parts[i], "part %d", i);
    hd_coordinator *c = hd_coordinator_new_parts(parts, 4, may_begin_anew);
    for (int i = 0; i < 4; i++)
        hd_text_release(&parts[i]);
    return c;
}

/* Also after a part is done, which leaves a gap, and after all is saved and restored. */
static void parts_are_handed_out_in_their_order(void **state) {
    (void)state;
    hd_coordinator *c = new_parts(false);
    hd_text bytes = {0};
    hd_err err;
    hd_unit u = take(c);
    assert_string_equal(u.journal->at, "part 0");
    assert_true(u.is_shared);
    assert_int_equal(send(c, commit_of(&u, NULL)), HD_COMMIT_APPLIED);
    hd_coordinator_save(c, &bytes);
    hd_coordinator_free(c);
    c = hd_coordinator_restore(bytes.at, bytes.n, &err);
    assert_non_null(c);
    for (int i = 1; i < 4; i++) {
        char *expected = hd_text_format("part %d", i);
        assert_false(hd_coordinator_is_complete(c));
        u = take(c);
        assert_string_equal(u.journal->at, expected);
        assert_int_equal(send(c, commit_of(&u, NULL)), HD_COMMIT_APPLIED);
        free(expected);
    }
    assert_true(hd_coordinator_is_complete(c));
    hd_text_release(&bytes);
    hd_coordinator_free(c);
}

static void nothing_is_left_of_units_that_are_dropped(void **state) {
    (void)state;
    hd_coordinator *c = new_parts(false);
    hd_unit first = take(c), second = take(c);
    assert_int_equal(send(c, commit_of(&first, NULL)), HD_COMMIT_APPLIED);
    hd_commit late = commit_of(&second, "more");
    hd_coordinator_drop_units(c);
    assert_true(hd_coordinator_is_complete(c));
    assert_false(hd_coordinator_has_waiting(c));
    assert_int_equal(send(c, late), HD_COMMIT_REFUSED);
    hd_coordinator_free(c);
}

static void what_is_split_off_must_be_done_too(void **state) {
    (void)state;
    hd_coordinator *c = hd_coordinator_new(NULL, 0);
    hd_unit first = take(c);
    hd_commit commit = commit_of(&first, "one half");
    hd_text_add(&commit.split, "other half");
    assert_int_equal(send(c, commit), HD_COMMIT_APPLIED);
    assert_true(hd_coordinator_has_waiting(c));
    hd_unit second = take(c);
    assert_string_equal(second.journal->at, "other half");
    assert_true(second.is_shared);
    first.n_commits++;
    assert_int_equal(send(c, commit_of(&first, NULL)), HD_COMMIT_APPLIED);
    assert_false(hd_coordinator_is_complete(c));
    assert_int_equal(send(c, commit_of(&second, NULL)), HD_COMMIT_APPLIED);
    assert_true(hd_coordinator_is_complete(c));
    hd_coordinator_free(c);
}

/* D4. */
static void commits_count_once_and_in_order(void **state) {
    (void)state;
    hd_coordinator *c = hd_coordinator_new(NULL, 0);
    hd_unit u = take(c), late = u;
    late.n_commits = 1;
    assert_int_equal(send(c, commit_of(&late, "2")), HD_COMMIT_EARLY);
    assert_int_equal(send(c, commit_of(&u, "1")), HD_COMMIT_APPLIED);
    assert_int_equal(send(c, commit_of(&u, "1")), HD_COMMIT_REPEATED);
    assert_int_equal(send(c, commit_of(&late, "2")), HD_COMMIT_APPLIED);
    hd_coordinator_suspect(c, u.number);
    assert_false(hd_coordinator_is_out(c, u.number, u.epoch));
    late.n_commits = 2;
    assert_int_equal(send(c, commit_of(&late, NULL)), HD_COMMIT_REFUSED);
    hd_unit again = take(c);
    assert_int_equal(again.n_commits, 2);
    assert_string_equal(again.journal->at, "2");
    assert_int_equal(send(c, commit_of(&late, NULL)), HD_COMMIT_REFUSED);
    assert_int_equal(send(c, commit_of(&again, NULL)), HD_COMMIT_APPLIED);
    assert_true(hd_coordinator_is_complete(c));
    hd_coordinator_free(c);
}

static void what_is_set_aside_keeps_the_search_open(void **state) {
    (void)state;
    hd_err err;
    hd_text bytes = {0};
    hd_coordinator *c = hd_coordinator_new(NULL, 0);
    hd_unit first = take(c), other;
    hd_commit commit = commit_of(&first, "one half");
    hd_text_add(&commit.split, "other half");
    assert_int_equal(send(c, commit), HD_COMMIT_APPLIED);
    first.n_commits++;
    hd_coordinator_set_aside(c, first.number);
    assert_int_equal(hd_coordinator_n_aside(c), 1);
    assert_int_equal(send(c, commit_of(&first, NULL)), HD_COMMIT_REFUSED); /* a late one */
    other = take(c);
    assert_true(other.number != first.number && other.is_shared);
    assert_false(hd_coordinator_has_waiting(c));
    assert_int_equal(send(c, commit_of(&other, NULL)), HD_COMMIT_APPLIED);
    assert_false(hd_coordinator_has_waiting(c) || hd_coordinator_is_complete(c));
    assert_int_equal(hd_coordinator_n_left(c), 1);
    hd_coordinator_save(c, &bytes);
    hd_coordinator_free(c);
    c = hd_coordinator_restore(bytes.at, bytes.n, &err); /* another sitting tries again */
    assert_int_equal(hd_coordinator_n_aside(c), 0);
    first = take(c);
    assert_string_equal(first.journal->at, "one half");
    assert_int_equal(send(c, commit_of(&first, NULL)), HD_COMMIT_APPLIED);
    assert_true(hd_coordinator_is_complete(c));
    hd_coordinator_free(c);
    hd_text_release(&bytes);
}

/* D6. */
static void who_begins_anew_is_the_whole_search(void **state) {
    (void)state;
    hd_coordinator *c = hd_coordinator_new(NULL, 0);
    hd_unit first = take(c);
    hd_commit commit = commit_of(&first, "one half");
    hd_text_add(&commit.split, "other half");
    assert_int_equal(send(c, commit), HD_COMMIT_APPLIED);
    hd_unit second = take(c);
    commit = commit_of(&second, "all");
    commit.generation = 1;
    assert_int_equal(send(c, commit), HD_COMMIT_ANEW);
    first.n_commits++;
    assert_int_equal(send(c, commit_of(&first, NULL)), HD_COMMIT_REFUSED);
    assert_false(hd_coordinator_is_complete(c));
    second.n_commits++;
    commit = commit_of(&second, NULL);
    commit.generation = 1;
    assert_int_equal(send(c, commit), HD_COMMIT_APPLIED);
    assert_true(hd_coordinator_is_complete(c));
    hd_coordinator_free(c);
}

/* The unit begins anew. */
static void begin_anew(hd_coordinator *c, hd_unit *u, uint64_t generation) {
    hd_commit commit = commit_of(u, "mine");
    commit.generation = generation;
    assert_int_equal(send(c, commit), HD_COMMIT_ANEW);
    u->n_commits++;
}

/* All that are handed out, "part 0 part 2 ", without those that are out. */
static void take_all(hd_coordinator *c, hd_text *out) {
    hd_unit u;
    while (hd_coordinator_hand_out(c, 0, false, &u))
        hd_text_add(out, "%s ", u.journal->at);
}

/* D8: of a part that was split the whole part begins anew, and all others do, done or not; also
 * after all is saved and restored.  In the end nothing is divided any more. */
static void parts_begin_anew_together(void **state) {
    (void)state;
    hd_coordinator *c = new_parts(true);
    hd_unit first = take(c), second = take(c), third;
    assert_int_equal(send(c, commit_of(&first, NULL)), HD_COMMIT_APPLIED);
    hd_commit commit = commit_of(&second, "rest of 1");
    hd_text_add(&commit.split, "half of 1");
    assert_int_equal(send(c, commit), HD_COMMIT_APPLIED);
    do
        third = take(c);
    while (strcmp(third.journal->at, "half of 1") != 0);
    begin_anew(c, &third, 1);
    hd_text bytes = {0}, out = {0};
    hd_err err;
    hd_coordinator_save(c, &bytes);
    hd_coordinator_free(c);
    c = hd_coordinator_restore_exactly(bytes.at, bytes.n, &err);
    assert_non_null(c);
    assert_int_equal(hd_coordinator_n_left(c), 4);
    take_all(c, &out);
    assert_string_equal(out.at, "part 0 part 2 part 3 ");
    begin_anew(c, &third, HD_MOST_DIVISIONS);
    assert_int_equal(hd_coordinator_n_left(c), 4);
    begin_anew(c, &third, HD_MOST_DIVISIONS + 1);
    assert_int_equal(hd_coordinator_n_left(c), 1);
    hd_coordinator_free(c);
    hd_text_release(&bytes);
    hd_text_release(&out);
}

/* Of other searches nothing is kept for that. */
static void parts_that_never_begin_anew_are_not_kept(void **state) {
    (void)state;
    hd_text kept = {0}, not_kept = {0};
    hd_coordinator *c = new_parts(true), *other = new_parts(false);
    hd_coordinator_save(c, &kept);
    hd_coordinator_save(other, &not_kept);
    assert_true(kept.n > not_kept.n + 4 * strlen("part 0"));
    hd_coordinator_free(c);
    hd_coordinator_free(other);
    hd_text_release(&kept);
    hd_text_release(&not_kept);
}

/* ---- states that are shared ---- */

static hd_action write_by(uint32_t thread) {
    hd_action a = {.kind = HD_DO_WRITE, .thread = thread, .n_accesses = 1};
    a.access[0] = (hd_access){.address = 0x1000, .size = 4, .mode = HD_MODE_WRITE};
    return a;
}

/* One state: nobody sleeps, nobody was explored, thread 0 is on the path, and `n` others wait. */
static void lift_one(hd_commit *c, uint32_t n) {
    hd_pack_u32(&c->lifted, 1);
    hd_pack_u32(&c->lifted, 0);
    hd_pack_u32(&c->lifted, 0);
    hd_action a = write_by(0);
    hd_journal_save_action(&a, &c->lifted);
    hd_pack_u32(&c->lifted, n);
    for (uint32_t t = 1; t <= n; t++) {
        a = write_by(t);
        hd_journal_save_action(&a, &c->lifted);
        hd_pack_u32(&c->lifted, 0);
    }
    hd_text_add(&c->context, "context");
}

static void ask_for_action(hd_commit *c, const hd_action *a) {
    hd_wakeup_step step = {.action = a, .event = UINT32_MAX};
    hd_sequence s = {.at = &step, .n = 1};
    hd_pack_u32(&c->asked, 0);
    hd_sequence_pack(&s, &c->asked);
}

static void ask_for(hd_commit *c, uint32_t thread) {
    hd_action a = write_by(thread);
    ask_for_action(c, &a);
}

static void follow(hd_commit *c, uint32_t thread) {
    hd_action a = write_by(thread);
    hd_pack_u32(&c->followed, 1);
    hd_journal_save_action(&a, &c->followed);
}

static void finish(hd_coordinator *c, const hd_unit *u, uint32_t thread) {
    hd_commit commit = commit_of(u, NULL);
    follow(&commit, thread);
    assert_int_equal(send(c, commit), HD_COMMIT_APPLIED);
}

static hd_coordinator *lifted(hd_unit *first, uint32_t n) {
    hd_coordinator *c = hd_coordinator_new(NULL, 0);
    *first = take(c);
    hd_commit commit = commit_of(first, "below");
    lift_one(&commit, n);
    assert_int_equal(send(c, commit), HD_COMMIT_APPLIED);
    first->n_commits++;
    return c;
}

static void sequences_are_handed_out_in_turn(void **state) {
    (void)state;
    hd_unit first, unit, none;
    hd_coordinator *c = lifted(&first, 2);
    unit = take(c);
    assert_true(unit.path->n > 0);
    assert_string_equal(unit.context->at, "context");
    assert_false(
        hd_coordinator_hand_out(c, 0, false, &none)); /* D3: what thread 1 does is foretold */
    finish(c, &unit, 1);
    unit = take(c);
    finish(c, &unit, 2);
    assert_false(hd_coordinator_is_complete(c));
    finish(c, &first, 0);
    assert_true(hd_coordinator_is_complete(c));
    hd_coordinator_free(c);
}

/* Thread 0 is on the path; planned are thread 1 with thread 2 behind it, and thread 2 alone. */
static void lift_long_and_short(hd_commit *c) {
    hd_action a[3] = {write_by(0), write_by(1), write_by(2)};
    hd_pack_u32(&c->lifted, 1);
    hd_pack_u32(&c->lifted, 0);
    hd_pack_u32(&c->lifted, 0);
    hd_journal_save_action(&a[0], &c->lifted);
    hd_pack_u32(&c->lifted, 2);
    hd_journal_save_action(&a[1], &c->lifted);
    hd_pack_u32(&c->lifted, 1);
    hd_journal_save_action(&a[2], &c->lifted);
    hd_pack_u32(&c->lifted, 0);
    hd_journal_save_action(&a[2], &c->lifted);
    hd_pack_u32(&c->lifted, 0);
    hd_text_add(&c->context, "context");
}

/* The long sequence is run, and asks that thread 3 comes second in it: that waits before the short
 * one. */
static hd_coordinator *long_and_short(hd_unit *first, hd_unit *second) {
    hd_coordinator *c = hd_coordinator_new(NULL, 0);
    *first = take(c);
    hd_commit commit = commit_of(first, "below");
    lift_long_and_short(&commit);
    assert_int_equal(send(c, commit), HD_COMMIT_APPLIED);
    first->n_commits++;
    *second = take(c);
    commit = commit_of(second, "below");
    hd_action a[3] = {write_by(1), write_by(2), write_by(3)};
    hd_pack_u32(&commit.followed, 2);
    hd_journal_save_action(&a[0], &commit.followed);
    hd_journal_save_action(&a[1], &commit.followed);
    hd_wakeup_step step = {.action = &a[2], .event = UINT32_MAX};
    hd_pack_u32(&commit.asked, 1);
    hd_sequence_pack(&(hd_sequence){.at = &step, .n = 1}, &commit.asked);
    assert_int_equal(send(c, commit), HD_COMMIT_APPLIED);
    second->n_commits++;
    assert_int_equal(hd_coordinator_n_waiting(c), 2);
    return c;
}

static uint32_t depth_of(const hd_unit *u) {
    hd_unpack in = hd_unpack_from(u->path->at, u->path->n);
    return hd_unpack_u32(&in);
}

/* Who wants a large unit gets the sequence that ends soonest, others the first one. */
static void what_ends_soonest_is_larger(void **state) {
    (void)state;
    hd_unit first, second, unit;
    hd_coordinator *c = long_and_short(&first, &second);
    assert_false(hd_coordinator_is_next_large(c));
    assert_true(hd_coordinator_hand_out(c, 0, true, &unit));
    assert_int_equal(depth_of(&unit), 1);
    hd_coordinator_free(c);
    c = long_and_short(&first, &second);
    assert_true(hd_coordinator_hand_out(c, 0, false, &unit));
    assert_int_equal(depth_of(&unit), 2);
    hd_coordinator_free(c);
}

/* What is left of a state is, when nobody works below it or before it; and what was given back. */
static void whole_states_and_units_that_wait_are_large(void **state) {
    (void)state;
    hd_unit first, second, unit;
    hd_coordinator *c = long_and_short(&first, &second);
    hd_coordinator_suspect(c, first.number);
    assert_true(hd_coordinator_is_next_large(c));
    first = take(c);
    first.n_commits = 1;
    assert_false(hd_coordinator_is_next_large(c));
    finish(c, &first, 0);
    assert_false(hd_coordinator_is_next_large(c)); /* the second is below the state */
    hd_commit commit = commit_of(&second, NULL);
    assert_int_equal(send(c, commit), HD_COMMIT_APPLIED);
    assert_true(hd_coordinator_is_next_large(c));
    assert_true(hd_coordinator_hand_out(c, 0, true, &unit));
    assert_true(unit.is_whole);
    hd_coordinator_free(c);
}

/* One large unit between many small ones changes nothing; a busy machine asks for parts as often.
 */
static void many_small_units_are_noticed(void **state) {
    (void)state;
    hd_pace p = {0};
    for (int i = 0; i < 15; i++)
        hd_pace_note(&p, 0.0002, 0.02);
    assert_false(hd_pace_is_slow(&p));
    assert_true(hd_pace_pause(&p, 0.02, 4) == 0.02);
    hd_pace_note(&p, 10.0, 0.02);
    assert_true(hd_pace_is_slow(&p));
    assert_true(hd_pace_pause(&p, 0.02, 4) > 0.079 && hd_pace_pause(&p, 0.02, 4) < 0.081);
    for (int i = 0; i < 16; i++)
        hd_pace_note(&p, 1.0, 0.02);
    assert_false(hd_pace_is_slow(&p));
}

/* D7. */
static void what_is_split_off_is_shared_by_itself(void **state) {
    (void)state;
    hd_unit first, second, unit;
    hd_coordinator *c = lifted(&first, 1);
    hd_commit commit = commit_of(&first, "below");
    hd_text_add(&commit.split, "for other inputs");
    assert_int_equal(send(c, commit), HD_COMMIT_APPLIED);
    first.n_commits++;
    second = take(c);
    commit = commit_of(&second, "below");
    lift_one(&commit, 1);
    hd_text_cut(&commit.context, 0);
    hd_text_add(&commit.context, "another context");
    assert_int_equal(send(c, commit), HD_COMMIT_APPLIED);
    second.n_commits++;
    assert_true(hd_coordinator_hand_out(c, 0, false, &unit));
    assert_string_equal(unit.context->at, "context");
    finish(c, &unit, 1);
    unit = take(c);
    assert_string_equal(unit.context->at, "another context");
    finish(c, &unit, 1);
    finish(c, &first, 0);
    assert_false(hd_coordinator_is_complete(c));
    finish(c, &second, 0);
    assert_true(hd_coordinator_is_complete(c));
    hd_coordinator_free(c);
}

/* D2. */
static void requests_are_inserted_once(void **state) {
    (void)state;
    hd_unit first, unit;
    hd_coordinator *c = lifted(&first, 1);
    hd_commit commit = commit_of(&first, NULL);
    follow(&commit, 0);
    ask_for(&commit, 1); /* waits already */
    ask_for(&commit, 2);
    ask_for(&commit, 2);
    assert_int_equal(send(c, commit), HD_COMMIT_APPLIED);
    unit = take(c);
    finish(c, &unit, 1);
    unit = take(c);
    finish(c, &unit, 2);
    assert_true(hd_coordinator_is_complete(c));
    hd_coordinator_free(c);
}

/* What thread 2 would do was foretold as something that does not conflict with what it comes
 * before: that is asked for all the same. */
static void who_asks_does_not_cover_it(void **state) {
    (void)state;
    hd_unit first, unit;
    hd_coordinator *c = lifted(&first, 0);
    hd_commit commit = commit_of(&first, NULL);
    hd_action elsewhere = write_by(2);
    elsewhere.access[0].address = 0x2000;
    follow(&commit, 0);
    ask_for_action(&commit, &elsewhere);
    assert_int_equal(send(c, commit), HD_COMMIT_APPLIED);
    assert_false(hd_coordinator_is_complete(c));
    unit = take(c);
    finish(c, &unit, 2);
    assert_true(hd_coordinator_is_complete(c));
    hd_coordinator_free(c);
}

/* Whose commit planned it, after how much work; also after the coordinator has died. */
static void units_say_who_gave_them_away(void **state) {
    (void)state;
    hd_err err;
    hd_text bytes = {0};
    hd_unit first, unit;
    hd_coordinator *c = hd_coordinator_new(NULL, 0);
    first = take(c);
    assert_true(first.giver == HD_NO_UNIT);
    hd_commit commit = commit_of(&first, "below");
    commit.work = 500;
    lift_one(&commit, 1);
    hd_text_add(&commit.split, "other half");
    assert_int_equal(send(c, commit), HD_COMMIT_APPLIED);
    unit = take(c);
    assert_true(unit.giver == first.number && unit.given_at == 500);
    commit = commit_of(&unit, NULL);
    assert_int_equal(send(c, commit), HD_COMMIT_APPLIED);
    unit = take(c);
    assert_true(unit.giver == first.number && unit.given_at == 500);
    commit = commit_of(&unit, "asks");
    commit.work = 70;
    follow(&commit, 1);
    ask_for(&commit, 2);
    uint64_t asker = unit.number;
    assert_int_equal(send(c, commit), HD_COMMIT_APPLIED);
    hd_coordinator_save(c, &bytes);
    hd_coordinator_free(c);
    c = hd_coordinator_restore(bytes.at, bytes.n, &err);
    assert_true(take(c).giver == HD_NO_UNIT);
    unit = take(c);
    assert_true(unit.number == asker && unit.giver == first.number && unit.given_at == 500);
    unit = take(c);
    assert_true(unit.giver == asker && unit.given_at == 70);
    hd_coordinator_free(c);
    hd_text_release(&bytes);
}

static void bytes_bring_all_back(void **state) {
    (void)state;
    hd_unit first, unit;
    hd_err err;
    hd_text bytes = {0}, again = {0};
    hd_coordinator *c = lifted(&first, 2);
    hd_coordinator_save(c, &bytes);
    hd_coordinator_free(c);
    c = hd_coordinator_restore_exactly(bytes.at, bytes.n, &err);
    assert_non_null(c);
    hd_coordinator_save(c, &again);
    assert_int_equal(again.n, bytes.n);
    assert_memory_equal(again.at, bytes.at, bytes.n);
    assert_int_equal(send(c, commit_of(&first, NULL)), HD_COMMIT_APPLIED); /* it is still out */
    hd_coordinator_free(c);
    c = hd_coordinator_restore(bytes.at, bytes.n, &err);
    assert_non_null(c);
    assert_int_equal(send(c, commit_of(&first, NULL)), HD_COMMIT_REFUSED); /* nobody has it now */
    for (uint32_t thread = 0; thread < 3; thread++) {
        unit = take(c);
        finish(c, &unit, thread);
    }
    assert_true(hd_coordinator_is_complete(c));
    hd_coordinator_free(c);
    hd_text_release(&bytes);
    hd_text_release(&again);
}

static void damaged_bytes_are_refused(void **state) {
    (void)state;
    hd_unit first;
    hd_err err;
    hd_text bytes = {0};
    hd_coordinator *c = lifted(&first, 2);
    hd_coordinator_save(c, &bytes);
    hd_coordinator_free(c);
    for (size_t n = 4; n < bytes.n; n++)
        assert_null(hd_coordinator_restore(bytes.at, n, &err));
    bytes.at[3] = '5';
    assert_null(hd_coordinator_restore(bytes.at, bytes.n, &err));
    assert_non_null(strstr(err.message, "another version"));
    hd_text_release(&bytes);
}

static void damaged_commits_are_said(void **state) {
    (void)state;
    hd_coordinator *c = hd_coordinator_new(NULL, 0);
    hd_unit u = take(c);
    hd_commit commit = commit_of(&u, "journal");
    hd_text_add(&commit.lifted, "no states");
    assert_int_equal(send(c, commit), HD_COMMIT_DAMAGED);
    hd_coordinator_free(c);
}

/* ---- agreement ---- */

static hd_agreement read(const char *text) {
    hd_agreement a;
    assert_true(hd_agreement_read(&a, text));
    return a;
}

static void assert_printed(const hd_agreement *a, const char *expected) {
    hd_text text = {0};
    hd_agreement_print(a, &text);
    assert_string_equal(hd_text_string(&text), expected);
    hd_text_release(&text);
}

static void facts_have_one_order(void **state) {
    (void)state;
    hd_agreement a = read("0:0 0:1 p0:0 r7:1 b3:1"), b = read("0:0 0:1 p0:0 b3:1 r7:1");
    assert_true(hd_agreement_has_same_facts(&a, &b));
    assert_printed(&a, "0:0 0:1 p0:0 b3:1 r7:1");
    hd_agreement_release(&b);
    b = read("0:0 b3:1");
    assert_false(hd_agreement_has_same_facts(&a, &b));
    hd_agreement_copy_facts(&a, &b);
    assert_printed(&a, "0:0 0:1 p0:0 b3:1");
    hd_agreement_release(&a);
    hd_agreement_release(&b);
    assert_false(hd_agreement_read(&a, "1:0")); /* a child of itself */
    assert_false(hd_agreement_read(&a, "0:x"));
}

/* A1: thread 2 of theirs is thread 3 here, and so is the parent of its child. */
static void new_names_come_behind_known_ones(void **state) {
    (void)state;
    hd_agreement ours = read("0:0 0:1"), longer = read("0:0 0:1 1:0"), theirs = read("0:0 1:0 2:5");
    assert_true(hd_agreement_fits(&ours, &longer));
    assert_false(hd_agreement_fits(&ours, &theirs));
    hd_agreement_learn_names(&ours, &theirs);
    assert_printed(&ours, "0:0 0:1 1:0 3:5");
    assert_true(hd_agreement_fits(&ours, &longer));
    hd_agreement_release(&ours);
    hd_agreement_release(&longer);
    hd_agreement_release(&theirs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_unit_is_the_whole_search),
        cmocka_unit_test(parts_are_handed_out_in_their_order),
        cmocka_unit_test(nothing_is_left_of_units_that_are_dropped),
        cmocka_unit_test(what_is_split_off_must_be_done_too),
        cmocka_unit_test(commits_count_once_and_in_order),
        cmocka_unit_test(what_is_set_aside_keeps_the_search_open),
        cmocka_unit_test(who_begins_anew_is_the_whole_search),
        cmocka_unit_test(parts_begin_anew_together),
        cmocka_unit_test(parts_that_never_begin_anew_are_not_kept),
        cmocka_unit_test(sequences_are_handed_out_in_turn),
        cmocka_unit_test(what_ends_soonest_is_larger),
        cmocka_unit_test(whole_states_and_units_that_wait_are_large),
        cmocka_unit_test(many_small_units_are_noticed),
        cmocka_unit_test(what_is_split_off_is_shared_by_itself),
        cmocka_unit_test(requests_are_inserted_once),
        cmocka_unit_test(who_asks_does_not_cover_it),
        cmocka_unit_test(units_say_who_gave_them_away),
        cmocka_unit_test(bytes_bring_all_back),
        cmocka_unit_test(damaged_bytes_are_refused),
        cmocka_unit_test(damaged_commits_are_said),
        cmocka_unit_test(facts_have_one_order),
        cmocka_unit_test(new_names_come_behind_known_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
