/* goals.h -- obligations: what is to be covered, and whether some tests do: regions of code, sides
 * of branches, conditions of decisions (MC/DC), labels of the program, findings.
 *
 * A test shows elements: code that it comes to, a side of a branch, a test vector of a decision, a
 * label, a finding.  An obligation is met by one element, or, a condition, by a pair of vectors in
 * which it alone differs (as far as it was looked at) and so does the decision: its independence
 * pair.  The two vectors may come from two tests.
 *
 * G1. Elements are numbered: regions and sides of branches by function, vectors, labels, findings,
 *     in this order.
 * G2. Of the two vectors of a pair only its condition differs; which those are is said by the shape
 *     of its decision alone, whoever runs it.
 * Not here: which tests are worth keeping (suite.h). */
#ifndef HD_COVER_GOALS_H
#define HD_COVER_GOALS_H
#include "cover/source_map.h"
#include "cover/vectors.h"

/* Kinds: name, the word that JSON has for one, words for several. */
#define HD_GOAL_KINDS(X)                                                                           \
    X(REGION, "region", "regions")                                                                 \
    X(BRANCH, "branch", "sides of branches")                                                       \
    X(CONDITION, "condition", "conditions (MC/DC)")                                                \
    X(LABEL, "label", "labels")                                                                    \
    X(FINDING, "finding", "findings")
typedef enum hd_goal_kind {
#define X(name, one, many) HD_GOAL_##name,
    HD_GOAL_KINDS(X)
#undef X
        HD_N_GOAL_KINDS
} hd_goal_kind;
const char *hd_goal_word(hd_goal_kind kind);
const char *hd_goal_words(hd_goal_kind kind);

/* Two elements, or twice the same one. */
typedef struct hd_element_pair {
    uint32_t first, second;
} hd_element_pair;

typedef struct hd_goal {
    hd_goal_kind kind;
    hd_span at;                   /* regions, branches and conditions */
    const char *function;         /* theirs; borrowed */
    const char *words;            /* of a label or a finding; borrowed */
    bool side;                    /* branches: which */
    uint32_t number;              /* conditions: from 1, in the decision */
    hd_span decision;             /* conditions: where it is */
    uint32_t first_pair, n_pairs; /* each of these meets it; none: nothing can */
} hd_goal;

typedef struct hd_goals {
    hd_vec(hd_goal) all;
    hd_vec(hd_element_pair) pairs;
    uint32_t n_elements;
    uint32_t first_vector, first_label, first_finding;
    hd_vec(char *) findings; /* words, as given */
    hd_vec(char *) names;    /* of functions */
} hd_goals;

/* Obligations of a program; `findings` are words for each finding, copied. */
void hd_goals_init(hd_goals *o, const hd_mapped *m, const char *const *findings, size_t n);
void hd_goals_release(hd_goals *o);

/* A decision as a table: its conditions by number, and its vectors, of which vector i is element
 * `first` + i.  False if it has no table: a condition is not there, or there are too many.  The vectors
 * are the caller's, in either case. */
bool hd_decision_read(const hd_goals *o, const hd_mapped_function *f, const hd_mapped_decision *d,
                      const hd_mapped_branch *conditions[HD_MOST_CONDITIONS], hd_vectors *v,
                      uint32_t *first);

/* What one execution shows: a byte of 0 or 1 for each element.  `vectors` has a byte for each,
 * `labels` names those that were reached, one per line. */
void hd_elements_show(const hd_goals *o, const hd_mapped *m, const uint64_t *counters,
                      const uint8_t *vectors, const char *labels, uint8_t *shown);
bool hd_goal_is_met(const hd_goals *o, const hd_goal *which, const uint8_t *shown);
/* How many of a kind there are, and are met. */
void hd_goals_count(const hd_goals *o, hd_goal_kind kind, const uint8_t *shown, uint32_t *n,
                    uint32_t *n_met);
#endif
