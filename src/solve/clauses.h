/* clauses.h -- plain clauses over variables, for questions that are no paths: which tests to keep.
 */
#ifndef HD_SOLVE_CLAUSES_H
#define HD_SOLVE_CLAUSES_H
#include <stdbool.h>
#include <stddef.h>

typedef struct hd_clauses hd_clauses;
hd_clauses *hd_clauses_new(void);
void hd_clauses_free(hd_clauses *c);

/* A new variable: its number, from 1. */
int hd_clauses_variable(hd_clauses *c);
/* One of these literals (a variable, or its number negated) holds. */
void hd_clauses_add(hd_clauses *c, const int *literals, size_t n);
/* At most k of these variables hold. */
void hd_clauses_at_most(hd_clauses *c, const int *variables, size_t n, size_t k);

typedef enum hd_clauses_answer {
    HD_CLAUSES_YES,
    HD_CLAUSES_NO,
    HD_CLAUSES_UNKNOWN
} hd_clauses_answer;
/* Can all hold?  Gives up after so many conflicts. */
hd_clauses_answer hd_clauses_solve(hd_clauses *c, int conflicts);
/* After HD_CLAUSES_YES. */
bool hd_clauses_value(hd_clauses *c, int variable);
#endif
