/* Simulated fleets: schedules that were made by hand, bounds for random ones, draws of runs. */
#include "base/hash.h"
#include "record/stored.h"
#include "simulate/curve.h"
#include "simulate/grown.h"
#include "simulate/resample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NONE HD_NO_PIECE

static hd_work_pieces pieces_of(const hd_work_piece *at, size_t n) {
    hd_work_pieces p = {0};
    for (size_t i = 0; i < n; i++)
        hd_vec_push(&p, at[i]);
    return p;
}

static void assert_near(double a, double b) {
    if (fabs(a - b) > 1e-9)
        fail_msg("%.12g is not %.12g", a, b);
}

static const hd_delays NO_DELAYS;

/* 5, 4, 3, 3, 3 on two workers: 5+3+3 and 4+3 would be 11; in order each goes to who is free first:
 * 5, then 4, then 3 (at 4), 3 (at 5), 3 (at 7). */
static void parts_go_to_who_is_free_first(void **state) {
    (void)state;
    hd_work_piece at[] = {{5, NONE, 0}, {4, NONE, 0}, {3, NONE, 0}, {3, NONE, 0}, {3, NONE, 0}};
    hd_work_pieces p = pieces_of(at, 5);
    assert_near(hd_simulate(&p, 1, &NO_DELAYS).seconds, 18);
    hd_simulated two = hd_simulate(&p, 2, &NO_DELAYS);
    assert_near(two.seconds, 10);
    assert_near(two.idle.end, 2);
    assert_near(two.idle.start + two.idle.middle, 0);
    assert_near(hd_simulate(&p, 3, &NO_DELAYS).seconds, 7);
    assert_near(hd_simulate(&p, 5, &NO_DELAYS).seconds, 5);
    hd_simulated many = hd_simulate(&p, 100, &NO_DELAYS);
    assert_near(many.seconds, 5);
    assert_near(many.idle.start, 500 - 18); /* never all at work */
    hd_delays slow = {.start = 2, .hand_over = 9};
    assert_near(hd_simulate(&p, 2, &slow).seconds, 12); /* nothing is handed over */
    hd_vec_release(&p);
}

/* Piece 0 takes 10 and gives 1 (6) away after 2 and 2 (3) after 8; 1 gives 3 (4) away after 1. */
static void gifts_wait_for_their_givers(void **state) {
    (void)state;
    hd_work_piece at[] = {{10, NONE, 0}, {6, 0, 2}, {3, 0, 8}, {4, 1, 1}};
    hd_work_pieces p = pieces_of(at, 4);
    uint32_t last;
    assert_near(hd_work_pieces_critical_path(&p, &NO_DELAYS, &last), 11);
    assert_int_equal(last, 2);
    assert_near(hd_simulate(&p, 1, &NO_DELAYS).seconds, 23);
    /* Two: 0 until 10; 1 from 2 to 8; then 3 (known at 3) until 12, 2 (known at 8) from 10 to 13.
     */
    hd_simulated two = hd_simulate(&p, 2, &NO_DELAYS);
    assert_near(two.seconds, 13);
    assert_near(two.idle.start, 2);
    assert_near(two.idle.middle, 0);
    assert_near(two.idle.end, 1);
    /* Three: 3 from 3 to 7, 2 from 8 to 11. */
    hd_simulated three = hd_simulate(&p, 3, &NO_DELAYS);
    assert_near(three.seconds, 11);
    assert_near(three.idle.start, 2 * 2 + 1); /* until 2, and one until 3 */
    hd_delays slow = {.start = 1, .hand_over = 0.5};
    assert_near(hd_work_pieces_critical_path(&p, &slow, &last), 12.5);
    assert_near(hd_simulate(&p, 4, &slow).seconds, 12.5);
    hd_vec_release(&p);
}

/* Piece 0 takes 10 and could give 1 (6) away after 2: a hand-over takes 5, and cutting costs 1. */
static void what_nobody_waits_for_is_kept(void **state) {
    (void)state;
    hd_work_piece at[] = {{10, NONE, 0}, {6, 0, 2}, {3, 1, 4}};
    hd_work_pieces p = pieces_of(at, 3);
    hd_delays d = {.hand_over = 5, .cut = 1};
    assert_near(hd_simulate(&p, 1, &d).seconds, 10 + 5 + 2); /* none is cut off */
    /* Two: 1 from 7 to 13; 2 is given at 11, when the other waits, and comes at 16. */
    assert_near(hd_simulate(&p, 2, &d).seconds, 19);
    hd_vec_release(&p);
    /* 2 is given after 1: it is the one to spare, and waits until 4.  Then 3 is: it is begun at 10,
     * when both are free.  4 was kept until then, and waits until 12; 5 is gone on with, uncut. */
    hd_work_piece late[] = {{10, NONE, 0}, {4, NONE, 0}, {6, 0, 1},
                            {2, 0, 3},     {3, 0, 9},    {3, 0, 9.5}};
    p = pieces_of(late, 6);
    d.hand_over = 1;
    hd_simulated two = hd_simulate(&p, 2, &d);
    assert_near(two.seconds, 15); /* 5 from 10 to 12, 4 from 12 to 15; 3 from 10 to 12 */
    assert_near(two.idle.end, 3);
    hd_vec_release(&p);
}

/* What was given away first is a part of its own, with all that it gave away. */
static void parts_are_subtrees(void **state) {
    (void)state;
    hd_work_piece at[] = {{10, NONE, 0}, {6, 0, 2}, {3, 0, 8}, {4, 1, 1}};
    hd_work_pieces p = pieces_of(at, 4), parts = {0};
    static const double EXPECTED[5][4] = {{23}, {23}, {13, 10}, {13, 6, 4}, {10, 6, 3, 4}};
    static const uint32_t N[5] = {1, 1, 2, 3, 4};
    for (uint32_t n = 0; n < 5; n++) {
        hd_work_pieces_partition(&p, n, &parts);
        assert_int_equal(parts.n, N[n]);
        for (uint32_t i = 0; i < parts.n; i++) {
            assert_near(parts.at[i].seconds, EXPECTED[n][i]);
            assert_int_equal(parts.at[i].parent, NONE);
        }
    }
    hd_vec_release(&p);
    hd_vec_release(&parts);
}

/* What is met when: in a part that begins later it takes longer. */
static void what_is_met_waits_for_its_part(void **state) {
    (void)state;
    hd_work_piece at[] = {{5, NONE, 0}, {3, NONE, 0}, {4, NONE, 0}};
    hd_work_pieces p = pieces_of(at, 3);
    hd_mets mets = {0};
    assert_near(hd_simulate_finding(&p, &mets, 2, &NO_DELAYS), 0);
    hd_vec_push(&mets, ((hd_met){0, 4.5}));
    hd_vec_push(&mets, ((hd_met){2, 1}));
    assert_near(hd_simulate_finding(&p, &mets, 1, &NO_DELAYS), 9);
    assert_near(hd_simulate_finding(&p, &mets, 2, &NO_DELAYS), 4.5); /* the other at 3 + 1 */
    mets.at[1].at = 2;
    assert_near(hd_simulate_finding(&p, &mets, 2, &NO_DELAYS), 5);
    assert_near(hd_simulate_finding(&p, &mets, 3, &NO_DELAYS), 4.5);
    hd_vec_release(&mets);
    hd_vec_release(&p);
}

/* ---- random ones ---- */

static uint32_t below(uint64_t *seed, uint32_t n) {
    *seed = hd_mix(*seed + 1);
    return (uint32_t)(*seed % n);
}

static hd_work_pieces draw_pieces(uint64_t *seed, bool are_given) {
    hd_work_pieces p = {0};
    uint32_t n = 1 + below(seed, 40);
    for (uint32_t i = 0; i < n; i++) {
        hd_work_piece piece = {.seconds = below(seed, 100), .parent = NONE};
        if (are_given && i && below(seed, 8)) {
            piece.parent = below(seed, i);
            piece.given_at = below(seed, (uint32_t)p.at[piece.parent].seconds + 1);
        }
        hd_vec_push(&p, piece);
    }
    return p;
}

static double longest_of(const hd_work_pieces *p) {
    double longest = 0;
    for (size_t i = 0; i < p->n; i++)
        longest = p->at[i].seconds > longest ? p->at[i].seconds : longest;
    return longest;
}

/* P1, and nothing is lost: n * seconds is work and idle time. */
static void assert_bounds(const hd_work_pieces *p, uint32_t n, double longest) {
    double work = hd_work_pieces_work(p), least = work / n > longest ? work / n : longest;
    hd_simulated s = hd_simulate(p, n, &NO_DELAYS);
    assert_true(s.seconds >= least - 1e-9 && s.seconds <= work / n + longest + 1e-9);
    assert_near(n * s.seconds, work + s.idle.start + s.idle.middle + s.idle.end);
    assert_true(s.idle.start >= 0 && s.idle.middle >= -1e-9 && s.idle.end >= -1e-9);
}

static void schedules_keep_their_bounds(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 3000; i++) {
        uint32_t last;
        hd_work_pieces p = draw_pieces(&seed, true), parts = {0};
        double path = hd_work_pieces_critical_path(&p, &NO_DELAYS, &last);
        for (uint32_t n = 1; n < 50; n += 1 + below(&seed, 5))
            assert_bounds(&p, n, path);
        hd_work_pieces_partition(&p, below(&seed, 12), &parts);
        assert_near(hd_work_pieces_work(&parts), hd_work_pieces_work(&p));
        for (uint32_t n = 1; n < 12; n++)
            assert_bounds(&parts, n, longest_of(&parts));
        hd_vec_release(&p);
        hd_vec_release(&parts);
    }
}

/* With as many workers as pieces nobody waits for a worker. */
static void unlimited_workers_take_the_critical_path(void **state) {
    (void)state;
    uint64_t seed = 99;
    hd_delays d = {.start = 3, .hand_over = 2};
    for (int i = 0; i < 1000; i++) {
        uint32_t last;
        hd_work_pieces p = draw_pieces(&seed, true);
        double path = hd_work_pieces_critical_path(&p, &d, &last);
        assert_near(hd_simulate(&p, (uint32_t)p.n, &d).seconds, path);
        assert_near(hd_simulate(&p, 1000, &d).seconds, path);
        hd_vec_release(&p);
    }
}

/* One worker takes what it would have taken if nothing had been cut, however long hand-overs are;
 * more are never slower than that, unless hand-overs cost more than they are worth. */
static void one_worker_cuts_nothing(void **state) {
    (void)state;
    uint64_t seed = 31;
    hd_delays d = {.start = 2, .hand_over = 50, .cut = 7}, soon = {.start = 2, .cut = 7};
    for (int i = 0; i < 1000; i++) {
        hd_work_pieces p = draw_pieces(&seed, true);
        double uncut = 0;
        for (size_t k = 0; k < p.n; k++)
            uncut += p.at[k].parent == NONE    ? p.at[k].seconds
                     : p.at[k].seconds > d.cut ? p.at[k].seconds - d.cut
                                               : 0;
        assert_near(hd_simulate(&p, 1, &d).seconds, d.start + uncut);
        for (uint32_t n = 2; n < 9; n++) {
            double seconds = hd_simulate(&p, n, &soon).seconds;
            assert_true(n * (seconds - soon.start) >= uncut - 1e-9);
            assert_true(seconds <= soon.start + hd_work_pieces_work(&p) + 1e-9);
        }
        hd_vec_release(&p);
    }
}

/* Brute force: who is free first takes the next one, looked up anew each time (spec 3.6). */
static double by_hand(const hd_work_pieces *p, uint32_t n) {
    double load[16] = {0}, most = 0;
    for (size_t i = 0; i < p->n; i++) {
        uint32_t least = 0;
        for (uint32_t w = 1; w < n; w++)
            least = load[w] < load[least] ? w : least;
        load[least] += p->at[i].seconds;
    }
    for (uint32_t w = 0; w < n; w++)
        most = load[w] > most ? load[w] : most;
    return most;
}

/* The best of all ways to give pieces to workers. */
static double best_of(const hd_work_pieces *p, uint32_t n, size_t i, double *load) {
    double best = 1e18;
    if (i == p->n) {
        double most = 0;
        for (uint32_t w = 0; w < n; w++)
            most = load[w] > most ? load[w] : most;
        return most;
    }
    for (uint32_t w = 0; w < n; w++) {
        load[w] += p->at[i].seconds;
        double all = best_of(p, n, i + 1, load);
        load[w] -= p->at[i].seconds;
        best = all < best ? all : best;
    }
    return best;
}

static void parts_are_as_the_paper_has_them(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 300; i++) {
        hd_work_pieces p = draw_pieces(&seed, false);
        for (uint32_t n = 1; n <= 16; n++)
            assert_near(hd_simulate(&p, n, &NO_DELAYS).seconds, by_hand(&p, n));
        p.n = p.n > 7 ? 7 : p.n;
        for (uint32_t n = 2; n <= 3; n++) {
            double load[3] = {0}, best = best_of(&p, n, 0, load);
            double got = hd_simulate(&p, n, &NO_DELAYS).seconds;
            assert_true(got >= best - 1e-9 && got <= (2 - 1.0 / n) * best + 1e-9);
        }
        hd_vec_release(&p);
    }
}

/* ---- curves ---- */

/* Sixteen seconds of pieces, by one who cuts nothing: in ten, or in twenty, when doing all of them
 * is faster. */
static void a_fleet_is_compared_with_the_faster_one(void **state) {
    (void)state;
    hd_work_piece at[] = {{4, NONE, 0}, {4, 0, 0}, {4, 0, 0}, {4, 0, 0}};
    hd_work_pieces p = pieces_of(at, 4);
    hd_delays d = {.start = 2, .base = 10};
    assert_near(hd_curve_one_worker(&p, &d), 12);
    d.base = 20;
    assert_near(hd_curve_one_worker(&p, &d), 18);
    d.base = 0;
    assert_near(hd_curve_one_worker(&p, &d), 18);
    hd_sizes sizes = {0};
    hd_curve share = {.name = "sharing"};
    d.base = 20;
    assert_true(hd_sizes_parse(&sizes, "1,4"));
    hd_curve_share(&share, &p, &sizes, &d);
    assert_near(share.points.at[0].efficiency, 1);
    assert_near(share.points.at[1].speedup, 3); /* 2 + 4 seconds */
    hd_curve_release(&share);
    hd_vec_release(&sizes);
    hd_vec_release(&p);
}

static void curves_have_speedups(void **state) {
    (void)state;
    hd_work_piece at[] = {{4, NONE, 0}, {4, 0, 0}, {4, 0, 0}, {4, 0, 0}};
    hd_work_pieces p = pieces_of(at, 4);
    hd_sizes sizes = {0};
    hd_curve share = {.name = "sharing"}, part = {.name = "parts"}, one = {.name = "one"};
    assert_true(hd_sizes_parse(&sizes, "1,2,4"));
    hd_curve_share(&share, &p, &sizes, &NO_DELAYS);
    hd_mets none = {0};
    hd_curve_part(&part, &p, &none, &sizes, 0, &NO_DELAYS);
    hd_curve_part(&one, &p, &none, &sizes, 1, &NO_DELAYS);
    assert_true(part.points.at[0].found == 0); /* nobody said what was met */
    assert_near(share.points.at[2].speedup, 4);
    assert_near(share.points.at[2].efficiency, 1);
    assert_int_equal(part.points.at[1].parts, 2);
    assert_near(part.points.at[1].speedup, 16.0 / 12);
    assert_near(one.points.at[2].speedup, 1);
    assert_near(one.points.at[2].efficiency, 0.25);
    hd_text svg = {0};
    hd_curve curves[] = {share, part};
    hd_curves_draw(curves, 2, "a < b & c", &svg);
    assert_non_null(strstr(hd_text_string(&svg), "a &lt; b &amp; c"));
    assert_non_null(strstr(hd_text_string(&svg), "4 workers: 4.00 times as fast"));
    assert_non_null(strstr(hd_text_string(&svg), "</svg>\n"));
    hd_text_release(&svg);
    hd_curve_release(&share);
    hd_curve_release(&part);
    hd_curve_release(&one);
    hd_vec_release(&sizes);
    hd_vec_release(&p);
}

static void sizes_are_lists(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t n, last;
    } GOOD[] = {{"1", 1, 1},           {"1,2,4,...,4096", 13, 4096}, {"1,2,4,…,64", 7, 64},
                {"1,2,...,10", 5, 10}, {"10,20,30,...,95", 10, 95},  {"3,5,...,9", 4, 9}};
    static const char *const BAD[] = {"",          "0",    "2,1",           "1,1", "1,",
                                      ",1",        "a",    "1,...,8",       "1;2", "1000001",
                                      "1,2,4,...", "1 ,2", "1,2,...,...,9", "-1"};
    hd_sizes sizes = {0};
    for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++) {
        assert_true(hd_sizes_parse(&sizes, GOOD[i].text));
        assert_int_equal(sizes.n, GOOD[i].n);
        assert_int_equal(sizes.at[sizes.n - 1], GOOD[i].last);
    }
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_false(hd_sizes_parse(&sizes, BAD[i]));
    hd_vec_release(&sizes);
}

/* ---- draws ---- */

/* Three runs, two obligations: {1, 9}, {5, 2}, {4, never}. */
static void all_draws_of_few_runs(void **state) {
    (void)state;
    double at[] = {1, 9, 5, 2, 4, -1};
    hd_first_times t = {3, 2, at};
    hd_found_all one = hd_resample(&t, 1, 1);
    assert_true(one.are_all && one.n_draws == 3 && one.n_missed == 1);
    assert_near(one.seconds, (9 + 5) / 2.0);
    hd_found_all two = hd_resample(&t, 2, 1); /* {1,2}: 2; {1,3}: 9; {2,3}: 4 */
    assert_true(two.are_all && two.n_draws == 3 && two.n_missed == 0);
    assert_near(two.seconds, 5);
    assert_near(hd_resample(&t, 3, 1).seconds, 2);
    at[1] = at[3] = -1; /* nobody meets the second one: it does not count */
    assert_near(hd_resample(&t, 3, 1).seconds, 1);
}

/* One obligation, met at 1, 2, ..., 64: the least of x drawn without putting back is (64 + 1) / (x
 * + 1) on average. */
static void draws_of_many_runs(void **state) {
    (void)state;
    double at[64];
    hd_first_times t = {64, 1, at};
    for (int i = 0; i < 64; i++)
        at[i] = i + 1;
    assert_near(hd_resample(&t, 1, 1).seconds, 32.5);
    for (uint32_t x = 2; x < 64; x *= 2) {
        hd_found_all found = hd_resample(&t, x, 1);
        double expected = 65.0 / (x + 1);
        assert_true(x == 63 || (!found.are_all && found.n_draws == HD_DRAWS));
        assert_true(fabs(found.seconds - expected) < 0.1 * expected);
        assert_near(hd_resample(&t, x, 1).seconds, found.seconds);
    }
    assert_near(hd_resample(&t, 64, 1).seconds, 1);
}

static void growth_is_kept_written_and_drawn(void **state) {
    (void)state;
    hd_grown g = {.name = "a<\"b"};
    hd_text bytes = {0}, out = {0};
    hd_vec_push(&g.points, ((hd_growth_point){0.25, 1500000000, 3, 1, 7, 2000000}));
    hd_vec_push(&g.points, ((hd_growth_point){0.5, 2000000000, 900, 4, 77, 3000000}));
    hd_growth_pack(&bytes, &g.points);
    hd_growth again = {0};
    assert_true(hd_growth_unpack(bytes.at, bytes.n, &again));
    assert_int_equal(again.n, 2);
    assert_memory_equal(again.at, g.points.at, 2 * sizeof *again.at);
    assert_false(hd_growth_unpack(bytes.at, bytes.n - 1, &again));
    assert_int_equal(again.n, 2);
    hd_grown_csv(&g, 1, &out);
    assert_string_equal(hd_text_string(&out),
                        "run,seconds,virtual_seconds,states,dstates,events,bytes\n"
                        "\"a<\"\"b\",0.250000,1.5,3,1,7,2000000\n"
                        "\"a<\"\"b\",0.500000,2,900,4,77,3000000\n");
    hd_text_clear(&out);
    hd_grown_draw(&g, 1, "t", &out);
    assert_non_null(strstr(hd_text_string(&out), "a&lt;\"b"));
    /* States go from 1 to 1,000: three of them are at log 3 / 3 of the height. */
    assert_non_null(strstr(hd_text_string(&out), "points=\"335.0,277.1 590.0,54.1\""));
    hd_text_release(&out);
    hd_text_release(&bytes);
    hd_vec_release(&again);
    hd_grown_release(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_go_to_who_is_free_first),
        cmocka_unit_test(gifts_wait_for_their_givers),
        cmocka_unit_test(what_nobody_waits_for_is_kept),
        cmocka_unit_test(one_worker_cuts_nothing),
        cmocka_unit_test(parts_are_subtrees),
        cmocka_unit_test(what_is_met_waits_for_its_part),
        cmocka_unit_test(schedules_keep_their_bounds),
        cmocka_unit_test(unlimited_workers_take_the_critical_path),
        cmocka_unit_test(parts_are_as_the_paper_has_them),
        cmocka_unit_test(curves_have_speedups),
        cmocka_unit_test(a_fleet_is_compared_with_the_faster_one),
        cmocka_unit_test(sizes_are_lists),
        cmocka_unit_test(all_draws_of_few_runs),
        cmocka_unit_test(draws_of_many_runs),
        cmocka_unit_test(growth_is_kept_written_and_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
