/* A program that is another one in one execution of its search, any of them, in many ways: the
 * search notices it, once, and goes on as if that execution had not been.  Nothing that it knew is
 * lost for the rest, nothing is run that it did not ask for, and it never calls itself complete. */
#include "tool/card_search.h"

#define W(object, site) {HD_DO_WRITE, object, site}
#define R(object, site) {HD_DO_READ, object, site}

static const card_program programs[] = {
    {.cards = {{R(0, 1), W(0, 2), W(2, 3)}, {R(0, 4), W(0, 5), W(3, 6)}}, .n_threads = 2},
    {.cards = {{{HD_DO_LOCK, 0, 1}, {HD_DO_LOCK, 1, 2}, {HD_DO_UNLOCK, 1, 3}},
               {{HD_DO_LOCK, 1, 5}, {HD_DO_LOCK, 0, 6}, {HD_DO_UNLOCK, 0, 7}}},
     .n_threads = 2},
    {.cards = {{W(0, 1)}, {R(0, 2), W(1, 4)}, {R(0, 3), R(1, 5)}}, .n_threads = 3},
    {.cards = {{R(0, DECIDES), W(1, 2)}, {W(0, DECIDES + 1), R(1, 5)}}, .n_threads = 2},
    {.cards = {{R(0, DECIDES), R(2, DECIDES + 1), W(1, 2)},
               {W(0, 3), W(1, DECIDES + 2)},
               {R(1, 6)}},
     .n_threads = 3},
    {.cards = {{{HD_DO_READ, 0, 1, true}, W(1, 2)}, {W(0, 3)}, {W(0, 4), R(1, 5)}}, .n_threads = 3},
    {.cards = {{{HD_DO_ATOMIC, 0, 1}, {HD_DO_ATOMIC, 1, 2}}, {W(0, 3), R(2, 4)}, {R(1, 5)}},
     .n_threads = 3},
};
enum { N_PROGRAMS = sizeof programs / sizeof *programs };

/* How it is another one: a card is not there, nor what follows; or does
 * something else; or the site is another one, where nobody decides. */
enum { N_CARDS = 2 * 3, N_HOWS = 3, N_WAYS = N_CARDS * N_HOWS };

static const card *card_at(const card_program *p, int way) {
    return &p->cards[way / N_HOWS / 2][way / N_HOWS % 2];
}

static void change(card_program *p, int way) {
    card *c = &p->cards[way / N_HOWS / 2][way / N_HOWS % 2];
    switch (way % N_HOWS) {
    case 0:
        *c = (card){.kind = HD_DO_NONE};
        break;
    case 1:
        *c = (card){.kind = HD_DO_WRITE, .object = 4, .site = c->site};
        break;
    default:
        c->site = 100;
    }
}

/* Everything that is left; what is there to be told about it. */
static void finish(search *s, uint64_t most) {
    while (hd_explorer_next(s->explorer, &s->model)) {
        run(s);
        assert_true(s->n < most);
    }
}

static uint64_t run_straight(const card_program *p, const hd_explorer_options *o,
                             uint64_t *n_classes) {
    static search s;
    begin(&s, p, o);
    finish(&s, 1000);
    assert_true(hd_explorer_is_complete(s.explorer));
    *n_classes = counters(&s)->paths;
    uint64_t n = s.n;
    end(&s);
    return n;
}

/* What is left, of a search that was saved: as many executions as if it had gone on. */
static void resume(search *s, const card_program *p, const hd_explorer_options *o,
                   const hd_text *journal, uint64_t n_left) {
    bool knows_rounds = s->program.knows_rounds;
    hd_err err = {0};
    begin(s, p, o); /* where it was: actions know their objects */
    s->program.knows_rounds = knows_rounds;
    assert_true(hd_explorer_restore(s->explorer, journal->at, journal->n, &err));
    if (hd_explorer_next(s->explorer, &s->model)) {
        run(s);
        s->n -= s->n > 0; /* the path that it had */
        finish(s, 1000);
    }
    assert_int_equal(s->n, n_left);
    assert_false(hd_explorer_is_complete(s->explorer));
    end(s);
}

/* Execution `when` is of another program. */
static void stray(const card_program *p, const hd_explorer_options *o, uint64_t when, int way,
                  uint64_t n_classes) {
    static search s;
    hd_text journal = {0};
    begin(&s, p, o);
    for (uint64_t i = 0; i < when && hd_explorer_next(s.explorer, &s.model); i++)
        run(&s);
    if (!hd_explorer_next(s.explorer, &s.model)) {
        assert_true(hd_explorer_is_complete(s.explorer));
        end(&s);
        return;
    }
    change(&s.program, way);
    run(&s);
    uint64_t n_strayed = counters(&s)->mispredicted, n_races = counters(&s)->races, n = s.n;
    assert_true(n_strayed <= 1);
    bool knows_rounds = s.program.knows_rounds;
    memcpy(&s.program, p, offsetof(card_program, memory));
    s.program.knows_rounds = knows_rounds;
    hd_explorer_save(s.explorer, &journal);
    finish(&s, 1000);
    assert_true(counters(&s)->races >= n_races);
    if (n_strayed) { /* else the rest of that execution was new */
        assert_int_equal(counters(&s)->mispredicted, 1);
        assert_false(hd_explorer_is_complete(s.explorer));
        assert_true(counters(&s)->paths <= n_classes + (o->reduction != HD_REDUCTION_OPTIMAL));
    }
    n = s.n - n;
    end(&s);
    if (n_strayed)
        resume(&s, p, o, &journal, n);
    hd_text_release(&journal);
}

/* Builds with costly assertions end where a thread that sleeps does not stand where it did: there,
 * reductions in which nobody sleeps. */
static bool is_tried(hd_reduction r) {
#if defined HD_DEBUG || defined HD_HOSTILE_BUILD
    return r == HD_REDUCTION_NONE || r == HD_REDUCTION_FLIP;
#else
    return r != HD_REDUCTION_MESSAGE;
#endif
}

static void any_execution_may_stray(void **state) {
    (void)state;
    for (hd_reduction r = 0; r < HD_N_REDUCTIONS; r++)
        for (int i = 0; i < N_PROGRAMS && is_tried(r); i++) {
            hd_explorer_options o = with(r);
            uint64_t n_classes, n = run_straight(&programs[i], &o, &n_classes);
            for (uint64_t when = 1; when < n && when < 8; when++)
                for (int way = 0; way < N_WAYS; way++)
                    if (card_at(&programs[i], way)->kind != HD_DO_NONE)
                        stray(&programs[i], &o, when, way, n_classes);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_execution_may_stray)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
