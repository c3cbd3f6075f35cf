/* Bundles of a worker: what executions found, and what is left of the unit after them.
 *
 * The supervisor commits both together, so it does not matter when the worker dies.  Saving what is
 * left takes time that grows with it, and as much again of who takes it: bundles come every quarter
 * of a second, or every second where one coordinator takes those of many machines, and less often
 * if they would take more than a thirtieth (there: a hundred and fiftieth) of the time. */
#include "base/clock.h"
#include "base/panic.h"
#include "fleet/worker.h"
#include "machine/libc/standard_input.h"

#include <sys/resource.h>
#include <unistd.h>

void hd_worker_say(hd_worker *w, hd_frame_type type, const hd_text *payload) {
    HD_ASSERT(payload->n <= HD_FRAME_LIMIT);
    if (!hd_wire_send(w->socket, type, hd_text_string(payload), payload->n))
        _exit(1); /* nobody listens any more (F2) */
}

void hd_worker_say_sentence(hd_worker *w, hd_frame_type type, const char *sentence) {
    hd_text text = {0};
    hd_text_add(&text, "%s", sentence);
    hd_worker_say(w, type, &text);
    hd_text_release(&text);
}

static double seconds_of(struct timeval t) {
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

double hd_worker_cpu_seconds(void) {
    struct rusage self, children;
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    return seconds_of(self.ru_utime) + seconds_of(self.ru_stime) + seconds_of(children.ru_utime) +
           seconds_of(children.ru_stime);
}

bool hd_worker_is_concurrent(const hd_worker *w) {
    return hd_image_is_concurrent(w->module.image, w->orders->options->machine.n_nodes);
}

bool hd_worker_is_sampled(const hd_worker *w) {
    const hd_explorer_options *o = &w->orders->options->explore;
    return hd_worker_is_concurrent(w) && o->sampling != HD_SAMPLING_OFF &&
           hd_explorer_counted(w->explorer)->executions >= o->samples;
}

/* All that was counted by this worker, and by whoever had the unit before. */
static hd_run_counters count_all(hd_worker *w) {
    double cpu = hd_worker_cpu_seconds();
    hd_run_counters c = {.explore = *hd_explorer_counted(w->explorer),
                         .solve = *hd_chain_counted(w->chain),
                         .cpu_seconds = cpu,
                         .work_seconds = cpu - w->startup - w->sampling,
                         .sample_seconds = w->sampling,
                         .workers = 1,
                         .repeated = w->n_repeated,
                         .threads = hd_gather_n_threads(w->gather),
                         .processes = hd_gather_n_processes(w->gather),
                         .inputs = w->most_inputs,
                         .stdin_bytes = hd_standard_input_size()};
    if (hd_worker_is_sampled(w))
        c.explore.open = 0; /* what is left was not to be run */
    hd_gather_coverage(w->gather, &c);
    return c;
}

void hd_worker_send_glance(hd_worker *w) {
    hd_run_counters now = count_all(w), since = hd_counters_since(&now, &w->told);
    hd_text payload = {0};
    hd_gather_glance(w->gather, &since, &payload);
    hd_worker_say(w, HD_FRAME_GLANCE, &payload);
    hd_text_release(&payload);
    w->next_glance = hd_clock_now() + HD_GLANCE_INTERVAL;
}

bool hd_worker_agree(hd_worker *w) {
    hd_text text = {0};
    hd_agreement now = {0};
    if (!hd_worker_is_concurrent(w))
        return true;
    hd_machine_print_facts(w->machine, &text);
    HD_ASSERT(hd_agreement_read(&now, hd_text_string(&text)));
    bool is_same = hd_agreement_has_same_facts(&now, &w->facts);
    hd_agreement_release(&w->facts);
    w->facts = now;
    hd_text_release(&text);
    if (!is_same && w->is_shared)
        hd_explorer_begin_anew(w->explorer);
    return is_same || !w->is_shared;
}

static void note_searched(hd_worker *w, const hd_explorer_counters *part) {
    hd_explorer_counters *s = &w->search;
    s->executions += part->executions;
    s->events += part->events;
    s->deepest = part->deepest > s->deepest ? part->deepest : s->deepest;
    s->longest = part->longest > s->longest ? part->longest : s->longest;
}

/* When the next one comes. */
static void plan_bundle(hd_worker *w, double began) {
    double now = hd_clock_now(), pause = w->orders->share * (now - began);
    double least = w->orders->interval;
    w->next_bundle = now + (pause > least ? pause : least);
}

static void fill_results(hd_worker *w, hd_batch *b, const char *why) {
    hd_run_counters now = count_all(w);
    b->counters = hd_counters_since(&now, &w->told);
    note_searched(w, &b->counters.explore);
    w->told = now;
    hd_gather_take(w->gather, b);
    b->stop_reason = why ? hd_text_format("%s", why) : NULL;
}

static void fill_commit(hd_worker *w, hd_commit *c, bool is_done) {
    c->unit = w->work.unit;
    c->epoch = w->work.epoch;
    c->number = w->n_commits++;
    c->generation = hd_explorer_generation(w->explorer);
    c->is_done = is_done;
    hd_explorer_take_asked(w->explorer, &c->asked);
    hd_explorer_save_rounds(w->explorer, &c->rounds);
    if (!c->generation && c->rounds.n == w->rounds_told)
        hd_text_clear(&c->rounds); /* they are known (D10 of coordinator.h) */
    else
        w->rounds_told = c->rounds.n;
    if (!is_done)
        hd_explorer_save(w->explorer, &c->journal);
}

void hd_worker_send_bundle(hd_worker *w, hd_bundle *p, const char *why, bool is_done) {
    double began = hd_clock_now();
    hd_text payload = {0};
    fill_commit(w, &p->commit, is_done);
    hd_explorer_take_classes(w->explorer, &p->classes);
    hd_explorer_take_races(w->explorer, &p->races);
    p->is_whole = hd_explorer_is_exhausted(w->explorer);
    fill_results(w, &p->results, why);
    hd_wire_pack_bundle(&payload, p);
    if (payload.n > HD_FRAME_LIMIT) {
        hd_worker_say_sentence(w, HD_FRAME_STOPPED,
                               "what is left to explore has grown beyond 1 GiB");
        _exit(0);
    }
    hd_worker_say(w, HD_FRAME_BUNDLE, &payload);
    hd_text_release(&payload);
    hd_bundle_release(p);
    w->n_in_bundle = 0;
    plan_bundle(w, began);
}

hd_bundle hd_worker_begin_bundle(hd_worker *w) {
    hd_bundle p = {0};
    hd_explorer_save_followed(w->explorer, &p.commit.followed);
    return p;
}
