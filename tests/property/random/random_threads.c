/* Random programs for the abstract machine of threads, put together from patterns. */
#include "property/random/random_threads.h"

/* Letters by which features can be chosen on the command line. */
enum feature {
    MEMORY,
    PAIRS,
    LOCKS,
    SHARED_LOCKS,
    SEMAPHORES,
    CONDITIONS,
    TIMEOUTS,
    BARRIERS,
    SPINS,
    INPUTS,
    EXCHANGES,
    ASSUMPTIONS,
    CREATION,
    EXITS,
    N_FEATURES,
    /* Only where asked for. */
    PHASES = N_FEATURES,
    LOOPS
};
static const char feature_letters[] = "mplrsctbwixanehv";

enum { ANY_MEMORY = N_OPERATIONS, END };
#define O(name) OPERATION_##name
/* What programs are put together from: operations on one lock, location, ... */
static const struct {
    uint8_t feature, operation[5];
} patterns[] = {
    {MEMORY, {O(READ), END}},
    {MEMORY, {O(WRITE), END}},
    {MEMORY, {O(WRITE), END}},
    {MEMORY, {O(STORE), END}},
    {MEMORY, {O(ADD), END}},
    {MEMORY, {O(COMPARE), END}},
    {MEMORY, {O(READ), O(SKIP), END}},
    {MEMORY, {O(READ), O(ASSERT), END}},
    {MEMORY, {O(COMPARE), O(SKIP), END}},
    {PAIRS, {O(READ_PAIR), END}},
    {PAIRS, {O(WRITE_PAIR), END}},
    {LOCKS, {O(LOCK), ANY_MEMORY, O(UNLOCK), END}},
    {LOCKS, {O(LOCK), O(UNLOCK), END}},
    {LOCKS, {O(LOCK), END}},
    {LOCKS, {O(UNLOCK), END}},
    {LOCKS, {O(TRY_LOCK), END}},
    {LOCKS, {O(TRY_LOCK), O(SKIP), ANY_MEMORY, O(UNLOCK), END}},
    {SHARED_LOCKS, {O(READ_LOCK), O(READ_UNLOCK), END}},
    {SHARED_LOCKS, {O(READ_LOCK), ANY_MEMORY, O(READ_UNLOCK), END}},
    {SHARED_LOCKS, {O(READ_LOCK), END}},
    {SHARED_LOCKS, {O(TRY_READ_LOCK), O(SKIP), O(READ_UNLOCK), END}},
    {SHARED_LOCKS, {O(LOCK), O(UNLOCK), END}},
    {SHARED_LOCKS, {O(TRY_LOCK), END}},
    {SEMAPHORES, {O(TAKE), END}},
    {SEMAPHORES, {O(POST), END}},
    {SEMAPHORES, {O(POST), END}},
    {SEMAPHORES, {O(TRY_TAKE), O(SKIP), END}},
    {SEMAPHORES, {O(VALUE), END}},
    {SEMAPHORES, {O(VALUE), O(SKIP), END}},
    {CONDITIONS, {O(LOCK), O(WAIT), O(UNLOCK), END}},
    {CONDITIONS, {O(LOCK), O(SIGNAL), O(UNLOCK), END}},
    {CONDITIONS, {O(SIGNAL), END}},
    {CONDITIONS, {O(BROADCAST), END}},
    {TIMEOUTS, {O(LOCK), O(TIMED_WAIT), O(UNLOCK), END}},
    {TIMEOUTS, {O(SIGNAL), END}},
    {BARRIERS, {O(BARRIER), END}},
    {SPINS, {O(SPIN), END}},
    {SPINS, {O(SPIN_LOCK), ANY_MEMORY, O(WRITE), END}},
    {SPINS, {O(WRITE), END}},
    {INPUTS, {O(INPUT), O(STORE), END}},
    {INPUTS, {O(INPUT), O(SKIP), END}},
    {INPUTS, {O(INPUT), O(ASSERT), END}},
    {INPUTS, {O(READ), O(SKIP), END}},
    {INPUTS, {O(READ), O(ASSERT_LINEAR), END}},
    {ASSUMPTIONS, {O(INPUT), O(ASSUME), END}},
    {ASSUMPTIONS, {O(READ), O(ASSUME), END}},
    {EXITS, {O(READ), O(SKIP), O(END), END}},
    {EXITS, {O(END), END}},
    {LOOPS, {O(SPIN_WHILE_BOTH), END}},
    {LOOPS, {O(SPIN_UNTIL_ONE), END}},
    {LOOPS, {O(SPIN_UNTIL_BOTH), ANY_MEMORY, END}},
    {LOOPS, {O(SPIN_ON_ALL), O(SKIP), ANY_MEMORY, END}},
    {LOOPS, {O(SPIN_TRY), ANY_MEMORY, O(WRITE), END}},
    {LOOPS, {O(LOCK), O(SPIN_WHILE_BOTH), O(UNLOCK), END}},
    {LOOPS, {O(LOCK), O(WRITE), O(WRITE), O(UNLOCK), END}},
    {LOOPS, {O(WRITE), END}},
    {LOOPS, {O(WRITE), O(WRITE), END}},
    {LOOPS, {O(WRITE), O(WRITE), O(WRITE), END}},
    /* The last: without this feature nobody asks for them. */
    {EXCHANGES, {O(COMPARE), END}},
    {EXCHANGES, {O(COMPARE), O(SKIP), END}},
    {EXCHANGES, {O(COMPARE), O(INPUT), O(SKIP), END}},
    {EXCHANGES, {O(INPUT), O(STORE), END}},
    {EXCHANGES, {O(INPUT), O(STORE), O(COMPARE), END}},
};
enum { N_PATTERNS = sizeof patterns / sizeof *patterns, N_EXCHANGE_PATTERNS = 5 };

/* Memory, what was asked for, and two more. */
static unsigned random_features(uint64_t *random, unsigned allowed) {
    bool is_asked = allowed >> N_FEATURES;
    unsigned set = 1u << MEMORY | (allowed & (1u << PHASES | 1u << LOOPS));
    for (int i = 0; i < 2; i++) {
        unsigned one = below(random, N_FEATURES);
        for (int tries = 0; is_asked && !(allowed >> one & 1) && tries < 100; tries++)
            one = below(random, N_FEATURES);
        set |= 1u << one;
    }
    if (set >> ASSUMPTIONS & 1 || set >> EXCHANGES & 1)
        set |= 1u << INPUTS;
    if (set >> INPUTS & 1) /* who can go on must not depend on inputs without a decision */
        set &= ~(1u << SPINS);
    set &= allowed;
    return set >> ASSUMPTIONS & 1 ? set | 1u << INPUTS : set; /* which they are about */
}

static unsigned random_object(uint64_t *random, const code *p, unsigned kind, unsigned lock) {
    if (kind == O(INPUT) || kind == O(ASSERT_LINEAR))
        return below(random, p->n_inputs);
    if (kind == O(READ_PAIR) || kind == O(WRITE_PAIR))
        return below(random, MODEL_LOCATIONS - 1);
    return kind >= O(LOCK) && kind <= O(TIMED_WAIT) ? lock : below(random, 2 + below(random, 2));
}

/* Exchanges of values that depend on inputs are a feature of their own. */
static bool may_exchange(unsigned features) {
    return !(features >> INPUTS & 1) || features >> EXCHANGES & 1;
}

static bool has_two_places(unsigned kind) {
    return kind >= O(SPIN_WHILE_BOTH) && kind <= O(SPIN_TRY);
}

static operation random_operation(uint64_t *random, const code *p, unsigned kind, unsigned lock) {
    operation o = {.kind = (uint8_t)kind,
                   .object = (uint8_t)random_object(random, p, kind, lock),
                   .value = (uint8_t)below(random, 3),
                   .extra = (uint8_t)(1 + below(random, 2))};
    if (!has_two_places(kind))
        return o;
    o.extra = (uint8_t)below(random, 3);
    o.other = (uint8_t)((o.object + 1 + below(random, 2)) % MODEL_LOCATIONS);
    if (kind == O(SPIN_TRY) && below(random, 2)) { /* a lock that is looked at before */
        o.other = o.object;
        o.extra = o.value;
    }
    return o;
}

static void add_pattern(code *p, unsigned t, unsigned n, unsigned features, uint64_t *random) {
    unsigned lock = below(random, 2);
    for (const uint8_t *kind = patterns[n].operation; *kind != END; kind++) {
        if (p->n[t] == MODEL_OPERATIONS - 2)
            return;
        unsigned k = *kind == ANY_MEMORY ? below(random, O(COMPARE) + 1) : *kind;
        if (*kind == ANY_MEMORY && k > O(STORE) && !(k == O(COMPARE) && may_exchange(features)))
            k = O(ADD);
        code_insert(p, t, p->n[t], random_operation(random, p, k, lock));
    }
}

static void fill_thread(code *p, unsigned t, unsigned features, uint64_t *random) {
    static const uint8_t most[] = {0, 0, 6, 4, 3};
    bool is_phased = features >> PHASES & 1 && t == 0;
    unsigned wanted = 1 + below(random, is_phased ? most[2] : most[p->n_threads]);
    unsigned n_patterns = N_PATTERNS - (features >> EXCHANGES & 1 ? 0 : N_EXCHANGE_PATTERNS);
    for (int tries = 0; p->n[t] < wanted && tries < 100; tries++) {
        unsigned n = below(random, n_patterns);
        bool is_exchange = patterns[n].operation[0] == O(COMPARE);
        if (features >> patterns[n].feature & 1 && (!is_exchange || may_exchange(features)))
            add_pattern(p, t, n, features, random);
    }
}

/* Threads that are created, by one before them, and perhaps joined by it. */
static void add_creation(code *p, uint64_t *random) {
    for (unsigned t = p->n_initial; t < p->n_threads; t++) {
        unsigned parent = below(random, t), at = below(random, p->n[parent] + 1u);
        if (p->n[parent] + 2 > MODEL_OPERATIONS) {
            p->n_threads = (uint8_t)t;
            return;
        }
        code_insert(p, parent, at, (operation){.kind = O(CREATE), .object = (uint8_t)t});
        if (below(random, 2))
            code_insert(p, parent, at + 1 + below(random, p->n[parent] - at),
                        (operation){.kind = O(JOIN), .object = (uint8_t)t});
    }
    if (p->n_initial > 1 && p->n[0] < MODEL_OPERATIONS)
        code_insert(p, 0, below(random, p->n[0] + 1u), (operation){.kind = O(JOIN), .object = 1});
}

/* Thread 0 is alone twice: before it creates thread 1, and after it has joined it.  What it does
 * then is no event. */
static void add_phases(code *p, uint64_t *random) {
    unsigned most = MODEL_OPERATIONS - p->n_threads;
    p->n[0] = p->n[0] < most ? p->n[0] : (uint8_t)most;
    unsigned at = below(random, p->n[0] + 1u);
    code_insert(p, 0, at, (operation){.kind = O(CREATE), .object = 1});
    at += 1 + below(random, p->n[0] - at);
    code_insert(p, 0, at, (operation){.kind = O(JOIN), .object = 1});
    for (unsigned t = 2; t < p->n_threads; t++) {
        at += 1 + below(random, p->n[0] - at);
        code_insert(p, 0, at, (operation){.kind = O(CREATE), .object = (uint8_t)t});
    }
}

/* Numbers are drawn in this order, whatever they are for. */
static program new_program(unsigned features, uint64_t *random) {
    unsigned n_threads = 2 + below(random, 3);
    unsigned n_inputs = features >> INPUTS & 1 ? 1 + below(random, 2) : 0;
    uint8_t first[] = {(uint8_t)below(random, 4), (uint8_t)below(random, 4)};
    return (program){.code = {.n_threads = (uint8_t)n_threads,
                              .n_inputs = (uint8_t)n_inputs,
                              .input_width = 2,
                              .first = {first[0], first[1]}},
                     .semaphore = (uint8_t)below(random, 3),
                     .barrier = 2};
}

static void add_exits(code *p, uint64_t *random) {
    for (unsigned t = 0; t < 1 + below(random, 2); t++)
        if (p->n[t] < MODEL_OPERATIONS)
            code_insert(p, t, p->n[t], (operation){.kind = O(EXIT)});
}

program random_threads(uint64_t seed, unsigned allowed) {
    uint64_t random = seed;
    unsigned features = random_features(&random, allowed);
    program whole = new_program(features, &random);
    code *p = &whole.code;
    bool is_phased = features >> PHASES & 1;
    if (is_phased)
        p->n_threads = (uint8_t)(3 + below(&random, 2));
    p->n_initial = is_phased ? 1 : p->n_threads;
    if (features >> CREATION & 1 && !is_phased)
        p->n_initial = (uint8_t)(1 + below(&random, p->n_threads));
    for (unsigned t = 0; t < p->n_threads; t++)
        fill_thread(p, t, features, &random);
    if (is_phased)
        add_phases(p, &random);
    else if (features >> CREATION & 1)
        add_creation(p, &random);
    if (features >> EXITS & 1)
        add_exits(p, &random);
    return whole;
}

unsigned thread_features(const char *letters) {
    return letters ? features_of(feature_letters, letters) : (1u << N_FEATURES) - 1;
}
