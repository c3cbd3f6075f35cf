/* The record keeps the options that made its module, and the names of the sources: with clang's
 * options for coverage among them they make another one. */
#include "cli/counted_module.h"
#include "base/shown.h"

#include "cli/given_program.h"
#include "cli/given_scenario.h"
#include "cli/stop_goal.h"
#include "machine/libc/standard_input.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_too_old(const char *directory, hd_err *err) {
    hd_err_set(
        err,
        "cannot compile the program of '%s' again: an older version of Heddle recorded it, without "
        "the options for clang",
        directory);
    return hd_err_hint(err, "explore it again with 'heddle run'");
}

/* The command line that made the module, as far as it did. */
static bool read_build(const hd_counted_run *r, hd_run_values *v, hd_arguments *counted,
                       hd_err *err) {
    hd_arguments a = {0};
    hd_vec(char *) words = {0};
    hd_vec_push(&words, (char *)"cover");
    for (size_t i = 0; i < r->kept.build.n; i++)
        hd_vec_push(&words, r->kept.build.at[i]);
    *v = hd_run_default_values();
    bool ok = hd_options_parse(&hd_run_option_table, (int)words.n, words.at, v, &a, err);
    for (size_t i = 0; ok && !v->net && i < r->kept.sources.n; i++)
        hd_vec_push(&a.files, r->kept.sources.at[i].path);
    *counted = hd_arguments_counted(&a, HD_COUNTED_ALL);
    hd_arguments_release(&a);
    hd_vec_release(&words);
    return ok;
}

static bool compile_network(const hd_run_values *v, const hd_arguments *a,
                            hd_compile_result *module, hd_err *err) {
    hd_scenario scenario;
    if (!hd_network_read(v, a, &scenario, err))
        return false;
    bool ok = hd_network_compile(&scenario, a, v->checks, v->allow, module, err);
    hd_scenario_release(&scenario);
    return ok;
}

static bool compile_again(const hd_counted_run *r, hd_compile_result *module, hd_err *err) {
    hd_run_values v;
    hd_arguments a = {0};
    char here[PATH_MAX];
    bool has_moved =
        r->kept.directory && getcwd(here, sizeof here) && chdir(r->kept.directory) == 0;
    bool ok = read_build(r, &v, &a, err);
    if (ok && a.files.n == 1 && hd_program_is_module(a.files.at[0])) {
        ok = hd_err_set(err, "the run in '%s' is of a built module, whose sources are not known",
                        r->directory);
        hd_err_hint(err, "explore the source files with 'heddle run'");
    }
    ok = ok && (v.net ? compile_network(&v, &a, module, err)
                      : hd_program_find(&a, v.function, v.checks, v.allow, module, err));
    hd_arguments_release(&a);
    if (has_moved && chdir(here) != 0)
        ok = hd_err_set(err, "cannot go back to '%s': %s", here, strerror(errno));
    return ok;
}

static bool open_run(hd_counted_run *r, const char *directory, hd_err *err) {
    r->directory = realpath(directory, NULL);
    if (!r->directory)
        r->directory = strdup(directory);
    r->record = hd_record_open(directory, false, err);
    if (!r->record || !hd_search_read(r->record, &r->kept, &r->values, err) ||
        !hd_search_options(&r->values, &r->kept, &r->options, err))
        return false;
    if (!r->kept.has_build)
        return is_too_old(directory, err);
    const char *changed = hd_search_changed_source(&r->kept);
    if (changed)
        hd_print(
            stderr,
            "heddle: '%s' changed since it was explored: tests are run on the program as it is "
            "now\n",
            changed);
    return true;
}

static bool is_same_program(const hd_compile_result *a, const hd_compile_result *b,
                            const char *directory, hd_err *err) {
    if (a->hash == b->hash)
        return true;
    hd_err_set(err,
               "the run in '%s' is of another program, or was made with other options for clang",
               directory);
    return hd_err_hint(err, "name runs of one program, from the same sources");
}

bool hd_counted_open(hd_counted_runs *c, const char *const *directories, size_t n, hd_err *err) {
    for (size_t i = 0; i < n; i++) {
        hd_compile_result module = {0};
        hd_counted_run *r = calloc(1, sizeof *r);
        if (!r)
            return hd_err_set(err, "out of memory");
        hd_vec_push(&c->all, r);
        if (!open_run(r, directories[i], err) || !compile_again(r, &module, err) ||
            (i && !is_same_program(&c->module, &module, directories[i], err)))
            return false;
        c->module = module;
    }
    return true;
}

void hd_counted_release(hd_counted_runs *c) {
    for (size_t i = 0; i < c->all.n; i++) {
        hd_counted_run *r = c->all.at[i];
        if (r->record)
            hd_record_close(r->record);
        hd_kept_release(&r->kept);
        free(r->directory);
        free(r);
    }
    hd_vec_release(&c->all);
}

/* Vectors of decisions that any execution of the search had; NULL if they were not counted, or not
 * those that the module counts now. */
static const uint8_t *searched_vectors(const hd_counted_run *r, const hd_batch *state,
                                       const hd_measure *m) {
    hd_mapped own = {0};
    hd_err ignored;
    bool is_same = r->values.mcdc && state->coverage &&
                   hd_mapped_read(&own, hd_record_info(r->record)->module_directory, &ignored) &&
                   own.n_vectors == m->mapped.n_vectors && own.functions.n == m->mapped.functions.n;
    uint64_t n = (own.n_vectors + 1) / 2 * 2, all = 2 * (uint64_t)state->n_branches;
    hd_mapped_release(&own);
    return is_same && n <= all ? state->coverage + all - n : NULL;
}

/* A search that runs one order of a whole system says nothing of the others; one of a program that
 * has changed since, or whose tests end otherwise now, nothing of what it is now. */
static void know_search(const hd_counted_run *r, hd_measure *m) {
    size_t n_lost, n_other;
    hd_batch state;
    hd_err ignored;
    hd_measure_failures(m, &n_lost, &n_other);
    if (n_lost || n_other || hd_search_changed_source(&r->kept) ||
        r->values.orders == HD_ORDERS_TIME || !hd_record_state(r->record, &state, &ignored))
        return;
    if (state.is_complete && hd_batch_is_exact(&state))
        hd_measure_know(m, searched_vectors(r, &state, m), state.labels, state.n_labels);
    hd_batch_release(&state);
}

bool hd_counted_measure(const hd_counted_runs *c, uint64_t number, hd_measure *m, hd_err *err) {
    hd_vec(hd_record *) records = {0};
    for (size_t i = 0; i < c->all.n; i++)
        hd_vec_push(&records, c->all.at[i]->record);
    bool ok = hd_measure_init(m, c->module.directory, records.at, records.n, err);
    hd_vec_release(&records);
    for (size_t i = 0; ok && i < c->all.n; i++) {
        hd_standard_input_load(c->all.at[i]->directory);
        ok = hd_measure_run(m, (uint32_t)i, c->all.at[i]->record, &c->all.at[i]->options, number,
                            err);
        if (!ok)
            hd_measure_release(m);
    }
    if (ok)
        know_search(c->all.at[0], m);
    return ok;
}
