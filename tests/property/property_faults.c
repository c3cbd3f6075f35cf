/* Faults from end to end: random scenarios of fault_program.c with random rules.
 *
 *     property_faults [-k] [COUNT [FIRST_SEED]]
 *
 * Three oracles.  `--por none` runs every order of events: the other reductions must be complete too,
 * and see the same outcomes, `optimal` the same classes, each once.  And a fault is nothing but another
 * program: a datagram that is lost was never sent, one that comes twice was sent twice, a node that
 * crashes ended there.  What is seen with faults must be what is seen, without any, by all programs
 * that the rules allow (fault_variants.h).
 *
 * And a search that is divided into parts sees what it sees as a whole.
 *
 * A scenario that fails is made smaller as long as something is wrong.  -k: go on after that. */
#include "property/model/fault_variants.h"

#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUBJECT "tests/property/subject/fault_program.c"

typedef struct statistics {
    uint64_t scenarios, too_big, executions, classes, redundant, fallen_back, variants, six;
} statistics;
static statistics sum;
static uint64_t max_executions = 2000; /* of `none` */

/* Polls are told apart by more than matters (property_processes.c): classes are not counted then,
 * and some are run twice. */
static bool has_polls(const fault_scenario *s) {
    for (uint32_t i = 0; i < s->n_nodes; i++)
        if (strpbrk(s->script[i], "tea"))
            return true;
    return false;
}

static bool check_classes(const explored *all, const explored *e, const char *how) {
    for (size_t i = 0; i < all->outcomes.n; i++)
        if (fault_find(e, all->outcomes.at[i].text)->n_classes != all->outcomes.at[i].n_classes)
            return fault_wrong(how, "has another number of classes of", all->outcomes.at[i].text);
    return true;
}

/* Where `optimal` cannot tell what a sequence does it goes on as `dpor`, which stops executions that
 * others cover, and may run some twice. */
static bool check_once(const explored *e, const char *how) {
    bool falls_back = e->redundant > 0;
    sum.fallen_back += falls_back;
    return falls_back || e->executions == e->classes ||
           fault_wrong(how, "runs classes more than once", "");
}

static bool check_reduction(const fault_scenario *s, const explored *all, hd_reduction reduction) {
    const char *how = hd_reduction_name(reduction);
    bool is_optimal = reduction == HD_REDUCTION_OPTIMAL;
    explored e;
    bool ok = fault_explore(s, reduction, 4 * all->executions + 100, &e);
    if (ok && (!e.is_finished || !e.is_complete || e.mispredicted))
        ok = fault_wrong(how, e.mispredicted ? "strays" : "is not complete", "");
    ok = ok && fault_is_within(all, &e, how) && fault_is_within(&e, all, "none");
    ok = ok && (!is_optimal || has_polls(s) || check_classes(all, &e, how));
    ok = ok && (!is_optimal || has_polls(s) || check_once(&e, how));
    sum.classes += is_optimal ? e.classes : 0;
    sum.redundant += is_optimal ? e.executions - e.classes : 0;
    explored_release(&e);
    return ok;
}

/* In parts, saved and restored: not a class is missing. */
static bool check_shared(const fault_scenario *s, const explored *all) {
    fault_scenario shared = *s;
    explored e;
    shared.is_shared = true;
    bool ok = fault_explore(&shared, HD_REDUCTION_OPTIMAL, 20 * all->executions + 1000, &e);
    if (ok && (!e.is_finished || !e.is_complete || e.mispredicted))
        ok = fault_wrong("in parts", e.mispredicted ? "strays" : "is not complete", "");
    ok = ok && fault_is_within(all, &e, "in parts") && fault_is_within(&e, all, "none");
    ok = ok && (has_polls(s) || check_classes(all, &e, "in parts"));
    explored_release(&e);
    return ok;
}

static bool has_letter(const fault_scenario *s, char letter) {
    for (uint32_t i = 0; i < s->n_nodes; i++)
        if (strchr(s->script[i], letter))
            return true;
    return false;
}

/* The same by sockets of IPv6, which has groups and nothing that is for all. */
static bool check_six(const fault_scenario *s, const explored *all) {
    fault_scenario six = *s;
    explored e;
    six.is_six = true;
    bool ok = fault_explore(&six, HD_REDUCTION_OPTIMAL, all->executions + 1, &e);
    sum.six++;
    if (ok && (!e.is_finished || !e.is_complete || e.mispredicted))
        ok = fault_wrong("IPv6", e.mispredicted ? "strays" : "is not complete", "");
    ok = ok && fault_is_within(all, &e, "IPv6") && fault_is_within(&e, all, "IPv4");
    ok = ok && (has_polls(s) || check_classes(all, &e, "IPv6"));
    explored_release(&e);
    return ok;
}

static bool check(const fault_scenario *s, bool *is_small) {
    explored all;
    hd_text_clear(&fault_why);
    bool ok = fault_explore(s, HD_REDUCTION_NONE, max_executions, &all);
    *is_small = all.is_finished;
    sum.executions += all.executions;
    for (unsigned r = HD_REDUCTION_NONE + 1; ok && *is_small && r < HD_N_REDUCTIONS; r++)
        ok = check_reduction(s, &all, r);
    ok = ok && (!*is_small || check_shared(s, &all));
    bool is_of_both = *is_small && !has_letter(s, 'A') && (has_letter(s, 'G') || all.executions < 20);
    ok = ok && (!is_of_both || check_six(s, &all));
    ok = ok && (!*is_small || fault_check_variants(s, &all, &sum.variants));
    explored_release(&all);
    return ok;
}

/* ---- random scenarios ---- */

static unsigned below(uint64_t *random, unsigned n) {
    return (unsigned)(hd_random_next(random) % n);
}

static hd_set every_node(uint32_t n) {
    hd_set all = HD_SET_EMPTY;
    for (uint32_t i = 0; i < n; i++)
        all = hd_set_with(all, i);
    return all;
}

static void limit_messages(uint64_t *random, uint32_t n, hd_fault *f) {
    switch (below(random, 6)) {
    case 0:
        f->to = hd_set_of(below(random, n));
        break;
    case 1:
        f->nth = 1 + below(random, 2);
        break;
    case 2:
        f->per_node = 1;
        break;
    case 3:
        f->per_link = 1;
        break;
    default:
        break;
    }
}

static hd_fault random_rule(uint64_t *random, uint32_t n) {
    static const hd_fault_kind kinds[] = {
        HD_FAULT_DROP,  HD_FAULT_DUPLICATE, HD_FAULT_CRASH,  HD_FAULT_DROP, HD_FAULT_REORDER,
        HD_FAULT_DELAY, HD_FAULT_FULL,      HD_FAULT_REBOOT, HD_FAULT_PARTITION,
        HD_FAULT_RESET, HD_FAULT_CORRUPT};
    hd_fault f = {.kind = kinds[below(random, sizeof kinds / sizeof *kinds)],
                  .window = below(random, 2) ? HD_NO_BUDGET : 1,
                  .duration = 3000000,
                  .from = every_node(n),
                  .to = every_node(n),
                  .total = 1 + below(random, 2),
                  .per_node = HD_NO_BUDGET,
                  .per_link = HD_NO_BUDGET,
                  .ends = UINT64_MAX};
    if (below(random, 4) == 0)
        f.from = hd_set_of(below(random, n));
    if (f.kind == HD_FAULT_PARTITION && below(random, 2))
        f.duration = 0;
    if (f.kind == HD_FAULT_REBOOT)
        f.total = 1;
    if (hd_fault_is_of_nodes(&f))
        f.per_node = 1;
    else
        limit_messages(random, n, &f);
    f.has_own = !hd_fault_is_of_nodes(&f) && below(random, 4) == 0;
    return f;
}

/* To all, to a group; join and leave it. */
static char random_group_letter(uint64_t *random) {
    return "AGGGJL"[below(random, 6)];
}

static void random_script(uint64_t *random, fault_scenario *s, uint32_t node, bool has_streams,
                          bool has_files, bool has_groups) {
    static const char letters[] = "ssssssSSrrrrttneeifgcawwRk";
    for (unsigned k = 0, n = 1 + below(random, FAULT_OPERATIONS); k < n; k++) {
        char letter = letters[below(random, sizeof letters - 1)];
        if (strchr("cawRk", letter) && !has_streams)
            letter = node ? 'r' : 's';
        if (strchr("fg", letter) && !has_files)
            letter = 's';
        if (has_groups && below(random, 3) == 0)
            letter = random_group_letter(random);
        s->script[node][2 * k] = letter;
        s->script[node][2 * k + 1] = (char)('0' + below(random, s->n_nodes));
    }
}

/* Streams that come to something: the first node connects to the second. */
static void begin_streams(fault_scenario *s) {
    memcpy(s->script[0], "c1", 2);
    memcpy(s->script[1], "a0", 2);
}

static fault_scenario random_scenario(uint64_t seed) {
    uint64_t random = hd_mix(seed);
    fault_scenario s = {.n_nodes = 2 + below(&random, FAULT_NODES - 1)};
    s.is_fifo = below(&random, 2);
    s.is_at_once = below(&random, 8) == 0;
    bool has_streams = below(&random, 2) == 0, has_files = below(&random, 4) == 0;
    bool has_groups = below(&random, 4) == 0;
    for (uint32_t i = 0; i < s.n_nodes; i++)
        random_script(&random, &s, i, has_streams, has_files, has_groups);
    if (has_streams)
        begin_streams(&s);
    if (has_streams && below(&random, 2))
        s.segments = 1 + below(&random, 3);
    s.n_rules = 1 + below(&random, FAULT_RULES);
    for (uint32_t r = 0; r < s.n_rules; r++)
        s.rule[r] = random_rule(&random, s.n_nodes);
    for (uint32_t r = 0; r < s.n_rules; r++)
        if (s.rule[r].kind == HD_FAULT_REORDER && (!s.is_fifo || s.is_at_once))
            s.rule[r].kind = HD_FAULT_DROP;
    return s;
}

/* ---- what went wrong ---- */

/* Leave out operation or rule n, but not the last rule; false if there is none. */
static bool leave_out(fault_scenario *s, unsigned n) {
    for (uint32_t i = 0; i < s->n_nodes; i++) {
        unsigned here = (unsigned)strlen(s->script[i]) / 2;
        if (n < here) {
            memmove(s->script[i] + 2 * n, s->script[i] + 2 * n + 2, 2 * (here - n) - 1);
            return true;
        }
        n -= here;
    }
    if (n >= s->n_rules || s->n_rules == 1)
        return false;
    s->rule[n] = s->rule[--s->n_rules];
    return true;
}

static void report(uint64_t seed, fault_scenario s) {
    bool is_small;
    printf("seed %llu:\n", (unsigned long long)seed);
    fault_print(&s);
    for (unsigned n = 0;;) {
        fault_scenario smaller = s;
        if (!leave_out(&smaller, n++))
            break;
        if (!check(&smaller, &is_small)) {
            s = smaller;
            n = 0;
        }
    }
    check(&s, &is_small);
    fault_print(&s);
    fflush(stdout);
}

static bool check_seed(uint64_t seed) {
    fault_scenario s = random_scenario(seed);
    bool is_small, ok = check(&s, &is_small);
    sum.scenarios += is_small;
    sum.too_big += !is_small;
    if (!ok)
        report(seed, s);
    return ok;
}

int main(int argc, char **argv) {
    hd_err err = {0};
    bool is_soak = getenv("SOAK") != NULL, ok = true;
    bool keeps_going = argc > 1 && strcmp(argv[1], "-k") == 0;
    if (!explore_load(SUBJECT, &err))
        return printf("%s\n", err.message), 1;
    argc -= keeps_going;
    argv += keeps_going;
    max_executions = is_soak ? 10000 : max_executions;
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : is_soak ? 10000 : 60;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (; sum.scenarios < count && (ok || keeps_going); seed++)
        ok &= check_seed(seed);
    printf("%llu scenarios with faults (%llu left out): %llu orders, %llu classes, %llu redundant "
           "(%llu fell back), %llu programs without faults, %llu by IPv6 too\n",
           (unsigned long long)sum.scenarios, (unsigned long long)sum.too_big,
           (unsigned long long)sum.executions, (unsigned long long)sum.classes,
           (unsigned long long)sum.redundant, (unsigned long long)sum.fallen_back,
           (unsigned long long)sum.variants, (unsigned long long)sum.six);
    return ok ? 0 : 1;
}
