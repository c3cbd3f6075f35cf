/* fault_variants.h -- scenarios of fault_program.c with faults, and the programs without faults that
 * stand for them. */
#ifndef FAULT_VARIANTS_H
#define FAULT_VARIANTS_H
#include "property/model/process_explore.h"

enum { FAULT_NODES = 3, FAULT_OPERATIONS = 4, FAULT_RULES = 2, FAULT_TEXT = 2 * FAULT_OPERATIONS + 5 };

typedef struct fault_scenario {
    uint32_t n_nodes, n_rules;
    char script[FAULT_NODES][FAULT_TEXT], original[FAULT_NODES][FAULT_TEXT];
    hd_fault rule[FAULT_RULES];
    bool is_fifo, is_at_once;
    uint32_t segments; /* as in hd_link */
    bool is_shared; /* see exploration */
    bool is_six;    /* by sockets of IPv6 */
} fault_scenario;

/* What was wrong first. */
extern hd_text fault_why;
/* Always false. */
bool fault_wrong(const char *how, const char *what, const char *text);

bool fault_explore(const fault_scenario *s, hd_reduction reduction, uint64_t limit, explored *out);
const explored_outcome *fault_find(const explored *e, const char *text);
/* Are all outcomes of `some` among `all`?  `how` names the latter. */
bool fault_is_within(const explored *some, const explored *all, const char *how);
/* Is what was seen with faults what all programs see that the rules allow?  Adds their number. */
bool fault_check_variants(const fault_scenario *s, const explored *all, uint64_t *n_variants);
void fault_print(const fault_scenario *s);
#endif
