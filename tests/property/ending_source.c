/* Random programs about ends and queries (see ending_source.h). */
#include "ending_source.h"

#include "base/hash.h"

typedef struct maker {
    hd_text *out;
    uint64_t state;
    bool has_errors; /* of memory: what dies is used */
    bool has_barrier, has_main_local, has_handler;
    bool joins_first;   /* the second thread joins the first */
    unsigned n_threads; /* besides main */
    unsigned n_left;    /* statements of this thread that may wait or see something */
    unsigned n_timed;   /* more than one timeout of a thread would be a bound */
} maker;

static unsigned pick(maker *g, unsigned n) {
    g->state += UINT64_C(0x9e3779b97f4a7c15);
    return (unsigned)(hd_mix(g->state) >> 20) % n;
}

static bool chance(maker *g, unsigned percent) {
    return pick(g, 100) < percent;
}

/* ---- statements: %X is one of the variables, %C a small constant, %L a lock ---- */

static const char *const simple[] = {
    "SEE(atomic_load(&x[%X]));",
    "atomic_store(&x[%X], %C);",
    "atomic_fetch_add(&x[%X], 1);",
    "SEE(atomic_exchange(&x[%X], %C));",
    "{ int want = %C; SEE(atomic_compare_exchange_strong(&x[%X], &want, %C)); }",
    "if (atomic_load(&x[%X]) == %C) atomic_store(&x[%X], %C);",
};

static const char *const waiting[] = {
    "pthread_mutex_lock(&lock[%L]); %S pthread_mutex_unlock(&lock[%L]);",
    "pthread_mutex_lock(&lock[0]); SEE(plain); plain++; pthread_mutex_unlock(&lock[0]);",
    "if (pthread_mutex_trylock(&lock[%L]) == 0) { %S pthread_mutex_unlock(&lock[%L]); } else "
    "SEE(7);",
    "SEE(pthread_mutex_trylock(&lock[1]) == 0);",
    "if (pthread_spin_trylock(&spin) == 0) { %S pthread_spin_unlock(&spin); } else SEE(6);",
    "pthread_spin_lock(&spin); %S pthread_spin_unlock(&spin);",
    "pthread_rwlock_rdlock(&shared); %S pthread_rwlock_unlock(&shared);",
    "pthread_rwlock_wrlock(&shared); %S pthread_rwlock_unlock(&shared);",
    "if (pthread_rwlock_tryrdlock(&shared) == 0) { %S pthread_rwlock_unlock(&shared); } else "
    "SEE(5);",
    "if (pthread_rwlock_trywrlock(&shared) == 0) { %S pthread_rwlock_unlock(&shared); } else "
    "SEE(4);",
    "sem_post(&semaphore);",
    "sem_post(&semaphore);",
    "sem_wait(&semaphore);",
    "SEE(sem_trywait(&semaphore) == 0);",
    "{ int value; sem_getvalue(&semaphore, &value); SEE(value); }",
    "pthread_once(&once, run_once);",
    "pthread_setspecific(key, (void *)1);",
    "own += %C; SEE(own);",
    "heddle_assume(atomic_load(&x[%X]) != %C);",
    "check(atomic_load(&x[%X]) != %C);",
    "{ long input = heddle_choose(0, 1); if (input) { %S } else SEE(input); }",
    "if (heddle_choose(0, 2) > atomic_load(&x[%X])) SEE(1);",
    "pthread_mutex_lock(&lock[0]); if (!plain) { pthread_cond_wait(&condition, &lock[0]); } "
    "pthread_mutex_unlock(&lock[0]);",
    "pthread_mutex_lock(&lock[0]); plain = 1; pthread_mutex_unlock(&lock[0]); "
    "pthread_cond_signal(&condition);",
    "pthread_cond_broadcast(&condition);",
    "pthread_testcancel();",
    "SEE(result != NULL);",
    "if (pthread_mutex_destroy(&lock[1]) == EBUSY) SEE(3);",
};
enum { N_SAFE = sizeof waiting / sizeof *waiting - 1 }; /* the last one is a finding, or is not */

static const char *const timed[] = {
    "{ struct timespec when = soon(); SEE(pthread_mutex_timedlock(&lock[1], &when) == 0); }",
    "{ struct timespec when = soon(); SEE(sem_timedwait(&semaphore, &when) == 0); }",
    "{ struct timespec when = soon(); if (pthread_rwlock_timedwrlock(&shared, &when) == 0) { %S "
    "pthread_rwlock_unlock(&shared); } else SEE(2); }",
};

static const char *const dying[] = {
    "{ int *p = atomic_load(&kept); if (p) SEE(*p); }",
    "{ int *p = atomic_load(&kept); if (p) *p = %C; }",
    "atomic_store(&kept, &local);",
    "atomic_store(&kept, &own);",
};

#define COUNT(table) ((unsigned)(sizeof(table) / sizeof *(table)))

static void expand(maker *g, const char *text) {
    unsigned of_lock = pick(g, 2);
    for (; *text; text++) {
        if (*text != '%') {
            hd_text_add_bytes(g->out, text, 1);
            continue;
        }
        switch (*++text) {
        case 'X':
            hd_text_add(g->out, "%u", pick(g, chance(g, 60) ? 1 : 3));
            break;
        case 'C':
            hd_text_add(g->out, "%u", pick(g, 3));
            break;
        case 'L':
            hd_text_add(g->out, "%u", of_lock);
            break;
        case 'S':
            expand(g, simple[pick(g, COUNT(simple))]);
            break;
        }
    }
}

static const char *draw_statement(maker *g) {
    if (g->has_errors && chance(g, 40))
        return dying[pick(g, COUNT(dying))];
    if (g->has_main_local && chance(g, 30))
        return chance(g, 50) ? "SEE(atomic_load(mine));" : "atomic_store(mine, %C);";
    if (!g->n_timed && chance(g, 8)) {
        g->n_timed++;
        return timed[pick(g, COUNT(timed))];
    }
    if (chance(g, 35))
        return simple[pick(g, COUNT(simple))];
    return waiting[pick(g, g->has_errors ? COUNT(waiting) : N_SAFE)];
}

static void statements(maker *g, unsigned n) {
    while (n-- > 0) {
        hd_text_add(g->out, "    ");
        expand(g, draw_statement(g));
        hd_text_add(g->out, "\n    delay();\n");
    }
}

static void meet(maker *g) {
    if (g->has_barrier)
        hd_text_add(g->out, "    SEE(pthread_barrier_wait(&barrier) != 0);\n");
}

/* ---- threads ---- */

static void write_thread(maker *g, unsigned n) {
    g->n_timed = 0;
    hd_text_add(g->out,
                "static void *thread_%u(void *argument) {\n"
                "    unsigned seen = 1;\n    int local = %u;\n    atomic_int *mine = argument;\n"
                "    (void)local, (void)mine;\n    delay();\n",
                n, n + 1);
    unsigned before = pick(g, 3);
    if (n == 1 && g->joins_first)
        hd_text_add(g->out, "    SEE(pthread_join(thread[0], &result));\n");
    statements(g, before);
    meet(g);
    statements(g, 1 + pick(g, 3 - before));
    hd_text_add(g->out, "    tell('%u', seen);\n", n + 1);
    hd_text_add(g->out,
                chance(g, 30) ? "    pthread_exit(NULL);\n}\n\n" : "    return (void *)1;\n}\n\n");
}

enum fate { JOINED, JOINED_LATE, DETACHED, LEFT, CANCELLED, CANCELLED_ONLY, N_FATES };

static void part_from(maker *g, unsigned n, enum fate fate) {
    if (fate == CANCELLED || fate == CANCELLED_ONLY)
        hd_text_add(g->out, "    pthread_cancel(thread[%u]);\n", n);
    if (fate == JOINED || fate == CANCELLED)
        hd_text_add(g->out, "    pthread_join(thread[%u], NULL);\n    delay();\n", n);
    if (fate == DETACHED)
        hd_text_add(g->out, "    pthread_detach(thread[%u]);\n", n);
}

static void write_main(maker *g) {
    static const char *const ends[] = {"return 0;", "return 0;", "exit(0);", "pthread_exit(NULL);",
                                       "_exit(0);"};
    enum fate fates[4];
    g->n_timed = 0;
    hd_text_add(g->out, "int main(void) {\n");
    hd_text_add(g->out,
                "    unsigned seen = 1;\n    int local = 0;\n    atomic_int mains = 1, *mine "
                "= &mains;\n    (void)local, (void)mine;\n");
    hd_text_add(g->out, "    prepare(%u, %u);\n", pick(g, 2), g->n_threads);
    if (g->has_handler)
        hd_text_add(g->out, "    atexit(finish);\n");
    for (unsigned i = 0; i < g->n_threads; i++) {
        fates[i] = (enum fate)pick(g, chance(g, 50) ? 2 : N_FATES);
        if (i == 0 && g->joins_first)
            fates[i] = g->has_errors && chance(g, 30) ? DETACHED
                       : chance(g, 50)                ? CANCELLED_ONLY
                                                      : LEFT;
        hd_text_add(g->out, "    pthread_create(&thread[%u], NULL, thread_%u, mine);\n", i, i);
    }
    hd_text_add(g->out, "    delay();\n");
    statements(g, pick(g, 3));
    for (unsigned i = 0; i < g->n_threads; i++)
        part_from(g, i, fates[i]);
    statements(g, pick(g, 2));
    for (unsigned i = 0; i < g->n_threads; i++)
        part_from(g, i, fates[i] == JOINED_LATE && chance(g, 60) ? JOINED : LEFT);
    hd_text_add(g->out, "    tell('0', seen);\n    %s\n}\n", ends[pick(g, COUNT(ends))]);
}

bool ending_write(hd_text *out, uint64_t seed) {
    maker g = {.out = out, .state = hd_mix(seed + 1)};
    g.has_errors = chance(&g, 25);
    g.n_threads = 1 + chance(&g, 60);
    g.has_barrier = g.n_threads == 2 && chance(&g, 25);
    g.joins_first = g.n_threads == 2 && !g.has_barrier && chance(&g, 25);
    g.has_main_local = chance(&g, 30);
    g.has_handler = chance(&g, 15);
    hd_text_add(out, "#include \"ending_subject.h\"\n\n");
    for (unsigned i = 0; i < g.n_threads; i++)
        write_thread(&g, i);
    write_main(&g);
    return !g.has_errors;
}
