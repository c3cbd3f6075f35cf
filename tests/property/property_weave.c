/* Every order of threads that matters, against brute force: random little programs of threads run
 * on the abstract machine of model_threads.h under the real explorer.
 *
 *     property_weave [seed [count [features [variants]]]]     (SOAK: many more)
 *
 * What is compared is said in compare.h.  `none` runs every interleaving once, except that threads
 * are created and joined as soon as possible; `optimal` runs every trace once and stops no
 * execution, also if threads decide on inputs and if inputs decide about exchanges.  The hand
 * checks of the specification (3.4) come first, with their exact numbers. */
#include "property/model/machines.h"
#include "property/model/trial.h"
#include "property/random/random_threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define O(name) OPERATION_##name

/* ---- The hand checks of the specification, 3.4 -------------------------------------------------
 */

#define R(x)      {.kind = O(READ), .object = (x)}
#define W(x, v)   {.kind = O(WRITE), .object = (x), .value = (v)}
#define CREATE(t) {.kind = O(CREATE), .object = (t)}
#define JOIN(t)   {.kind = O(JOIN), .object = (t)}
#define LOCK(m)   {.kind = O(LOCK), .object = (m)}
#define UNLOCK(m) {.kind = O(UNLOCK), .object = (m)}
#define RDLOCK    {.kind = O(READ_LOCK)}
#define RDUNLOCK  {.kind = O(READ_UNLOCK)}

typedef struct hand_check {
    const char *name;
    program program;
    uint64_t n_interleavings, n_classes; /* 0: not told */
    uint64_t n_paths[HD_N_REDUCTIONS];   /* 0: not told */
    uint64_t n_with_reads_conflict;      /* paths of `optimal` then; 0: not told */
    const char *order;                   /* the threads of the executions of `flip`, in order */
} hand_check;

/* Nothing is told of the reduction for messages. */
#define PATHS(none, flip, dpor, optimal)                                                           \
    {[HD_REDUCTION_NONE] = (none),                                                                 \
     [HD_REDUCTION_FLIP] = (flip),                                                                 \
     [HD_REDUCTION_DPOR] = (dpor),                                                                 \
     [HD_REDUCTION_OPTIMAL] = (optimal)}

static const hand_check hand_checks[] = {
    {"Fig. 2, schedules",
     {.code.at = {{W(0, 3)}, {W(0, 2), R(0)}},
      .code.n = {1, 2},
      .code.n_threads = 2,
      .code.n_initial = 2},
     3,
     3,
     PATHS(3, 3, 3, 3),
     3,
     "011 110 101 "},
    {"Fig. 2 with its input",
     {.code.at = {{W(0, 3)}, {W(0, 2), R(0), {.kind = O(ASSERT_LINEAR)}}},
      .code.n = {1, 3},
      .code.n_threads = 2,
      .code.n_initial = 2,
      .code.n_inputs = 1,
      .code.input_width = 8,
      .code.first = {236}},
     4,
     4,
     PATHS(4, 4, 4, 4),
     0,
     "011 110 101 101 "},
    {"Fig. 21",
     {.code.at = {{W(0, 1)}, {W(1, 4)}, {W(0, 2)}},
      .code.n = {1, 1, 1},
      .code.n_threads = 3,
      .code.n_initial = 3},
     6,
     2,
     PATHS(6, 3, 2, 2),
     2,
     NULL},
    {"Fig. 22",
     {.code.at = {{R(0)}, {R(0)}, {R(0)}},
      .code.n = {1, 1, 1},
      .code.n_threads = 3,
      .code.n_initial = 3},
     6,
     1,
     PATHS(6, 1, 1, 1),
     6,
     "012 "},
    {"the example of section 8",
     {.code.at = {{W(0, 1), W(0, 2)}, {W(1, 3), W(0, 4)}},
      .code.n = {2, 2},
      .code.n_threads = 2,
      .code.n_initial = 2},
     6,
     3,
     PATHS(6, 6, 3, 3),
     3,
     NULL},
    {"two critical sections",
     {.code.at = {{{.kind = O(LOCK)}, W(0, 1), {.kind = O(UNLOCK)}},
                  {{.kind = O(LOCK)}, W(0, 2), {.kind = O(UNLOCK)}}},
      .code.n = {3, 3},
      .code.n_threads = 2,
      .code.n_initial = 2},
     2,
     2,
     PATHS(2, 2, 2, 2),
     2,
     NULL},
    {"the counter-example to Fig. 19",
     {.code.at = {{W(0, 1), W(0, 2)}, {W(1, 1), R(0)}, {R(0), R(0)}},
      .code.n = {2, 2, 2},
      .code.n_threads = 3,
      .code.n_initial = 3},
     90,
     18,
     PATHS(90, 0, 0, 18),
     0,
     NULL},
    /* Not in the specification: a race must be looked at again in every execution that has it,
     * because what can be done before its second event changes. */
    {"a race with several continuations",
     {.code.at = {{R(0)},
                  {{.kind = O(COMPARE), .object = 0, .value = 0, .extra = 1}},
                  {R(1), {.kind = O(SKIP), .value = 0, .extra = 1}, W(0, 2)},
                  {W(1, 1), W(1, 0)}},
      .code.n = {1, 1, 3, 2},
      .code.n_threads = 4,
      .code.n_initial = 4},
     0,
     9,
     PATHS(0, 0, 0, 9),
     0,
     NULL},
    /* Likewise, with decisions on inputs inside threads.  What sleeps was explored for one way of a
     * decision only. */
    {"a decision above sleeping threads",
     {.code.at = {{{.kind = O(ADD), .object = 1, .value = 2}},
                  {{.kind = O(ADD), .object = 0}},
                  {W(0, 0), R(1)},
                  {W(0, 0), {.kind = O(INPUT)}, {.kind = O(ASSERT)}}},
      .code.n = {1, 1, 2, 3},
      .code.n_threads = 4,
      .code.n_initial = 4,
      .code.n_inputs = 1,
      .code.input_width = 2,
      .code.first = {1}},
     0,
     24,
     PATHS(0, 0, 0, 24),
     0,
     NULL},
    /* A decision that has nothing to do with the race that its sequence is for. */
    {"one way of a guided decision",
     {.code.at = {{W(0, 2)},
                  {R(0)},
                  {{.kind = O(STORE), .object = 1},
                   {.kind = O(INPUT)},
                   {.kind = O(SKIP), .value = 2, .extra = 2}},
                  {R(0)}},
      .code.n = {1, 1, 3, 1},
      .code.n_threads = 4,
      .code.n_initial = 4,
      .code.n_inputs = 1,
      .code.input_width = 2,
      .code.first = {2}},
     0,
     8,
     PATHS(0, 0, 0, 8),
     0,
     NULL},
    /* Behind the end of a sequence threads sleep for some inputs only, and a longer sequence wakes
     * them. */
    {"a sequence behind the end of another",
     {.code.at = {{{.kind = O(STORE), .object = 1},
                   {.kind = O(INPUT)},
                   {.kind = O(SKIP), .value = 2, .extra = 1}},
                  {R(0), {.kind = O(SKIP), .value = 1, .extra = 1}},
                  {{.kind = O(STORE), .object = 1}, {.kind = O(ADD), .object = 0}},
                  {{.kind = O(INPUT)}, {.kind = O(STORE), .object = 0}, R(1)}},
      .code.n = {3, 2, 2, 3},
      .code.n_threads = 4,
      .code.n_initial = 4,
      .code.n_inputs = 1,
      .code.input_width = 2,
      .code.first = {2}},
     0,
     69,
     PATHS(0, 0, 0, 69),
     0,
     NULL},
    /* The inputs that the assumption rejects lead another thread to a race with it. */
    {"a race that an assumption hides",
     {.code.at = {{R(2),
                   {.kind = O(SKIP), .value = 2, .extra = 2},
                   {.kind = O(INPUT), .object = 1},
                   {.kind = O(ASSUME), .value = 0}},
                  {{.kind = O(INPUT)}, {.kind = O(STORE), .object = 2}},
                  {{.kind = O(INPUT), .object = 1},
                   {.kind = O(STORE), .object = 1},
                   {.kind = O(SKIP), .value = 0, .extra = 2}}},
      .code.n = {4, 2, 3},
      .code.n_threads = 3,
      .code.n_initial = 3,
      .code.n_inputs = 2,
      .code.input_width = 2,
      .code.first = {0, 3}},
     0,
     4,
     {0},
     0,
     NULL},
    /* What reads wakes the exchange for the inputs for which it succeeds, and lets it sleep for the
     * others; a longer sequence is there for these. */
    {"an exchange that sleeps for some inputs",
     {.code.at = {{{.kind = O(COMPARE), .extra = 1}},
                  {R(0), {.kind = O(SKIP), .value = 0, .extra = 1}},
                  {{.kind = O(INPUT)}, {.kind = O(STORE)}},
                  {{.kind = O(ADD)}}},
      .code.n = {1, 2, 2, 1},
      .code.n_threads = 4,
      .code.n_initial = 4,
      .code.n_inputs = 1,
      .code.input_width = 2},
     0,
     37,
     PATHS(0, 0, 0, 37),
     0,
     NULL},
    /* Another thread has decided before that the exchange fails wherever it meets the input. */
    {"an exchange that was decided before",
     {.code.at = {{{.kind = O(INPUT)}, {.kind = O(ASSERT), .value = 0}},
                  {W(0, 1)},
                  {{.kind = O(COMPARE), .value = 2, .extra = 2}},
                  {{.kind = O(INPUT)}, {.kind = O(STORE)}}},
      .code.n = {2, 1, 1, 2},
      .code.n_threads = 4,
      .code.n_initial = 4,
      .code.n_inputs = 1,
      .code.input_width = 2,
      .code.first = {3}},
     0,
     14,
     PATHS(0, 0, 0, 14),
     0,
     NULL},
    /* In one state an exchange waits in the tree for the inputs for which it fails, and for those
     * for which it succeeds. */
    {"an exchange that waits both ways",
     {.code.at =
          {{{.kind = O(INPUT)}, {.kind = O(STORE)}, {.kind = O(COMPARE), .value = 1, .extra = 1}},
           {{.kind = O(COMPARE), .value = 2, .extra = 1}, {.kind = O(INPUT)}, {.kind = O(STORE)}},
           {{.kind = O(COMPARE), .value = 2, .extra = 2},
            {.kind = O(INPUT)},
            {.kind = O(ASSERT), .value = 1}}},
      .code.n = {3, 3, 3},
      .code.n_threads = 3,
      .code.n_initial = 3,
      .code.n_inputs = 1,
      .code.input_width = 2,
      .code.first = {1}},
     0,
     63,
     PATHS(0, 0, 0, 63),
     0,
     NULL},
    /* Likewise, and the race is there only if the exchange succeeds, for the input that the
     * assumption rejects where it is made before. */
    {"an exchange that an assumption hides",
     {.code.at = {{{.kind = O(INPUT)}, {.kind = O(STORE)}, R(0), {.kind = O(ASSUME), .value = 0}},
                  {{.kind = O(COMPARE), .value = 0, .extra = 2}}},
      .code.n = {4, 1},
      .code.n_threads = 2,
      .code.n_initial = 2,
      .code.n_inputs = 1,
      .code.input_width = 2,
      .code.first = {3}},
     0,
     3,
     {0},
     0,
     NULL},
    /* Before the write the exchange meets the input, of which it is decided already, before any
     * event, that it fails: no thread has decided so far. */
    {"an exchange that the beginning has decided",
     {.code.at = {{{.kind = O(INPUT)},
                   {.kind = O(SKIP), .value = 1, .extra = 1},
                   {.kind = O(STORE)},
                   W(0, 0)},
                  {{.kind = O(COMPARE), .value = 1, .extra = 2}}},
      .code.n = {4, 1},
      .code.n_threads = 2,
      .code.n_initial = 2,
      .code.n_inputs = 1,
      .code.input_width = 2,
      .code.first = {3}},
     0,
     0,
     PATHS(0, 0, 0, 0),
     0,
     NULL},
    /* A thread that reads may read again, and stops to read when it has unlocked as often. */
    {"nested read locks",
     {.code.at = {{RDLOCK, RDLOCK, RDUNLOCK}, {LOCK(0)}},
      .code.n = {3, 1},
      .code.n_threads = 2,
      .code.n_initial = 2},
     0,
     2,
     PATHS(0, 0, 0, 2),
     0,
     NULL},
    {"nested read locks, all given back",
     {.code.at = {{RDLOCK, RDLOCK, RDUNLOCK, RDUNLOCK}, {LOCK(0), UNLOCK(0)}},
      .code.n = {4, 2},
      .code.n_threads = 2,
      .code.n_initial = 2},
     0,
     2,
     PATHS(0, 0, 0, 2),
     0,
     NULL},
    /* What a thread does while it is alone is no event: events tell only half of what happened to a
     * lock that it takes or gives back then. */
    {"a lock for reading, given back alone",
     {.code.at = {{CREATE(1), RDLOCK, JOIN(1), RDUNLOCK, CREATE(2), RDLOCK, RDUNLOCK},
                  {W(0, 1)},
                  {LOCK(0), UNLOCK(0)}},
      .code.n = {7, 1, 2},
      .code.n_threads = 3,
      .code.n_initial = 1},
     0,
     2,
     PATHS(0, 0, 0, 2),
     0,
     NULL},
    {"a lock for writing, given back alone",
     {.code.at = {{CREATE(1), LOCK(0), JOIN(1), UNLOCK(0), CREATE(2), LOCK(0), UNLOCK(0)},
                  {W(0, 1)},
                  {RDLOCK, RDUNLOCK}},
      .code.n = {7, 1, 2},
      .code.n_threads = 3,
      .code.n_initial = 1},
     0,
     2,
     PATHS(0, 0, 0, 2),
     0,
     NULL},
    {"given back alone, and others read and write",
     {.code.at = {{CREATE(1), RDLOCK, JOIN(1), RDUNLOCK, CREATE(2), CREATE(3)},
                  {W(0, 1)},
                  {RDLOCK},
                  {LOCK(0)}},
      .code.n = {6, 1, 1, 1},
      .code.n_threads = 4,
      .code.n_initial = 1},
     0,
     2,
     PATHS(0, 0, 0, 2),
     0,
     NULL},
    {"given back alone, and a deadlock",
     {.code.at = {{CREATE(1), LOCK(0), JOIN(1), UNLOCK(0), CREATE(2), LOCK(0), LOCK(1)},
                  {W(0, 1)},
                  {LOCK(1), LOCK(0)}},
      .code.n = {7, 1, 2},
      .code.n_threads = 3,
      .code.n_initial = 1},
     0,
     3,
     PATHS(0, 0, 0, 3),
     0,
     NULL},
    {"a lock for reading, taken alone",
     {.code.at = {{RDLOCK, CREATE(1), CREATE(2), R(0), RDUNLOCK},
                  {RDLOCK, W(0, 1), RDUNLOCK},
                  {LOCK(0)}},
      .code.n = {5, 3, 1},
      .code.n_threads = 3,
      .code.n_initial = 1},
     0,
     3,
     PATHS(0, 0, 0, 3),
     0,
     NULL},
    {"memory that changes while a thread is alone",
     {.code.at = {{CREATE(1),
                   R(0),
                   JOIN(1),
                   W(0, 2),
                   CREATE(2),
                   {.kind = O(COMPARE), .value = 2, .extra = 1}},
                  {R(1)},
                  {{.kind = O(COMPARE), .value = 2, .extra = 1}}},
      .code.n = {6, 1, 1},
      .code.n_threads = 3,
      .code.n_initial = 1},
     0,
     2,
     PATHS(0, 0, 0, 2),
     0,
     NULL},
    /* Arrivals commute, but three are too many for a barrier of two. */
    {"a barrier with one thread too many",
     {.code.at = {{{.kind = O(BARRIER)}, R(1), {.kind = O(ASSERT), .value = 2}},
                  {{.kind = O(BARRIER)}},
                  {{.kind = O(BARRIER)}, {.kind = O(INPUT)}, {.kind = O(STORE), .object = 1}}},
      .code.n = {3, 1, 3},
      .code.n_threads = 3,
      .code.n_initial = 3,
      .code.n_inputs = 1,
      .code.input_width = 2,
      .code.first = {2},
      .barrier = 2},
     0,
     5,
     PATHS(0, 0, 0, 5),
     0,
     NULL},
    /* Who waits in the end could have come before any of three others. */
    {"a writer that waits for three readers",
     {.code.at = {{RDLOCK}, {RDLOCK}, {RDLOCK}, {LOCK(0)}},
      .code.n = {1, 1, 1, 1},
      .code.n_threads = 4,
      .code.n_initial = 4},
     0,
     2,
     PATHS(0, 0, 0, 2),
     0,
     NULL},
    {"a writer that waits for two of three readers",
     {.code.at =
          {{RDLOCK, W(0, 1)}, {RDLOCK, W(0, 2), RDUNLOCK}, {RDLOCK, W(1, 1)}, {R(1), LOCK(0)}},
      .code.n = {2, 3, 2, 2},
      .code.n_threads = 4,
      .code.n_initial = 4},
     0,
     0,
     PATHS(0, 0, 0, 0),
     0,
     NULL},
    /* As tests/programs/threads/spin_two_places.c: the loop ends by either place, one of which
     * holds what it waits for only for a moment; without rounds in vain there are 2 classes, and
     * two executions end in vain. */
    {"a loop over two places",
     {.code.at = {{{.kind = O(SPIN_WHILE_BOTH), .object = 0, .other = 1}},
                  {W(1, 1), W(1, 0), W(0, 1)}},
      .code.n = {1, 3},
      .code.n_threads = 2,
      .code.n_initial = 2},
     0,
     7,
     PATHS(10, 0, 4, 4),
     0,
     NULL},
};
enum { N_HAND_CHECKS = sizeof hand_checks / sizeof *hand_checks };

/* Paths of one search that nobody compares with anything; their threads into `order`. */
static uint64_t count_paths(const code *c, const hd_explorer_options *options, hd_text *order) {
    world w;
    hd_model inputs = {0};
    hd_outcome outcome;
    world_open(&w, &threads_machine, c, options);
    hd_sink sink = hd_explorer_sink(w.explorer);
    while (hd_explorer_next(w.explorer, &inputs)) {
        threads_machine.run(&sink, &inputs, &outcome);
        hd_explorer_done(w.explorer, &outcome, &inputs);
        for (uint32_t i = 0; i < threads_machine.history()->n_events; i++)
            hd_text_add(order, "%u", threads_event_thread(i));
        hd_text_add(order, " ");
    }
    const hd_explorer_counters *counters = hd_explorer_counted(w.explorer);
    uint64_t n = counters->executions - counters->redundant;
    world_close(&w);
    hd_model_release(&inputs);
    return n;
}

static bool check_paths(comparison *to, const hand_check *h, hd_explorer_options options,
                        uint64_t expected, const char *order) {
    hd_text have = {0};
    options.is_threaded = true;
    uint64_t n = count_paths(&h->program.code, &options, &have);
    if (expected && n != expected)
        wrong(to, "%s%s: %llu paths, not %llu", hd_reduction_name(options.reduction),
              options.reads_conflict ? " with reads that conflict" : "", (unsigned long long)n,
              (unsigned long long)expected);
    if (order && strcmp(order, hd_text_string(&have)) != 0)
        wrong(to, "%s: in the order %s, not %s", hd_reduction_name(options.reduction),
              hd_text_string(&have), order);
    hd_text_release(&have);
    return !to->why[0];
}

static bool check_by_hand(comparison *to, const hand_check *h) {
    known k = {.limit = to->limit};
    threads_collect(&k, &h->program);
    if ((h->n_interleavings && k.n_run_of_sequence.n != h->n_interleavings) ||
        (h->n_classes && k.classes.n != h->n_classes))
        wrong(to, "brute force finds %zu interleavings and %zu classes", k.n_run_of_sequence.n,
              k.classes.n);
    bool is_right = !to->why[0] && compare_known(to, &threads_machine, &h->program.code, &k);
    known_release(&k);
    for (unsigned r = 0; r < HD_N_REDUCTIONS && is_right; r++)
        if (has_variant(to, r))
            is_right = check_paths(to, h, (hd_explorer_options){.reduction = r}, h->n_paths[r],
                                   r == HD_REDUCTION_FLIP ? h->order : NULL);
    return is_right && check_paths(to, h,
                                   (hd_explorer_options){.reduction = HD_REDUCTION_OPTIMAL,
                                                         .reads_conflict = true},
                                   h->n_with_reads_conflict, NULL);
}

static bool check_hand_checks(progress *shared, const void *unused) {
    (void)unused;
    for (unsigned i = 0; i < N_HAND_CHECKS; i++) {
        shared->seed = i;
        if (!check_by_hand(&shared->comparison, &hand_checks[i]))
            return false;
    }
    return true;
}

/* ---- All of it ----------------------------------------------------------------------------------
 */

int main(int argc, char **argv) {
    bool is_soak = getenv("SOAK");
    trial all = {.machine = &threads_machine,
                 .make = make_threads,
                 .seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1,
                 .count = argc > 2  ? strtoull(argv[2], NULL, 10)
                          : is_soak ? 300000
                                    : 700,
                 .features = thread_features(argc > 3 ? argv[3] : NULL),
                 .n_tallied = HD_HOSTILE(200, 50)};
    bool is_usual = argc <= 3 && all.seed == 1;
    all.tally = is_usual ? "weave" : NULL;
    progress *shared = progress_new(is_soak ? 20000 : 2000,
                                    argc > 4 ? (unsigned)strtoul(argv[4], NULL, 0) : ALL_VARIANTS);
    if (!in_child(shared, check_hand_checks, NULL, 60))
        return printf("hand checks: %s: %s\n", hand_checks[shared->seed].name,
                      shared->comparison.why),
               1;
    trial phased = all, looping = all;
    phased.count = all.count / 8;
    phased.features = thread_features("mlrsctbh");
    phased.n_tallied = all.n_tallied / 8;
    phased.tally = is_usual ? "weave_phased" : NULL;
    looping.count = all.count / 2;
    looping.features = thread_features("mplrsctbwnev");
    looping.n_tallied = all.n_tallied / 2;
    looping.tally = is_usual ? "weave_looping" : NULL;
    if (!trial_run(shared, &all) ||
        (argc <= 3 && (!trial_run(shared, &phased) || !trial_run(shared, &looping))))
        return 1;
    printf("%llu random programs: every reduction does what it promises, and `optimal` ran each "
           "class once\n",
           (unsigned long long)shared->n_checked);
    return 0;
}
