/* The search over orders of threads, execution by execution: what it counts, what it says is open,
 * which races it tells, what it gives back. */
#include "tool/card_search.h"

#include <malloc.h>
#include <unistd.h>

/* Both add one to a counter, and then one to a counter of their own. */
static const card_program adders = {
    .cards = {{{HD_DO_READ, 0, 1}, {HD_DO_WRITE, 0, 2}, {HD_DO_WRITE, 2, 3}},
              {{HD_DO_READ, 0, 4}, {HD_DO_WRITE, 0, 5}, {HD_DO_WRITE, 3, 6}}},
    .n_threads = 2};
/* Two locks in both orders: it may be the end for both. */
static const card_program lockers = {
    .cards = {{{HD_DO_LOCK, 0, 1}, {HD_DO_LOCK, 1, 2}, {HD_DO_UNLOCK, 1, 3}, {HD_DO_UNLOCK, 0, 4}},
              {{HD_DO_LOCK, 1, 5}, {HD_DO_LOCK, 0, 6}, {HD_DO_UNLOCK, 0, 7}, {HD_DO_UNLOCK, 1, 8}}},
    .n_threads = 2};
/* One writes what two others read. */
static const card_program readers = {
    .cards = {{{HD_DO_WRITE, 0, 1}}, {{HD_DO_READ, 0, 2}}, {{HD_DO_READ, 0, 3}}}, .n_threads = 3};

/* Both decide on an input of theirs behind their first action. */
static const card_program deciders = {
    .cards = {{{HD_DO_READ, 0, DECIDES}, {HD_DO_WRITE, 1, 2}},
              {{HD_DO_WRITE, 0, DECIDES + 1}, {HD_DO_READ, 1, 5}}},
    .n_threads = 2};

/* One waits for what two others write, each once, and tells it. */
static const card_program waiters = {.cards = {{{HD_DO_READ, 0, 1, true}, {HD_DO_WRITE, 1, 2}},
                                               {{HD_DO_WRITE, 0, 3}},
                                               {{HD_DO_WRITE, 0, 4}, {HD_DO_READ, 1, 5}}},
                                     .n_threads = 3};
/* A section, what it races with as data, and what it does not. */
static const card_program sections = {.cards = {{{HD_DO_ATOMIC, 0, 1}, {HD_DO_ATOMIC, 1, 2}},
                                                {{HD_DO_WRITE, 0, 3}, {HD_DO_READ, 2, 4}},
                                                {{HD_DO_ATOMIC, 1, 5}}},
                                      .n_threads = 3};
/* 8 orders of a writer with another, three times. */
#define W(object, site) {HD_DO_WRITE, object, site}
static const card_program many = {
    .cards = {{W(0, 1), W(0, 2), W(0, 3), W(0, 4), W(0, 5), W(0, 6), W(0, 7)},
              {W(0, 8)},
              {W(1, 9), W(1, 10), W(1, 11), W(1, 12), W(1, 13), W(1, 14), W(1, 15)},
              {W(1, 16)},
              {W(2, 30), W(2, 31), W(2, 32), W(2, 33), W(2, 34), W(2, 35), W(2, 36)},
              {W(2, 37)}},
    .n_threads = 6};

/* executions and classes of each program, by reduction */
static void every_reduction_counts(void **state) {
    (void)state;
    static const struct {
        const card_program *program;
        hd_reduction reduction;
        uint64_t executions, classes;
    } cases[] = {
        {&adders, HD_REDUCTION_NONE, 20, 4}, {&adders, HD_REDUCTION_OPTIMAL, 4, 4},
        {&readers, HD_REDUCTION_NONE, 6, 4}, {&readers, HD_REDUCTION_OPTIMAL, 4, 4},
        {&adders, HD_REDUCTION_DPOR, 20, 4}, {&readers, HD_REDUCTION_DPOR, 6, 4},
        {&adders, HD_REDUCTION_FLIP, 20, 4}, {&readers, HD_REDUCTION_FLIP, 6, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static search s;
        hd_explorer_options o = with(cases[i].reduction);
        begin(&s, cases[i].program, &o);
        run_all(&s);
        assert_int_equal(counters(&s)->paths, cases[i].classes);
        if (cases[i].reduction == HD_REDUCTION_NONE || cases[i].reduction == HD_REDUCTION_OPTIMAL)
            assert_int_equal(s.n, cases[i].executions);
        assert_true(s.n <= cases[i].executions);
        assert_int_equal(counters(&s)->mispredicted, 0);
        assert_int_equal(counters(&s)->rejected, 0);
        assert_true(hd_explorer_is_complete(s.explorer));
        end(&s);
    }
}

/* random-dfs: who goes first is drawn, by the seed; what is explored is the same. */
static void threads_are_drawn(void **state) {
    (void)state;
    static const hd_reduction reductions[] = {HD_REDUCTION_NONE, HD_REDUCTION_FLIP,
                                              HD_REDUCTION_DPOR, HD_REDUCTION_OPTIMAL};
    for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++) {
        hd_text first[2] = {0};
        unsigned n_others = 0;
        for (uint64_t seed = 0; seed < 16; seed++) {
            static search s;
            hd_explorer_options o = with(reductions[i]);
            o.strategy = HD_STRATEGY_RANDOM_DFS;
            o.seed = seed;
            begin(&s, &adders, &o);
            assert_true(hd_explorer_next(s.explorer, &s.model));
            run(&s);
            hd_text_clear(&first[seed > 0]);
            hd_explorer_print_schedule(s.explorer, &first[seed > 0]);
            n_others += seed && strcmp(hd_text_string(&first[0]), hd_text_string(&first[1])) != 0;
            run_all(&s);
            assert_int_equal(counters(&s)->paths, 4);
            assert_true(hd_explorer_is_complete(s.explorer));
            end(&s);
        }
        assert_true(n_others > 7); /* of 15, where 20 orders may come first */
        hd_text_release(&first[0]);
        hd_text_release(&first[1]);
    }
}

/* Two ways for each of two inputs, two orders of the first actions and of the second ones. */
static void inputs_are_decided_in_every_order(void **state) {
    (void)state;
    for (int k = 0; k < 4 * HD_N_REDUCTIONS; k++) {
        static search s;
        hd_explorer_options o = with((hd_reduction)(k / 4));
        if (o.reduction == HD_REDUCTION_MESSAGE)
            continue;
        begin(&s, &deciders, &o);
        s.is_compacted = k % 2;
        s.alternates = k % 4 / 2;
        while (hd_explorer_next(s.explorer, &s.model))
            run(&s);
        assert_int_equal(counters(&s)->paths, 16);
        assert_int_equal(counters(&s)->deepest, 2);
        assert_int_equal(counters(&s)->bounded, 0);
        assert_int_equal(counters(&s)->infeasible, 0);
        assert_int_equal(counters(&s)->mispredicted, 0);
        assert_true(hd_explorer_is_complete(s.explorer));
        end(&s);
    }
}

/* What is behind the bound is not decided, and the search is not complete. */
static void decisions_are_bounded(void **state) {
    (void)state;
    static search s;
    hd_explorer_options o = with(HD_REDUCTION_OPTIMAL);
    o.depth = 1;
    begin(&s, &deciders, &o);
    while (hd_explorer_next(s.explorer, &s.model))
        run(&s);
    assert_int_equal(counters(&s)->deepest, 1);
    assert_int_equal(counters(&s)->bounded, counters(&s)->executions);
    assert_false(hd_explorer_is_complete(s.explorer));
    end(&s);
}

/* Reads count as writes then. */
static void reads_may_conflict(void **state) {
    (void)state;
    static search s;
    hd_explorer_options o = with(HD_REDUCTION_OPTIMAL);
    o.reads_conflict = true;
    begin(&s, &readers, &o);
    run_all(&s);
    assert_int_equal(counters(&s)->paths, 6);
    end(&s);
}

/* Each pair of places once, with the numbers of its events; locks are no data races. */
static void races_have_their_events(void **state) {
    (void)state;
    for (hd_reduction r = HD_REDUCTION_NONE; r <= HD_REDUCTION_OPTIMAL; r++) {
        static search s;
        hd_explorer_options o = with(r);
        uint64_t n_races = 0;
        if (r == HD_REDUCTION_MESSAGE)
            continue;
        begin(&s, &adders, &o);
        while (hd_explorer_next(s.explorer, &s.model)) {
            uint32_t n;
            run(&s);
            const hd_race *races = hd_explorer_races(s.explorer, &n);
            for (uint32_t i = 0; i < n; i++) {
                assert_true(races[i].event[0] < races[i].event[1]);
                assert_true(races[i].event[1] < s.longest);
                assert_true(races[i].action[0].thread != races[i].action[1].thread);
                assert_int_equal(races[i].action[0].access[0].address,
                                 races[i].action[1].access[0].address);
                assert_true(races[i].action[0].kind == HD_DO_WRITE ||
                            races[i].action[1].kind == HD_DO_WRITE);
                if (s.n == 1) /* it runs one thread after the other */
                    assert_true(races[i].event[0] == races[i].action[0].site - 1 &&
                                races[i].event[1] == races[i].action[1].site - 1);
            }
            n_races += n;
        }
        assert_int_equal(n_races, 3); /* 1-5, 2-4, 2-5 */
        assert_int_equal(counters(&s)->races, 3);
        end(&s);
        begin(&s, &lockers, &o);
        run_all(&s);
        assert_int_equal(counters(&s)->races, 0);
        end(&s);
    }
}

/* Writes in two orders, and the loop ends after the first or after both; what it tells comes before
 * or behind the look at it, if that is not in the way. */
static void loops_wait(void **state) {
    (void)state;
    for (hd_reduction r = 0; r < HD_N_REDUCTIONS; r++) {
        static search s;
        hd_explorer_options o = with(r);
        if (r == HD_REDUCTION_MESSAGE)
            continue;
        begin(&s, &waiters, &o);
        run_all(&s);
        assert_true(s.program.knows_rounds);
        assert_int_equal(counters(&s)->paths, 8);
        if (r == HD_REDUCTION_OPTIMAL)
            assert_int_equal(s.n, 8);
        if (r >= HD_REDUCTION_DPOR) /* others run classes again, and count them once */
            assert_int_equal(counters(&s)->redundant, s.n - 8);
        assert_int_equal(counters(&s)->mispredicted, 0);
        assert_true(hd_explorer_is_complete(s.explorer));
        end(&s);
    }
}

/* Threads with high numbers are in sets that are kept elsewhere, and thrown away if nobody says
 * that they are in use. */
static void sets_are_kept(void **state) {
    (void)state;
    static const card_program *const all[] = {&adders, &lockers, &readers, &waiters, &sections};
    for (int k = 0; k < 5 * HD_N_REDUCTIONS; k++) {
        static search low, high;
        hd_explorer_options o = with((hd_reduction)(k / 5));
        if (o.reduction == HD_REDUCTION_MESSAGE)
            continue;
        begin(&low, all[k % 5], &o);
        begin(&high, all[k % 5], &o);
        high.program.base = 150;
        while (hd_explorer_next(low.explorer, &low.model))
            run(&low);
        while (hd_explorer_next(high.explorer, &high.model))
            run(&high);
        assert_int_equal(low.n, high.n);
        assert_int_equal(counters(&low)->paths, counters(&high)->paths);
        assert_int_equal(counters(&low)->events, counters(&high)->events);
        assert_int_equal(counters(&low)->races, counters(&high)->races);
        assert_int_equal(counters(&high)->mispredicted, 0);
        end(&low);
        end(&high);
    }
    hd_sets_collect();
    assert_int_equal(hd_sets_count(), 0);
}

/* Known when it has ended: which of its accesses races. */
static void sections_race(void **state) {
    (void)state;
    for (hd_reduction r = 0; r < HD_N_REDUCTIONS; r++) {
        static search s;
        hd_explorer_options o = with(r);
        uint32_t n_races = 0;
        if (r == HD_REDUCTION_MESSAGE)
            continue;
        begin(&s, &sections, &o);
        s.is_compacted = r % 2;
        while (hd_explorer_next(s.explorer, &s.model)) {
            uint32_t n;
            run(&s);
            const hd_race *races = hd_explorer_races(s.explorer, &n);
            for (uint32_t i = 0; i < n; i++)
                assert_int_equal(races[i].action[0].site + races[i].action[1].site, 1 + 3);
            n_races += n;
            assert_int_equal(n_races, 1); /* in the first execution already */
        }
        assert_int_equal(n_races, 1); /* not those of two sections */
        assert_int_equal(counters(&s)->races, 1);
        assert_int_equal(counters(&s)->paths, 4);
        end(&s);
    }
}

/* In the middle of 512 executions half of them lies behind; at the end all do. */
static void estimates_end_right(void **state) {
    (void)state;
    static search s;
    hd_explorer_options o = with(HD_REDUCTION_OPTIMAL);
    begin(&s, &many, &o);
    while (s.n < 256 && hd_explorer_next(s.explorer, &s.model))
        run(&s);
    assert_true(counters(&s)->estimate > 511 && counters(&s)->estimate < 513);
    run_all(&s);
    assert_int_equal(s.n, 512);
    assert_int_equal(counters(&s)->paths, 512);
    assert_true(counters(&s)->estimate > 511 && counters(&s)->estimate < 513);
    end(&s);
    o = with(HD_REDUCTION_NONE);
    begin(&s, &many, &o);
    while (s.n < 256 && hd_explorer_next(s.explorer, &s.model))
        run(&s);
    assert_true(counters(&s)->estimate > 256); /* hardly begun */
    end(&s);
}

/* Nine decisions, and nothing else to choose: behind half of the ways lies half of the search. */
static void estimates_know_decisions(void **state) {
    (void)state;
    static const card_program even = {.cards = {{{HD_DO_READ, 0, DECIDES},
                                                 {HD_DO_READ, 0, DECIDES + 1},
                                                 {HD_DO_READ, 0, DECIDES + 2},
                                                 {HD_DO_READ, 0, DECIDES + 3},
                                                 {HD_DO_READ, 0, DECIDES + 4}},
                                                {{HD_DO_READ, 0, DECIDES + 5},
                                                 {HD_DO_READ, 0, DECIDES + 6},
                                                 {HD_DO_READ, 0, DECIDES + 7},
                                                 {HD_DO_READ, 0, DECIDES + 8}}},
                                      .n_threads = 2};
    for (hd_reduction r = HD_REDUCTION_DPOR; r <= HD_REDUCTION_OPTIMAL; r++) {
        static search s;
        hd_explorer_options o = with(r);
        begin(&s, &even, &o);
        while (s.n < 256 && hd_explorer_next(s.explorer, &s.model))
            run(&s);
        assert_true(counters(&s)->estimate > 511 && counters(&s)->estimate < 513);
        while (hd_explorer_next(s.explorer, &s.model))
            run(&s);
        assert_int_equal(counters(&s)->paths, 512);
        assert_int_equal(counters(&s)->deepest, 9);
        assert_true(counters(&s)->estimate > 511 && counters(&s)->estimate < 513);
        end(&s);
    }
}

/* One thread goes round a loop of so many accesses, 600 times, and another writes what it reads. */
static void run_loop(search *s, hd_reduction reduction, uint32_t n_sites) {
    static const card_program looping = {
        .cards = {{{HD_DO_READ, 0, 100}}, {{HD_DO_WRITE, 0, 1}}}, .n_threads = 2, .n_again = 599};
    hd_explorer_options o = with(reduction);
    begin(s, &looping, &o);
    s->program.n_sites = n_sites;
    while (s->n < 2000 && hd_explorer_next(s->explorer, &s->model))
        run(s);
}

/* A loop that nobody recognised as waiting: it gives way at event 504, and what it would read
 * behind that before the write is left out, and said.  More accesses than a loop that waits has are
 * no such loop. */
static void long_loops_give_way(void **state) {
    (void)state;
    for (hd_reduction r = HD_REDUCTION_DPOR; r <= HD_REDUCTION_OPTIMAL; r++) {
        static search s;
        run_loop(&s, r, HD_FEW_ACCESSES);
        assert_int_equal(counters(&s)->paths, 505);
        assert_int_equal(counters(&s)->preempted_away, 5);
        assert_false(hd_explorer_is_complete(s.explorer));
        end(&s);
        if (r != HD_REDUCTION_OPTIMAL)
            continue;
        run_loop(&s, r, HD_FEW_ACCESSES + 1);
        assert_int_equal(counters(&s)->paths, 601);
        assert_int_equal(counters(&s)->preempted_away, 0);
        assert_true(hd_explorer_is_complete(s.explorer));
        end(&s);
    }
}

/* By priorities too: whoever has the higher one goes round until it has run long, if it is the
 * loop. */
static void long_loops_give_way_in_samples(void **state) {
    (void)state;
    static const card_program looping = {.cards = {{{HD_DO_READ, 0, 100}}, {{HD_DO_WRITE, 0, 1}}},
                                         .n_threads = 2,
                                         .n_again = 599,
                                         .n_sites = HD_FEW_ACCESSES};
    static search s;
    hd_explorer_options o = with(HD_REDUCTION_OPTIMAL);
    o.sampling = HD_SAMPLING_PCT;
    o.samples = 10;
    o.pct_depth = 1;
    begin(&s, &looping, &o);
    uint64_t n_loop_first = 0;
    while (hd_explorer_next(s.explorer, &s.model)) {
        uint64_t before = s.switches;
        run(&s);
        assert_in_range(s.switches - before, 1, 2);
        n_loop_first += s.switches - before == 2;
    }
    assert_in_range(n_loop_first, 1, 9);
    end(&s);
}

/* A solver that never knows: no way is taken for impossible, and it is said. */
static void solvers_may_give_up(void **state) {
    (void)state;
    for (hd_reduction r = 0; r < HD_N_REDUCTIONS; r++) {
        static search s;
        uint32_t n;
        hd_explorer_options o = with(r);
        hd_chain_options none = hd_chain_defaults();
        if (r == HD_REDUCTION_MESSAGE)
            continue;
        memset(none.enabled, 0, sizeof none.enabled);
        begin_with(&s, &deciders, &o, &none);
        while (hd_explorer_next(s.explorer, &s.model))
            run(&s);
        assert_true(counters(&s)->unknown >= 2);
        assert_int_equal(counters(&s)->infeasible, 0);
        assert_int_equal(counters(&s)->mispredicted, 0);
        const hd_lost_way *lost = hd_explorer_lost(s.explorer, &n);
        assert_int_equal(n, 2); /* both inputs */
        for (uint32_t i = 0; i < n; i++)
            assert_true(lost[i].site >= DECIDES && !lost[i].mispredicted);
        assert_false(hd_explorer_is_complete(s.explorer));
        end(&s);
    }
}

/* Fewest preemptions first; what the bound leaves out is said. */
static void preemptions_are_bounded(void **state) {
    (void)state;
    static const card_program three = {.cards = {{W(0, 1), W(0, 2)}, {W(0, 3)}, {W(0, 4)}},
                                       .n_threads = 3};
    static const struct {
        const card_program *program;
        uint32_t bound;
        uint64_t classes;
        uint64_t n_left_out;
    } cases[] = {{&adders, 0, 2, 4}, {&adders, 1, 4, 8}, {&adders, 9, 4, 0}, {&three, 0, 6, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static search s;
        hd_explorer_options o = with(HD_REDUCTION_OPTIMAL);
        o.bounds_preemptions = true;
        o.preemptions = cases[i].bound;
        begin(&s, cases[i].program, &o);
        while (hd_explorer_next(s.explorer, &s.model))
            run(&s);
        assert_int_equal(counters(&s)->paths, cases[i].classes);
        assert_int_equal(counters(&s)->preempted_away, cases[i].n_left_out);
        end(&s);
    }
}

/* Also those of threads with high numbers. */
static void samples_are_counted(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        static search s;
        hd_explorer_options o = with(HD_REDUCTION_OPTIMAL);
        o.sampling = k ? HD_SAMPLING_PCT : HD_SAMPLING_RANDOM;
        o.samples = 200;
        o.pct_depth = 2;
        o.seed = 1;
        begin(&s, &adders, &o);
        s.program.base = k == 2 ? 150 : 0;
        while (hd_explorer_next(s.explorer, &s.model)) {
            run(&s);
            assert_int_equal(counters(&s)->open, 1);
        }
        assert_int_equal(s.n, 200);
        assert_int_equal(counters(&s)->executions, 200);
        assert_true(counters(&s)->paths >= 2 && counters(&s)->paths <= 4);
        assert_int_equal(counters(&s)->races, 3);
        end(&s);
    }
}

/* Without a change of priorities whoever is first runs to its end, and then the other one. */
static void priorities_stay(void **state) {
    (void)state;
    static search s;
    hd_explorer_options o = with(HD_REDUCTION_OPTIMAL);
    o.sampling = HD_SAMPLING_PCT;
    o.samples = 100;
    o.pct_depth = 1;
    o.seed = 1;
    begin(&s, &adders, &o);
    while (hd_explorer_next(s.explorer, &s.model))
        run(&s);
    assert_int_equal(counters(&s)->paths, 2);
    assert_int_equal(s.switches, s.n);
    end(&s);
}

/* Inputs vary too: in the end all classes of the deciders were drawn. */
static void samples_vary_inputs(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        static search s;
        hd_explorer_options o = with(HD_REDUCTION_OPTIMAL);
        o.sampling = k ? HD_SAMPLING_PCT : HD_SAMPLING_RANDOM;
        o.samples = 400;
        o.pct_depth = 3;
        o.seed = 1;
        begin(&s, &deciders, &o);
        while (hd_explorer_next(s.explorer, &s.model))
            run(&s);
        assert_int_equal(counters(&s)->paths, 16);
        assert_int_equal(counters(&s)->mispredicted, 0);
        end(&s);
    }
}

/* The program is another one the second time: that is noticed, named and not complete. */
static void straying_is_noticed(void **state) {
    (void)state;
    static const struct {
        card_program changed;
        uint32_t site;
    } cases[] = {
        {{.cards = {{{HD_DO_READ, 0, 9}, {HD_DO_WRITE, 0, 2}, {HD_DO_WRITE, 2, 3}},
                    {{HD_DO_READ, 0, 4}, {HD_DO_WRITE, 0, 5}, {HD_DO_WRITE, 3, 6}}},
          .n_threads = 2},
         9},
        {{.cards = {{{HD_DO_WRITE, 0, 1}, {HD_DO_WRITE, 0, 2}, {HD_DO_WRITE, 2, 3}},
                    {{HD_DO_READ, 0, 4}, {HD_DO_WRITE, 0, 5}, {HD_DO_WRITE, 3, 6}}},
          .n_threads = 2},
         1},
        {{.cards = {{{HD_DO_READ, 4, 1}, {HD_DO_WRITE, 0, 2}, {HD_DO_WRITE, 2, 3}},
                    {{HD_DO_READ, 0, 4}, {HD_DO_WRITE, 0, 5}, {HD_DO_WRITE, 3, 6}}},
          .n_threads = 2},
         1},
        {{.cards = {{{HD_DO_NONE, 0, 0}},
                    {{HD_DO_READ, 0, 4}, {HD_DO_WRITE, 0, 5}, {HD_DO_WRITE, 3, 6}}},
          .n_threads = 2},
         1},
        {{.cards = {{{HD_DO_NONE, 0, 0}}, {{HD_DO_NONE, 0, 0}}}, .n_threads = 2}, 1}, /* it ends */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static search s;
        uint32_t n;
        hd_explorer_options o = with(HD_REDUCTION_OPTIMAL);
        begin(&s, &adders, &o);
        assert_true(hd_explorer_next(s.explorer, &s.model));
        run(&s);
        assert_true(hd_explorer_next(s.explorer, &s.model));
        s.program = cases[i].changed;
        run(&s);
        assert_int_equal(counters(&s)->mispredicted, 1);
        const hd_lost_way *lost = hd_explorer_lost(s.explorer, &n);
        assert_int_equal(n, 1);
        assert_true(lost->mispredicted);
        assert_int_equal(lost->site, cases[i].site);
        assert_false(hd_explorer_is_complete(s.explorer));
        end(&s);
    }
}

/* In the middle of a sequence: it goes on with what is left, or begins anew. */
static void a_search_that_strayed_goes_on(void **state) {
    (void)state;
    static const card_program before = {
        .cards = {{W(5, 6), W(2, 1), W(0, 2)}, {W(1, 3), W(0, 4)}, {W(5, 7)}}, .n_threads = 3};
    static const card_program changed = {
        .cards = {{W(5, 6), W(3, 1), W(0, 2)}, {W(1, 3), W(0, 4)}, {W(5, 7)}}, .n_threads = 3};
    for (int begins_anew = 0; begins_anew < 2; begins_anew++) {
        static search s;
        hd_explorer_options o = with(HD_REDUCTION_OPTIMAL);
        begin(&s, &before, &o);
        assert_true(hd_explorer_next(s.explorer, &s.model));
        run(&s);
        assert_true(hd_explorer_next(s.explorer, &s.model));
        s.program = changed;
        run(&s);
        assert_int_equal(counters(&s)->mispredicted, 1);
        s.n = 0;
        if (begins_anew)
            hd_explorer_begin_anew(s.explorer);
        while (hd_explorer_next(s.explorer, &s.model))
            run(&s);
        assert_int_equal(s.n, begins_anew ? 4 : 2);
        assert_false(hd_explorer_is_complete(s.explorer));
        end(&s);
    }
}

/* Halfway through a journal: the rest is as if nothing had happened. */
static void search_in_two_halves(const card_program *p, hd_reduction reduction, uint64_t half,
                                 uint64_t all) {
    static search s, second;
    hd_text bytes = {0};
    hd_err err = {0};
    hd_explorer_options o = with(reduction);
    begin(&s, p, &o);
    for (uint64_t i = 0; i < half; i++) {
        assert_true(hd_explorer_next(s.explorer, &s.model));
        run(&s);
    }
    hd_explorer_save(s.explorer, &bytes);
    begin(&second, p, &o);
    assert_true(hd_explorer_restore(second.explorer, bytes.at, bytes.n, &err));
    uint64_t n = 0;
    while (hd_explorer_next(second.explorer, &second.model)) {
        n += !hd_explorer_is_rebuilding(second.explorer);
        run(&second);
    }
    assert_int_equal(half + n, all);
    assert_true(hd_explorer_is_complete(second.explorer));
    hd_text_release(&bytes);
    end(&s);
    end(&second);
}

static void journals_go_on(void **state) {
    (void)state;
    for (uint64_t half = 1; half < 4; half++)
        search_in_two_halves(&adders, HD_REDUCTION_OPTIMAL, half, 4);
    for (uint64_t half = 1; half < 20; half++)
        search_in_two_halves(&adders, HD_REDUCTION_NONE, half, 20);
}

static void everything(void) {
    for (hd_reduction r = 0; r < HD_N_REDUCTIONS; r++) {
        static search s;
        hd_explorer_options o = with(r);
        begin(&s, &adders, &o);
        while (hd_explorer_next(s.explorer, &s.model))
            run(&s);
        end(&s);
        begin(&s, &deciders, &o);
        s.is_compacted = true;
        for (int i = 0; i < 7 && hd_explorer_next(s.explorer, &s.model); i++)
            run(&s);
        end(&s);
        begin(&s, &lockers, &o); /* one that is not finished */
        for (int i = 0; i < 2 && hd_explorer_next(s.explorer, &s.model); i++)
            run(&s);
        end(&s);
    }
    preemptions_are_bounded(NULL);
    samples_are_counted(NULL);
    search_in_two_halves(&adders, HD_REDUCTION_OPTIMAL, 2, 4);
}

/* Runs what a journal has left: how many executions were counted.  Objects must be where they were
 * if actions are among it: `s` is the search that wrote it. */
static uint64_t run_journal_in(search *s, const card_program *p, hd_reduction reduction,
                               const hd_text *journal) {
    hd_err err = {0};
    hd_explorer_options o = with(reduction);
    begin(s, p, &o);
    assert_true(hd_explorer_restore(s->explorer, journal->at, journal->n, &err));
    while (hd_explorer_next(s->explorer, &s->model))
        run(s);
    assert_true(hd_explorer_is_complete(s->explorer));
    uint64_t n = counters(s)->executions;
    end(s);
    return n;
}

static uint64_t run_journal(const card_program *p, hd_reduction reduction, const hd_text *journal) {
    static search s;
    return run_journal_in(&s, p, reduction, journal);
}

/* `none` runs all 20 orders of the adders once, whoever runs them.  `optimal` is not split. */
static void a_part_is_handed_over_once(void **state) {
    (void)state;
    static search s;
    hd_text part = {0};
    hd_explorer_options o = with(HD_REDUCTION_NONE);
    begin(&s, &adders, &o);
    assert_false(hd_explorer_split(s.explorer, &part)); /* nothing is known yet */
    assert_true(hd_explorer_next(s.explorer, &s.model));
    run(&s);
    assert_true(hd_explorer_split(s.explorer, &part));
    while (hd_explorer_next(s.explorer, &s.model))
        run(&s);
    assert_true(s.n < 20);
    assert_int_equal(s.n + run_journal(&adders, HD_REDUCTION_NONE, &part), 20);
    end(&s);
    hd_text_release(&part);
    o = with(HD_REDUCTION_OPTIMAL);
    begin(&s, &adders, &o);
    assert_true(hd_explorer_next(s.explorer, &s.model));
    run(&s);
    assert_int_equal(counters(&s)->open, 1);
    assert_false(hd_explorer_split(s.explorer, &part));
    assert_int_equal(part.n, 0);
    end(&s);
    hd_text_release(&part);
}

/* X1 to X3: all classes of the deciders decide on both inputs, so that each belongs to one part. */
static void threads_that_decide_are_split_by_inputs(void **state) {
    (void)state;
    static search s;
    hd_text part = {0}, names = {0};
    hd_explorer_options o = with(HD_REDUCTION_OPTIMAL);
    begin(&s, &deciders, &o);
    assert_true(hd_explorer_next(s.explorer, &s.model));
    run(&s);
    assert_true(hd_explorer_split(s.explorer, &part));
    while (hd_explorer_next(s.explorer, &s.model))
        run(&s);
    assert_int_equal(s.n, 8);
    assert_int_equal(counters(&s)->deepest, 2); /* a restriction is no decision */
    hd_explorer_take_classes(s.explorer, &names);
    assert_int_equal(names.n, 8 * 7); /* since it was restricted */
    hd_text_clear(&names);
    hd_explorer_take_classes(s.explorer, &names);
    assert_int_equal(names.n, 0); /* since they were taken */
    end(&s);
    assert_int_equal(run_journal_in(&s, &deciders, HD_REDUCTION_OPTIMAL, &part), 8);
    hd_text_release(&part);
    hd_text_release(&names);
}

/* X5 and X6: both inputs are decided on, so that the rest of a part that was split twice is for
 * inputs that are alike, and is lifted. */
static void inputs_that_are_alike_are_lifted(void **state) {
    (void)state;
    static search s;
    hd_text part = {0}, lifted = {0};
    hd_explorer_options o = with(HD_REDUCTION_OPTIMAL);
    begin(&s, &deciders, &o);
    assert_true(hd_explorer_next(s.explorer, &s.model));
    run(&s);
    for (int i = 0; i < 2; i++) {
        assert_false(hd_explorer_lift(s.explorer, &lifted));
        assert_true(hd_explorer_split(s.explorer, &part));
        assert_int_equal(lifted.n, 0);
    }
    assert_true(hd_explorer_lift(s.explorer, &lifted));
    assert_true(lifted.n > 0);
    assert_false(hd_explorer_split(s.explorer, &part)); /* by inputs: there is nothing to split */
    end(&s);
    hd_text_release(&part);
    hd_text_release(&lifted);
}

/* X2: an execution of a part whose inputs are of the other part is no execution of it: that is
 * said, and the part is not complete.  Nothing that is known makes one, so that builds with costly
 * assertions end there. */
static void foreign_inputs_are_said(void **state) {
    (void)state;
#if !defined HD_DEBUG && !defined HD_HOSTILE_BUILD
    static search s;
    hd_text part = {0};
    hd_explorer_options o = with(HD_REDUCTION_OPTIMAL);
    begin(&s, &deciders, &o);
    assert_true(hd_explorer_next(s.explorer, &s.model));
    run(&s);
    assert_true(hd_explorer_split(s.explorer, &part));
    assert_true(hd_explorer_next(s.explorer, &s.model));
    for (hd_var v = 0; v < 2; v++) /* both inputs go the other way */
        hd_model_set(&s.model, v, hd_model_get(&s.model, v) < 3 ? 9 : 0);
    run(&s);
    assert_true(counters(&s)->mispredicted > 0);
    while (hd_explorer_next(s.explorer, &s.model))
        run(&s);
    assert_false(hd_explorer_is_complete(s.explorer));
    end(&s);
    hd_text_release(&part);
#endif
}

/* A journal that was restored, and saved before its path was run again, is the same journal. */
static void a_journal_can_be_passed_on(void **state) {
    (void)state;
    static search s;
    hd_text first = {0}, second = {0};
    hd_err err = {0};
    hd_explorer_options o = with(HD_REDUCTION_OPTIMAL);
    begin(&s, &adders, &o);
    assert_true(hd_explorer_next(s.explorer, &s.model));
    run(&s);
    hd_explorer_save(s.explorer, &first);
    end(&s);
    begin(&s, &adders, &o);
    assert_true(hd_explorer_restore(s.explorer, first.at, first.n, &err));
    hd_explorer_save(s.explorer, &second);
    end(&s);
    assert_int_equal(run_journal(&adders, HD_REDUCTION_OPTIMAL, &second), 4);
    hd_text_release(&first);
    hd_text_release(&second);
}

/* A search gives back what it took: what malloc keeps for itself does not grow with each, or not
 * each time.  The hostile build sees it at its end. */
static void memory_is_given_back(void **state) {
    (void)state;
    enum { ROUNDS = HD_HOSTILE(100, 1), LEAST = 16, TRIES = HD_HOSTILE(8, 1) };
    bool grows = true;
    for (int n = 0; n < TRIES && grows; n++) {
        size_t before = mallinfo2().uordblks;
        for (int i = 0; i < ROUNDS; i++)
            everything();
        grows = HD_HOSTILE(mallinfo2().uordblks, before) >= before + ROUNDS * LEAST;
    }
    assert_false(grows);
}

/* Small blocks that were given back count as taken while malloc keeps them for itself, which
 * depends on sizes and chance: not here. */
static void without_cache_of_malloc(char **argv) {
    if (getenv("GLIBC_TUNABLES"))
        return;
    setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0", 1);
    execv("/proc/self/exe", argv);
}

int main(int argc, char **argv) {
    (void)argc;
    without_cache_of_malloc(argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_are_decided_in_every_order),
        cmocka_unit_test(decisions_are_bounded),
        cmocka_unit_test(every_reduction_counts),
        cmocka_unit_test(threads_are_drawn),
        cmocka_unit_test(reads_may_conflict),
        cmocka_unit_test(races_have_their_events),
        cmocka_unit_test(loops_wait),
        cmocka_unit_test(sections_race),
        cmocka_unit_test(sets_are_kept),
        cmocka_unit_test(estimates_end_right),
        cmocka_unit_test(solvers_may_give_up),
        cmocka_unit_test(preemptions_are_bounded),
        cmocka_unit_test(samples_are_counted),
        cmocka_unit_test(priorities_stay),
        cmocka_unit_test(samples_vary_inputs),
        cmocka_unit_test(long_loops_give_way),
        cmocka_unit_test(long_loops_give_way_in_samples),
        cmocka_unit_test(estimates_know_decisions),
        cmocka_unit_test(straying_is_noticed),
        cmocka_unit_test(a_search_that_strayed_goes_on),
        cmocka_unit_test(journals_go_on),
        cmocka_unit_test(a_part_is_handed_over_once),
        cmocka_unit_test(threads_that_decide_are_split_by_inputs),
        cmocka_unit_test(inputs_that_are_alike_are_lifted),
        cmocka_unit_test(foreign_inputs_are_said),
        cmocka_unit_test(a_journal_can_be_passed_on),
        cmocka_unit_test(memory_is_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
