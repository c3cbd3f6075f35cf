/* Parts of the machine: nothing that one execution leaves matters to the next one (P3 of
 * core/parts.h).
 *
 * Between executions all memory of one execution is filled with a pattern.  What a part forgets to
 * begin is different then: in what is there when an execution begins, or in what comes of it.
 * What executions in forked children leave is compared with those in this process.
 * P4, the same of checkpoints, is looked at by the hostile build wherever one is restored. */
#include "tool/machine_program.h"

#include "base/hash.h"
#include "machine/core/parts.h"

#define N_RUNS 6

static const uint8_t patterns[] = {0xff, 0x5a, 0x01};
#define N_PATTERNS (sizeof patterns / sizeof *patterns)

#define HEAD                                                                                       \
    "#define _GNU_SOURCE\n#include <heddle.h>\n#include <pthread.h>\n#include <signal.h>\n"        \
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/mman.h>\n"        \
    "#include <sys/wait.h>\n#include <unistd.h>\n"

/* Each uses some of the parts, and leaves something there. */
static const char *const subjects[] = {
    /* inputs, big ones and pointers; labels; calls with structs and variable arguments */
    HEAD "struct pair { long a, b[4]; }; struct big { char bytes[1000]; };\n"
         "static long sum(struct pair p) { return p.a + p.b[3]; }\n"
         "int main(void) { int x; struct pair p, *q; struct big *b; char line[20];\n"
         "heddle_input(x); heddle_input(p); heddle_input(q); heddle_input(b);\n"
         "if (x > 5) heddle_reach(\"high\"); if (q && q->a == 3) x++; if (b && b->bytes[7]) x++;\n"
         "snprintf(line, sizeof line, \"%d\", x & 7); char *kept = malloc(x & 15);\n"
         "heddle_assert(sum(p) != 77); free(kept); return line[0]; }\n",
    /* failures that others go on after, checks, handlers for the end */
    HEAD "static int *volatile lost; static void bye(void) { lost = 0; }\n"
         "static void *wrong(void *p) { int *volatile n = 0; return p ? (void *)(long)*n : p; }\n"
         "int main(void) { pthread_t a, b; int x; heddle_input(x); atexit(bye); lost = malloc(8);\n"
         "pthread_create(&a, 0, wrong, &a); pthread_create(&b, 0, wrong, 0);\n"
         "pthread_join(b, 0); return x + 2147483647 > 0; }\n",
    /* all kinds of synchronisation, keys, memory of threads */
    HEAD
    "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int x, ready;\n"
    "static pthread_cond_t c = PTHREAD_COND_INITIALIZER; static pthread_barrier_t bar;\n"
    "static pthread_key_t key; static _Thread_local int own; static volatile int flag;\n"
    "static void *work(void *n) { pthread_setspecific(key, malloc(4)); own += (int)(long)n;\n"
    "pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); x += own;\n"
    "pthread_mutex_unlock(&m); pthread_barrier_wait(&bar); while (!flag) {} return n; }\n"
    "int main(void) { pthread_t t[2]; pthread_key_create(&key, free);\n"
    "pthread_barrier_init(&bar, 0, 2);\n"
    "for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)(i + 1));\n"
    "pthread_mutex_lock(&m); ready = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);\n"
    "flag = 1; for (int i = 0; i < 2; i++) pthread_join(t[i], 0); return x; }\n",
    /* atomic sections */
    HEAD "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); static int x, y;\n"
         "static void *add(void *p) { __VERIFIER_atomic_begin(); x++; y += x;\n"
         "__VERIFIER_atomic_end(); return p; }\n"
         "int main(void) { pthread_t a, b; pthread_create(&a, 0, add, 0);\n"
         "pthread_create(&b, 0, add, 0); pthread_join(a, 0); pthread_join(b, 0); return y; }\n",
    /* processes: pipes, memory that they share, streams, time */
    HEAD "int main(void) { int p[2], *s = mmap(0, 4096, PROT_READ | PROT_WRITE,\n"
         "MAP_SHARED | MAP_ANONYMOUS, -1, 0); char c = 0; pipe(p); setvbuf(stdout, 0, _IONBF, 0);\n"
         "pid_t child = fork(); if (child == 0) { usleep(10); (*s)++; write(p[1], \"a\", 1);\n"
         "printf(\"child\\n\"); _exit(3); } (*s)++; read(p[0], &c, 1); int status;\n"
         "waitpid(child, &status, 0); return c + *s + WEXITSTATUS(status); }\n",
    /* handlers of signals */
    HEAD "static volatile sig_atomic_t got; static void on(int n) { got += n; }\n"
         "int main(void) { struct sigaction a = {.sa_handler = on}; sigaction(SIGUSR1, &a, 0);\n"
         "pid_t me = getpid(), child = fork(); if (child == 0) { kill(me, SIGUSR1); _exit(0); }\n"
         "int before = got; waitpid(child, 0, 0); return before != 0; }\n",
    /* actors */
    HEAD
    "static void echo(void *a) { int n; (void)a; heddle_receive(&n, sizeof n); n++;\n"
    "heddle_send(heddle_sender(), &n, sizeof n); }\n"
    "int main(void) { heddle_actor a = heddle_spawn(echo, 0, 0), b = heddle_spawn(echo, 0, 0);\n"
    "int n = 1, sum = 0; heddle_send(a, &n, sizeof n); n = 5; heddle_send(b, &n, sizeof n);\n"
    "for (int i = 0; i < 2; i++) { heddle_receive(&n, sizeof n); sum = 3 * sum + n; }\n"
    "return sum; }\n",
};
#define N_SUBJECTS (sizeof subjects / sizeof *subjects)

/* ---- executions ---- */

static uint32_t go_anywhere(void *context, hd_threads *threads) {
    program *p = context;
    hd_thread_set enabled = hd_threads_enabled(threads);
    if (hd_set_is_empty(enabled))
        return HD_SCHEDULE_STUCK;
    uint64_t nth = hd_random_next(p->schedules) % hd_set_count(enabled);
    uint32_t t = hd_set_first(enabled);
    for (; nth; nth--)
        t = hd_set_first(enabled = hd_set_without(enabled, t));
    hd_threads_settle(threads, t);
    return t;
}

/* What is compared of an execution. */
typedef struct result {
    hd_end end;
    int status;
    hd_finding_kind kind;
    uint32_t line, n_inputs, n_failures;
    uint64_t trace_hash, n_events, steps;
    size_t n_decisions;
} result;

static result result_of(const program *p) {
    uint32_t n_failures;
    hd_machine_failures(p->machine, &n_failures);
    result r;
    memset(&r, 0, sizeof r);
    r.end = p->outcome.end, r.status = p->outcome.status;
    r.kind = p->outcome.finding.kind, r.line = p->outcome.finding.line;
    r.n_inputs = p->outcome.n_inputs, r.n_failures = n_failures;
    r.trace_hash = p->outcome.trace_hash, r.n_events = p->outcome.n_events;
    r.steps = p->outcome.steps, r.n_decisions = p->n_events;
    return r;
}

/* The inputs of the last execution are those of this one, if there are any. */
static result run_with(program *p, uint64_t seed) {
    hd_sink sink = {.context = p, .branch = keep_event, .schedule = go_anywhere};
    uint64_t random = seed;
    p->schedules = &random;
    do {
        random = seed;
        p->n_events = 0;
        hd_machine_run(p->machine, &p->model, &sink, &p->outcome);
    } while (p->outcome.end == HD_END_RETRY); /* it has learned something */
    return result_of(p);
}

static void check_repeats(const char *text) {
    result first[N_RUNS];
    program *p = open_program(text, NULL);
    for (int round = 0; round < 2; round++) /* what is learned is learned in the first */
        for (uint64_t i = 0; i < N_RUNS; i++)
            first[i] = run_with(p, i + 1);
    for (size_t k = 0; k < N_PATTERNS; k++)
        for (uint64_t i = 0; i < N_RUNS; i++) {
            hd_parts_scribble(p->machine, patterns[k]);
            result again = run_with(p, i + 1);
            if (memcmp(&again, &first[i], sizeof again) != 0)
                fail_msg("with %#x left there: end %d, status %d, %s, hash %lx; else %d, %d, %s, "
                         "%lx\n%s",
                         patterns[k], again.end, again.status, hd_finding_kind_name(again.kind),
                         again.trace_hash, first[i].end, first[i].status,
                         hd_finding_kind_name(first[i].kind), first[i].trace_hash, text);
        }
    close_program(p);
}

static void test_executions_repeat(void **state) {
    (void)state;
    for (size_t i = 0; i < N_SUBJECTS; i++)
        check_repeats(subjects[i]);
}

/* ---- beginnings ---- */

static void begin_after(program *p, uint8_t pattern) {
    static const hd_sink sink = {.branch = keep_event, .schedule = go_anywhere};
    hd_machine *m = p->machine;
    m->call.model = &p->model;
    m->call.sink = &sink;
    m->call.outcome = &p->outcome;
    hd_parts_scribble(m, pattern);
    hd_parts_begin(m);
}

static void check_beginnings(const char *text) {
    hd_snapshot state = {0};
    program *p = open_program(text, NULL);
    for (uint64_t i = 0; i < N_RUNS; i++)
        run_with(p, i + 1);
    begin_after(p, patterns[0]);
    hd_parts_copy(p->machine, &state);
    for (size_t k = 1; k < N_PATTERNS; k++) {
        begin_after(p, patterns[k]);
        const char *different = hd_parts_compare(p->machine, &state);
        if (different)
            fail_msg("'%s' does not begin all it has\n%s", different, text);
    }
    hd_vec_release(&state);
    close_program(p);
}

static void test_beginnings_are_the_same(void **state) {
    (void)state;
    for (size_t i = 0; i < N_SUBJECTS; i++)
        check_beginnings(subjects[i]);
}

/* ---- forked children ---- */

/* What a machine knows after some executions: names, facts, what is not exact, labels. */
static char *knowledge_of(const program *p) {
    hd_text out = {0};
    uint32_t n;
    hd_machine_print_facts(p->machine, &out);
    const hd_approximation *a = hd_machine_approximations(p->machine, &n);
    for (uint32_t i = 0; i < n; i++)
        hd_text_add(&out, "\n%s at %u, %lu times", a[i].what, a[i].site, (unsigned long)a[i].count);
    const hd_label *l = hd_machine_labels(p->machine, &n);
    for (uint32_t i = 0; i < n; i++)
        hd_text_add(&out, "\n%s, %lu times", l[i].name, (unsigned long)l[i].count);
    char *text = hd_text_format("%s", hd_text_string(&out));
    hd_text_release(&out);
    return text;
}

static char *run_isolated(const char *text, hd_isolation isolation, result *results) {
    hd_machine_options options = hd_machine_defaults();
    options.isolation = isolation;
    program *p = open_program(text, &options);
    for (uint64_t i = 0; i < N_RUNS; i++)
        results[i] = run_with(p, i + 1);
    char *knowledge = knowledge_of(p);
    close_program(p);
    return knowledge;
}

/* Whatever a part forgets to leave or to take, the parent does not know. */
static void test_children_leave_all(void **state) {
    (void)state;
    result here[N_RUNS], there[N_RUNS];
    for (size_t i = 0; i < N_SUBJECTS; i++) {
        char *known_here = run_isolated(subjects[i], HD_ISOLATION_RESET, here);
        char *known_there = run_isolated(subjects[i], HD_ISOLATION_FORK, there);
        assert_string_equal(known_here, known_there);
        if (memcmp(here, there, sizeof here) != 0)
            fail_msg("an execution in a process of its own is another one\n%s", subjects[i]);
        free(known_here);
        free(known_there);
    }
}

/* ---- the comparison itself ---- */

static void test_differences_are_seen(void **state) {
    (void)state;
    hd_snapshot copy = {0};
    program *p = open_program(subjects[2], NULL);
    run_with(p, 1);
    hd_machine *m = p->machine;
    hd_parts_copy(m, &copy);
    assert_null(hd_parts_compare(m, &copy));
    m->system.now++;
    assert_string_equal(hd_parts_compare(m, &copy), "system");
    m->system.now--;
    hd_map_put(&m->failing.noted, 1, 1);
    assert_string_equal(hd_parts_compare(m, &copy), "failing");
    hd_map_clear(&m->failing.noted);
    hd_vec_push(&m->execution.reached, 1);
    assert_string_equal(hd_parts_compare(m, &copy), "execution");
    hd_vec_clear(&m->execution.reached);
    m->thread[0].n_keys++;
    assert_string_equal(hd_parts_compare(m, &copy), "threads");
    m->thread[0].n_keys--;
    assert_null(hd_parts_compare(m, &copy));
    hd_vec_release(&copy);
    close_program(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_executions_repeat),
        cmocka_unit_test(test_beginnings_are_the_same),
        cmocka_unit_test(test_children_leave_all),
        cmocka_unit_test(test_differences_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
