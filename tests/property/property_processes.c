/* Processes, pipes and sockets from end to end: one program, process_program.c, whose arguments say
 * what its processes do.
 *
 *     property_processes [-k] [COUNT [FIRST_SEED [FEATURES]]]
 *     property_processes -- CHANNELS SCRIPT...      (ANY, PARTIAL: --timeouts any, --partial-io);
 *                                                   shows all outcomes
 *
 * `--por none` runs every order of events.  The other reductions must say that they are complete
 * too, and see the same outcomes: what all processes saw, as labels.  `optimal` must see as
 * many classes.  Some programs are run by the operating system as well: it must not do anything
 * that Heddle has not seen.  A program of too many orders is left out.
 *
 * A program that fails is made smaller as long as the same thing goes wrong.  -k: go on after that.
 * FEATURES are letters of process_script.h. */
#include "property/model/process_explore.h"
#include "property/model/process_native.h"
#include "property/random/process_script.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SUBJECT "tests/property/subject/process_program.c"
enum { NATIVE_RUNS = 6, MAX_ARGUMENTS = SCRIPT_PROCESSES + 3 };

/* What can be wrong; a smaller program must fail in the same way. */
#define FAULTS(X)                                                                                  \
    X(NONE, "nothing is wrong")                                                                    \
    X(TOO_BIG, "too big")                                                                          \
    X(DIED, "a search ended badly")                                                                \
    X(INCOMPLETE, "not complete")                                                                  \
    X(STRAYED, "strayed")                                                                          \
    X(MISSING, "an outcome is missed")                                                             \
    X(INVENTED, "an outcome is not one of none")                                                   \
    X(FINDINGS, "other findings")                                                                  \
    X(IMPOSSIBLE, "something that cannot happen")                                                  \
    X(CLASSES, "another number of classes")                                                        \
    X(ENDLESS, "more executions than without reduction")                                           \
    X(NATIVE, "the real program does something else")                                              \
    X(HANGS, "the real program does not end")
typedef enum fault {
#define X(name, words) FAULT_##name,
    FAULTS(X)
#undef X
} fault;
static const char *const fault_words[] = {
#define X(name, words) words,
    FAULTS(X)
#undef X
};

/* How a program is run. */
typedef struct setting {
    hd_timeouts timeouts;
    bool partial_io;
} setting;

typedef struct statistics {
    uint64_t programs, too_big, executions, classes, redundant, inexact, native;
} statistics;
static statistics sum;

static uint64_t max_executions = 2500; /* of `none` */
static hd_text why;                    /* the first thing that was wrong */
static fault found;
static hd_text who; /* the reductions that it is wrong for */
static unsigned features = (unsigned)SCRIPT_ALL;
static bool counts_classes; /* of this program */
static bool shows_outcomes;

__attribute__((format(printf, 2, 3))) static bool wrong(fault what, const char *format, ...) {
    char text[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!found)
        hd_text_add(&why, "%s", text);
    found = found ? found : what;
    return false;
}

/* ---- Comparing reductions -------------------------------------------------------------------- */

static const explored_outcome *find_outcome(const explored *e, const char *text) {
    for (size_t i = 0; i < e->outcomes.n; i++)
        if (strcmp(e->outcomes.at[i].text, text) == 0)
            return &e->outcomes.at[i];
    return NULL;
}

static bool check_outcomes(const explored *all, const explored *e, const char *how) {
    for (size_t i = 0; i < all->outcomes.n; i++)
        if (!find_outcome(e, all->outcomes.at[i].text))
            return wrong(FAULT_MISSING, "%s misses '%s'", how, all->outcomes.at[i].text);
    for (size_t i = 0; i < e->outcomes.n; i++)
        if (!find_outcome(all, e->outcomes.at[i].text))
            return wrong(FAULT_INVENTED, "none misses '%s' of %s", e->outcomes.at[i].text, how);
    return true;
}

static bool has_finding(const explored *e, const char *text) {
    for (size_t i = 0; i < e->findings.n; i++)
        if (strcmp(e->findings.at[i], text) == 0)
            return true;
    return false;
}

static bool check_findings(const explored *all, const explored *e, const char *how) {
    for (size_t i = 0; i < e->findings.n; i++)
        if (!has_finding(all, e->findings.at[i]))
            return wrong(FAULT_FINDINGS, "none misses %s of %s", e->findings.at[i], how);
    for (size_t i = 0; i < all->findings.n; i++)
        if (!has_finding(e, all->findings.at[i]))
            return wrong(FAULT_FINDINGS, "%s misses %s", how, all->findings.at[i]);
    return true;
}

static bool check_classes(const explored *all, const explored *e, const char *how) {
    for (size_t i = 0; i < all->outcomes.n; i++) {
        const explored_outcome *a = &all->outcomes.at[i], *b = find_outcome(e, a->text);
        if (b && a->n_classes != b->n_classes)
            return wrong(FAULT_CLASSES, "%s: %llu classes, %llu with none, of '%s'", how,
                         (unsigned long long)b->n_classes, (unsigned long long)a->n_classes,
                         a->text);
    }
    return true;
}

static bool check_ends(const explored *e, const char *how) {
    if (e->mispredicted)
        return wrong(FAULT_STRAYED, "%s: %llu executions left the paths that were predicted", how,
                     (unsigned long long)e->mispredicted);
    if (!e->is_finished)
        return wrong(FAULT_ENDLESS, "%s: more than %llu executions", how,
                     (unsigned long long)e->executions);
    if (!e->is_complete)
        return wrong(FAULT_INCOMPLETE, "%s: not complete", how);
    return true;
}

static bool check_losses(const explored *all, const explored *e, const char *how) {
    bool same = all->losses.n == e->losses.n;
    for (size_t i = 0; same && i < e->losses.n; i++)
        same = strcmp(all->losses.at[i], e->losses.at[i]) == 0;
    return same || wrong(FAULT_INCOMPLETE, "%s: other losses than with none: '%s'", how,
                         e->losses.n ? e->losses.at[0] : "(no loss)");
}

static bool compare(const explored *all, const explored *e, hd_reduction reduction) {
    const char *how = hd_reduction_name(reduction);
    bool is_optimal = reduction == HD_REDUCTION_OPTIMAL;
    if (!check_ends(e, how) || !check_outcomes(all, e, how) || !check_findings(all, e, how) ||
        !check_losses(all, e, how))
        return false;
    if (is_optimal) {
        sum.classes += e->classes;
        sum.redundant += e->executions - e->classes;
        sum.inexact += e->executions != e->classes;
    }
    return !is_optimal || !counts_classes || check_classes(all, e, how);
}

/* ---- Comparing with the operating system -------------------------------------------------------
 */

static int compare_labels(const void *a, const void *b) {
    return strcmp(a, b);
}

/* That nobody is there is not told to a connected UDP socket, and one of a pair of datagram sockets
 * that was refused loses what it has received (docs/sockets.md). */
static bool is_refused_datagram(const script *s, const char *outcome) {
    if (strchr(s->channels, 'd') && strstr(outcome, "=e111"))
        return true;
    return strchr(s->channels, 'U') && (strstr(outcome, "=e111") || script_has_polls(s));
}

static bool check_native_run(const explored *all, script *s, uint64_t seed) {
    char *argv[MAX_ARGUMENTS];
    int argc = script_arguments(s, argv);
    static native_log log;
    hd_text outcome = {0};
    bool ends = native_run(argc, argv, seed, &log);
    qsort(log.label, log.n, sizeof *log.label, compare_labels);
    for (unsigned i = 0; i < log.n; i++)
        hd_text_add(&outcome, "%s ", log.label[i]);
    bool ok = is_refused_datagram(s, hd_text_string(&outcome)) ||
              (ends && find_outcome(all, hd_text_string(&outcome)) != NULL);
    if (!ends && !ok)
        wrong(FAULT_HANGS, "the real program does not end: '%s'", hd_text_string(&outcome));
    else if (!ok)
        wrong(FAULT_NATIVE, "the real program gives '%s'", hd_text_string(&outcome));
    hd_text_release(&outcome);
    return ok;
}

/* What runs as it is does the same there: only its effects are not known. */
static bool has_losses(const explored *all) {
    for (size_t i = 0; i < all->losses.n; i++)
        if (!strstr(all->losses.at[i], "'get_phys_pages'"))
            return true;
    return false;
}

/* Only what has no findings and no losses behaves as it does really.  A signal ends a process some
 * time after it was sent, and descriptors that were passed and not wanted are closed: neither is
 * modelled (docs/sockets.md).  Alarms take time, and nobody outside knows of assumptions. */
static bool check_native(const explored *all, script *s) {
    if (all->findings.n || has_losses(all) || script_has(s, 'x') || script_has(s, 'm') ||
        script_has(s, 'L') || script_has(s, 'A') || strchr(s->channels, 'v'))
        return true;
    sum.native++;
    for (uint64_t i = 0; i < NATIVE_RUNS; i++)
        if (!check_native_run(all, s, i))
            return false;
    return true;
}

/* ---- Programs -------------------------------------------------------------------------------- */

static bool explore(const exploration *x, explored *e) {
    return explore_run(x, e) ||
           wrong(FAULT_DIED, "%s: the search ended badly", hd_reduction_name(x->reduction));
}

static void check_reduction(const exploration *base, const explored *all, hd_reduction reduction) {
    exploration x = *base;
    explored e;
    x.reduction = reduction;
    x.max_executions = 4 * all->executions + 100;
    if (!explore(&x, &e) || !compare(all, &e, reduction))
        hd_text_add(&who, " %s", hd_reduction_name(reduction));
    explored_release(&e);
}

static void show(const explored *all) {
    printf("none: %llu executions, %s\n", (unsigned long long)all->executions,
           all->is_finished ? "finished" : "not finished");
    for (size_t i = 0; i < all->outcomes.n; i++)
        printf("    %s\n", all->outcomes.at[i].text);
    for (size_t i = 0; i < all->losses.n; i++)
        printf("    not exact: %s\n", all->losses.at[i]);
}

/* Some things that processes do to files of others are not explored, which is said. */
static bool is_unordered(const explored *all) {
    for (size_t i = 0; i < all->losses.n; i++)
        if (strstr(all->losses.at[i], "is not ordered"))
            return true;
    return false;
}

/* With these `none` tells classes apart that do not differ in what happens. */
static bool has_exact_classes(const script *s) {
    return !script_has_polls(s) && !script_has(s, 'x') && !script_connects_shared(s) &&
           !script_has_state(s);
}

/* The program itself knows of some things that no system does. */
static bool check_possible(const explored *all) {
    for (size_t i = 0; i < all->outcomes.n; i++)
        if (strstr(all->outcomes.at[i].text, "impossible"))
            return wrong(FAULT_IMPOSSIBLE, "none sees '%s'", all->outcomes.at[i].text);
    return true;
}

static fault check(const script *program, setting how) {
    script s = *program;
    char *argv[MAX_ARGUMENTS];
    exploration x = {.argc = script_arguments(&s, argv),
                     .argv = argv,
                     .timeouts = how.timeouts,
                     .partial_io = how.partial_io,
                     .reduction = HD_REDUCTION_NONE,
                     .max_executions = max_executions};
    explored all;
    found = FAULT_NONE;
    hd_text_clear(&who);
    counts_classes = features & SCRIPT_CLASSES && has_exact_classes(program);
    hd_text_clear(&why);
    bool has_run = explore(&x, &all);
    bool is_small = (all.is_finished && !is_unordered(&all)) || all.mispredicted;
    sum.executions += all.executions;
    if (shows_outcomes)
        show(&all);
    if (has_run && is_small && check_ends(&all, "none") && check_possible(&all))
        for (unsigned r = HD_REDUCTION_NONE + 1; r < HD_N_REDUCTIONS; r++)
            check_reduction(&x, &all, r);
    if (has_run && is_small && !found)
        check_native(&all, &s);
    explored_release(&all);
    return has_run && !is_small ? FAULT_TOO_BIG : found;
}

/* Leave out what is not needed for the same fault, one operation after the other. */
static script make_smaller(script s, fault what, setting how) {
    for (unsigned n = 0;;) {
        script smaller = s;
        if (!script_without(&smaller, n))
            return s;
        if (check(&smaller, how) == what) {
            s = smaller;
            n = 0;
        } else {
            n++;
        }
    }
}

static void report(uint64_t seed, script s, fault what, setting how) {
    hd_text text = {0};
    script_print(&s, &text);
    printf("seed %llu: %s\n    %s\n", (unsigned long long)seed, hd_text_string(&text),
           hd_text_string(&why));
    s = make_smaller(s, what, how);
    check(&s, how);
    hd_text_clear(&text);
    script_print(&s, &text);
    printf("    heddle run%s%s " SUBJECT " -- %s\n",
           how.timeouts == HD_TIMEOUTS_ANY ? " --timeouts any" : "",
           how.partial_io ? " --partial-io" : "", hd_text_string(&text));
    printf("seed %llu: %s:%s: %s\n", (unsigned long long)seed, fault_words[what],
           hd_text_string(&who), hd_text_string(&why));
    hd_text_release(&text);
    fflush(stdout);
}

static bool check_seed(uint64_t seed) {
    script s = script_random(seed, features);
    bool is_any = script_has_time(&s) && !strchr(s.channels, 'v') && seed % 2;
    setting how = {is_any ? HD_TIMEOUTS_ANY : HD_TIMEOUTS_LAST, seed % 16 == 3};
    fault what = check(&s, how);
    sum.programs += what != FAULT_TOO_BIG;
    sum.too_big += what == FAULT_TOO_BIG;
    if (what == FAULT_NONE || what == FAULT_TOO_BIG)
        return true;
    report(seed, s, what, how);
    return false;
}

static int check_one(int argc, char **argv) {
    script s = {0};
    snprintf(s.channels, sizeof s.channels, "%s", argv[0]);
    for (int p = 1; p < argc && p <= SCRIPT_PROCESSES; p++)
        snprintf(s.process[s.n_processes++], sizeof s.process[0], "%s", argv[p]);
    setting how = {getenv("ANY") ? HD_TIMEOUTS_ANY : HD_TIMEOUTS_LAST, getenv("PARTIAL") != NULL};
    shows_outcomes = true;
    fault what = check(&s, how);
    printf("%s:%s: %s\n", fault_words[what], hd_text_string(&who), hd_text_string(&why));
    return what != FAULT_NONE;
}

int main(int argc, char **argv) {
    hd_err err = {0};
    bool is_soak = getenv("SOAK") != NULL, keeps_going = argc > 1 && strcmp(argv[1], "-k") == 0,
         ok = true;
    if (!explore_load(SUBJECT, &err))
        return printf("%s\n", err.message), 1;
    if (argc > 3 && strcmp(argv[1], "--") == 0)
        return check_one(argc - 2, argv + 2);
    argc -= keeps_going;
    argv += keeps_going;
    max_executions = is_soak ? 10000 : max_executions;
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : is_soak ? 20000 : 80;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    features = argc > 3 ? script_parse_features(argv[3]) : features;
    for (; sum.programs < count && (ok || keeps_going); seed++)
        ok &= check_seed(seed);
    if (ok || keeps_going)
        printf(
            "%llu programs of processes (%llu left out): %llu orders, %llu classes, %llu redundant "
            "in %llu programs, %llu run natively\n",
            (unsigned long long)sum.programs, (unsigned long long)sum.too_big,
            (unsigned long long)sum.executions, (unsigned long long)sum.classes,
            (unsigned long long)sum.redundant, (unsigned long long)sum.inexact,
            (unsigned long long)sum.native);
    return ok ? 0 : 1;
}
