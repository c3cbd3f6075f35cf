/* Which races are harmful: experiments on executions that failed.
 *
 * Of a failing execution its inputs, its schedule and its accesses are kept.  Where the two
 * places of a race meet in it (nothing else touches the memory in between), it is run once more
 * with the two turned round.  A race that only happens to be in an execution that fails for
 * another reason stays harmless. */
#include "tell/race.h"

#include <stdlib.h>
#include <string.h>

#define MOST_FAILURES 64    /* that are remembered */
#define MOST_EVENTS   20000 /* of one that is remembered */
#define MOST_TRIALS   1000  /* in all */
#define LOOK_BACK     1000  /* events */

typedef hd_vec(uint64_t) signatures;

typedef struct failure {
    uint64_t signature;
    signatures others; /* what else goes wrong in its execution */
    hd_model inputs;
    hd_vec(hd_action) events;
} failure;

typedef struct known_race {
    uint64_t signature;
    uint32_t line[2];
    const char *file[2];
    bool is_harmful;
} known_race;

typedef struct harmed {
    uint64_t race, failure;
} harmed;

struct hd_harm {
    hd_machine *machine;
    const hd_image *image;
    hd_vec(failure) failures;
    hd_vec(known_race) races;
    hd_vec(harmed) answers;
    size_t n_told;
    unsigned n_trials;
};

hd_harm *hd_harm_new(hd_machine *machine, const hd_image *image) {
    hd_vec(hd_harm) h = {0};
    hd_vec_push(&h, ((hd_harm){.machine = machine, .image = image}));
    return h.at;
}

void hd_harm_free(hd_harm *h) {
    for (size_t i = 0; i < h->failures.n; i++) {
        hd_model_release(&h->failures.at[i].inputs);
        hd_vec_release(&h->failures.at[i].events);
        hd_vec_release(&h->failures.at[i].others);
    }
    hd_vec_release(&h->failures);
    hd_vec_release(&h->races);
    hd_vec_release(&h->answers);
    free(h);
}

static const hd_site *site_of(const hd_harm *h, const hd_action *a) {
    return &h->image->sites[a->site < h->image->n_sites ? a->site : 0];
}

static bool is_at(const hd_harm *h, const hd_action *a, const known_race *race, unsigned side) {
    const hd_site *s = site_of(h, a);
    const char *file = s->file ? s->file : "";
    return s->line == race->line[side] && strcmp(file, race->file[side]) == 0;
}

static bool is_pair(const hd_harm *h, const hd_action *a, const hd_action *b,
                    const known_race *race) {
    return (is_at(h, a, race, 0) && is_at(h, b, race, 1)) ||
           (is_at(h, a, race, 1) && is_at(h, b, race, 0));
}

/* The event before `second` that it conflicts with, of another thread. */
static bool find_first(const failure *f, size_t second, size_t *first) {
    const hd_action *b = &f->events.at[second];
    size_t least = second > LOOK_BACK ? second - LOOK_BACK : 0;
    for (size_t i = second; i > least; i--) {
        const hd_action *a = &f->events.at[i - 1];
        if (a->thread != b->thread && hd_actions_conflict(a, b)) {
            *first = i - 1;
            return true;
        }
    }
    return false;
}

/* The schedule with event `second` before `first`, and what the thread of `first` did in between
 * behind them both. */
static void turn_round(const failure *f, size_t first, size_t second, hd_schedule *out) {
    uint32_t late = f->events.at[first].thread;
    for (size_t i = 0; i < first; i++)
        hd_vec_push(out, f->events.at[i].thread);
    for (size_t i = first; i <= second; i++)
        if (f->events.at[i].thread != late)
            hd_vec_push(out, f->events.at[i].thread);
    for (size_t i = first; i < f->events.n; i++)
        if (i > second || f->events.at[i].thread == late)
            hd_vec_push(out, f->events.at[i].thread);
}

static bool fails_anyway(const failure *f, const hd_finding *finding) {
    uint64_t signature = hd_finding_signature(finding);
    for (size_t i = 0; i < f->others.n; i++)
        if (f->others.at[i] == signature)
            return true;
    return false;
}

/* Does nothing go wrong in the last run but what went wrong besides the failure? */
static bool is_gone(const hd_rerun *r, const failure *f) {
    uint32_t n;
    const hd_failure *failures = hd_machine_failures(r->machine, &n);
    if (r->outcome.end != HD_END_EXIT && r->outcome.end != HD_END_FINDING)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!fails_anyway(f, &failures[i].finding))
            return false;
    return true;
}

static bool fails_no_more(hd_harm *h, const failure *f, size_t first, size_t second) {
    hd_rerun r = hd_rerun_of(h->machine, &f->inputs, "");
    turn_round(f, first, second, &r.schedule);
    h->n_trials++;
    hd_rerun_run(&r);
    bool yes = is_gone(&r, f);
    hd_rerun_release(&r);
    return yes;
}

/* Does turning them round change the order of this race only?  If other conflicting events change
 * places as well, it is not known which of them decided. */
static bool turns_only(const hd_harm *h, const failure *f, size_t first, size_t second,
                       const known_race *race) {
    uint32_t late = f->events.at[first].thread;
    for (size_t i = first; i < second; i++) {
        if (f->events.at[i].thread != late)
            continue;
        for (size_t k = i + 1; k <= second; k++) {
            const hd_action *a = &f->events.at[i], *b = &f->events.at[k];
            if (b->thread != late && hd_actions_conflict(a, b) && !is_pair(h, a, b, race))
                return false;
        }
    }
    return true;
}

static bool is_decisive(hd_harm *h, const failure *f, const known_race *race) {
    size_t first;
    for (size_t i = 1; i < f->events.n && h->n_trials < MOST_TRIALS; i++) {
        const hd_action *b = &f->events.at[i];
        if ((is_at(h, b, race, 0) || is_at(h, b, race, 1)) && find_first(f, i, &first) &&
            is_pair(h, &f->events.at[first], b, race) && turns_only(h, f, first, i, race) &&
            fails_no_more(h, f, first, i))
            return true;
    }
    return false;
}

static void try_pair(hd_harm *h, known_race *race, const failure *f) {
    if (race->is_harmful || !is_decisive(h, f, race))
        return;
    race->is_harmful = true;
    hd_vec_push(&h->answers, ((harmed){race->signature, f->signature}));
}

static bool knows_race(const hd_harm *h, uint64_t signature) {
    for (size_t i = 0; i < h->races.n; i++)
        if (h->races.at[i].signature == signature)
            return true;
    return false;
}

void hd_harm_add_race(hd_harm *h, uint64_t signature, const hd_race *race) {
    known_race known = {.signature = signature};
    if (knows_race(h, signature))
        return;
    for (unsigned i = 0; i < 2; i++) {
        const hd_site *s = site_of(h, &race->action[i]);
        known.line[i] = s->line;
        known.file[i] = s->file ? s->file : "";
    }
    for (size_t i = 0; i < h->failures.n; i++)
        try_pair(h, &known, &h->failures.at[i]);
    hd_vec_push(&h->races, known);
}

/* Of the last run, besides the failure that its outcome shows. */
static void find_others(const hd_rerun *r, signatures *out) {
    uint32_t n;
    const hd_failure *failures = hd_machine_failures(r->machine, &n);
    uint64_t shown = hd_finding_signature(&r->outcome.finding);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t signature = hd_finding_signature(&failures[i].finding);
        if (signature != shown)
            hd_vec_push(out, signature);
    }
}

void hd_harm_add_failure(hd_harm *h, uint64_t signature, const hd_rerun *r) {
    if (h->failures.n >= MOST_FAILURES || r->follow.events.n > MOST_EVENTS)
        return;
    failure f = {.signature = signature};
    find_others(r, &f.others);
    hd_model_copy(&f.inputs, &r->model);
    for (size_t i = 0; i < r->follow.events.n; i++)
        hd_vec_push(&f.events, r->follow.events.at[i]);
    hd_vec_push(&h->failures, f);
    for (size_t i = 0; i < h->races.n; i++)
        try_pair(h, &h->races.at[i], &h->failures.at[h->failures.n - 1]);
}

bool hd_harm_next(hd_harm *h, uint64_t *race, uint64_t *failure_signature) {
    if (h->n_told == h->answers.n)
        return false;
    *race = h->answers.at[h->n_told].race;
    *failure_signature = h->answers.at[h->n_told++].failure;
    return true;
}
