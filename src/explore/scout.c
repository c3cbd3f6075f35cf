/* Scouts (see scout.h).  The search and its samples are measured in events, because executions
 * differ in length and events cost about the same everywhere. */
#include "explore/scout.h"

#include "base/panic.h"

#include <stdlib.h>

#define FIRST_AT UINT64_C(2000000) /* events of the search; again when they have doubled */
#define SHARE    64                /* of the events of the search that its next sample may have */
#define LEAST    30000             /* events of a sample, */
#define LENGTH   2000              /* and of each of its executions: some never end */
#define ENDLESS  100000            /* events of an execution that will hardly do so */

struct hd_scout {
    hd_graph *graph;
    hd_variables *variables;
    hd_chain_options solve;
    hd_explorer_options explore;
    hd_chain *chain;
    hd_explorer *explorer;
    uint64_t next_at, n_length; /* of the search; of the sample */
    uint32_t nth;
};

static bool is_wanted(const hd_explorer_options *o) {
    return o->is_threaded && !o->no_samples && o->sampling == HD_SAMPLING_OFF &&
           !o->bounds_preemptions && o->reduction == HD_REDUCTION_OPTIMAL;
}

/* Decisions on inputs take time as well; most executions have fewer than the deepest.  Where
 * executions do not end by themselves the search sees few of them. */
static uint64_t length_of(const hd_explorer_counters *search) {
    uint64_t events = search->longest > ENDLESS ? 4 * search->events : search->events;
    return events + search->executions * search->deepest / 8;
}

hd_scout *hd_scout_new(hd_graph *graph, hd_variables *variables, const hd_chain_options *solve,
                       const hd_explorer_options *explore, const hd_explorer_counters *done) {
    if (!is_wanted(explore))
        return NULL;
    hd_scout *s = calloc(1, sizeof *s);
    if (!s)
        hd_out_of_memory();
    *s = (hd_scout){.graph = graph, .variables = variables, .solve = *solve, .explore = *explore};
    s->solve.deadline = explore->deadline;
    for (s->next_at = FIRST_AT; s->next_at <= length_of(done); s->next_at *= 2)
        s->nth++;
    return s;
}

bool hd_scout_is_due(const hd_scout *s, const hd_explorer_counters *search) {
    return length_of(search) >= s->next_at;
}

/* Bugs of depth two to four, and now and then any thread at any step. */
void hd_scout_begin(hd_scout *s, const hd_explorer_counters *search) {
    HD_INVARIANT(C2, !s->explorer && hd_scout_is_due(s, search));
    hd_explorer_options o = s->explore;
    o.sampling = s->nth % 4 == 3 ? HD_SAMPLING_RANDOM : HD_SAMPLING_PCT;
    o.pct_depth = 2 + s->nth % 3;
    o.samples = UINT64_MAX;
    o.sample_length = LENGTH;
    o.seed += s->nth++;
    uint64_t length = length_of(search);
    s->n_length = length / SHARE > LEAST ? length / SHARE : LEAST;
    s->next_at = 2 * length;
    HD_INVARIANT(C2, s->next_at > length);
    s->chain = hd_chain_new(s->graph, s->variables, &s->solve);
    s->explorer = hd_explorer_new(s->graph, s->variables, s->chain, &o);
    HD_INVARIANT(C1, hd_explorer_counted(s->explorer) != search);
}

hd_explorer *hd_scout_explorer(const hd_scout *s) {
    return s ? s->explorer : NULL;
}

void hd_scout_stop(hd_scout *s) {
    hd_explorer_free(s->explorer);
    hd_chain_free(s->chain);
    s->explorer = NULL;
    s->chain = NULL;
}

bool hd_scout_next(hd_scout *s, hd_model *model) {
    HD_ASSERT(s->explorer && s->chain);
    if (length_of(hd_explorer_counted(s->explorer)) < s->n_length &&
        hd_explorer_next(s->explorer, model))
        return true;
    hd_scout_stop(s);
    return false;
}
