/* Random programs for the abstract machine of messages, put together from patterns. */
#include "property/random/random_messages.h"

/* Letters by which features can be chosen on the command line.  Up to HALTS they are about
 * messages, up to EXTRA about queues. */
enum feature {
    MESSAGES,
    SELECTION,
    REPLIES,
    CREATION,
    IDLING,
    HALTS,
    QUEUES,
    TRIES,
    STREAMS,
    POLLS,
    POSTS,
    CONNECTIONS,
    BOUNDS,
    TIME,
    MEMORY,
    ERRORS,
    INPUTS,
    ASSUMPTIONS,
    ANY_TIMEOUTS,
    N_FEATURES
};
static const char feature_letters[] = "msrcdhqtbpolfkxeiay";

enum { END = N_OPERATIONS };
#define O(name) OPERATION_##name
/* What programs are put together from. */
static const struct {
    uint8_t feature, operation[4];
} patterns[] = {
    {MESSAGES, {O(SEND), END}},
    {MESSAGES, {O(SEND), END}},
    {MESSAGES, {O(SEND), END}},
    {MESSAGES, {O(RECEIVE), END}},
    {MESSAGES, {O(RECEIVE), END}},
    {MESSAGES, {O(RECEIVE), O(FORWARD), END}},
    {MESSAGES, {O(RECEIVE), O(SKIP), O(SEND), END}},
    {SELECTION, {O(RECEIVE_ON), END}},
    {SELECTION, {O(RECEIVE_ON), END}},
    {SELECTION, {O(RECEIVE_ON), O(FORWARD), END}},
    {REPLIES, {O(RECEIVE), O(REPLY), END}},
    {REPLIES, {O(SEND), O(RECEIVE), END}},
    {IDLING, {O(IDLE), O(RECEIVE), END}},
    {HALTS, {O(RECEIVE), O(SKIP), O(HALT), END}},
    {QUEUES, {O(PUT), END}},
    {QUEUES, {O(PUT), END}},
    {QUEUES, {O(TAKE), END}},
    {QUEUES, {O(TAKE), O(PUT_R), END}},
    {QUEUES, {O(TAKE), O(SKIP), END}},
    {TRIES, {O(TRY_TAKE), END}},
    {TRIES, {O(TRY_TAKE), O(SKIP), END}},
    {STREAMS, {O(TAKE_MANY), END}},
    {STREAMS, {O(TAKE_MANY), O(SKIP), END}},
    {POLLS, {O(POLL), END}},
    {POLLS, {O(POLL_ALL), O(SKIP), END}},
    {POLLS, {O(POLL), O(TAKE), END}},
    {POLLS, {O(POLL_VAGUELY), O(TAKE), END}},
    {POSTS, {O(POST), END}},
    {POSTS, {O(POST), O(POST), END}},
    {CONNECTIONS, {O(LISTEN), O(TAKE), END}},
    {CONNECTIONS, {O(LISTEN), END}},
    {CONNECTIONS, {O(CONNECT), END}},
    {CONNECTIONS, {O(CONNECT), O(SKIP), END}},
    {BOUNDS, {O(PUT), O(PUT), END}},
    {BOUNDS, {O(TRY_PUT), END}},
    {BOUNDS, {O(TRY_PUT), O(SKIP), END}},
    {TIME, {O(TIMED_TAKE), END}},
    {TIME, {O(TIMED_TAKE), O(SKIP), END}},
    {TIME, {O(TIMED_POLL), END}},
    {TIME, {O(SLEEP), END}},
    {TIME, {O(SLEEP), END}},
    {MEMORY, {O(READ), END}},
    {MEMORY, {O(READ), O(SKIP), END}},
    {MEMORY, {O(WRITE), END}},
    {ERRORS, {O(ASSERT), END}},
    {INPUTS, {O(INPUT), O(FORWARD), END}},
    {INPUTS, {O(INPUT), O(SKIP), END}},
    {INPUTS, {O(RECEIVE), O(SKIP), END}},
    {INPUTS, {O(RECEIVE), O(ASSERT_LINEAR), END}},
    {ASSUMPTIONS, {O(INPUT), O(ASSUME), END}},
    {ASSUMPTIONS, {O(RECEIVE), O(ASSUME), END}},
};
enum { N_PATTERNS = sizeof patterns / sizeof *patterns };

/* Most of the features that were asked for. */
static unsigned most_features(uint64_t *random, unsigned wanted) {
    unsigned set = wanted & (1u << MESSAGES | 1u << QUEUES);
    for (unsigned i = 0; i < N_FEATURES; i++)
        if (wanted >> i & 1 && below(random, 3))
            set |= 1u << i;
    return set;
}

/* Messages, queues or both, and two more. */
static unsigned random_features(uint64_t *random) {
    unsigned kind = below(random, 5);
    unsigned first = kind < 2 ? MESSAGES : kind < 4 ? QUEUES : 0;
    unsigned end = kind < 2 ? QUEUES : kind < 4 ? ERRORS : N_FEATURES;
    unsigned set = kind < 4 ? 1u << first : 1u << MESSAGES | 1u << QUEUES;
    for (int i = 0; i < 2; i++)
        set |= 1u << (below(random, 3) ? first + below(random, end - first)
                                       : ERRORS + below(random, N_FEATURES - ERRORS));
    return set;
}

/* The queue of a listener holds connections only. */
enum { PLAIN_QUEUE = 0, LISTENER = 1 };

static unsigned random_object(uint64_t *random, const code *p, unsigned kind, unsigned features) {
    switch (kind) {
    case O(LISTEN):
    case O(CONNECT):
        return LISTENER;
    case O(PUT):
    case O(PUT_R):
    case O(TRY_PUT):
    case O(POST):
        return features >> CONNECTIONS & 1 || below(random, 3) ? PLAIN_QUEUE : LISTENER;
    case O(SEND):
    case O(FORWARD):
        return below(random, p->n_threads);
    case O(INPUT):
    case O(ASSERT_LINEAR):
        return below(random, p->n_inputs);
    default:
        return below(random, 3) ? 0 : 1; /* mostly the same queue, channel or location */
    }
}

static void add_pattern(code *p, unsigned t, unsigned n, unsigned features, uint64_t *random) {
    for (const uint8_t *kind = patterns[n].operation; *kind != END; kind++) {
        if (p->n[t] == MODEL_OPERATIONS - 2)
            return;
        bool skips = *kind == O(SKIP);
        code_insert(p, t, p->n[t],
                    (operation){.kind = *kind,
                                .object = (uint8_t)random_object(random, p, *kind, features),
                                .value = (uint8_t)(*kind == O(TAKE_MANY) ? 2 + below(random, 2)
                                                   : below(random, 8)    ? below(random, 3)
                                                                         : MODEL_NOTHING * skips),
                                .extra = (uint8_t)(skips ? 1 + below(random, 2)
                                                         : below(random, MODEL_CHANNELS))});
    }
}

/* Patterns of input operations are about messages; without messages they would only wait. */
static bool is_wanted(unsigned n, unsigned features) {
    bool has_messages = features & ((1u << QUEUES) - 1);
    if (!has_messages &&
        (patterns[n].operation[0] == O(RECEIVE) ||
         (patterns[n].feature == INPUTS && patterns[n].operation[1] == O(FORWARD))))
        return false;
    return features >> patterns[n].feature & 1;
}

static void fill_actor(code *p, unsigned t, unsigned features, uint64_t *random) {
    static const uint8_t most[] = {0, 0, 6, 6, 6, 5, 5};
    unsigned wanted = 1 + below(random, most[p->n_threads]);
    for (int tries = 0; p->n[t] < wanted && tries < 200; tries++) {
        unsigned n = below(random, N_PATTERNS);
        if (is_wanted(n, features))
            add_pattern(p, t, n, features, random);
    }
}

/* Actors that are spawned, by one before them. */
static void add_creation(code *p, uint64_t *random) {
    for (unsigned t = p->n_initial; t < p->n_threads; t++) {
        unsigned parent = below(random, t);
        if (p->n[parent] == MODEL_OPERATIONS) {
            p->n_threads = (uint8_t)t;
            return;
        }
        code_insert(p, parent, below(random, p->n[parent] + 1u),
                    (operation){.kind = O(SPAWN), .object = (uint8_t)t});
    }
}

/* Numbers are drawn in this order, whatever they are for. */
static program new_program(unsigned features, uint64_t *random) {
    unsigned n_actors = 2 + below(random, 4);
    unsigned n_inputs = features >> INPUTS & 1 ? 1 + below(random, 2) : 0;
    uint8_t first[] = {(uint8_t)below(random, 4), (uint8_t)below(random, 4)};
    unsigned fifo = below(random, 1u << MODEL_CHANNELS);
    unsigned capacity = features >> BOUNDS & 1 ? 1 + below(random, 2) : 0;
    return (program){.code = {.n_threads = (uint8_t)n_actors,
                              .n_initial = (uint8_t)n_actors,
                              .n_inputs = (uint8_t)n_inputs,
                              .input_width = 2,
                              .first = {first[0], first[1]}},
                     .fifo = (uint8_t)fifo,
                     .capacity = (uint8_t)capacity,
                     .timeouts_any = features >> ANY_TIMEOUTS & 1,
                     .has_pairs = below(random, 4) == 0};
}

program random_messages(uint64_t seed, unsigned wanted) {
    uint64_t random = seed;
    unsigned features = wanted ? most_features(&random, wanted) : random_features(&random);
    if (features >> ASSUMPTIONS & 1)
        features |= 1u << INPUTS;
    if (features >> BOUNDS & 1) /* couriers do not wait for room; there are no such streams */
        features &= ~(1u << POSTS | 1u << STREAMS);
    program whole = new_program(features, &random);
    code *p = &whole.code;
    if (features >> CREATION & 1)
        p->n_initial = (uint8_t)(1 + below(&random, p->n_threads));
    unsigned n_actors = p->n_threads;
    for (unsigned t = 0; t < n_actors; t++)
        fill_actor(p, t, features, &random);
    if (features >> CREATION & 1)
        add_creation(p, &random);
    return whole;
}

unsigned message_features(const char *letters) {
    return letters ? features_of(feature_letters, letters) : 0;
}
