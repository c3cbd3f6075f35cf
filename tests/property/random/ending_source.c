/* Random programs about ends and queries (see ending_source.h). */
#include "property/random/ending_source.h"

#include "base/hash.h"

enum { MAX_THREADS = 4 }; /* main included */

/* Where in a thread a piece stands.  Only main has the last two. */
enum part { EARLY, LATE, PARTING, LAST, N_PARTS };

typedef struct piece {
    uint8_t thread, part;
    hd_text text;
} piece;

typedef struct maker {
    unsigned number; /* of the program in its text */
    uint64_t state;
    unsigned features; /* a set */
    unsigned n_threads, n_variables;
    unsigned max_orders;
    unsigned creator[MAX_THREADS];
    unsigned n_events[MAX_THREADS];
    unsigned is_born_detached; /* a set of threads */
    bool has_loose_end;        /* a thread may be used when another has joined it */
    double n_ways;
    bool has_timed[MAX_THREADS]; /* more than one timeout of a thread would be a bound */
    bool has_barrier, has_handler, joins_first;
    bool has_cancelled_wait; /* by the first thread: it may be signalled and cancelled */
    piece piece[MOST_PIECES];
    unsigned n_pieces;
} maker;

static unsigned pick(maker *g, unsigned n) {
    g->state += UINT64_C(0x9e3779b97f4a7c15);
    return (unsigned)(hd_mix(g->state) >> 20) % n;
}

static bool chance(maker *g, unsigned percent) {
    return pick(g, 100) < percent;
}

static bool has(const maker *g, feature f) {
    return g->features >> f & 1;
}

/* ---- how many orders there are, about ---- */

static double orders(const maker *g) {
    double n = g->n_ways;
    unsigned all = 0;
    for (unsigned t = 0; t < g->n_threads; t++)
        for (unsigned i = 1; i <= g->n_events[t]; i++)
            n = n * ++all / i;
    return n;
}

/* Is there room for it? */
static bool spend(maker *g, unsigned t, const statement *s) {
    unsigned weight = s->weight * (has(g, AIMING) ? 2u : 1u); /* a look for signals before each */
    g->n_events[t] += weight;
    g->n_ways *= s->ways;
    if (orders(g) <= g->max_orders)
        return true;
    g->n_events[t] -= weight;
    g->n_ways /= s->ways;
    return false;
}

/* ---- pieces ---- */

static hd_text *add_piece(maker *g, unsigned t, enum part part) {
    static piece beyond;
    piece *p = g->n_pieces < MOST_PIECES ? &g->piece[g->n_pieces++] : &beyond;
    p->thread = (uint8_t)t;
    p->part = (uint8_t)part;
    hd_text_add(&p->text, "    ");
    return &p->text;
}

static void expand(maker *g, hd_text *out, unsigned t, const char *text) {
    unsigned of_lock = pick(g, 2);
    for (; *text; text++) {
        if (*text != '%') {
            hd_text_add_bytes(out, text, 1);
            continue;
        }
        switch (*++text) {
        case 'X':
            hd_text_add(out, "%u", pick(g, chance(g, 60) ? 1 : g->n_variables));
            break;
        case 'C':
            hd_text_add(out, "%u", pick(g, 3));
            break;
        case 'L':
            hd_text_add(out, "%u", of_lock);
            break;
        case 'T':
            hd_text_add(out, "%u", t);
            break;
        case 'S':
            expand(g, out, t, ending_statements[pick(g, n_simple_statements)].text);
            break;
        }
    }
}

static const statement *draw_statement(maker *g, unsigned t) {
    if (chance(g, 30))
        return &ending_statements[pick(g, n_simple_statements)];
    for (;;) {
        const statement *s = &ending_statements[pick(g, n_ending_statements)];
        if (has(g, s->feature) && (s->feature != TIMEOUTS || !g->has_timed[t]))
            return s;
    }
}

static void write_statement(maker *g, unsigned t, enum part part, const statement *s) {
    hd_text *out = add_piece(g, t, part);
    expand(g, out, t, s->text);
    hd_text_add(out, "\n    delay();\n");
}

static bool add_statement(maker *g, unsigned t) {
    const statement *s = draw_statement(g, t);
    enum part part = chance(g, 50) ? EARLY : t == 0 && chance(g, 40) ? LAST : LATE;
    if (!spend(g, t, s))
        return false;
    g->has_timed[t] |= s->feature == TIMEOUTS;
    write_statement(g, t, part, s);
    return true;
}

/* Its creator cancels it, and that one or another thread signals: both may come to one wait. */
static void add_cancelled_wait(maker *g) {
    unsigned by = g->n_threads > 2 && chance(g, 50) ? 2 : 0;
    spend(g, 1, &ending_cancelled_wait);
    spend(g, by, &ending_signal);
    write_statement(g, 1, g->has_barrier ? LATE : EARLY, &ending_cancelled_wait);
    write_statement(g, by, by && !g->has_barrier ? EARLY : LATE, &ending_signal);
}

/* As many as the budget has, and no more than a label can tell. */
static void add_statements(maker *g) {
    for (unsigned t = 1; t < g->n_threads; t++)
        add_statement(g, t);
    for (unsigned misses = 0, n = 0; misses < 4 && n < 4 * g->n_threads; n++)
        misses += !add_statement(g, pick(g, g->n_threads));
}

/* ---- how threads begin and end ---- */

enum fate {
    JOINED,
    JOINED_LATE,
    DETACHED,
    DETACHES_ITSELF,
    BORN_DETACHED,
    LEFT,
    CANCELLED,
    CANCELLED_ONLY,
    N_FATES
};
static const struct {
    enum part part;
    uint8_t weight, ways;
    const char *text; /* written by its creator */
} fates[N_FATES] = {
    [JOINED] = {PARTING, 0, 1, "pthread_join(child[%u], &result);"},
    [JOINED_LATE] = {LAST, 0, 1, "pthread_join(child[%u], &result);"},
    [DETACHED] = {PARTING, 1, 1, "pthread_detach(child[%u]);"},
    [DETACHES_ITSELF] = {PARTING, 1, 1, ""},
    [BORN_DETACHED] = {PARTING, 1, 1, ""},
    [LEFT] = {PARTING, 0, 1, ""},
    [CANCELLED] = {PARTING, 1, 2, "pthread_cancel(child[%1$u]); pthread_join(child[%1$u], NULL);"},
    [CANCELLED_ONLY] = {PARTING, 1, 2, "pthread_cancel(child[%u]);"},
};

static enum fate draw_fate(maker *g, unsigned t) {
    if (t == 1 && g->has_cancelled_wait)
        return chance(g, 70) ? CANCELLED : CANCELLED_ONLY;
    if (t == 1 && g->joins_first) {
        g->has_loose_end = (has(g, CANCELLATION) && has(g, DETACHING)) && chance(g, 50);
        return !g->has_loose_end ? LEFT : chance(g, 50) ? CANCELLED_ONLY : DETACHED;
    }
    enum fate f = (enum fate)pick(g, chance(g, 40) ? 2 : N_FATES);
    if ((f == CANCELLED || f == CANCELLED_ONLY) && !has(g, CANCELLATION))
        f = JOINED;
    if (f >= DETACHED && f <= BORN_DETACHED && !has(g, DETACHING))
        f = LEFT;
    return f;
}

/* By the one who created it. */
static void add_fate(maker *g, unsigned t) {
    enum fate f = draw_fate(g, t);
    unsigned by = g->creator[t];
    spend(g, by, &(statement){.weight = fates[f].weight, .ways = fates[f].ways});
    g->is_born_detached |= (unsigned)(f == BORN_DETACHED) << t;
    if (f == DETACHES_ITSELF)
        hd_text_add(add_piece(g, t, EARLY), "pthread_detach(pthread_self());\n");
    hd_text *out = add_piece(g, by, fates[f].part);
    hd_text_add(out, fates[f].text, t - 1);
    hd_text_add(out, "\n    delay();\n");
}

/* Its creator sends it a signal, before it joins it. */
static void add_hit(maker *g, unsigned t) {
    unsigned by = g->creator[t];
    if (!has(g, AIMING) || chance(g, 30))
        return;
    spend(g, by, &(statement){.weight = 2, .ways = 2});
    hd_text_add(add_piece(g, by, chance(g, 50) ? EARLY : LATE),
                "SEE(pthread_kill(child[%u], SIGUSR1));\n    delay();\n", t - 1);
}

/* The second thread of the program may wait for the first, which somebody else has created. */
static void add_fates(maker *g) {
    for (unsigned t = 1; t < g->n_threads; t++) {
        add_hit(g, t);
        add_fate(g, t);
    }
    if (g->joins_first)
        hd_text_add(add_piece(g, 2, EARLY), "SEE(pthread_join(first, &result));\n");
}

/* ---- the text ---- */

static void write_part(const maker *g, hd_text *out, unsigned t, enum part part, uint64_t without) {
    for (unsigned i = 0; i < g->n_pieces; i++) {
        const piece *p = &g->piece[i];
        if (p->thread == t && p->part == part && !(without >> i & 1))
            hd_text_add_bytes(out, p->text.at, p->text.n);
    }
}

static void write_creations(const maker *g, hd_text *out, unsigned by) {
    for (unsigned t = 1; t < g->n_threads; t++)
        if (g->creator[t] == by)
            hd_text_add(out, "    %schild[%u] = create(thread_%u_%u, mine, %u);\n",
                        t == 1 && g->joins_first ? "first = " : "", t - 1, g->number, t,
                        g->is_born_detached >> t & 1);
}

static void write_body(const maker *g, hd_text *out, unsigned t, uint64_t without) {
    hd_text_add(out, "    pthread_t child[3];\n");
    write_creations(g, out, t);
    hd_text_add(out, "    delay();\n");
    write_part(g, out, t, EARLY, without);
    if (g->has_barrier && t > 0)
        hd_text_add(out, "    SEE(pthread_barrier_wait(&barrier) != 0);\n");
    write_part(g, out, t, LATE, without);
    write_part(g, out, t, PARTING, without);
    write_part(g, out, t, LAST, without);
    hd_text_add(out, "    tell('%u', seen);\n", t);
}

static void write_thread(maker *g, hd_text *out, unsigned t, uint64_t without) {
    static const char *const ends[] = {"return (void *)1;", "return (void *)1;",
                                       "pthread_exit(NULL);", "leave(2);", "thrd_exit(1);"};
    hd_text_add(out,
                "static void *thread_%u_%u(void *argument) {\n"
                "    unsigned seen = 1;\n    int local = %u;\n    atomic_int *mine = argument;\n"
                "    (void)local, (void)mine;\n",
                g->number, t, t);
    write_body(g, out, t, without);
    hd_text_add(out, "    %s\n}\n\n", ends[pick(g, 5)]);
}

/* True if its locals are surely there until the process ends. */
static bool write_main(maker *g, hd_text *out, uint64_t without) {
    static const char *const ends[] = {"return 0;", "return 0;",      "exit(0);",
                                       "_exit(0);", "quick_exit(0);", "pthread_exit(NULL);",
                                       "leave(1);"};
    unsigned end = pick(g, 7);
    hd_text_add(out,
                "static int main_%u(void) {\n    unsigned seen = 1;\n    int local = 0;\n"
                "    atomic_int mains = 1, *mine = &mains;\n    (void)local, (void)mine;\n",
                g->number);
    hd_text_add(out, "    prepare(%u, %u);\n", pick(g, 2), g->n_threads - 1);
    if (g->has_handler)
        hd_text_add(out, "    atexit(finish);\n");
    bool has_sender = has(g, CHILDREN) && has(g, SIGNALS) && chance(g, 60);
    if (has(g, CHILDREN))
        hd_text_add(out, "    bear(%u);\n", has_sender ? 1 : 1 + pick(g, 2));
    if (has(g, NUMBERS))
        hd_text_add(out, "    open_ends();\n");
    if (has(g, LINES))
        hd_text_add(out, "    open_line();\n");
    if (has(g, TAKING))
        hd_text_add(out, "    block_taken();\n");
    if (has(g, TIMERS))
        hd_text_add(out, "    timer = timerfd_create(CLOCK_MONOTONIC, 0);\n");
    if (has(g, SIGNALS) || has(g, AIMING))
        hd_text_add(out, "    main_thread = pthread_self();\n    signal(SIGUSR1, catch);\n");
    if (has_sender)
        hd_text_add(out, "    bear_sender();\n");
    write_body(g, out, 0, without);
    hd_text_add(out, "    %s\n}\n\n", ends[end]);
    return end >= 2 && end <= 4;
}

/* ---- programs ---- */

static void draw_features(maker *g) {
    bool has_errors = chance(g, 30);
    g->features = 1u << MEMORY;
    for (unsigned f = 1; f < (has_errors ? N_FEATURES : N_WITH_MEANING); f++)
        g->features |= (unsigned)chance(g, f < N_WITH_MEANING ? 18 : 50) << f;
    if (has(g, CANCELLATION)) /* some calls may end a cancelled thread, and need not */
        g->features &= ~(1u << NUMBERS);
}

static void draw_shape(maker *g) {
    g->n_threads = chance(g, 25) ? 2 : chance(g, 75) ? 3 : 4;
    if (has(g, AIMING))
        g->n_threads = chance(g, 70) ? 2 : 3;
    g->n_variables = 1 + pick(g, 3);
    g->max_orders = chance(g, 80) ? 1200 : 5000;
    for (unsigned t = 2; t < g->n_threads; t++)
        g->creator[t] = chance(g, 25) ? t - 1 : 0;
    g->has_barrier = has(g, BARRIERS);
    g->has_cancelled_wait = has(g, CANCELLATION) && chance(g, 40);
    g->joins_first = !g->has_cancelled_wait && g->n_threads > 2 && !g->has_barrier &&
                     g->creator[2] == 0 && chance(g, 25);
    g->has_handler = chance(g, 20);
    bool tells_ends = has(g, CANCELLATION) || has(g, DETACHING) || has(g, HOLDERS) ||
                      has(g, SIGNALS) || has(g, AIMING);
    for (unsigned t = 1; t < g->n_threads; t++)
        spend(g, t, &(statement){.weight = 1 + tells_ends, .ways = 1});
    if (has(g, CHILDREN))
        spend(g, 0, &(statement){.weight = 1, .ways = 4});
    for (unsigned t = 1; t < g->n_threads && g->has_barrier; t++)
        spend(g, t, &(statement){.weight = 1, .ways = t == 1 ? (uint8_t)(g->n_threads - 1) : 1});
}

void ending_begin(hd_text *out) {
    hd_text_add(out, "#include \"property/subject/ending_subject.h\"\n\n");
}

void ending_end(hd_text *out, unsigned n) {
    hd_text_add(out,
                "int main(int argc, char **argv) {\n    switch (argc > 1 ? atoi(argv[1]) : 0) {\n");
    for (unsigned i = 0; i < n; i++)
        hd_text_add(out, "    case %u:\n        return main_%u();\n", i, i);
    hd_text_add(out, "    }\n    return 0;\n}\n");
}

ending ending_write(hd_text *out, ending_name name, uint64_t without) {
    maker g = {.number = name.number, .state = hd_mix(name.family + 1), .n_ways = 1};
    draw_features(&g);
    g.state = hd_mix(hd_hash_add(name.family, name.seed));
    draw_shape(&g);
    add_fates(&g);
    if (g.has_cancelled_wait)
        add_cancelled_wait(&g);
    add_statements(&g);
    for (unsigned t = g.n_threads - 1; t > 0; t--)
        write_thread(&g, out, t, without);
    bool stays = write_main(&g, out, without);
    for (unsigned i = 0; i < g.n_pieces; i++)
        hd_text_release(&g.piece[i].text);
    /* glibc may cancel a thread in a call that has already taken something. */
    bool may_lose = has(&g, LINES) && has(&g, CANCELLATION);
    /* A thread that is detached or joined by another may be gone when a signal is sent to it. */
    bool may_miss = has(&g, AIMING) && (has(&g, DETACHING) || g.joins_first);
    return (ending){.has_meaning = !has(&g, DYING) && !has(&g, RACES) && !g.has_loose_end &&
                                   (stays || !has(&g, ARGUMENTS)) && !may_lose && !may_miss,
                    .has_races = has(&g, RACES),
                    .has_assumptions = has(&g, ASSUMPTIONS),
                    .has_vain_rounds = has(&g, LOOPS) && has(&g, INPUTS),
                    .n_pieces = g.n_pieces};
}
