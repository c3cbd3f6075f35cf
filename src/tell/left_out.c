/* The guarantee of PCT: with n threads, k events and bugs of depth d, each execution shows a
 * given bug with probability 1/(n*k^(d-1)) or more (Burckhardt et al., "A randomized scheduler with
 * probabilistic guarantees of finding bugs", 2010, section 3). */
#include "tell/left_out.h"

#include "base/text.h"

#include <math.h>

double hd_pct_chance(uint64_t n_threads, uint64_t n_events, uint32_t depth) {
    double n = n_threads ? (double)n_threads : 1, k = n_events ? (double)n_events : 1;
    return 1 / (n * pow(k, depth > 0 ? depth - 1 : 0));
}

static void tell_random(const hd_explorer_counters *c, hd_text *out) {
    hd_text_add(out, "%llu orders of threads were drawn at random: others were not run",
                (unsigned long long)c->executions);
}

/* expm1 and log1p: a tiny chance many times over must not round to nothing. */
static void tell_pct(const hd_explorer_options *o, const hd_explorer_counters *c,
                     uint64_t n_threads, hd_text *out) {
    double chance = hd_pct_chance(n_threads, c->longest, o->pct_depth);
    double in_all = chance < 1 ? -expm1((double)c->executions * log1p(-chance)) : 1;
    hd_text_add(out,
                "%llu orders of threads were sampled (PCT): a bug of depth %u shows in each with "
                "probability at least %.3g (%llu threads, %llu events), in one of them with %.3g",
                (unsigned long long)c->executions, o->pct_depth, chance,
                (unsigned long long)n_threads, (unsigned long long)c->longest, in_all);
}

static void tell_preemptions(const hd_explorer_options *o, const hd_explorer_counters *c,
                             hd_text *out) {
    if (!o->bounds_preemptions) {
        hd_text_add(
            out,
            "orders in which a thread goes round a loop for more than %u visible operations "
            "while others could go on were left out (%llu ways)",
            HD_LONG_RUN, (unsigned long long)c->preempted_away);
        return;
    }
    hd_text_add(out, "orders of threads with more than %u preemption%s were left out (%llu ways)",
                o->preemptions, o->preemptions == 1 ? "" : "s",
                (unsigned long long)c->preempted_away);
}

void hd_bounds_tell(const hd_explorer_options *o, const hd_explorer_counters *c, uint64_t n_threads,
                    void (*each)(void *context, const char *sentence), void *context) {
    hd_text sentence = {0};
    if (n_threads > 0 && o->sampling == HD_SAMPLING_RANDOM)
        tell_random(c, &sentence);
    else if (n_threads > 0 && o->sampling == HD_SAMPLING_PCT)
        tell_pct(o, c, n_threads, &sentence);
    else if (n_threads > 0 && c->preempted_away > 0)
        tell_preemptions(o, c, &sentence);
    if (sentence.n)
        each(context, hd_text_string(&sentence));
    hd_text_release(&sentence);
}
