/* Vectors of decisions are ways of the search's own coverage (program/abi.h), so that every worker,
 * and the record, knows which were seen; here they become conditions. */
#include "cli/stop_goal.h"

#include "base/panic.h"
#include "compile/flag.h"

#include <string.h>
#include <unistd.h>

static bool parse(const char *text, double *branches, double *conditions) {
    char *end;
    if (strcmp(text, "branch") == 0 || strcmp(text, "mcdc") == 0) {
        *(text[0] == 'b' ? branches : conditions) = 1;
        return true;
    }
    double share = strtod(text, &end);
    *branches = *conditions = share / 100;
    return end != text && strcmp(end, "%") == 0 && share > 0 && share <= 100;
}

bool hd_stop_goal_check(hd_run_values *v, hd_err *err) {
    double branches = 0, conditions = 0;
    if (!v->goal)
        return true;
    if (!parse(v->goal, &branches, &conditions)) {
        hd_err_set(err, "option '--goal' does not know '%s'", v->goal);
        return hd_err_hint(err, "use 'branch', 'mcdc', or a share of both such as '95%%'");
    }
    v->mcdc |= conditions > 0 && !v->resume;
    return true;
}

hd_arguments hd_arguments_counted(const hd_arguments *a, hd_counting what) {
    static const char *const coverage[] = {"-fprofile-instr-generate", "-fcoverage-mapping",
                                           "-fcoverage-mcdc", HD_VECTORS_ONLY_FLAG};
    static const size_t n_flags[] = {
        [HD_COUNTED_NOTHING] = 0, [HD_COUNTED_VECTORS] = 4, [HD_COUNTED_ALL] = 3};
    hd_arguments made = *a;
    memset(&made.files, 0, sizeof made.files);
    memset(&made.compiler, 0, sizeof made.compiler);
    memset(&made.program, 0, sizeof made.program);
    for (size_t i = 0; i < a->files.n; i++)
        hd_vec_push(&made.files, a->files.at[i]);
    for (size_t i = 0; i < a->program.n; i++)
        hd_vec_push(&made.program, a->program.at[i]);
    for (size_t i = 0; i < a->compiler.n; i++)
        hd_vec_push(&made.compiler, a->compiler.at[i]);
    for (size_t i = 0; i < n_flags[what]; i++)
        hd_vec_push(&made.compiler, coverage[i]);
    return made;
}

bool hd_stop_goal_init(hd_stop_goal *g, const hd_run_values *v, const char *module_directory,
                       hd_err *err) {
    *g = (hd_stop_goal){0};
    char *path = hd_text_format("%s/counted", module_directory);
    g->has_map = access(path, R_OK) == 0;
    free(path);
    if (v->goal)
        parse(v->goal, &g->branches, &g->conditions);
    if (g->has_map && !hd_mapped_read(&g->mapped, module_directory, err))
        return false;
    if (g->has_map)
        hd_goals_init(&g->goals, &g->mapped, NULL, 0);
    if (g->has_map || !g->conditions)
        return true;
    hd_err_set(err, "the run knows no conditions: it was not begun with '--mcdc'");
    return hd_err_hint(err, "begin a new one with '--goal %s', or go on with '--goal branch'",
                       v->goal);
}

void hd_stop_goal_release(hd_stop_goal *g) {
    hd_goals_release(&g->goals);
    hd_mapped_release(&g->mapped);
    *g = (hd_stop_goal){0};
}

static uint64_t count_branches(const hd_stop_goal *g, const uint8_t *coverage, uint32_t n_branches,
                               uint64_t *n) {
    uint64_t covered = 0;
    *n = 2 * (uint64_t)n_branches - (g->mapped.n_vectors + 1) / 2 * 2;
    for (uint64_t i = 0; i < *n; i++)
        covered += coverage[i] != 0;
    return covered;
}

/* By element; the caller frees it. */
static uint8_t *shown_by(const hd_stop_goal *g, const uint8_t *vectors) {
    uint8_t *shown = calloc(g->goals.n_elements + 1, 1);
    if (!shown)
        hd_out_of_memory();
    if (g->mapped.n_vectors)
        memcpy(shown + g->goals.first_vector, vectors, g->mapped.n_vectors);
    return shown;
}

static uint32_t count_conditions(const hd_stop_goal *g, const uint8_t *vectors, uint32_t *n) {
    uint32_t n_met;
    uint8_t *shown = shown_by(g, vectors);
    hd_goals_count(&g->goals, HD_GOAL_CONDITION, shown, n, &n_met);
    free(shown);
    return n_met;
}

bool hd_stop_goal_is_met(const void *goal, const uint8_t *coverage, uint32_t n_branches) {
    const hd_stop_goal *g = goal;
    uint64_t n;
    uint32_t n_conditions;
    uint64_t covered = count_branches(g, coverage, n_branches, &n);
    if ((double)covered < g->branches * (double)n)
        return false;
    return !g->has_map ||
           (double)count_conditions(g, coverage + n, &n_conditions) >= g->conditions * n_conditions;
}

static bool is_file(const char *site, const char *mapped) {
    size_t n = site ? strlen(site) : 0, all = strlen(mapped);
    return n && n <= all && strcmp(mapped + all - n, site) == 0 &&
           (n == all || site[0] == '/' || mapped[all - n - 1] == '/');
}

static void want_lines(const hd_image *image, const char *file, const hd_span *at,
                       uint8_t *wanted) {
    for (uint64_t i = 1; i < image->n_sites; i++) {
        const hd_site *s = &image->sites[i];
        if (s->line >= at->line && s->line <= at->end_line && is_file(s->file, file))
            wanted[i] = 1;
    }
}

/* A decision whose conditions are all shown, or can none of them be, is nothing to look for. */
void hd_stop_goal_want(const void *goal, const hd_image *image, const uint8_t *coverage,
                       uint8_t *wanted) {
    const hd_stop_goal *g = goal;
    memset(wanted, 0, image->n_sites);
    if (!g->has_map)
        return;
    uint8_t *shown = shown_by(g, coverage + HD_FIRST_VECTOR(image));
    for (size_t i = 0; i < g->goals.all.n; i++) {
        const hd_goal *o = &g->goals.all.at[i];
        if (o->kind == HD_GOAL_CONDITION && o->n_pairs && !hd_goal_is_met(&g->goals, o, shown))
            want_lines(image, g->mapped.files.at[o->decision.file], &o->decision, wanted);
    }
    free(shown);
}

void hd_stop_goal_report(const hd_stop_goal *g, hd_report *r) {
    uint64_t n;
    const hd_batch *state = &r->state;
    if (!g->has_map || !state->coverage)
        return;
    r->state.counters.branches_covered = count_branches(g, state->coverage, state->n_branches, &n);
    r->state.counters.branches = n;
    r->has_conditions = true;
    r->conditions_covered = count_conditions(g, state->coverage + n, &r->conditions);
}
