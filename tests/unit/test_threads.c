/* Threads under given schedules: who runs when, what they are called, and how they end. */
#include "tool/machine_program.h"

#define MAX_EVENTS 256

/* Follows `plan`, one digit for each event; then the first thread that can go on goes on. */
typedef struct given {
    const char *plan;
    hd_action events[MAX_EVENTS];
    hd_thread_set enabled[MAX_EVENTS];
    size_t n;
    uint32_t stop_at; /* answer STOP instead of event number */
} given;

static uint32_t follow(void *context, hd_threads *threads) {
    given *g = ((program *)context)->schedules;
    hd_thread_set enabled = hd_threads_enabled(threads);
    if (hd_set_is_empty(enabled))
        return HD_SCHEDULE_STUCK;
    if (g->stop_at && g->n == g->stop_at)
        return HD_SCHEDULE_STOP;
    assert_true(g->n < MAX_EVENTS);
    uint32_t next = hd_set_first(enabled);
    if (*g->plan)
        next = (uint32_t)(*g->plan++ - '0');
    if (!hd_set_has(enabled, next))
        fail_msg("thread %u cannot go on at event %zu", next, g->n);
    hd_threads_settle(threads, next);
    g->enabled[g->n] = enabled;
    g->events[g->n++] = threads->action[next];
    return next;
}

static void run_given(program *p, given *g, const char *plan) {
    hd_sink sink = {.context = p, .branch = keep_event, .schedule = follow};
    *g = (given){.plan = plan, .stop_at = g->stop_at};
    p->schedules = g;
    p->n_events = 0;
    hd_machine_run(p->machine, &p->model, &sink, &p->outcome);
}

/* The threads of the events, as digits. */
static char *threads_of(const given *g) {
    static char digits[MAX_EVENTS + 1];
    for (size_t i = 0; i < g->n; i++)
        digits[i] = (char)('0' + g->events[i].thread);
    digits[g->n] = '\0';
    return digits;
}

#define HEAD "#include <heddle.h>\n#include <pthread.h>\n#include <stdlib.h>\n#include <errno.h>\n"

/* ---- turns ---- */

static const char two_writers[] =
    HEAD "int x;\n"
         "static void *add(void *n) { int old = x; x = old + (int)(long)n; return n; }\n"
         "int main(void) { pthread_t a, b; void *r;\n"
         "pthread_create(&a, 0, add, (void *)1); pthread_create(&b, 0, add, (void *)2);\n"
         "pthread_join(a, &r); heddle_assert(r == (void *)1);\n"
         "pthread_join(b, &r); heddle_assert(r == (void *)2);\n"
         "return x; }\n";

/* Creation, reads and writes are events; a new thread stands before its first one at once. */
static void test_turns(void **state) {
    (void)state;
    static const struct {
        const char *plan;
        int status;
    } cases[] = {
        {"00112200", 3}, {"00121200", 2}, {"00122100", 1}, {"00221100", 3}, {"01100220", 3}};
    program *p = open_program(two_writers, NULL);
    given g = {0};
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            run_given(p, &g, cases[i].plan);
            assert_int_equal(p->outcome.end, HD_END_EXIT);
            assert_int_equal(p->outcome.status, cases[i].status);
            assert_string_equal(threads_of(&g), cases[i].plan);
            assert_int_equal(p->outcome.n_events, 8);
        }
    run_given(p, &g, "00112200");
    static const hd_action_kind kinds[] = {HD_DO_CREATE, HD_DO_CREATE, HD_DO_READ, HD_DO_WRITE,
                                           HD_DO_READ,   HD_DO_WRITE,  HD_DO_JOIN, HD_DO_JOIN};
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(g.events[i].kind, kinds[i]);
    assert_true(hd_set_equal(g.enabled[2], hd_set_with(hd_set_of(1), 2))); /* main waits for 1 */
    assert_int_equal(g.events[2].access[0].size, 4);
    assert_int_equal(g.events[2].access[0].address, g.events[5].access[0].address);
    char what[64];
    hd_machine_describe(p->machine, g.events[2].access[0].address, what, sizeof what);
    assert_string_equal(what, "x");
    close_program(p);
}

static void test_trace_hash_is_of_the_schedule(void **state) {
    (void)state;
    program *p = open_program(two_writers, NULL);
    given g = {0};
    run_given(p, &g, "00112200");
    uint64_t first = p->outcome.trace_hash;
    run_given(p, &g, "00221100"); /* the same result, another order */
    assert_true(p->outcome.trace_hash != first);
    run_given(p, &g, "00112200");
    assert_true(p->outcome.trace_hash == first);
    close_program(p);
}

static void test_sink_can_stop(void **state) {
    (void)state;
    program *p = open_program(two_writers, NULL);
    given g = {.stop_at = 4};
    run_given(p, &g, "");
    assert_int_equal(p->outcome.end, HD_END_STOPPED);
    assert_int_equal(p->outcome.n_events, 4);
    g.stop_at = 0;
    run_given(p, &g, "00121200");
    assert_int_equal(p->outcome.status, 2);
    close_program(p);
}

/* ---- names ---- */

static const char family[] =
    HEAD "int turn;\n"
         "static void *leaf(void *n) { turn = 1; free(malloc(10 + (long)n)); return n; }\n"
         "static void *parent(void *n) { pthread_t t; turn = 2;\n"
         "pthread_create(&t, 0, leaf, n); pthread_join(t, 0); return n; }\n"
         "int main(void) { pthread_t a, b;\n"
         "pthread_create(&a, 0, parent, (void *)1); pthread_create(&b, 0, parent, (void *)2);\n"
         "pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";

/* The child of thread 1 and that of thread 2 keep their indices, whoever comes first. */
static void test_names(void **state) {
    (void)state;
    program *p = open_program(family, NULL);
    given g = {0};
    hd_text names = {0};
    uint64_t block[2][2] = {{0}};
    for (int round = 0; round < 2; round++) {
        run_given(p, &g, round ? "002211" : "001122");
        assert_int_equal(p->outcome.end, HD_END_EXIT);
        for (size_t i = 0; i < g.n; i++)
            if (g.events[i].kind == HD_DO_FREE)
                block[round][g.events[i].thread - 3] = g.events[i].access[0].address;
    }
    for (int k = 0; k < 2; k++) {
        assert_true(block[0][k] != 0);
        assert_true(block[0][k] == block[1][k]); /* each has a heap of its own */
    }
    hd_machine_print_names(p->machine, &names);
    assert_string_equal(hd_text_string(&names), "0:0 0:1 1:0 2:0");
    assert_true(hd_machine_take_names(p->machine, hd_text_string(&names)));
    assert_false(hd_machine_take_names(p->machine, "0:1"));
    assert_false(hd_machine_take_names(p->machine, "7:0"));
    assert_false(hd_machine_take_names(p->machine, "nonsense"));
    hd_text_clear(&names);
    /* What atomic sections touch goes from one machine to the next. */
    assert_true(hd_machine_take_names(p->machine, "b17:1 s1f:12,4010+4w,4020+8r s20:13"));
    hd_machine_print_facts(p->machine, &names);
    assert_string_equal(hd_text_string(&names),
                        "0:0 0:1 1:0 2:0 b17:1 s1f:12,4010+4w,4020+8r s20:13");
    assert_false(hd_machine_take_names(p->machine, "s1f"));
    assert_false(hd_machine_take_names(p->machine, "s1f:12,4010"));
    assert_false(hd_machine_take_names(p->machine, "s1f:12,4010+4x"));
    assert_false(hd_machine_take_names(p->machine, "s1f:12,4010+0r"));
    assert_false(hd_machine_take_names(p->machine, "s1f:12,1+1r,2+1r,3+1r,4+1r,5+1r"));
    hd_text_release(&names);
    close_program(p);
}

static void test_names_from_elsewhere(void **state) {
    (void)state;
    program *p = open_program(family, NULL);
    given g = {0};
    assert_true(hd_machine_take_names(p->machine, "0:0 0:1 2:0 1:0"));
    run_given(p, &g, "0011");
    assert_int_equal(g.events[3].kind, HD_DO_CREATE);
    assert_int_equal(g.events[3].detail, 4); /* the child of thread 1 */
    close_program(p);
}

static void test_too_many_threads(void **state) {
    (void)state;
    hd_machine_options options = hd_machine_defaults();
    options.max_threads = 5;
    program *p = open_program(HEAD "static void *f(void *p) { return p; }\n"
                                   "int main(void) { pthread_t t; for (;;)\n"
                                   "if (pthread_create(&t, 0, f, 0)) return 1; }\n",
                              &options);
    given g = {0};
    run_given(p, &g, "");
    uint32_t n;
    assert_int_equal(p->outcome.end, HD_END_REJECTED); /* a limit of Heddle is no finding, ... */
    const hd_approximation *a = hd_machine_approximations(p->machine, &n);
    assert_int_equal(n, 1); /* ... but is said */
    assert_non_null(strstr(a->what, "an execution is followed for at most 5 threads"));
    assert_int_equal(g.n, 4);
    close_program(p);
}

/* ---- failures (E5) ---- */

static const char failing[] =
    HEAD "int x, y;\n"
         "static void *fail(void *p) { heddle_assert(x == 1); return p; }\n"
         "static void *work(void *p) { y = 1; y = 2; return p; }\n"
         "static void never(void) { abort(); }\n"
         "int main(void) { pthread_t a, b; atexit(never);\n"
         "pthread_create(&a, 0, fail, 0); pthread_create(&b, 0, work, 0);\n"
         "pthread_join(b, 0); pthread_join(a, 0); heddle_assert(0); return 0; }\n";

/* One thread fails; the others go on as far as they can, and nothing they do counts. */
static void test_failure_lets_others_go_on(void **state) {
    (void)state;
    program *p = open_program(failing, NULL);
    given g = {0};
    run_given(p, &g, "001220");
    assert_int_equal(p->outcome.finding.kind, HD_FINDING_ASSERTION);
    assert_string_equal(p->outcome.finding.function, "fail");
    assert_int_equal(p->outcome.failed_thread, 2);
    assert_int_equal(p->outcome.failed_event, 3);
    assert_string_equal(threads_of(&g), "001220"); /* main then waits for thread 1 for ever */
    assert_int_equal(p->outcome.n_events, 6);
    close_program(p);
}

static void test_finding_beats_rejection(void **state) {
    (void)state;
    program *p =
        open_program(HEAD "int x;\n"
                          "static void *reject(void *p) { x = 1; heddle_assume(0); return p; }\n"
                          "static void *fail(void *p) { x = 2; heddle_assert(0); return p; }\n"
                          "int main(void) { pthread_t a, b; pthread_create(&a, 0, reject, 0);\n"
                          "pthread_create(&b, 0, fail, 0); pthread_join(a, 0); return 0; }\n",
                     NULL);
    given g = {0};
    run_given(p, &g, "0012");
    assert_int_equal(p->outcome.end, HD_END_FINDING);
    assert_string_equal(p->outcome.finding.function, "fail");
    run_given(p, &g, "0021");
    assert_int_equal(p->outcome.end, HD_END_FINDING);
    close_program(p);
}

static void test_faults_end_one_thread(void **state) {
    (void)state;
    program *p = open_program(HEAD "int *volatile wild; int y;\n"
                                   "static void *f(void *p) { y = 1; return p; }\n"
                                   "static void *g(void *p) { *wild = 1; return p; }\n"
                                   "int main(void) { pthread_t a, b; pthread_create(&a, 0, g, 0);\n"
                                   "pthread_create(&b, 0, f, 0); pthread_join(b, 0);\n"
                                   "pthread_join(a, 0); return 0; }\n",
                              NULL);
    given g = {0};
    run_given(p, &g, "00120");
    assert_int_equal(p->outcome.finding.kind, HD_FINDING_NULL_POINTER);
    assert_int_equal(p->outcome.failed_thread, 2);
    assert_string_equal(threads_of(&g), "00120");
    close_program(p);
}

/* ---- ends ---- */

static const char main_returns[] =
    HEAD "int x;\nstatic void *work(void *p) { x = 1; x = 2; return p; }\n"
         "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); return 7; }\n";

/* The end of the program waits until nobody else can go on. */
static void test_exit_comes_last(void **state) {
    (void)state;
    program *p = open_program(main_returns, NULL);
    given g = {0};
    run_given(p, &g, "");
    assert_string_equal(threads_of(&g), "0110");
    assert_int_equal(g.events[3].kind, HD_DO_EXIT);
    assert_true(hd_set_equal(g.enabled[1], hd_set_of(1)));
    assert_int_equal(p->outcome.status, 7);
    close_program(p);
}

static void test_thread_leaks(void **state) {
    (void)state;
    hd_machine_options options = hd_machine_defaults();
    options.check_thread_leaks = true;
    program *p = open_program(main_returns, &options);
    given g = {0};
    run_given(p, &g, "");
    assert_int_equal(p->outcome.finding.kind, HD_FINDING_THREAD_LEAK);
    close_program(p);
}

static void test_main_can_exit_first(void **state) {
    (void)state;
    program *p = open_program(HEAD "int x;\nstatic void done(void) { heddle_reach(\"done\"); }\n"
                                   "static void *work(void *p) { x = 1; return p; }\n"
                                   "int main(void) { pthread_t t; atexit(done);\n"
                                   "pthread_create(&t, 0, work, 0); pthread_exit(0); }\n",
                              NULL);
    given g = {0};
    run_given(p, &g, "");
    assert_int_equal(p->outcome.end, HD_END_EXIT);
    assert_int_equal(p->outcome.status, 0);
    uint32_t n;
    hd_machine_labels(p->machine, &n);
    assert_int_equal(n, 1);
    close_program(p);
}

static void test_wrong_uses(void **state) {
    (void)state;
    static const struct {
        const char *body;
        hd_finding_kind kind;
    } cases[] = {
        {"pthread_join(t, 0); pthread_join(t, 0);", HD_FINDING_BAD_THREAD},
        {"pthread_detach(t); pthread_join(t, 0);", HD_FINDING_BAD_THREAD},
        {"pthread_join(t, 0); pthread_detach(t);", HD_FINDING_BAD_THREAD},
        {"pthread_join(pthread_self(), 0);", HD_FINDING_BAD_THREAD},
        {"pthread_join(t + 12, 0);", HD_FINDING_BAD_THREAD},
        {"pthread_join(t, 0);", HD_FINDING_NONE},
        {"pthread_detach(t);", HD_FINDING_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = hd_text_format(HEAD "static void *f(void *p) { return p; }\n"
                                         "int main(void) { pthread_t t;\n"
                                         "pthread_create(&t, 0, f, 0); %s return 0; }\n",
                                    cases[i].body);
        program *p = open_program(text, NULL);
        given g = {0};
        run_given(p, &g, "");
        if (p->outcome.finding.kind != cases[i].kind)
            fail_msg("'%s': %s", cases[i].body, hd_finding_kind_name(p->outcome.finding.kind));
        close_program(p);
        free(text);
    }
}

static void test_join_cycle_is_a_deadlock(void **state) {
    (void)state;
    program *p = open_program(HEAD "pthread_t first;\n"
                                   "static void *f(void *p) { pthread_join(first, 0); return p; }\n"
                                   "int main(void) { pthread_t t; first = pthread_self();\n"
                                   "pthread_create(&t, 0, f, 0); pthread_join(t, 0);\n"
                                   "return 0; }\n",
                              NULL);
    given g = {0};
    run_given(p, &g, "");
    assert_int_equal(p->outcome.finding.kind, HD_FINDING_DEADLOCK);
    assert_non_null(strstr(p->outcome.finding.message, "waits for thread 1 to end"));
    assert_non_null(strstr(p->outcome.finding.message, "waits for thread 0 to end"));
    assert_int_equal(p->outcome.failed_thread, 0);
    close_program(p);
}

/* ---- what a thread has of its own ---- */

static void test_own_things(void **state) {
    (void)state;
    program *p = open_program(
        HEAD
        "static pthread_key_t key; int x;\n"
        "static void drop(void *p) { heddle_assert(p == (void *)2); heddle_reach(\"drop\"); }\n"
        "static void *f(void *p) { errno = 5; pthread_setspecific(key, p); x = 1;\n"
        "heddle_assert(errno == 5); heddle_assert(pthread_getspecific(key) == p);\n"
        "return p; }\n"
        "int main(void) { pthread_t t; pthread_key_create(&key, drop); errno = 3;\n"
        "pthread_setspecific(key, (void *)1);\n"
        "pthread_create(&t, 0, f, (void *)2); x = 2; heddle_assert(errno == 3);\n"
        "heddle_assert(pthread_getspecific(key) == (void *)1);\n"
        "pthread_join(t, 0); return 0; }\n",
        NULL);
    given g = {0};
    static const char *const plans[] = {"001", "010"};
    for (size_t i = 0; i < 2; i++) {
        run_given(p, &g, plans[i]);
        assert_int_equal(p->outcome.finding.kind, HD_FINDING_NONE);
    }
    uint32_t n;
    assert_int_equal(hd_machine_labels(p->machine, &n)[0].count, 2);
    close_program(p);
}

/* Inputs are numbered by thread, so that they mean the same in every order. */
static void test_inputs(void **state) {
    (void)state;
    program *p = open_program(HEAD "int x;\n"
                                   "static void *f(void *p) { int one; x = 1; heddle_input(one);\n"
                                   "return (void *)(long)one; }\n"
                                   "static void *g(void *p) { int two; x = 2; heddle_input(two);\n"
                                   "return (void *)(long)two; }\n"
                                   "int main(void) { pthread_t a, b; void *r, *s;\n"
                                   "pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);\n"
                                   "pthread_join(a, &r); pthread_join(b, &s);\n"
                                   "return r == (void *)5 && s == (void *)6; }\n",
                              NULL);
    given g = {0};
    run_given(p, &g, "0012");
    hd_model_set(&p->model, find_variable(p, "one"), 5);
    hd_model_set(&p->model, find_variable(p, "two"), 6);
    run_given(p, &g, "0012");
    assert_int_equal(p->outcome.status, 1);
    assert_true(p->n_events > 0); /* results of threads keep their expressions */
    run_given(p, &g, "0021");
    assert_int_equal(p->outcome.status, 1);
    assert_int_equal(hd_variables_n(p->variables), 2);
    close_program(p);
}

/* A cancelled thread runs its handlers, innermost first. */
static void test_cancellation(void **state) {
    (void)state;
    program *p =
        open_program(HEAD "int n;\nstatic void clean(void *p) { n = 10 * n + (int)(long)p; }\n"
                          "static void *f(void *p) { pthread_cleanup_push(clean, (void *)1);\n"
                          "pthread_cleanup_push(clean, (void *)2); pthread_testcancel();\n"
                          "pthread_cleanup_pop(0); pthread_cleanup_pop(0); return p; }\n"
                          "int main(void) { pthread_t t; void *r; pthread_create(&t, 0, f, 0);\n"
                          "pthread_cancel(t); pthread_join(t, &r);\n"
                          "heddle_assert((r == PTHREAD_CANCELED) == (n != 0)); return n; }\n",
                     NULL);
    given g = {0};
    run_given(p, &g, "001");
    assert_int_equal(p->outcome.status, 21);
    run_given(p, &g, "0111"); /* two writes to its own buffers, then it asks */
    assert_int_equal(p->outcome.status, 0);
    close_program(p);
}

/* ---- watching ---- */

static void test_watch(void **state) {
    (void)state;
    program *p = open_program(two_writers, NULL);
    given g = {0};
    hd_watch watches[2] = {{.event = 3}, {.event = UINT64_MAX}};
    hd_machine_watch(p->machine, watches, 2);
    run_given(p, &g, "00112200");
    hd_machine_watch(p->machine, NULL, 0);
    assert_string_equal(watches[0].at.function, "add");
    assert_int_equal(watches[0].at.line, 6);
    assert_true(watches[0].at.n_stack >= 1);
    assert_string_equal(watches[0].locks, "");
    assert_int_equal(watches[1].at.n_stack, 0);
    close_program(p);
}

/* ---- a process for each execution ---- */

static void test_children_agree(void **state) {
    (void)state;
    static const char *const texts[] = {two_writers, family, failing};
    static const char *const plans[] = {"00121200", "002211", "001220"};
    for (size_t i = 0; i < 3; i++) {
        given here = {0}, there = {0};
        program *p = open_program(texts[i], NULL);
        run_given(p, &here, plans[i]);
        hd_outcome outcome = p->outcome;
        hd_machine_isolate(p->machine, true);
        run_given(p, &there, plans[i]);
        assert_int_equal(p->outcome.end, outcome.end);
        assert_int_equal(p->outcome.status, outcome.status);
        assert_true(p->outcome.trace_hash == outcome.trace_hash);
        assert_int_equal(there.n, here.n);
        for (size_t k = 0; k < here.n; k++) {
            size_t in_use = offsetof(hd_action, access) +
                            here.events[k].n_accesses * sizeof *here.events[k].access;
            assert_memory_equal(&there.events[k], &here.events[k], in_use);
            assert_true(hd_set_equal(there.enabled[k], here.enabled[k]));
        }
        close_program(p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_trace_hash_is_of_the_schedule),
        cmocka_unit_test(test_sink_can_stop),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_names_from_elsewhere),
        cmocka_unit_test(test_too_many_threads),
        cmocka_unit_test(test_failure_lets_others_go_on),
        cmocka_unit_test(test_finding_beats_rejection),
        cmocka_unit_test(test_faults_end_one_thread),
        cmocka_unit_test(test_exit_comes_last),
        cmocka_unit_test(test_thread_leaks),
        cmocka_unit_test(test_main_can_exit_first),
        cmocka_unit_test(test_wrong_uses),
        cmocka_unit_test(test_join_cycle_is_a_deadlock),
        cmocka_unit_test(test_own_things),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_cancellation),
        cmocka_unit_test(test_watch),
        cmocka_unit_test(test_children_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
