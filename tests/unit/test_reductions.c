/* Reductions by themselves: what is no choice for `none`, who may turn out to wait, what a search
 * tells about races. */
#include "tool/card_search.h"

#include "explore/events/action_bytes.h"
#include "program/abi.h"

#define W(object, site) {HD_DO_WRITE, object, site}

/* The first thread creates one that does nothing; another writes twice. */
static const card_program creators = {.cards = {{{HD_DO_CREATE, 2, 1}}, {W(0, 2), W(0, 3)}},
                                      .n_threads = 3};

/* PC15: creating a thread is no choice, unless others may see what it writes, or end it. */
static void creating_is_no_choice(void **state) {
    (void)state;
    static const struct {
        uint64_t written;
        uint64_t n_orders;
    } cases[] = {{0, 1},
                 {HD_STACK_BASE, 1},
                 {HD_HEAP_BASE - 1, 1},
                 {HD_STACK_BASE - 1, 3},
                 {HD_HEAP_BASE, 3},
                 {HD_SPACE(3) + HD_STACK_BASE, 1},
                 {HD_TOKEN_ALIVE(0) - 1, 1},
                 {HD_TOKEN_ALIVE(0), 3},
                 {HD_TOKEN_SIGNALS - 1, 3},
                 {HD_TOKEN_SIGNALS, 1},
                 {HD_TOKEN_LIMIT - 1, 1},
                 {HD_TOKEN_LIMIT, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static search s;
        hd_explorer_options o = with(HD_REDUCTION_NONE);
        begin(&s, &creators, &o);
        s.program.written_at_birth = cases[i].written;
        run_all(&s);
        assert_int_equal(s.n, cases[i].n_orders);
        end(&s);
    }
}

/* The second thread is to lock first, and waits: if a signal could let it go on that is no
 * execution, and the others go on; else the program is another one. */
static void signals_may_be_awaited(void **state) {
    (void)state;
    static const card_program two = {.cards = {{{HD_DO_LOCK, 0, 1}, {HD_DO_UNLOCK, 0, 2}},
                                               {{HD_DO_LOCK, 0, 3}, {HD_DO_UNLOCK, 0, 4}}},
                                     .n_threads = 2};
    static const struct {
        uint64_t lock, token;
        bool may_wait;
    } cases[] = {{0, 0, false},
                 {0, HD_TOKEN_SIGNAL(0) - 1, false},
                 {0, HD_TOKEN_SIGNAL(0), true},
                 {HD_TOKEN_SIGNAL(0), 0, true},
                 {0, HD_TOKEN_SIGNALS - 1, true},
                 {0, HD_TOKEN_SIGNALS, false}};
    for (size_t k = 0; k < HD_N_REDUCTIONS * sizeof cases / sizeof *cases; k++) {
        static search s;
        size_t i = k / HD_N_REDUCTIONS;
        hd_explorer_options o = with((hd_reduction)(k % HD_N_REDUCTIONS));
        if (o.reduction == HD_REDUCTION_MESSAGE)
            continue;
        begin(&s, &two, &o);
        s.program.also_at = cases[i].token;
        s.program.locked_at = cases[i].lock;
        assert_true(hd_explorer_next(s.explorer, &s.model));
        run(&s);
        s.program.refuses = true;
        while (s.n < 9 && hd_explorer_next(s.explorer, &s.model))
            run(&s);
        assert_int_equal(counters(&s)->mispredicted, !cases[i].may_wait);
        assert_int_equal(counters(&s)->paths, 1);
        assert_int_equal(hd_explorer_is_complete(s.explorer), cases[i].may_wait);
        end(&s);
    }
}

/* Of a program whose threads stand before their first actions: a path of one step, of the second
 * thread, where the first one is run by others, or not. */
static void pack_path(const card_program *p, bool others_run_first, hd_text *out) {
    hd_pack_u32(out, 1);
    hd_pack_u32(out, others_run_first);
    if (others_run_first)
        hd_journal_save_action(&p->threads.action[0], out);
    hd_journal_save_action(&p->threads.action[1], out);
    hd_pack_u32(out, 0); /* nothing was run behind it, ... */
    hd_pack_u8(out, false);
    hd_pack_u32(out, 0); /* ... nothing is planned */
}

/* A unit's path cannot be run, because who was to go on waits after all: it is free from there on,
 * if what others run from there is not all that there is. */
static void units_go_on_instead(void **state) {
    (void)state;
    static const card_program two = {.cards = {{{HD_DO_LOCK, 0, 1}, {HD_DO_UNLOCK, 0, 2}},
                                               {{HD_DO_LOCK, 0, 3}, {HD_DO_UNLOCK, 0, 4}}},
                                     .n_threads = 2,
                                     .also_at = HD_TOKEN_SIGNAL(0)};
    for (int others_run_first = 0; others_run_first < 2; others_run_first++) {
        static search s;
        hd_text context = {0}, path = {0};
        hd_explorer_options o = with(HD_REDUCTION_OPTIMAL);
        begin(&s, &two, &o);
        run_all(&s);
        hd_explorer_save_context(s.explorer, &context);
        end(&s);
        begin(&s, &two, &o);
        card_begin(&s.program);
        pack_path(&s.program, others_run_first, &path);
        assert_true(hd_explorer_begin_unit(s.explorer, &context, &path));
        s.program.refuses = true;
        uint64_t before = counters(&s)->executions;
        assert_true(hd_explorer_next(s.explorer, &s.model));
        run(&s);
        assert_int_equal(counters(&s)->open, 1); /* whoever asks must not take it for done */
        assert_false(hd_explorer_is_complete(s.explorer));
        while (s.n < 9 && hd_explorer_next(s.explorer, &s.model))
            run(&s);
        assert_int_equal(counters(&s)->executions - before, !others_run_first);
        assert_int_equal(counters(&s)->mispredicted, 0);
        assert_true(hd_explorer_is_complete(s.explorer));
        end(&s);
        hd_text_release(&context);
        hd_text_release(&path);
    }
}

/* Three processes; what the last one does is put before one of the others, which could have waited
 * for it, or before nobody. */
static void processes_wait_for_what_is_put_before_them(void **state) {
    (void)state;
    static const card_program three = {.cards = {{W(0, 1)}, {W(1, 2)}, {{HD_DO_UNLOCK, 2, 3}}},
                                       .n_threads = 3,
                                       .are_processes = true};
    static const struct {
        uint64_t token;
        const char *orders;
        hd_action_kind kind;
    } cases[] = {{HD_TOKEN_READY(0) - 1, "0 1 2,", HD_DO_PUT},
                 {HD_TOKEN_READY(0), "0 1 2,1 0 2,1 2 0,", HD_DO_PUT},
                 {HD_TOKEN_READY(1) - 1, "0 1 2,1 0 2,1 2 0,", HD_DO_PUT},
                 {HD_TOKEN_READY(1), "0 1 2,0 2 1,", HD_DO_PUT},
                 {HD_TOKEN_READY(2), "0 1 2,", HD_DO_PUT},
                 {HD_TOKEN_READY(HD_MAX_THREADS), "0 1 2,", HD_DO_PUT},
                 {HD_TOKEN_READY(0), "0 1 2,", HD_DO_UNLOCK}, /* it looks only */
                 {HD_TOKEN_ENDED(0, 0) - 1, "0 1 2,", HD_DO_UNLOCK},
                 {HD_TOKEN_ENDED(0, 0), "0 1 2,1 0 2,1 2 0,", HD_DO_UNLOCK},
                 {HD_TOKEN_ENDED(0, HD_MAX_THREADS - 1), "0 1 2,1 0 2,1 2 0,", HD_DO_UNLOCK},
                 {HD_TOKEN_ENDED(1, 0), "0 1 2,0 2 1,", HD_DO_UNLOCK},
                 {HD_TOKEN_ENDED(1, 7), "0 1 2,0 2 1,", HD_DO_UNLOCK},
                 {HD_TOKEN_ENDED(2, 0), "0 1 2,", HD_DO_UNLOCK},
                 {HD_TOKEN_ENDED(HD_MAX_THREADS, 0), "0 1 2,", HD_DO_UNLOCK}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static search s;
        hd_text orders = {0};
        hd_explorer_options o = with(HD_REDUCTION_MESSAGE);
        begin(&s, &three, &o);
        s.program.cards[2][0].token = cases[i].token;
        s.program.cards[2][0].kind = cases[i].kind;
        while (hd_explorer_next(s.explorer, &s.model)) {
            run(&s);
            hd_explorer_print_schedule(s.explorer, &orders);
            hd_text_add(&orders, ",");
        }
        assert_string_equal(hd_text_string(&orders), cases[i].orders);
        hd_text_release(&orders);
        end(&s);
    }
}

/* The threads of a process that ends are a set, of events, of who sleeps and of what is planned: it
 * is kept as long as one of them is, which shows when they are saved. */
static void ends_keep_their_sets(void **state) {
    (void)state;
    static const card_program three = {
        .cards = {{W(1, 4), {HD_DO_EXIT, 0, 1}}, {W(0, 2)}, {W(2, 5), {HD_DO_EXIT, 0, 3}}},
        .n_threads = 3,
        .base = 150,
        .are_processes = true};
    for (hd_reduction r = 0; r < HD_N_REDUCTIONS; r++) {
        static search s;
        hd_text journal = {0};
        hd_explorer_options o = with(r);
        if (r == HD_REDUCTION_MESSAGE) /* knows ends by their tokens */
            continue;
        begin(&s, &three, &o);
        while (hd_explorer_next(s.explorer, &s.model)) {
            run(&s);
            hd_text_clear(&journal);
            hd_explorer_save(s.explorer, &journal);
            assert_true(journal.n > 0);
        }
        assert_int_equal(counters(&s)->paths, 6);
        assert_int_equal(counters(&s)->mispredicted, 0);
        hd_text_release(&journal);
        end(&s);
    }
    hd_sets_collect();
    assert_int_equal(hd_sets_count(), 0);
}

/* What was found since somebody asked: each race once. */
static void races_are_taken_once(void **state) {
    (void)state;
    static const card_program three = {.cards = {{W(0, 1)}, {W(0, 2)}, {{HD_DO_READ, 0, 3}}},
                                       .n_threads = 3};
    static search s;
    hd_text all = {0}, now = {0};
    hd_explorer_options o = with(HD_REDUCTION_OPTIMAL);
    begin(&s, &three, &o);
    while (hd_explorer_next(s.explorer, &s.model)) {
        run(&s);
        hd_text_clear(&now);
        hd_explorer_take_races(s.explorer, &now);
        hd_text_add_bytes(&all, now.at, now.n);
    }
    assert_int_equal(counters(&s)->races, 3);
    hd_unpack u = hd_unpack_from(all.at, all.n);
    uint64_t sum = 0;
    for (int i = 0; i < 3; i++) {
        uint64_t key = hd_unpack_u64(&u);
        sum += (key >> 32) * (key & UINT32_MAX);
        assert_true(key >> 32 > (key & UINT32_MAX));
    }
    assert_true(hd_unpack_ok(&u));
    assert_int_equal(sum, 1 * 2 + 1 * 3 + 2 * 3);
    hd_text_clear(&now);
    hd_explorer_take_races(s.explorer, &now);
    assert_int_equal(now.n, 0);
    hd_text_release(&all);
    hd_text_release(&now);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creating_is_no_choice),
        cmocka_unit_test(signals_may_be_awaited),
        cmocka_unit_test(units_go_on_instead),
        cmocka_unit_test(processes_wait_for_what_is_put_before_them),
        cmocka_unit_test(ends_keep_their_sets),
        cmocka_unit_test(races_are_taken_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
