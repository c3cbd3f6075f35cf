/* rehearse.c -- does a search that a whole fleet shares come to what one worker comes to?
 *
 *     rehearse DIR [SEED [COUNT]]     DIR: a run directory; COUNT: seeds from SEED on
 *
 * The search of the record is run by one worker, and then by fleets of 1 to 16 under seeds
 * (tool/rehearsal.h): verdict, paths, tests, findings, labels, losses, warnings and coverage must
 * be the same, and where parts of a search do not repeat each other, so must all numbers.  Prints
 * what differs, with the seed, which repeats it.  check_program does this with every test program
 * if REHEARSE is set.
 *
 * A record whose search was cut off by a limit is left alone, and so is one of more than MOST paths
 * (REHEARSE_MOST; they are for `make soak`).  REHEARSE_TELL tells what happened under each seed,
 * REHEARSE_WORKERS and REHEARSE_HARMS are how many there are, to look at a failure with less going
 * on. */
#include "base/hash.h"
#include "base/panic.h"
#include "cli/run_options.h"
#include "machine/libc/standard_input.h"
#include "tool/rehearsal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 400, HARMS = 6, ENOUGH = 40, PATIENCE = 8 };

/* What a run came to, one line for each thing, in order. */
typedef struct outline {
    hd_vec(char *) lines;
    bool is_exact; /* with numbers */
} outline;

static void add_line(outline *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_line(outline *o, const char *format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    hd_vec_push(&o->lines, hd_text_format("%s", line));
}

static int compare_lines(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* In order, and each once: several executions may have one path (orders of `none`). */
static void settle(outline *o) {
    size_t n = 0;
    qsort(o->lines.at, o->lines.n, sizeof *o->lines.at, compare_lines);
    for (size_t i = 0; i < o->lines.n; i++)
        if (n && strcmp(o->lines.at[n - 1], o->lines.at[i]) == 0)
            free(o->lines.at[i]);
        else
            o->lines.at[n++] = o->lines.at[i];
    o->lines.n = n;
}

static void outline_release(outline *o) {
    for (size_t i = 0; i < o->lines.n; i++)
        free(o->lines.at[i]);
    hd_vec_release(&o->lines);
}

/* A test of a finding is kept by who finds it first: whether by that or with all others is chance.
 */
static bool add_test(void *context, const hd_test *t) {
    add_line(context, "path %016" PRIx64 " ends %d with %d", t->path_hash, (int)t->end, t->status);
    return true;
}

/* Not where it is: a race is told at one of two places. */
static bool add_finding(void *context, const hd_found *f) {
    if (!f->file[0] && f->kind != HD_FINDING_LOST_WORKER)
        add_line(context, "finding %d without a place", (int)f->kind);
    add_line(context, "finding %d (%016" PRIx64 ")", (int)f->kind, f->signature);
    return true;
}

static void add_counters(outline *o, const hd_batch *s) {
    const hd_run_counters *c = &s->counters;
    add_line(
        o, "complete %d, %" PRIu64 " paths, %" PRIu64 " of %" PRIu64 " branches, %" PRIu64 " races",
        s->is_complete, c->explore.paths, c->branches_covered, c->branches, c->explore.races);
    if (o->is_exact)
        add_line(o, "%" PRIu64 " executions, %" PRIu64 " rejected, %" PRIu64 " redundant",
                 c->explore.executions, c->explore.rejected, c->explore.redundant);
}

static void add_ends(outline *o, const hd_batch *s) {
    size_t n;
    hd_ends e = {0};
    const void *bytes = hd_observed_find(s->observed, s->n_observed, "ends", &n);
    if (!o->is_exact || !bytes || !hd_ends_unpack(bytes, n, &e))
        return;
    for (unsigned i = 0; i < 256; i++)
        if (e.exits[i])
            add_line(o, "exit %u: %" PRIu64, i, e.exits[i]);
    add_line(o, "%" PRIu64 " end with a finding, %" PRIu64 " are rejected", e.findings, e.rejected);
}

/* Warnings are told of two threads, in either order: words are put into one. */
static void add_warnings(outline *o, const char *warnings) {
    char *copy = hd_text_format("%s", warnings), *rest = copy;
    for (char *line; (line = strsep(&rest, "\n"));) {
        outline words = {0};
        hd_text sorted = {0};
        for (char *word; (word = strsep(&line, " ,;:"));)
            add_line(&words, "%s", word);
        qsort(words.lines.at, words.lines.n, sizeof *words.lines.at, compare_lines);
        for (size_t i = 0; i < words.lines.n; i++)
            hd_text_add(&sorted, " %s", words.lines.at[i]);
        add_line(o, "warning%s", hd_text_string(&sorted));
        hd_text_release(&sorted);
        outline_release(&words);
    }
    free(copy);
}

static void add_state(outline *o, const hd_batch *s) {
    add_counters(o, s);
    add_ends(o, s);
    for (uint32_t i = 0; i < s->n_labels; i++)
        add_line(o, "label %s %" PRIu64, s->labels[i].name, o->is_exact ? s->labels[i].count : 1);
    for (uint32_t i = 0; i < s->n_losses; i++)
        add_line(o, "loss %d %s %s:%u", (int)s->losses[i].kind, s->losses[i].what,
                 s->losses[i].file, s->losses[i].line);
    add_warnings(o, s->warnings ? s->warnings : "");
}

/* Parts of a search may run what others run (docs/design.md D9): not without threads, not all
 * orders, not `optimal` without inputs. */
static bool is_exact(const hd_batch *s, const hd_run_options *options) {
    hd_reduction r = options->explore.reduction;
    return !s->counters.threads || r == HD_REDUCTION_NONE ||
           (r == HD_REDUCTION_OPTIMAL && !s->counters.inputs);
}

/* What a search does that had to follow one of several values depends on its order: only that it
 * says so can be compared. */
static bool is_precise(const hd_batch *s) {
    for (uint32_t i = 0; i < s->n_losses; i++)
        if (s->losses[i].kind != HD_LOSS_BOUND)
            return false;
    return true;
}

static bool outline_read(outline *o, const char *directory, const hd_run_options *options,
                         hd_err *err) {
    hd_batch state = {0};
    hd_record *r = hd_record_open(directory, false, err);
    if (!r)
        return false;
    bool ok = hd_record_state(r, &state, err);
    o->is_exact = ok && is_exact(&state, options);
    if (ok && !is_precise(&state)) {
        add_line(o, "complete %d, with losses", state.is_complete);
    } else if (ok) {
        ok = hd_record_tests(r, add_test, o, err) && hd_record_findings(r, add_finding, o, err);
        add_state(o, &state);
    }
    settle(o);
    hd_batch_release(&state);
    hd_record_close(r);
    return ok;
}

/* The first line that one of them has alone. */
static const char *difference(const outline *one, const outline *many) {
    static char words[1200];
    size_t i = 0;
    while (i < one->lines.n && i < many->lines.n &&
           strcmp(one->lines.at[i], many->lines.at[i]) == 0)
        i++;
    if (i == one->lines.n && i == many->lines.n)
        return NULL;
    snprintf(words, sizeof words, "one: %s; many: %s",
             i < one->lines.n ? one->lines.at[i] : "nothing",
             i < many->lines.n ? many->lines.at[i] : "nothing");
    return words;
}

/* ---- a record and its search ---- */

typedef struct subject {
    hd_run_info info;
    hd_run_options options;
    outline one;
    char scratch[256];
    uint64_t n_units;      /* in all rehearsals */
    uint64_t n_executions; /* of one worker */
} subject;

static void remove_directory(const char *directory) {
    char *command = hd_text_format("rm -rf '%s'", directory);
    HD_ASSERT(system(command) == 0);
    free(command);
}

static void make_directory(const char *directory) {
    char *command = hd_text_format("mkdir -p '%s'", directory);
    HD_ASSERT(system(command) == 0);
    free(command);
}

static bool run_alone(subject *s, hd_err *err) {
    char why[128];
    char *directory = hd_text_format("%s/one", s->scratch);
    hd_record *r = hd_record_create(directory, &s->info, err);
    bool ok = r && hd_fleet_run(r, &s->options, NULL, why, err);
    if (r)
        hd_record_close(r);
    ok = ok && outline_read(&s->one, directory, &s->options, err);
    free(directory);
    return ok;
}

/* Every seventh gives up a unit: then the search may not call itself complete. */
static const char *check_aside(const char *directory, const rehearsal *r, hd_err *err) {
    hd_batch state = {0};
    hd_record *record = hd_record_open(directory, false, err);
    bool has = false, ok = record && hd_record_state(record, &state, err);
    for (uint32_t i = 0; ok && i < state.n_findings; i++)
        has |= state.findings[i].kind == HD_FINDING_LOST_WORKER;
    const char *why = !ok                 ? err->message
                      : r->sets_aside     ? NULL /* it ended before */
                      : state.is_complete ? "complete, without what was set aside"
                      : !has              ? "nothing says what was set aside"
                                          : NULL;
    hd_batch_release(&state);
    if (record)
        hd_record_close(record);
    return why;
}

static const char *compare(subject *s, const char *directory, hd_err *err) {
    outline many = {0};
    bool tells = getenv("REHEARSE_TELL");
    const char *why = outline_read(&many, directory, &s->options, err) ? difference(&s->one, &many)
                                                                       : err->message;
    for (size_t i = 0; why && tells && i < s->one.lines.n; i++)
        printf("one:  %s\n", s->one.lines.at[i]);
    for (size_t i = 0; why && tells && i < many.lines.n; i++)
        printf("many: %s\n", many.lines.at[i]);
    outline_release(&many);
    return why;
}

/* A number from the environment: to look at a failure with less going on. */
static uint32_t given_or(const char *name, uint32_t otherwise) {
    const char *text = getenv(name);
    return text && text[0] ? (uint32_t)strtoul(text, NULL, 10) : otherwise;
}

static bool run_seed(subject *s, uint64_t seed) {
    uint64_t random = seed;
    bool is_aside = seed % 7 == 6;
    hd_err err = {0};
    rehearsal r = {.seed = seed,
                   .n_players =
                       given_or("REHEARSE_WORKERS", 1 + hd_random_next(&random) % MOST_PLAYERS),
                   .n_harms = given_or("REHEARSE_HARMS", HARMS),
                   .sets_aside = is_aside};
    char *above = hd_text_format("%s/many", s->scratch);
    const char *why = NULL;
    make_directory(above);
    if (!rehearse(&r, above, &s->info, &s->options, &err))
        why = err.message;
    else
        why = is_aside ? check_aside(r.directory, &r, &err) : compare(s, r.directory, &err);
    s->n_units += r.n_units;
    if (why)
        printf("seed %" PRIu64 ", %u workers: %s\n", seed, r.n_players, why);
    else if (getenv("REHEARSE_TELL"))
        printf("seed %" PRIu64 ": %u workers, %" PRIu64 " units, %" PRIu64 " commits, %" PRIu64
               " refused, %" PRIu64 " died, %" PRIu64 " rebuilt, %" PRIu64 " steps, %" PRIu64
               " given back\n",
               seed, r.n_players, r.n_units, r.n_commits, r.n_refused, r.n_died, r.n_rebuilt,
               r.n_steps, r.n_returned);
    remove_directory(above);
    free(above);
    return !why;
}

/* Is it a search that ends by itself, and soon? */
static bool is_suitable(hd_record *r, const hd_run_values *v, uint64_t *n_executions, hd_err *err) {
    hd_batch state = {0};
    bool ok = hd_record_state(r, &state, err);
    *n_executions = state.counters.explore.executions;
    ok = ok && state.counters.explore.open == 0 && state.counters.explore.executions > 1 &&
         state.counters.explore.executions <= given_or("REHEARSE_MOST", MOST) &&
         v->schedule == HD_SAMPLING_OFF && !v->partition && !state.counters.explore.unknown &&
         !state.counters.explore.mispredicted;
    hd_batch_release(&state);
    return ok;
}

static bool take_subject(hd_record *r, subject *s, const hd_run_values *v, hd_kept_options *kept,
                         hd_err *err) {
    s->info = *hd_record_info(r);
    if (!hd_search_options(v, kept, &s->options, err))
        return false;
    s->options.n_workers = 1;
    s->options.keep = HD_KEEP_ALL;
    s->options.max_executions = 0;
    s->options.max_seconds = 0;
    s->options.stop_at_first = false;
    s->options.explore.no_samples = true;
    snprintf(s->scratch, sizeof s->scratch, "%s/rehearse-%d",
             getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", (int)getpid());
    return true;
}

static bool is_unshared(const subject *s, uint64_t n_fleets) {
    return s->n_units <= n_fleets && s->n_executions >= ENOUGH;
}

static int run_all(subject *s, uint64_t seed, uint64_t count) {
    hd_err err = {0};
    unsigned n_failed = 0;
    make_directory(s->scratch);
    if (!run_alone(s, &err)) {
        printf("one worker: %s\n", err.message);
        n_failed++;
    }
    uint64_t n = 0;
    for (; n < count && !n_failed; n++)
        n_failed += !run_seed(s, seed + n);
    /* A fleet may be one worker, or never asked to give: others follow until one has shared. */
    for (; is_unshared(s, n) && n < count + PATIENCE && !n_failed; n++)
        n_failed += !run_seed(s, seed + n);
    if (!n_failed && is_unshared(s, n)) {
        printf("nothing was shared by %" PRIu64 " fleets\n", n);
        n_failed++;
    }
    if (!n_failed)
        printf("%" PRIu64 " fleets with %" PRIu64 " units: all as one worker\n", count, s->n_units);
    remove_directory(s->scratch);
    outline_release(&s->one);
    return n_failed != 0;
}

int main(int argc, char **argv) {
    hd_err err = {0};
    hd_kept_options kept = {0};
    hd_run_values values;
    subject s = {0};
    int status = 2;
    hd_record *r = argc > 1 ? hd_record_open(argv[1], false, &err) : NULL;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!r || !hd_search_read(r, &kept, &values, &err) ||
        !take_subject(r, &s, &values, &kept, &err)) {
        printf("%s\n", argc > 1 ? err.message : "usage: rehearse DIR [SEED [COUNT]]");
    } else if (!is_suitable(r, &values, &s.n_executions, &err)) {
        printf("left alone\n");
        status = 0;
    } else {
        hd_standard_input_share();
        hd_standard_input_load(argv[1]);
        status = run_all(&s, argc > 2 ? strtoull(argv[2], NULL, 10) : 1,
                         argc > 3 ? strtoull(argv[3], NULL, 10) : 3);
    }
    if (r)
        hd_record_close(r);
    hd_kept_release(&kept);
    return status;
}
