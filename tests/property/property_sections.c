/* Atomic sections from end to end: `heddle run` on one program, section_program.c, whose arguments
 * say what its threads do.
 *
 *     property_sections [COUNT [FIRST_SEED]]      (HEDDLE names the tool, default build/heddle)
 *
 * What a section touches is learned, and decides what the reductions leave out.  `none` leaves out
 * nothing, whatever is known of sections: the others must find as many classes as it does and reach
 * the same ends, and `optimal` must take one execution for each class. */
#include "base/hash.h"
#include "base/text.h"
#include "explore/explore.h"
#include "tool/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUBJECT "tests/property/subject/section_program.c"
enum { MAX_EXECUTIONS = 4000, STATEMENT = 6 };

/* Half of the statements write on a condition: what such a section touches depends on the order. */
static uint64_t random_statement(uint64_t *random) {
    uint64_t code = hd_random_next(random) % 64;
    return hd_random_next(random) % 2 ? code | 3 : code;
}

/* Two threads with up to three items each, or three with up to two; one item of four is outside of
 * sections. */
static char *random_arguments(uint64_t seed) {
    uint64_t random = seed;
    hd_text out = {0};
    unsigned n = 2 + (unsigned)(hd_random_next(&random) % 2);
    for (unsigned t = 0; t < n; t++) {
        uint64_t code = 0, n_items = 1 + hd_random_next(&random) % (n == 2 ? 3 : 2);
        for (uint64_t i = 0; i < n_items; i++) {
            uint64_t outside = hd_random_next(&random) % 4 == 0;
            code = code << 1 | outside;
            for (unsigned k = 0; k < 2; k++)
                code = code << STATEMENT | random_statement(&random);
        }
        hd_text_add(&out, " %llx", (unsigned long long)code);
    }
    return out.at;
}

static json_t *run_heddle(const char *arguments, hd_reduction reduction) {
    return tool_run("--no-races --por %s --max-executions %d " SUBJECT " -- %s",
                    hd_reduction_name(reduction), MAX_EXECUTIONS, arguments);
}

static bool is_complete(json_t *summary) {
    return json_is_true(json_object_get(summary, "complete"));
}

static uint64_t count(json_t *summary, const char *key) {
    return (uint64_t)json_integer_value(json_object_get(summary, key));
}

static bool reaches_the_same(json_t *a, json_t *b) {
    json_t *x = json_object_get(a, "labels"), *y = json_object_get(b, "labels"), *value;
    const char *label;
    json_object_foreach(x, label, value) if (!json_object_get(y, label)) return false;
    return json_object_size(x) > 0 && json_object_size(x) == json_object_size(y);
}

/* NULL, or what is wrong. */
static const char *compare(json_t *all, json_t *reduced, hd_reduction reduction) {
    json_t *threads = json_object_get(reduced, "threads");
    if (!reduced || !is_complete(reduced))
        return "not complete";
    if (count(threads, "classes") != count(json_object_get(all, "threads"), "classes"))
        return "another number of classes than with none";
    if (!reaches_the_same(all, reduced))
        return "other ends than with none";
    if (reduction == HD_REDUCTION_OPTIMAL &&
        count(reduced, "executions") != count(threads, "classes"))
        return "more executions than classes";
    return NULL;
}

typedef enum answer { RIGHT, WRONG, TOO_BIG } answer;

static answer check_seed(uint64_t seed) {
    static const hd_reduction reductions[] = {HD_REDUCTION_FLIP, HD_REDUCTION_DPOR,
                                              HD_REDUCTION_OPTIMAL};
    char *arguments = random_arguments(seed);
    json_t *all = run_heddle(arguments, HD_REDUCTION_NONE);
    answer result = !all ? WRONG : is_complete(all) ? RIGHT : TOO_BIG;
    if (!all)
        printf("seed %llu: no summary\n", (unsigned long long)seed);
    for (unsigned i = 0; i < 3 && result == RIGHT; i++) {
        json_t *reduced = run_heddle(arguments, reductions[i]);
        const char *why = compare(all, reduced, reductions[i]);
        json_decref(reduced);
        if (!why)
            continue;
        printf("heddle run --no-races " SUBJECT " --%s\nseed %llu: %s: %s\n", arguments,
               (unsigned long long)seed, hd_reduction_name(reductions[i]), why);
        result = WRONG;
    }
    json_decref(all);
    free(arguments);
    return result;
}

int main(int argc, char **argv) {
    unsigned wanted = argc > 1 ? (unsigned)atoi(argv[1]) : getenv("SOAK") ? 5000 : 70, n_right = 0;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, last = seed + 8 * (uint64_t)wanted;
    answer result = RIGHT;
    if (!tool_begin())
        return 1;
    for (; n_right < wanted && result != WRONG && seed < last; seed++) {
        result = check_seed(seed);
        n_right += result == RIGHT;
    }
    bool is_clean = tool_end();
    if (result == WRONG)
        return 1;
    if (n_right < wanted)
        return printf("too many programs left out: %u of %u compared\n", n_right, wanted), 1;
    printf("%u programs with atomic sections: every reduction agrees with none\n", n_right);
    return is_clean ? 0 : 1;
}
