/* A search through orders in parts: random programs of threads and of messages are explored by
 * searches that are split at random moments.  The parts are run in any order, are left and gone on
 * with, also before they have begun, and are split again; together they must come to every class
 * that brute force knows, and `none` to every execution once.  Of programs with inputs most are
 * divided by random conditions on them before (partition/).  (Parts of sequential programs are in
 * property_explore.c.)
 *
 *     property_split [seed [count]]     (SOAK: many more) */
#include "property/model/machines.h"
#include "property/model/trial.h"
#include "property/random/random_threads.h"

#include <stdio.h>
#include <stdlib.h>

/* Straight searches of all reductions: those that move house would do nothing else here. */
static unsigned straight(void) {
    unsigned variants = 0;
    for (unsigned r = 0; r < HD_N_REDUCTIONS; r++)
        variants |= 1u << 2 * r;
    return variants;
}

/* Programs of threads that have shown something once, and are run every time: a planned end of the
 * program had to wait for a loop of which it was not known that it waits; a restriction that begins
 * to hold while the search goes back. */
static const uint64_t shown[] = {77120581, 77122031};

static bool run_shown(trial one) {
    progress *shared = progress_new(5000, straight());
    bool is_right = true;
    shared->comparison.splits = true;
    one.tally = NULL;
    one.count = 1;
    for (size_t i = 0; i < sizeof shown / sizeof *shown && is_right; i++) {
        one.seed = shown[i];
        is_right = trial_run(shared, &one);
    }
    return is_right;
}

int main(int argc, char **argv) {
    bool is_soak = getenv("SOAK");
    trial threads = {.machine = &threads_machine,
                     .make = make_threads,
                     .seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1,
                     .count = argc > 2  ? strtoull(argv[2], NULL, 10)
                              : is_soak ? 10000
                                        : 300,
                     .features = thread_features(NULL),
                     .n_tallied = HD_HOSTILE(100, 40)};
    threads.tally = threads.seed == 1 ? "split_threads" : NULL;
    trial messages = threads;
    messages.tally = threads.seed == 1 ? "split_messages" : NULL;
    messages.machine = &messages_machine;
    messages.make = make_messages;
    messages.features = message_features(NULL);
    progress *shared = progress_new(is_soak ? 5000 : 1000, straight());
    shared->comparison.splits = true;
    if (!trial_run(shared, &threads) || !trial_run(shared, &messages) ||
        !run_shown(threads))
        return 1;
    printf("%llu random programs in %llu parts, %llu of them by inputs, %llu of whole states: "
           "together "
           "they come to everything\n",
           (unsigned long long)shared->n_checked, (unsigned long long)shared->comparison.n_parts,
           (unsigned long long)shared->comparison.n_divided,
           (unsigned long long)shared->comparison.n_whole);
    return shared->comparison.n_parts < shared->n_checked || /* else nothing was shown */
           shared->comparison.n_whole < shared->n_checked / 50 ||
           shared->comparison.n_divided < shared->n_checked / 10;
}
