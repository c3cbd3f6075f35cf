/* Batches and tests as values, and what a state says about its own completeness. */
#include "record/stored.h"

#include <stdlib.h>
#include <string.h>

bool hd_test_is_threaded(const hd_test *t) {
    return t->schedule && t->schedule[0];
}

void hd_test_release(hd_test *t) {
    free(t->path);
    free(t->map);
    free(t->schedule);
    free(t->threads);
    hd_inputs_free(t->inputs, t->n_inputs);
    *t = (hd_test){0};
}

static void release_findings(hd_batch *b) {
    for (uint32_t i = 0; i < b->n_findings; i++) {
        free(b->findings[i].message);
        free(b->findings[i].file);
        free(b->findings[i].function);
        free(b->findings[i].stack);
        free(b->findings[i].story);
    }
    free(b->findings);
}

static void release_losses(hd_batch *b) {
    for (uint32_t i = 0; i < b->n_losses; i++) {
        free(b->losses[i].what);
        free(b->losses[i].file);
    }
    free(b->losses);
}

void hd_batch_release(hd_batch *b) {
    for (uint32_t i = 0; i < b->n_tests; i++)
        hd_test_release(&b->tests[i]);
    free(b->tests);
    release_findings(b);
    release_losses(b);
    for (uint32_t i = 0; i < b->n_labels; i++)
        free(b->labels[i].name);
    free(b->labels);
    free(b->units);
    free(b->observed);
    free(b->coverage);
    free(b->frontier);
    free(b->threads);
    free(b->warnings);
    free(b->stop_reason);
    *b = (hd_batch){0};
}

/* An execution that the step limit ended had more branches to show, and so had one that took its
 * worker down. */
static uint64_t count_findings(const hd_batch *state, hd_finding_kind kind) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < state->n_findings; i++)
        if (state->findings[i].kind == kind)
            n += state->findings[i].count;
    return n;
}

bool hd_batch_is_exact(const hd_batch *state) {
    const hd_explorer_counters *c = &state->counters.explore;
    return c->unknown == 0 && c->mispredicted == 0 && c->bounded == 0 && state->n_losses == 0 &&
           count_findings(state, HD_FINDING_NON_TERMINATION) == 0 &&
           count_findings(state, HD_FINDING_LOST_WORKER) == 0;
}

typedef struct teller {
    void (*each)(void *, const char *);
    void *context;
    hd_text text;
} teller;

static void tell(teller *t) {
    t->each(t->context, hd_text_string(&t->text));
    hd_text_clear(&t->text);
}

static const char *plural(uint64_t n) {
    return n == 1 ? "" : "s";
}

static void add_place(teller *t, const hd_loss *loss) {
    if (loss->file && loss->file[0] && loss->line)
        hd_text_add(&t->text, " at %s:%u", loss->file, loss->line);
    else if (loss->file && loss->file[0])
        hd_text_add(&t->text, " in %s", loss->file);
}

/* The sentence for `n` things of one kind, with the places where they happened. */
static void tell_count(teller *t, const hd_batch *state, hd_loss_kind kind, uint64_t n) {
    if (n == 0)
        return;
    hd_text_add(&t->text, "%llu %s", (unsigned long long)n, hd_loss_kind_words(kind, n));
    const char *separator = "";
    for (uint32_t i = 0, shown = 0; i < state->n_losses && shown < 3; i++) {
        const hd_loss *loss = &state->losses[i];
        if (loss->kind != kind || !loss->file || !loss->file[0])
            continue;
        hd_text_add(&t->text, "%s", separator);
        add_place(t, loss);
        separator = ",";
        shown++;
    }
    tell(t);
}

/* Why executions stray: values that are listed as constants explain it; nothing else that is known
 * does. */
static void tell_strays(teller *t, const hd_batch *state) {
    uint64_t n = state->counters.explore.mispredicted;
    bool has_constants = false;
    for (uint32_t i = 0; i < state->n_losses; i++)
        has_constants |= state->losses[i].kind == HD_LOSS_VALUE;
    tell_count(t, state, HD_LOSS_MISPREDICTED, n);
    if (n && has_constants)
        hd_text_add(&t->text, "strayed, because inputs were treated as constants (listed here)");
    else if (n)
        hd_text_add(&t->text,
                    "strayed, and nothing that is listed explains it: the program does not "
                    "do the same twice, or this is an error of Heddle");
    if (n)
        tell(t);
}

static void tell_bounds(teller *t, const hd_batch *state) {
    for (uint32_t i = 0; i < state->n_losses; i++) {
        if (!hd_loss_kind_is_bound(state->losses[i].kind))
            continue;
        hd_text_add(&t->text, "%s", state->losses[i].what);
        add_place(t, &state->losses[i]);
        tell(t);
    }
}

/* Approximations of the machine; those of the search are counted above. */
static void tell_approximations(teller *t, const hd_batch *state) {
    for (uint32_t i = 0; i < state->n_losses; i++) {
        const hd_loss *loss = &state->losses[i];
        if (hd_loss_kind_is_bound(loss->kind) || hd_loss_kind_is_of_search(loss->kind))
            continue;
        hd_text_add(&t->text, "%s%s", hd_loss_kind_words(loss->kind, loss->count),
                    loss->what ? loss->what : "unknown operation");
        add_place(t, loss);
        hd_text_add(&t->text, " (%llu time%s)", (unsigned long long)loss->count,
                    plural(loss->count));
        tell(t);
    }
}

void hd_batch_reasons(const hd_batch *state, void (*each)(void *context, const char *reason),
                      void *context) {
    if (state->is_complete)
        return;
    teller t = {.each = each, .context = context};
    const hd_explorer_counters *c = &state->counters.explore;
    uint64_t endless = count_findings(state, HD_FINDING_NON_TERMINATION);
    uint64_t lost = count_findings(state, HD_FINDING_LOST_WORKER);
    if (c->open > 0) {
        const char *what = state->counters.threads > 1 ? c->open == 1 ? "way" : "ways"
                           : c->open == 1              ? "branch"
                                                       : "branches";
        hd_text_add(&t.text, "%llu %s not tried yet: %s", (unsigned long long)c->open, what,
                    state->stop_reason ? state->stop_reason : "still running");
        tell(&t);
    }
    tell_count(&t, state, HD_LOSS_UNKNOWN, c->unknown);
    tell_strays(&t, state);
    if (c->bounded > 0) {
        hd_text_add(&t.text, "%llu execution%s reached the depth bound",
                    (unsigned long long)c->bounded, plural(c->bounded));
        tell(&t);
    }
    if (endless > 0) {
        hd_text_add(&t.text, "%llu execution%s went round for ever", (unsigned long long)endless,
                    plural(endless));
        tell(&t);
    }
    if (lost > 0) {
        hd_text_add(&t.text, "%llu execution%s took the worker process down",
                    (unsigned long long)lost, plural(lost));
        tell(&t);
    }
    tell_bounds(&t, state);
    tell_approximations(&t, state);
    if (c->open == 0 && hd_batch_is_exact(state)) {
        hd_text_add(&t.text, "%s", state->stop_reason ? state->stop_reason : "still running");
        tell(&t);
    }
    hd_text_release(&t.text);
}
