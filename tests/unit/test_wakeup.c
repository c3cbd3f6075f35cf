/* Wakeup trees: where a sequence is put, what covers it, for which inputs, and how a tree is used
 * up (wakeup.h W1 to W4). */
#include "explore/orders/wakeup.h"

#include "base/text.h"
#include "explore/orders/weave.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A tree, and what its demands need. */
typedef struct bench {
    hd_graph *graph;
    hd_variables *variables;
    hd_chain *chain;
    hd_explorer *x;
    hd_wakeups w;
    uint32_t root, run;
    hd_model model;
    hd_asleep asleep; /* nobody: all of each sequence is planned */
} bench;

static void begin(bench *b) {
    memset(b, 0, sizeof *b);
    b->graph = hd_graph_new(false);
    b->variables = hd_variables_new();
    hd_chain_options all = hd_chain_defaults();
    b->chain = hd_chain_new(b->graph, b->variables, &all);
    hd_variables_root(b->variables, 0, HD_VAR_INTEGER, 8, 0, "z");
    hd_explorer_options o = {.is_threaded = true, .reduction = HD_REDUCTION_OPTIMAL};
    b->x = hd_explorer_new(b->graph, b->variables, b->chain, &o);
    b->run = UINT32_MAX;
    memset(&b->w, 0xff, sizeof b->w); /* whatever was there */
    hd_wakeups_init(&b->w);
}

static void end(bench *b) {
    hd_wakeups_release(&b->w);
    hd_vec_release(&b->asleep);
    hd_explorer_free(b->x);
    hd_chain_free(b->chain);
    hd_model_release(&b->model);
    hd_variables_free(b->variables);
    hd_graph_free(b->graph);
}

/* Is the input less than n? */
static hd_expr less(bench *b, unsigned n) {
    return hd_expr_binary(b->graph, HD_OP_ULT, hd_expr_var(b->graph, 0, 8),
                          hd_expr_const(b->graph, 8, n));
}
static hd_expr not_less(bench *b, unsigned n) {
    return hd_expr_not(b->graph, less(b, n));
}

/* "1wx": thread 1 writes x; "2rx": thread 2 reads it; "3a4": thread 3 arrives at a barrier, whose
 * generation is of 4; "1+x" and "1-x": its exchange succeeds or fails. */
static hd_action action_of(const char *text) {
    bool arrives = text[1] == 'a', exchanges = text[1] == '+' || text[1] == '-';
    bool only_reads = text[1] == 'r' || text[1] == '-';
    hd_action a = {.kind = (uint8_t)(arrives      ? HD_DO_ARRIVE
                                     : exchanges  ? HD_DO_COMPARE
                                     : only_reads ? HD_DO_READ
                                                  : HD_DO_WRITE),
                   .thread = (uint32_t)(text[0] - '0'),
                   .flags = text[1] == '-' ? HD_ACTION_FAILED : 0,
                   .n_accesses = 1,
                   .expected = arrives ? (uint64_t)(text[2] - '0') : 0};
    a.access[0] = (hd_access){.address = 8 * (uint64_t)(arrives ? 'B' : text[2]),
                              .size = 8,
                              .mode = (uint8_t)(arrives      ? HD_MODE_ARRIVE
                                                : only_reads ? HD_MODE_READ
                                                             : HD_MODE_WRITE)};
    return a;
}

enum { MOST = 8 };
typedef struct sequence {
    hd_action actions[MOST];
    hd_wakeup_step steps[MOST];
    hd_sequence s;
} sequence;

/* "1wx 2rx": taken from a tree, ordered by conflicts; nothing sleeps on its way. */
static void read_sequence(sequence *q, const char *text) {
    memset(q, 0, sizeof *q);
    q->s = (hd_sequence){.at = q->steps, .is_plain = true};
    for (; *text; text += text[3] ? 4 : 3) {
        q->actions[q->s.n] = action_of(text);
        q->steps[q->s.n] = (hd_wakeup_step){.action = &q->actions[q->s.n], .event = q->s.n};
        q->s.n++;
    }
    q->steps[q->s.n - 1].event = UINT32_MAX;
}

static void insert(bench *b, sequence *q) {
    hd_demand d = {.x = b->x, .first = &b->model, .run = &b->run};
    hd_wakeups_insert(&b->w, &b->root, &q->s, &d, b->asleep.n ? &b->asleep : NULL);
    hd_demand_release(&d);
}
static void insert_text(bench *b, const char *text) {
    sequence q;
    read_sequence(&q, text);
    insert(b, &q);
}

/* "1(2 3) 2": in the order in which they are run. */
static void print_tree(const bench *b, uint32_t at, hd_text *out) {
    for (; at; at = b->w.at.at[at].next) {
        hd_text_add(out, "%u", hd_wakeup_action(&b->w, at)->thread);
        if (b->w.at.at[at].child) {
            hd_text_add(out, "(");
            print_tree(b, b->w.at.at[at].child, out);
            hd_text_add(out, ")");
        }
        hd_text_add(out, b->w.at.at[at].next ? " " : "");
    }
}
static void assert_tree(const bench *b, const char *expected) {
    hd_text out = {0};
    print_tree(b, b->root, &out);
    assert_string_equal(hd_text_string(&out), expected);
    hd_text_release(&out);
}

/* ---- nodes ---- */

static void nodes_are_lists(void **state) {
    (void)state;
    bench b;
    begin(&b);
    assert_int_equal(hd_wakeups_width(&b.w, b.root), 0);
    uint32_t node[3];
    for (int i = 0; i < 3; i++) {
        node[i] = hd_wakeups_append(&b.w, &b.root, i ? node[i - 1] : HD_NO_WAKEUP);
        assert_true(node[i] != HD_NO_WAKEUP);
        assert_int_equal(hd_wakeups_width(&b.w, b.root), i + 1);
        hd_wakeup_node *n = &b.w.at.at[node[i]];
        assert_true(!n->outcome && !n->scope && !n->child && !n->next && !n->is_plain);
        assert_int_equal(n->run, UINT32_MAX);
        hd_wakeup_do(&b.w, node[i], &(hd_action){.thread = (uint32_t)i});
        n->is_plain = true;
        n->outcome = n->scope = 7;
        n->run = 5;
    }
    assert_tree(&b, "0 1 2");           /* W2 */
    b.w.at.at[node[0]].child = node[1]; /* whatever it was when it was freed */
    assert_int_equal(hd_wakeups_take(&b.w, &b.root), node[0]);
    assert_int_equal(hd_wakeups_take(&b.w, &b.root), node[1]);
    assert_tree(&b, "2");
    hd_wakeups_free(&b.w, node[0]);
    hd_wakeups_free(&b.w, node[1]);
    assert_true(!b.w.at.at[node[0]].outcome && !b.w.at.at[node[0]].scope);
    size_t n_before = b.w.at.n;
    for (uint32_t i = 0, again = node[2]; i < 2; i++) {
        again = hd_wakeups_append(&b.w, &b.root, again);
        assert_true(again == node[0] || again == node[1]); /* used again, as new */
        hd_wakeup_node *n = &b.w.at.at[again];
        assert_true(!n->outcome && !n->scope && !n->child && !n->next && !n->is_plain);
        assert_int_equal(n->run, UINT32_MAX);
    }
    assert_int_equal(b.w.at.n, n_before);
    assert_int_equal(hd_wakeups_width(&b.w, b.root), 3);
    end(&b);
}

/* ---- what nodes do ---- */

static hd_action nth_action(uint32_t i) {
    return (hd_action){.kind = HD_DO_WRITE, .thread = i % 7, .site = i / 7, .n_accesses = 1};
}

/* A1, A2: of many actions, each is there once as long as somebody holds it. */
static void actions_are_shared(void **state) {
    (void)state;
    enum { MANY = 2000 };
    hd_shared_actions all;
    hd_shared_actions_init(&all);
    static uint32_t number[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        hd_action a = nth_action(i), other = a;
        other.access[0].size = 4;
        number[i] = hd_shared_actions_hold(&all, &a);
        uint32_t differs = hd_shared_actions_hold(&all, &other);
        assert_true(differs != number[i]);
        hd_shared_actions_let_go(&all, differs); /* may be swept */
        if (i % 2)
            hd_shared_actions_let_go(&all, number[i]);
    }
    for (uint32_t i = 0; i < MANY; i += 2) {
        hd_action a = nth_action(i);
        assert_int_equal(hd_shared_action_at(&all, number[i])->site, a.site);
        assert_int_equal(hd_shared_actions_hold(&all, &a), number[i]);
    }
    assert_true(all.at.n < 2 * MANY); /* places were used again */
    hd_shared_actions_release(&all);
}

/* ---- what may come first ---- */

static void what_may_begin(void **state) {
    (void)state;
    static const struct {
        const char *sequence, *action;
        bool may;
    } cases[] = {
        {"1wx 2wy", "1wx", true},      {"1wx 2wy", "2wy", true}, /* commutes with what is before it
                                                                  */
        {"1wx 2rx", "2rx", false},                               /* does not */
        {"1rx 2rx", "2rx", true},      {"1wx 1wy", "1wx", true},     {"1wx 2wy 1rz", "1wx", true},
        {"1wx 2wy", "3wz", true}, /* is not there and touches nothing of it */
        {"1wx 2wy", "3rx", false},     {"1rx 2wy", "3rx", true},     {"1wx 2wy", "3wy", false},
        {"1wx 2wx 3wx", "3wx", false}, {"1wx 2wy 3wz", "3wz", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sequence q;
        read_sequence(&q, cases[i].sequence);
        hd_action a = action_of(cases[i].action);
        if (hd_sequence_may_begin_with(&q.s, &a) != cases[i].may)
            fail_msg("%s with %s", cases[i].sequence, cases[i].action);
    }
    sequence q;
    read_sequence(&q, "1wx 2rx 1wy");
    assert_int_equal(hd_sequence_step_of(&q.s, 1), 0);
    assert_int_equal(hd_sequence_step_of(&q.s, 2), 1);
    assert_int_equal(hd_sequence_step_of(&q.s, 3), 3);
    hd_action read = action_of("2rx"), write = action_of("3wx");
    assert_false(hd_sequence_may_begin_with(&q.s, &read));
    hd_sequence_let_go(&q.s, 0); /* does not count any more */
    assert_true(hd_sequence_may_begin_with(&q.s, &read));
    assert_int_equal(hd_sequence_step_of(&q.s, 1), 2);
    assert_false(hd_sequence_may_begin_with(&q.s, &write));
    hd_sequence_let_go(&q.s, 1);
    assert_true(hd_sequence_may_begin_with(&q.s, &write));
}

/* Of a log: what happened before what counts, and for the last step what it conflicts with or
 * has seen anyway. */
static void logs_order_steps(void **state) {
    (void)state;
    static hd_threads threads;
    hd_events log;
    hd_events_init(&log);
    log.threads = &threads;
    static const char *const events[] = {"0wx", "1wx", "2wy", "1wz"};
    for (int i = 0; i < 4; i++) {
        hd_action a = action_of(events[i]);
        hd_events_append(&log, &a, 4);
    }
    hd_action last = action_of("3wz");
    hd_wakeup_step steps[] = {{.action = hd_event_action(&log, 0), .event = 0},
                              {.action = hd_event_action(&log, 1), .event = 1},
                              {.action = hd_event_action(&log, 2), .event = 2},
                              {.action = hd_event_action(&log, 3), .event = 3},
                              {.action = &last, .event = UINT32_MAX}};
    uint32_t clock[4] = {0, 0, 0, 0};
    hd_sequence s = {.at = steps, .n = 5, .log = &log, .last_clock = clock};
    assert_false(hd_sequence_may_begin_with(&s, &last)); /* 1wz */
    hd_sequence_let_go(&s, 3);
    assert_true(hd_sequence_may_begin_with(&s, &last));
    clock[2] = 1; /* it has seen 2wy, by a join say */
    assert_false(hd_sequence_may_begin_with(&s, &last));
    hd_sequence_let_go(&s, 2);
    assert_true(hd_sequence_may_begin_with(&s, &last));
    assert_false(hd_sequence_may_begin_with(&s, steps[1].action));
    s.last_clock = NULL;
    steps[1].n_gone = 0; /* step 2 is there again */
    assert_true(hd_sequence_may_begin_with(&s, &last));
    assert_true(hd_sequence_may_begin_with(&s, steps[2].action));
    hd_events_release(&log);
}

/* ---- insertion, without inputs ---- */

static void sequences_share_beginnings(void **state) {
    (void)state;
    static const struct {
        const char *sequences[4], *tree;
    } cases[] = {
        {{"1wx"}, "1"},
        {{"1wx 2rx"}, "1(2)"},
        {{"1wx", "1wx 2rx"}, "1"},    /* covered: from its end on the execution is free (W4) */
        {{"1wx 2rx", "1wx"}, "1(2)"}, /* used up */
        {{"1wx", "2wx"}, "1 2"},      /* W2 */
        {{"1wx 2wx", "2wx 1wx"}, "1(2) 2(1)"},
        {{"1wx 2wy", "2wy 1wx"}, "1(2)"}, /* the same, in another order */
        {{"1wx 2wx", "1wx 3wx"}, "1(2 3)"},
        {{"1wx 2wx", "1wx 3wx", "1wx 3wx 2wx"}, "1(2 3)"},
        {{"1wx 2wx 3wx", "1wx 3wx", "1wx 2wx 3rx"}, "1(2(3) 3)"},
        {{"1wx 2wx 3wx", "2wx 1wx", "2wx 3wx"}, "1(2(3)) 2(1 3)"},
        {{"1wx 2wx", "3wz"}, "1(2)"}, /* below what it does not touch, and covered there */
        {{"1wx", "3wz"}, "1"},
        {{"1wx 2wx", "3wz 2wx"}, "1(2) 3(2)"},
        {{"1wx 2wx", "3rx"}, "1(2) 3"},
        {{"1rx 2wx", "3rx"}, "1(2 3)"}, /* not below 2wx */
        {{"1rx 2wy", "3rx 2wy"}, "1(2)"},
        {{"1rx 2wy", "3wy 2wy"}, "1(2 3(2))"}, /* below the one, beside the other */
        {{"1rx 2wy 3wy", "3wy 2wy"}, "1(2(3) 3(2))"},
        {{"1wx 1wy", "1wx 1wy 1wz"}, "1(1)"},
        {{"1wx 2rx 3rx", "3rx 1wx"}, "1(2(3)) 3(1)"},
        {{"1+x", "1-x"}, "1 1"}, /* W1: two steps */
        {{"1+x 2wx", "1+x 3wx", "1-x 2wx"}, "1(2 3) 1(2)"},
        {{"1-x 2wx", "1-x 3wx"}, "1(2 3)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench b;
        begin(&b);
        for (int k = 0; k < 4 && cases[i].sequences[k]; k++)
            insert_text(&b, cases[i].sequences[k]);
        hd_text out = {0};
        print_tree(&b, b.root, &out);
        if (strcmp(hd_text_string(&out), cases[i].tree) != 0)
            fail_msg("case %zu: %s, expected %s", i, hd_text_string(&out), cases[i].tree);
        for (uint32_t n = 1; n < b.w.at.n; n++) { /* the program has no inputs */
            assert_int_equal(b.w.at.at[n].run, UINT32_MAX);
            assert_true(b.w.at.at[n].is_plain);
        }
        hd_text_release(&out);
        end(&b);
    }
}

/* E1, E2: so much is planned of a sequence as wakes all who sleep. */
static void so_much_as_is_needed_is_planned(void **state) {
    (void)state;
    static const struct {
        const char *asleep[3], *sequences[3], *tree;
    } cases[] = {
        {{"0wx"}, {"1wy 2wz 3wx"}, "3"},              /* the last alone wakes it */
        {{"0wx"}, {"1wy 2wz 3wy 3wx"}, "1(3(3))"},    /* and what comes before that */
        {{"0wx"}, {"1wx 2wz 3wx"}, "1(3)"},           /* the last is needed in any case */
        {{"0wx", "4wz"}, {"1wy 2wz 3wx"}, "2(3)"},    /* two sleep */
        {{"0wx", "2wz"}, {"1wz 2wz 3wx"}, "1(2(3))"}, /* one of them has a step of its own */
        {{"0wv"}, {"1wy 2wz 3wx"}, "1(2(3))"},        /* could come first: all of it */
        {{"0wx"}, {"1a3 2wz 3wx"}, "1(2(3))"},        /* arrivals are counted */
        {{"0wx"}, {"1wy 2wz 3wx", "1wy 2wz 3wx"}, "3"},
        {{"0wx"}, {"1wy 2wz 3wx", "1wy 3wx 2wz 4wx"}, "3"}, /* begins with what is planned */
        {{"0wx"}, {"1wy 2wz 3wx", "1wy 2wz 4wx"}, "3 4"},   /* wakes the one before it too */
        {{"0wx"}, {"1wy 2wy 3wx", "1wy 2wy 4wy 0wx"}, "3 1(2(4(0)))"},
        {{"0wx"}, {"1wz 3wz 3wx", "1wz 2wv 4wx"}, "1(3(3 4))"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench b;
        begin(&b);
        hd_action asleep[3];
        for (int k = 0; k < 3 && cases[i].asleep[k]; k++) {
            asleep[k] = action_of(cases[i].asleep[k]);
            hd_vec_push(&b.asleep, &asleep[k]);
        }
        for (int k = 0; k < 3 && cases[i].sequences[k]; k++)
            insert_text(&b, cases[i].sequences[k]);
        hd_text out = {0};
        print_tree(&b, b.root, &out);
        if (strcmp(hd_text_string(&out), cases[i].tree) != 0)
            fail_msg("case %zu: %s, expected %s", i, hd_text_string(&out), cases[i].tree);
        hd_text_release(&out);
        end(&b);
    }
}

/* Where threads may sleep for some inputs nothing is covered by what is shorter (W4). */
static void longer_sequences_stay(void **state) {
    (void)state;
    for (int which = 0; which < 3; which++) {
        bench b;
        sequence q;
        begin(&b);
        read_sequence(&q, "1wx");
        q.s.is_plain = which != 1;
        insert(&b, &q);
        read_sequence(&q, "1wx 2rx");
        q.s.is_plain = which != 2;
        insert(&b, &q);
        assert_tree(&b, which ? "1 1(2)" : "1");
        /* and behind what is not plain nothing is */
        read_sequence(&q, "3wx");
        insert(&b, &q);
        uint32_t at = b.root;
        while (b.w.at.at[at].next)
            at = b.w.at.at[at].next;
        assert_int_equal(hd_wakeup_action(&b.w, at)->thread, 3);
        assert_int_equal(b.w.at.at[at].is_plain, which == 0);
        end(&b);
    }
}

/* ---- barriers ---- */

/* Arrivals commute as long as there is room: with one more in front the last of the sequence would
 * be of another generation. */
static void barriers_have_room_for_so_many(void **state) {
    (void)state;
    static const struct {
        const char *sequence, *action;
        unsigned n_before; /* events of the log that arrived */
        bool may;
    } cases[] = {
        {"1a3", "2a3", 0, true},      {"1a3", "2a3", 1, true},     {"1a3", "2a3", 2, false},
        {"1a2 3wx", "2a2", 0, true},  {"1a3 3a3", "2a3", 0, true}, {"1a3 3a3", "2a3", 1, false},
        {"1a2 3a2", "2a2", 0, false}, {"1wx 3wx", "2a2", 1, true},
    };
    static hd_threads threads;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hd_events log;
        sequence q;
        hd_events_init(&log);
        log.threads = &threads;
        hd_action a = action_of(cases[i].action);
        for (unsigned k = 0; k < cases[i].n_before; k++) {
            hd_action b = a;
            b.thread = 4 + k;
            hd_events_append(&log, &b, 8);
        }
        hd_action other = a, behind = a; /* neither counts */
        other.thread = 6;
        other.access[0].address += 64;
        behind.thread = 7;
        hd_events_append(&log, &other, 8);
        hd_events_append(&log, &behind, 8);
        read_sequence(&q, cases[i].sequence);
        for (uint32_t k = 0; k < q.s.n; k++)
            q.steps[k].event = UINT32_MAX;
        q.s.log = &log;
        q.s.from = cases[i].n_before + 1;
        if (hd_sequence_may_begin_with(&q.s, &a) != cases[i].may)
            fail_msg("case %zu", i);
        if (cases[i].may && q.s.n == 1) { /* others in front take room too */
            q.s.n_foreign = 3 - 1 - cases[i].n_before;
            assert_false(hd_sequence_may_begin_with(&q.s, &a));
        }
        a.detail = 1; /* of another generation: a conflict */
        if (q.actions[0].kind == HD_DO_ARRIVE)
            assert_false(hd_sequence_may_begin_with(&q.s, &a));
        q.s.log = NULL; /* how many there were is not known */
        a.detail = 0;
        assert_int_equal(hd_sequence_may_begin_with(&q.s, &a), q.actions[0].kind != HD_DO_ARRIVE);
        hd_events_release(&log);
    }
}

/* ---- insertion, with inputs ---- */

/* The run of a node, and whether its input is less than n. */
static bool run_is_less(const bench *b, uint32_t node, unsigned n) {
    uint32_t run = b->w.at.at[node].run;
    assert_true(run != UINT32_MAX);
    return hd_model_get(hd_runs_model(&b->x->runs, run), 0) < n;
}

/* Behind an outcome there are only inputs that lead to it; the others come to a child of their
 * own (W3). */
static void outcomes_split_inputs(void **state) {
    (void)state;
    bench b;
    sequence q;
    begin(&b);
    hd_model_set(&b.model, 0, 1);
    read_sequence(&q, "1wx 2rx");
    q.steps[0].outcome = q.steps[0].scope = less(&b, 3);
    q.s.is_plain = false;
    insert(&b, &q);
    assert_tree(&b, "1(2)");
    assert_true(run_is_less(&b, b.root, 3));
    /* 3wz touches nothing of it: below 1 for inputs below 3, by itself for the others */
    read_sequence(&q, "3wz");
    q.s.is_plain = false;
    insert(&b, &q);
    assert_tree(&b, "1(2 3) 3");
    assert_true(run_is_less(&b, b.w.at.at[b.w.at.at[b.root].child].next, 3));
    assert_false(run_is_less(&b, b.w.at.at[b.root].next, 3));
    end(&b);
}

/* The same action with another outcome is another step (W1). */
static void outcomes_are_steps(void **state) {
    (void)state;
    bench b;
    sequence q;
    begin(&b);
    hd_model_set(&b.model, 0, 1);
    for (int k = 0; k < 3; k++) {
        read_sequence(&q, k == 2 ? "1wx 3rx" : "1wx 2rx");
        q.steps[0].outcome = q.steps[0].scope = k == 1 ? not_less(&b, 3) : less(&b, 3);
        q.s.is_plain = false;
        insert(&b, &q);
    }
    assert_tree(&b, "1(2 3) 1(2)");
    /* what the last step decides is open: it goes below both, each for its inputs */
    read_sequence(&q, "1wx");
    q.s.is_plain = false;
    insert(&b, &q);
    assert_tree(&b, "1(2 3) 1(2)");
    end(&b);
}

/* No inputs are left: nothing is inserted. */
static void demands_run_out(void **state) {
    (void)state;
    bench b;
    sequence q;
    begin(&b);
    hd_model_set(&b.model, 0, 1);
    for (int k = 0; k < 2; k++) {
        read_sequence(&q, "1wx 2rx");
        q.steps[0].outcome = q.steps[0].scope = k ? not_less(&b, 3) : less(&b, 3);
        q.s.is_plain = false;
        insert(&b, &q);
    }
    read_sequence(&q, "3wz");
    q.s.is_plain = false;
    insert(&b, &q);
    assert_tree(&b, "1(2 3) 1(2 3)"); /* and not beside them */
    read_sequence(&q, "3wz");
    q.s.is_plain = false;
    insert(&b, &q);
    assert_tree(&b, "1(2 3 3) 1(2 3 3)"); /* not plain: nobody knows whether it is covered (W4) */
    end(&b);
}

/* An assumption rejects some: those are in the outcome and not in the scope, and nobody needs
 * them. */
static void assumptions_need_no_other_way(void **state) {
    (void)state;
    bench b;
    sequence q;
    begin(&b);
    hd_model_set(&b.model, 0, 1);
    read_sequence(&q, "1wx 2rx");
    q.steps[0].outcome = less(&b, 3); /* the scope is everything */
    q.s.is_plain = false;
    insert(&b, &q);
    read_sequence(&q, "3wz");
    q.s.is_plain = false;
    hd_model_set(&b.model, 0, 200);
    b.run = UINT32_MAX;
    insert(&b, &q);
    assert_tree(&b, "1(2 3)");
    assert_true(run_is_less(&b, b.w.at.at[b.w.at.at[b.root].child].next, 3));
    end(&b);
}

/* ---- how a tree is used up ---- */

static void first_sequences_are_dropped(void **state) {
    (void)state;
    bench b;
    begin(&b);
    hd_model_set(&b.model, 0, 1);
    insert_text(&b, "1wx 2wx 3wx");
    insert_text(&b, "1wx 3wx");
    insert_text(&b, "2wx 1wx");
    assert_tree(&b, "1(2(3) 3) 2(1)");
    hd_runs *runs = &b.x->runs;
    assert_int_equal(runs->at.at[b.run].n_open, 3); /* one for each piece (U1) */
    hd_wakeups_drop_first(&b.w, &b.root, runs);
    assert_tree(&b, "1(3) 2(1)");
    assert_int_equal(runs->at.at[b.run].n_open, 3); /* the one of 1 is still there */
    hd_wakeups_drop_first(&b.w, &b.root, runs);
    assert_tree(&b, "2(1)");
    assert_int_equal(runs->at.at[b.run].n_open, 1);
    size_t n = b.w.at.n;
    insert_text(&b, "3wx 2wx 1wx"); /* in the place of those */
    assert_int_equal(b.w.at.n, n);
    assert_tree(&b, "2(1) 3(2(1))");
    hd_wakeups_drop_first(&b.w, &b.root, runs);
    hd_wakeups_drop_first(&b.w, &b.root, runs);
    assert_tree(&b, "");
    assert_int_equal(runs->unused.n, runs->at.n);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_lists),
        cmocka_unit_test(actions_are_shared),
        cmocka_unit_test(what_may_begin),
        cmocka_unit_test(logs_order_steps),
        cmocka_unit_test(sequences_share_beginnings),
        cmocka_unit_test(so_much_as_is_needed_is_planned),
        cmocka_unit_test(longer_sequences_stay),
        cmocka_unit_test(barriers_have_room_for_so_many),
        cmocka_unit_test(outcomes_split_inputs),
        cmocka_unit_test(outcomes_are_steps),
        cmocka_unit_test(demands_run_out),
        cmocka_unit_test(assumptions_need_no_other_way),
        cmocka_unit_test(first_sequences_are_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
