/* Words for enumerations, one table each, used in both directions. */
#include "record/stored_words.h"

#include <string.h>

static const char *const REASONS[] = {
    [HD_TEST_ALL] = "path", [HD_TEST_COVERAGE] = "coverage", [HD_TEST_FINDING] = "finding"};
static const char *const ENDS[] = {[HD_END_EXIT] = "exit",
                                   [HD_END_REJECTED] = "rejected",
                                   [HD_END_FINDING] = "finding",
                                   [HD_END_STOPPED] = "stopped",
                                   [HD_END_RETRY] = "retry"};
static const char *const UNIT_STATES[] = {
#define X(name, words) words,
    HD_UNIT_STATES(X)
#undef X
};
#define N(table) ((unsigned)(sizeof(table) / sizeof *(table)))

const char *hd_test_reason_name(hd_test_reason reason) {
    return REASONS[reason];
}

const char *hd_end_name(hd_end end) {
    return ENDS[end];
}

const char *hd_unit_state_words(hd_unit_state state) {
    return UNIT_STATES[state];
}

static bool find(const char *word, const char *const *table, unsigned n, unsigned *index) {
    for (unsigned i = 0; word && i < n; i++)
        if (strcmp(word, table[i]) == 0) {
            *index = i;
            return true;
        }
    return false;
}

bool hd_test_reason_parse(const char *word, hd_test_reason *reason) {
    unsigned i = 0;
    bool known = find(word, REASONS, N(REASONS), &i);
    *reason = (hd_test_reason)i;
    return known;
}

bool hd_end_parse(const char *word, hd_end *end) {
    unsigned i = 0;
    bool known = find(word, ENDS, N(ENDS), &i);
    *end = (hd_end)i;
    return known;
}

bool hd_unit_state_parse(const char *word, hd_unit_state *state) {
    unsigned i = 0;
    bool known = find(word, UNIT_STATES, N(UNIT_STATES), &i);
    *state = (hd_unit_state)i;
    return known;
}

bool hd_finding_kind_parse(const char *word, hd_finding_kind *kind) {
    *kind = HD_FINDING_NONE;
    for (unsigned i = 0; word && i < HD_N_FINDING_KINDS; i++)
        if (strcmp(word, hd_finding_kind_name((hd_finding_kind)i)) == 0) {
            *kind = (hd_finding_kind)i;
            return true;
        }
    return false;
}
