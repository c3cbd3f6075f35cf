/* commits.c -- what commits cost a coordinator of very many workers.
 *
 *     commits DIR [WORKERS [COMMITS]]     DIR: a run directory, whose search is run
 *
 * So many units are out at a time (1,000), as with that many workers; one real worker executes a
 * few paths of one after the other, so that the commits are real ones.  Each goes through what a
 * coordinator does with it: its seal is opened, it is decoded and folded (fleet/cluster/fold.h),
 * and the record is written as often as in a run.  Prints
 *
 *     commits N  units N  out N  microseconds N  most N  writing N
 *
 * with microseconds of processor time for each commit, hand-outs and all, the most that one took,
 * and of writing the record for each commit. */
#include "base/clock.h"
#include "base/panic.h"
#include "cli/run_options.h"
#include "fleet/cluster/fold.h"
#include "fleet/cluster/seal.h"
#include "fleet/crew.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NEVER 1e9 /* seconds */
enum { EXECUTIONS = 4, MOST_HELD = 4096 };

typedef struct fleet_of_one {
    hd_record *record;
    hd_run_options options;
    hd_fold fold;
    hd_seal seal;
    hd_seat seat;
    hd_vec(hd_work) held; /* units that are out */
    size_t wanted, most_out;
    uint64_t n_commits;
    double folding, most, writing; /* seconds of processor time */
} fleet_of_one;

static void check(bool ok, const hd_err *err) {
    if (ok)
        return;
    fprintf(stderr, "commits: %s\n", err->message);
    exit(2);
}

/* ---- the coordinator ---- */

static hd_effect apply(fleet_of_one *f, const hd_log_entry *e) {
    static const char subject[] = "log";
    hd_text bytes = {0};
    size_t n = 0;
    hd_log_entry_pack(&bytes, e);
    hd_seal_close(&f->seal, subject, &bytes);
    double began = hd_clock_cpu();
    HD_ASSERT(hd_seal_open(&f->seal, subject, bytes.at, bytes.n, &n));
    hd_effect effect = hd_fold_apply(&f->fold, bytes.at, n);
    double took = hd_clock_cpu() - began;
    f->folding += took;
    f->most = took > f->most ? took : f->most;
    hd_text_release(&bytes);
    return effect;
}

static void hand_out(fleet_of_one *f) {
    while (f->held.n < f->wanted) {
        hd_effect e = apply(f, &(hd_log_entry){.kind = HD_ENTRY_HAND_OUT, .writer = 1});
        if (e.kind != HD_EFFECT_HANDED_OUT)
            return;
        hd_vec_push(&f->held, e.work);
        f->most_out = f->held.n > f->most_out ? f->held.n : f->most_out;
    }
}

static void write_record(fleet_of_one *f) {
    hd_err err = {0};
    if (!hd_ledger_is_due(f->fold.ledger, hd_clock_now()))
        return;
    double began = hd_clock_cpu();
    check(hd_ledger_write(f->fold.ledger, NULL, &err), &err);
    f->writing += hd_clock_cpu() - began;
}

/* ---- the worker ---- */

static void replace(hd_text *to, const char *bytes, size_t n) {
    hd_text_clear(to);
    hd_text_add_bytes(to, bytes, n);
}

/* True if the worker waits now; the unit may have ended. */
static bool take_bundle(fleet_of_one *f, size_t i, const void *payload, size_t n) {
    hd_bundle b;
    hd_work *w = &f->held.at[i];
    HD_ASSERT(hd_wire_unpack_bundle(payload, n, &b));
    apply(f,
          &(hd_log_entry){.kind = HD_ENTRY_COMMIT, .writer = 2, .bundle = payload, .n_bundle = n});
    f->n_commits++;
    bool has_ended = b.commit.is_done || b.results.stop_reason;
    replace(&w->journal, b.commit.journal.at, b.commit.journal.n);
    replace(&w->facts, b.results.threads, b.results.threads ? strlen(b.results.threads) : 0);
    w->n_commits = b.commit.number + 1;
    w->is_shared |= b.commit.lifted.n || b.commit.split.n;
    if (b.commit.is_done) {
        hd_work_release(w);
        *w = f->held.at[--f->held.n];
    }
    hd_bundle_release(&b);
    return has_ended;
}

static void listen_to(fleet_of_one *f, size_t i) {
    hd_frame_type type;
    const void *payload;
    size_t n;
    bool is_damaged;
    while (true) {
        while (hd_inbox_next(&f->seat.inbox, &type, &payload, &n, &is_damaged)) {
            if (type == HD_FRAME_STOPPED ||
                (type == HD_FRAME_BUNDLE && take_bundle(f, i, payload, n)))
                return;
            HD_ASSERT(type != HD_FRAME_REFUSED);
        }
        hd_inbox_wait(f->seat.socket);
        HD_ASSERT(hd_inbox_fill(&f->seat.inbox, f->seat.socket));
    }
}

/* A few executions of one unit; it gives a part away as long as there are too few. */
static void step(fleet_of_one *f, size_t i) {
    hd_text bytes = {0};
    f->held.at[i].max_executions = EXECUTIONS;
    atomic_store(&f->seat.channel->is_asked_to_give, f->held.n < f->wanted);
    atomic_store(&f->seat.channel->is_somebody_idle, true);
    hd_wire_pack_works(&bytes, &(hd_works){.at = &f->held.at[i], .n = 1});
    HD_ASSERT(hd_wire_send(f->seat.socket, HD_FRAME_WORK, bytes.at, bytes.n));
    hd_text_release(&bytes);
    listen_to(f, i);
}

static void run(fleet_of_one *f, uint64_t n_commits) {
    apply(f, &(hd_log_entry){.kind = HD_ENTRY_BEGIN, .writer = 1});
    f->folding = 0;
    for (size_t i = 0; f->n_commits < n_commits; i++) {
        hand_out(f);
        if (!f->held.n)
            return;
        step(f, i % f->held.n);
        write_record(f);
    }
}

static void open_fleet(fleet_of_one *f, hd_record *from, const char *directory) {
    hd_err err = {0};
    hd_kept_options kept = {0};
    hd_run_values values;
    check(hd_search_read(from, &kept, &values, &err) &&
              hd_search_options(&values, &kept, &f->options, &err),
          &err);
    f->options.explore.no_samples = true;
    f->record = hd_record_create(directory, hd_record_info(from), &err);
    check(f->record, &err);
    f->fold.ledger = hd_ledger_open(f->record, &f->options, NULL, &err);
    check(f->fold.ledger && hd_seal_make(&f->seal, "r", &err) && hd_seat_open(&f->seat, &err),
          &err);
    hd_orders orders = {.options = &f->options,
                        .module_directory = hd_record_info(from)->module_directory,
                        .state = hd_ledger_state(f->fold.ledger),
                        .first_bundle = NEVER,
                        .interval = NEVER};
    check(hd_seat_start(&f->seat, orders, &err), &err);
}

int main(int argc, char **argv) {
    hd_err err = {0};
    char directory[] = "/tmp/heddle-commits-XXXXXX";
    fleet_of_one f = {.wanted = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000};
    hd_record *from =
        argc > 1 && f.wanted <= MOST_HELD ? hd_record_open(argv[1], false, &err) : NULL;
    check(from && mkdtemp(directory), &err);
    open_fleet(&f, from, directory);
    run(&f, argc > 3 ? strtoull(argv[3], NULL, 10) : 20000);
    double n = f.n_commits ? (double)f.n_commits : 1;
    printf("commits %llu  units %llu  out %zu  microseconds %.1f  most %.0f  writing %.1f\n",
           (unsigned long long)f.n_commits,
           (unsigned long long)hd_coordinator_n_units(hd_ledger_coordinator(f.fold.ledger)),
           f.most_out, f.folding / n * 1e6, f.most * 1e6, f.writing / n * 1e6);
    hd_seat_end(&f.seat);
    char *command = hd_text_format("rm -rf '%s'", directory);
    int status = system(command);
    free(command);
    return status != 0;
}
