/* A race in words. */
#include "tell/race.h"

#include "base/hash.h"
#include "tell/chart.h"

#include <stdio.h>
#include <string.h>

static const hd_site *site_of(const hd_image *image, const hd_action *a) {
    return &image->sites[a->site < image->n_sites ? a->site : 0];
}

static uint64_t place_hash(const hd_image *image, const hd_action *a) {
    const hd_site *s = site_of(image, a);
    const char *file = s->file ? s->file : "";
    return hd_hash_add(hd_hash_bytes(s->line, file, strlen(file)), s->line);
}

uint64_t hd_race_signature(const hd_image *image, const hd_race *race) {
    uint64_t a = place_hash(image, &race->action[0]), b = place_hash(image, &race->action[1]);
    uint64_t h = hd_hash_add(0, HD_FINDING_DATA_RACE);
    return hd_hash_add(hd_hash_add(h, a < b ? a : b), a < b ? b : a);
}

static const char *base_name(const char *file) {
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* Accesses in Heddle's own models of libc are placed at their caller, which the stack names. */
static bool is_in_model(const hd_image *image, const hd_action *a) {
    const hd_site *s = site_of(image, a);
    return s->file && hd_finding_is_model(s->file);
}

static void add_place(const hd_image *image, const hd_action *a, const hd_watch *w, hd_text *out) {
    const hd_site *s = site_of(image, a);
    if (is_in_model(image, a))
        hd_text_add(out, " (%s:%u)", base_name(w->at.file), w->at.line);
    else if (s->file && s->file[0])
        hd_text_add(out, " (%s:%u)", base_name(s->file), s->line);
}

static void add_locks(const hd_action *a, const hd_watch *w, hd_text *out) {
    hd_text_add(out, "; thread %u %sholds %s", a->thread,
                w->in_section ? "is in an atomic section and " : "",
                w->locks[0] ? w->locks : "no lock");
}

static void add_message(const hd_storyteller *teller, const hd_image *image, const hd_race *race,
                        const hd_watch *watches, hd_text *out) {
    const hd_action *a = &race->action[0], *b = &race->action[1];
    hd_text_add(out, "thread %u %s ", a->thread, hd_action_words((hd_action_kind)a->kind));
    hd_story_object(teller, b->access[0].address, out);
    add_place(image, a, &watches[0], out);
    hd_text_add(out, " while thread %u %s it", b->thread, hd_action_words((hd_action_kind)b->kind));
    add_place(image, b, &watches[1], out);
    add_locks(a, &watches[0], out);
    add_locks(b, &watches[1], out);
}

static void add_stacks(hd_symbolizer *symbolizer, const hd_race *race, hd_watch *watches,
                       hd_text *out) {
    for (unsigned i = 0; i < 2; i++) {
        hd_text_add(out, "thread %u\n", race->action[i].thread);
        hd_symbolizer_stack(symbolizer, &watches[i].at, out);
    }
}

static void fill_finding(hd_finding *f, const hd_image *image, const hd_race *race,
                         const hd_watch *second, const char *message) {
    const hd_site *s = site_of(image, &race->action[1]);
    bool in_model = is_in_model(image, &race->action[1]);
    const char *file = in_model ? second->at.file : s->file,
               *function = in_model ? second->at.function : s->function;
    *f = (hd_finding){.kind = HD_FINDING_DATA_RACE, .line = in_model ? second->at.line : s->line};
    snprintf(f->message, sizeof f->message, "%s", message);
    snprintf(f->file, sizeof f->file, "%s", file ? file : "");
    snprintf(f->function, sizeof f->function, "%s", function ? function : "");
}

static void tell_race(const hd_storyteller *teller, const hd_follow *f, const hd_race *race,
                      hd_text *story) {
    static const char verdict[] = "nothing orders the two accesses: data race";
    size_t n = race->event[1] + 1 < f->events.n ? race->event[1] + 1 : f->events.n;
    if (teller->n_processes > 1) {
        hd_tale tale = {.events = f->events.at,
                        .n = f->events.n,
                        .n_told = n,
                        .failed_thread = race->action[1].thread + 1u,
                        .failure = verdict};
        hd_chart_tell(teller, &tale, story);
        return;
    }
    hd_story_tell(teller, f->events.at, n, 0, story);
    hd_story_add(story, "then", verdict);
}

void hd_race_look(hd_rerun *r, const hd_race *race, const hd_image *image,
                  hd_symbolizer *symbolizer, hd_finding *finding, hd_text *stacks, hd_text *story) {
    hd_watch watches[2] = {{.event = race->event[0]}, {.event = race->event[1]}};
    hd_text message = {0};
    hd_machine_watch(r->machine, watches, 2);
    hd_rerun_run(r);
    hd_machine_watch(r->machine, NULL, 0);
    hd_storyteller teller = hd_rerun_teller(r->machine, image);
    add_stacks(symbolizer, race, watches, stacks); /* which places accesses in models */
    add_message(&teller, image, race, watches, &message);
    fill_finding(finding, image, race, &watches[1], hd_text_string(&message));
    tell_race(&teller, &r->follow, race, story);
    hd_text_release(&message);
}
