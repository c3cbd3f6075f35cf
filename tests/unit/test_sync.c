/* Synchronisation objects: what programs with them do under every order of their threads.
 *
 * Small programs are run under all schedules, by brute force; what is expected is the set of
 * findings and exit statuses that come up. */
#include "tool/every_schedule.h"

/* ---- programs ---- */

static const char head[] =
    "#define _GNU_SOURCE\n#include <errno.h>\n#include <fcntl.h>\n#include <pthread.h>\n"
    "#include <semaphore.h>\n#include <stdlib.h>\n#include <string.h>\n#include <threads.h>\n"
    "#include <time.h>\n"
    "static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n"
    "static pthread_mutex_t r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;\n"
    "static pthread_mutex_t e = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;\n"
    "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
    "static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;\n"
    "static pthread_once_t once = PTHREAD_ONCE_INIT;\n"
    "static pthread_spinlock_t s; static sem_t sem; static pthread_barrier_t bar;\n"
    "static volatile int x, y; static struct timespec soon = {1700000001, 0};\n"
    "#define L(m) pthread_mutex_lock(&m)\n#define U(m) pthread_mutex_unlock(&m)\n"
    "static void count(void) { x++; }\n";

typedef struct expectation {
    const char *thread; /* body of the other thread; NULL: there is none */
    const char *body;   /* of main, between creating and joining it */
    uint64_t findings, statuses;
} expectation;

static const expectation expectations[] = {
    /* mutexes, alone */
    {NULL, "L(a); U(a); return L(a) || U(a);", 0, S(0)},
    {NULL, "L(a); L(a);", F(DEADLOCK), 0},
    {NULL, "L(r); L(r); U(r); U(r); return U(r) == EPERM;", 0, S(1)},
    {NULL, "L(e); return (L(e) == EDEADLK) + 2 * U(e) + 4 * (U(e) == EPERM);", 0, S(5)},
    {NULL, "U(a);", F(BAD_UNLOCK), 0},
    {NULL, "L(a); return pthread_mutex_trylock(&a) == EBUSY;", 0, S(1)},
    {NULL, "L(a); return pthread_mutex_timedlock(&a, &soon) == ETIMEDOUT;", 0, S(1)},
    {NULL, "pthread_mutex_destroy(&a); L(a);", F(BAD_LOCK), 0},
    {NULL, "pthread_mutex_destroy(&a); pthread_mutex_init(&a, 0); return L(a);", 0, S(0)},
    {NULL, "pthread_mutex_t *p = malloc(sizeof *p); pthread_mutex_lock(p);", F(BAD_LOCK), 0},
    {NULL, "L(a); pthread_mutex_destroy(&a);", F(DESTROYED_LOCKED), 0},
    {NULL, "L(a); pthread_mutex_init(&a, 0);", F(BAD_LOCK), 0},
    {NULL, "pthread_mutex_t *volatile p = 0; pthread_mutex_lock(p);", F(NULL_ARGUMENT), 0},
    {NULL,
     "pthread_mutexattr_t k; int t; pthread_mutexattr_init(&k);"
     "pthread_mutexattr_settype(&k, PTHREAD_MUTEX_RECURSIVE); pthread_mutexattr_gettype(&k, &t);"
     "pthread_mutex_t m; pthread_mutex_init(&m, &k); L(m); L(m); U(m); U(m);"
     "return (t == PTHREAD_MUTEX_RECURSIVE) + 2 * (U(m) == EPERM)"
     "+ 4 * (pthread_mutexattr_settype(&k, 7) == EINVAL);",
     0, S(7)},
    /* mutexes and threads */
    {"L(a); x++; U(a);", "L(a); x++; U(a); pthread_join(t, 0); return x;", 0, S(2)},
    {"L(a); L(b); U(b); U(a);", "L(b); L(a); U(a); U(b);", F(DEADLOCK), S(0)},
    {"L(a);", "U(a);", F(BAD_UNLOCK), 0},
    {"L(e);", "return U(e) == EPERM;", 0, S(1)},
    {"L(a);", "pthread_join(t, 0); L(a);", F(DEADLOCK), 0},
    {"L(a); U(a);", "return pthread_mutex_trylock(&a) ? 1 : U(a);", 0, S(0) | S(1)},
    {"L(a); U(a);", "return pthread_mutex_timedlock(&a, &soon) == ETIMEDOUT ? 1 : U(a);", 0,
     S(0) | S(1)},
    {"L(a); U(a);", "pthread_mutex_destroy(&a);", F(DESTROYED_LOCKED) | F(BAD_LOCK), S(0)},
    /* a robust mutex */
    {"pthread_mutexattr_t k; pthread_mutexattr_init(&k); pthread_mutexattr_setrobust(&k, 1);"
     "pthread_mutex_init(&a, &k); L(a);",
     "pthread_join(t, 0); int first = L(a); pthread_mutex_consistent(&a); U(a);"
     "return (first == EOWNERDEAD) + 2 * (L(a) == 0);",
     0, S(3)},
    {"pthread_mutexattr_t k; pthread_mutexattr_init(&k); pthread_mutexattr_setrobust(&k, 1);"
     "pthread_mutex_init(&a, &k); L(a);",
     "pthread_join(t, 0); L(a); U(a); return L(a) == ENOTRECOVERABLE;", 0, S(1)},
    /* conditions */
    {NULL, "pthread_cond_wait(&c, &a);", F(BAD_LOCK), 0},
    {NULL, "L(a); pthread_cond_wait(&c, &a);", F(DEADLOCK), 0},
    {NULL, "L(r); L(r); pthread_cond_wait(&c, &r);", F(BAD_LOCK), 0},
    {NULL, "L(a); return pthread_cond_timedwait(&c, &a, &soon) == ETIMEDOUT ? U(a) : 1;", 0, S(0)},
    {NULL, "L(a); soon.tv_nsec = -1; return pthread_cond_timedwait(&c, &a, &soon) == EINVAL;", 0,
     S(1)},
    {"L(a); pthread_cond_signal(&c); U(a);", "L(a); pthread_cond_wait(&c, &a); U(a);",
     F(LOST_WAKEUP), S(0)},
    {"L(a); x = 1; pthread_cond_signal(&c); U(a);",
     "L(a); while (!x) pthread_cond_wait(&c, &a); U(a); return x;", 0, S(1)},
    {"L(a); x = 1; pthread_cond_broadcast(&c); U(a);",
     "L(a); int late = 0; while (!x && !late) late = pthread_cond_timedwait(&c, &a, &soon);"
     "U(a); return x + 2 * (late == ETIMEDOUT);",
     0, S(1) | S(2) | S(3)},
    {"L(a); pthread_cond_wait(&c, &a); U(a);", "L(b); pthread_cond_wait(&c, &b);", F(BAD_LOCK), 0},
    {"L(a); pthread_cond_wait(&c, &a); U(a);", "pthread_cond_destroy(&c);",
     F(DESTROYED_LOCKED) | F(BAD_LOCK), 0},
    {"L(a); x = 1; pthread_cond_wait(&c, &a); U(a);",
     "L(a); if (x) pthread_cancel(t); int did = x; U(a);"
     "if (!did) _Exit(9); void *v; pthread_join(t, &v); return (v == PTHREAD_CANCELED) + 2 * L(a);",
     F(DEADLOCK), S(9)},
    /* rwlocks */
    {NULL,
     "pthread_rwlock_rdlock(&w); pthread_rwlock_rdlock(&w); pthread_rwlock_unlock(&w);"
     "int busy = pthread_rwlock_trywrlock(&w); pthread_rwlock_unlock(&w);"
     "return (busy == EBUSY) + 2 * pthread_rwlock_trywrlock(&w);",
     0, S(1)},
    {NULL, "pthread_rwlock_wrlock(&w); return pthread_rwlock_rdlock(&w) == EDEADLK;", 0, S(1)},
    {NULL, "pthread_rwlock_rdlock(&w); pthread_rwlock_wrlock(&w);", F(DEADLOCK), 0},
    {NULL, "pthread_rwlock_unlock(&w);", F(BAD_UNLOCK), 0},
    {NULL, "pthread_rwlock_rdlock(&w); pthread_rwlock_destroy(&w);", F(DESTROYED_LOCKED), 0},
    {"pthread_rwlock_rdlock(&w); pthread_rwlock_unlock(&w);",
     "pthread_rwlock_rdlock(&w); int got = pthread_rwlock_tryrdlock(&w); return got;", 0, S(0)},
    {"pthread_rwlock_wrlock(&w); x++; pthread_rwlock_unlock(&w);",
     "return pthread_rwlock_tryrdlock(&w) == EBUSY;", F(DEADLOCK), S(0) | S(1)},
    {"pthread_rwlock_rdlock(&w); pthread_rwlock_unlock(&w);",
     "return pthread_rwlock_timedwrlock(&w, &soon) == ETIMEDOUT ? 1 : pthread_rwlock_unlock(&w);",
     0, S(0) | S(1)},
    /* spinlocks */
    {"pthread_spin_lock(&s); x++; pthread_spin_unlock(&s);",
     "pthread_spin_lock(&s); x++; pthread_spin_unlock(&s); pthread_join(t, 0); return x;", 0, S(2)},
    {NULL, "pthread_spin_unlock(&s);", F(BAD_UNLOCK), 0},
    {NULL, "pthread_spin_lock(&s); return pthread_spin_trylock(&s) == EBUSY;", 0, S(1)},
    {NULL, "pthread_spin_destroy(&s); pthread_spin_lock(&s);", F(BAD_LOCK), 0},
    /* semaphores */
    {NULL,
     "sem_init(&sem, 0, 1); int v; sem_wait(&sem); sem_getvalue(&sem, &v);"
     "return 2 * v + (sem_trywait(&sem) == -1 && errno == EAGAIN);",
     0, S(1)},
    {NULL, "sem_wait(&sem);", F(DEADLOCK), 0},
    {NULL, "return sem_timedwait(&sem, &soon) == -1 && errno == ETIMEDOUT;", 0, S(1)},
    {NULL, "sem_destroy(&sem); sem_post(&sem);", F(BAD_LOCK), 0},
    {"x = 1; sem_post(&sem);", "sem_wait(&sem); return x;", 0, S(1)},
    {"sem_post(&sem);", "return sem_trywait(&sem) ? 1 : 0;", 0, S(0) | S(1)},
    {NULL,
     "sem_t *p = sem_open(\"/n\", O_CREAT, 0600, 2), *q = sem_open(\"/n\", 0); int v;"
     "sem_wait(p); sem_getvalue(q, &v); sem_unlink(\"/n\");"
     "return v + 2 * (p == q) + 4 * (sem_open(\"/n\", 0) == SEM_FAILED && errno == ENOENT);",
     0, S(7)},
    /* barriers */
    {"int l = pthread_barrier_wait(&bar); x += l == PTHREAD_BARRIER_SERIAL_THREAD;",
     "int l = pthread_barrier_wait(&bar); pthread_join(t, 0);"
     "return x + 2 * (l == PTHREAD_BARRIER_SERIAL_THREAD);",
     0, S(1) | S(2)},
    {"", "pthread_barrier_wait(&bar);", F(DEADLOCK), 0},
    {"pthread_barrier_wait(&bar);", "pthread_join(t, 0); pthread_barrier_destroy(&bar);",
     F(DEADLOCK), 0},
    /* once */
    {"pthread_once(&once, count);", "pthread_once(&once, count); return x;", 0, S(1)},
    /* the order of C11 */
    {NULL,
     "mtx_t m; mtx_init(&m, mtx_plain); mtx_lock(&m);"
     "return (mtx_trylock(&m) == thrd_busy) + 2 * (mtx_unlock(&m) == thrd_success)"
     "+ 4 * (mtx_init(&m, 99) == thrd_success);",
     0, S(7)},
};

static char *text_of(const expectation *e) {
    const char *join = strstr(e->body, "pthread_join") ? "" : "pthread_join(t, 0);\n";
    const char *ret = strstr(e->body, "return");
    if (!e->thread)
        return hd_text_format("%sint main(void) {\n%s\nreturn 0; }\n", head, e->body);
    /* What main returns is kept until the thread is joined. */
    return hd_text_format("%sstatic void *run(void *p) { %s\nreturn p; }\n"
                          "static int body(pthread_t t) { (void)t; %s\n%s }\n"
                          "int main(void) { pthread_t t; pthread_barrier_init(&bar, 0, 2);\n"
                          "pthread_create(&t, 0, run, 0); int status = body(t);\n%s"
                          "return status; }\n",
                          head, e->thread, e->body, ret ? "" : "return 0;", join);
}

static void check_expectation(const expectation *e) {
    hd_machine_options options = hd_machine_defaults();
    options.check_leaks = false;
    char *text = text_of(e);
    program *p = open_program(text, &options);
    seen s = run_every(p);
    if (s.findings != e->findings || s.statuses != e->statuses)
        fail_msg("'%s' beside '%s': findings %#lx, statuses %#lx in %u runs (%s)", e->body,
                 e->thread ? e->thread : "", s.findings, s.statuses, s.n_runs, s.message);
    seen again = run_every(p); /* the reset forgets everything */
    assert_true(again.n_runs == s.n_runs && again.findings == s.findings);
    close_program(p);
    free(text);
}

static void test_expectations(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++)
        check_expectation(&expectations[i]);
}

/* ---- programs of their own ---- */

static program *open_text(const char *body, const hd_machine_options *changed) {
    hd_machine_options options = changed ? *changed : hd_machine_defaults();
    options.check_leaks = false;
    char *text = hd_text_format("%s%s", head, body);
    program *p = open_program(text, &options);
    free(text);
    return p;
}

static seen run_text(const char *body, const hd_machine_options *changed) {
    program *p = open_text(body, changed);
    seen s = run_every(p);
    close_program(p);
    return s;
}

static void test_messages(void **state) {
    (void)state;
    seen s = run_text("int main(void) {\nL(a);\nL(a); }\n", NULL);
    assert_non_null(strstr(s.message, "waits for mutex 'a', which it holds itself since "
                                      "program.c:22"));
    s = run_text("static pthread_mutex_t forks[3];\n"
                 "static void *run(void *p) {\nL(forks[2]);\nL(forks[1]); return p; }\n"
                 "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0);\n"
                 "L(forks[1]);\nL(forks[2]); }\n",
                 NULL);
    assert_non_null(strstr(s.message, "waits for mutex 'forks[2]' held by thread 1 since "
                                      "program.c:23"));
    s = run_text("int main(void) { void *p = malloc(sizeof a); pthread_mutex_init(p, 0);\n"
                 "pthread_mutex_lock(p); pthread_mutex_destroy(p); }\n",
                 NULL);
    assert_non_null(strstr(s.message, "is destroyed while thread 0 holds it since program.c:22"));
}

/* A woken thread is a choice: with two waiters a signal may wake either. */
static void test_woken_thread(void **state) {
    (void)state;
    program *p = open_text("static void *run(void *p) { L(a); y++; pthread_cond_wait(&c, &a);\n"
                           "exit(1 + (int)(long)p); }\n"
                           "int main(void) { pthread_t t, u; pthread_create(&t, 0, run, 0);\n"
                           "pthread_create(&u, 0, run, (void *)1); L(a);\n"
                           "if (y == 2) pthread_cond_signal(&c); else exit(0);\n"
                           "U(a); pthread_join(t, 0); }\n",
                           NULL);
    uint64_t statuses = 0;
    for (uint64_t choice = 0; choice < 2; choice++) {
        hd_model_clear(&p->model);
        for (hd_var v = 0; v < hd_variables_n(p->variables); v++)
            hd_model_set(&p->model, v, choice);
        statuses |= run_every(p).statuses;
        assert_int_equal(hd_variables_n(p->variables), 1);
    }
    assert_int_equal(statuses, S(0) | S(1) | S(2));
    close_program(p);
}

/* A loop around a timed wait ends, and the bound is said. */
static void test_timeouts(void **state) {
    (void)state;
    hd_machine_options options = hd_machine_defaults();
    options.max_timeouts = 2;
    program *p = open_text("static void *run(void *p) { L(a); x = 1; U(a); return p; }\n"
                           "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); L(a);\n"
                           "while (!x) { y++; pthread_cond_timedwait(&c, &a, &soon); }\n"
                           "U(a); pthread_join(t, 0); return y; }\n",
                           &options);
    seen s = run_every(p);
    uint32_t n;
    const hd_approximation *said = hd_machine_approximations(p->machine, &n);
    assert_int_equal(s.findings, 0);
    assert_int_equal(s.statuses, S(0) | S(1) | S(2) | S(3));
    assert_int_equal(n, 1);
    assert_int_equal(said[0].kind, HD_LOSS_LEFT_OUT);
    close_program(p);
}

static void test_spurious(void **state) {
    (void)state;
    static const char text[] =
        "static void *run(void *p) { L(a); x = 1; pthread_cond_signal(&c); U(a); return p; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0);\n"
        "L(a); if (!x) pthread_cond_wait(&c, &a); U(a); pthread_join(t, 0); return 1 - x; }\n";
    static const char kept[] =
        "static void *run(void *p) { L(a); x = 1; pthread_cond_signal(&c); U(a); return p; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); int seen;\n"
        "L(a); if (!x) pthread_cond_wait(&c, &a); seen = x; U(a); pthread_join(t, 0);\n"
        "return !seen; }\n";
    hd_machine_options options = hd_machine_defaults();
    assert_int_equal(run_text(kept, &options).statuses, S(0));
    options.spurious = true;
    assert_int_equal(run_text(text, &options).statuses, S(0));
    assert_int_equal(run_text(kept, &options).statuses, S(0) | S(1));
}

static void test_c11(void **state) {
    (void)state;
    seen s = run_text("static mtx_t m; static cnd_t k; static once_flag f = ONCE_FLAG_INIT;\n"
                      "static tss_t key;\n"
                      "static int run(void *p) { call_once(&f, count); tss_set(key, p);\n"
                      "mtx_lock(&m); y = 1; cnd_signal(&k); mtx_unlock(&m);\n"
                      "if (tss_get(key) != p) thrd_exit(40); return 20; }\n"
                      "int main(void) { thrd_t t; int result; mtx_init(&m, mtx_plain);\n"
                      "cnd_init(&k); tss_create(&key, 0); thrd_create(&t, run, &t);\n"
                      "call_once(&f, count); mtx_lock(&m); while (!y) cnd_wait(&k, &m);\n"
                      "mtx_unlock(&m); thrd_join(t, &result); mtx_destroy(&m);\n"
                      "cnd_destroy(&k); return result + x; }\n",
                      NULL);
    assert_string_equal(s.message, "");
    assert_int_equal(s.statuses, S(21));
}

static void test_free_of_a_held_lock(void **state) {
    (void)state;
    seen s = run_text("static pthread_mutex_t *p;\n"
                      "static void *run(void *q) { pthread_mutex_lock(p);\n"
                      "pthread_mutex_unlock(p); return q; }\n"
                      "int main(void) { pthread_t t; p = malloc(sizeof *p);\n"
                      "pthread_mutex_init(p, 0); pthread_create(&t, 0, run, 0);\n"
                      "free(p); pthread_join(t, 0); }\n",
                      NULL);
    assert_int_equal(s.findings, F(DESTROYED_LOCKED) | F(USE_AFTER_FREE));
    assert_int_equal(s.statuses, S(0));
}

/* ---- orders of locks ---- */

static char *cycles_of(const char *thread, const char *body) {
    char *text = hd_text_format("static pthread_mutex_t g;\n"
                                "static void *run(void *p) {\n%s return p; }\n"
                                "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0);\n%s\n"
                                "pthread_join(t, 0); }\n",
                                thread, body);
    program *p = open_text(text, NULL);
    hd_sink sink = {.context = p, .branch = keep_event};
    hd_text out = {0};
    hd_machine_run(p->machine, &p->model, &sink, &p->outcome); /* no deadlock in this one */
    assert_int_equal(p->outcome.end, HD_END_EXIT);
    hd_machine_lock_cycles(p->machine, &out);
    char *lines = hd_text_format("%s", hd_text_string(&out));
    hd_text_release(&out);
    close_program(p);
    free(text);
    return lines;
}

static void test_lock_order(void **state) {
    (void)state;
    char *lines = cycles_of("L(a);\nL(b); U(b); U(a);", "L(b);\nL(a); U(a); U(b);");
    assert_non_null(strstr(lines,
                           "thread 1 takes mutex 'b' at program.c:24 while it holds mutex 'a'"
                           " since program.c:23"));
    assert_non_null(strstr(lines, "thread 0 takes mutex 'a' at program.c:27"));
    assert_ptr_equal(strchr(lines, '\n'), lines + strlen(lines) - 1);
    free(lines);
    lines = cycles_of("L(g); L(a); L(b); U(b); U(a); U(g);", "L(g); L(b); L(a); U(a); U(b); U(g);");
    assert_string_equal(lines, ""); /* a gate */
    free(lines);
    lines = cycles_of("L(a); L(b); U(b); U(a);", "L(a); L(b); U(b); U(a);");
    assert_string_equal(lines, "");
    free(lines);
    lines =
        cycles_of("L(a); if (!pthread_mutex_trylock(&b)) U(b); U(a);", "L(b); L(a); U(a); U(b);");
    assert_string_equal(lines, ""); /* an attempt does not wait */
    free(lines);
}

/* ---- dependence ---- */

/* The last action of this kind by this thread in a run where main goes first as long as it can. */
static hd_action action_of(const char *thread, const char *body, hd_action_kind kind, uint32_t by) {
    char *text = hd_text_format("static void *run(void *p) { %s return p; }\n"
                                "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0);\n%s\n"
                                "pthread_join(t, 0); }\n",
                                thread, body);
    program *p = open_text(text, NULL);
    every *e = calloc(1, sizeof *e);
    hd_sink sink = {.context = p, .branch = keep_event, .schedule = schedule};
    hd_action found = {0};
    p->schedules = e;
    hd_machine_run(p->machine, &p->model, &sink, &p->outcome);
    for (size_t i = 0; i < e->n; i++)
        if (e->action[i].kind == kind && e->action[i].thread == by)
            found = e->action[i];
    assert_int_equal(found.kind, kind);
    free(e);
    close_program(p);
    free(text);
    return found;
}

static void test_accesses(void **state) {
    (void)state;
    hd_action a = action_of("pthread_mutex_trylock(&a);", "L(a);", HD_DO_TRY_LOCK, 1);
    assert_int_equal(a.access[0].mode, HD_MODE_READ);
    assert_int_equal(a.flags & (HD_ACTION_FAILED | HD_ACTION_ACQUIRES), HD_ACTION_FAILED);
    assert_false(hd_actions_conflict(&a, &a));
    a = action_of("pthread_mutex_trylock(&a);", "", HD_DO_TRY_LOCK, 1);
    assert_int_equal(a.access[0].mode, HD_MODE_WRITE);
    assert_int_equal(a.flags & (HD_ACTION_FAILED | HD_ACTION_ACQUIRES), HD_ACTION_ACQUIRES);
    a = action_of("pthread_cond_signal(&c);", "", HD_DO_SIGNAL, 1);
    assert_int_equal(a.access[0].mode, HD_MODE_READ);
    a = action_of("pthread_cond_signal(&c);", "L(a); pthread_cond_wait(&c, &a);", HD_DO_SIGNAL, 1);
    assert_int_equal(a.access[0].mode, HD_MODE_WRITE);
    a = action_of("pthread_cond_signal(&c);", "L(a); pthread_cond_wait(&c, &a);", HD_DO_WAKE, 0);
    assert_int_equal(a.detail, 2); /* thread 1, by its first event */
    assert_int_equal(a.nth, 1);
    a = action_of("pthread_rwlock_trywrlock(&w);", "pthread_rwlock_rdlock(&w);", HD_DO_TRY_LOCK, 1);
    assert_int_equal(a.access[0].mode, HD_MODE_WRITE); /* it would not commute with a reader */
    assert_true(a.flags & HD_ACTION_FAILED);
    a = action_of("sem_post(&sem);", "sem_init(&sem, 0, 3);", HD_DO_SEMAPHORE_POST, 1);
    assert_int_equal(a.state, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expectations),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_woken_thread),
        cmocka_unit_test(test_timeouts),
        cmocka_unit_test(test_spurious),
        cmocka_unit_test(test_c11),
        cmocka_unit_test(test_free_of_a_held_lock),
        cmocka_unit_test(test_lock_order),
        cmocka_unit_test(test_accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
