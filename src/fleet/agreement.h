/* agreement.h -- what workers must agree on to understand each other's journals: which index each
 * thread and process has (docs/design.md D4), and what executions found out about the program.
 *
 * A machine gives indices in the order in which it sees names.  Most programs create threads in one
 * order; where they do not, two workers may give one index to two names.  Then the one whose commit
 * comes second has to run its unit again, in a machine that was given the names of both.
 *
 * A1. Names that were agreed on keep their indices: new ones come behind them. */
#ifndef HD_FLEET_AGREEMENT_H
#define HD_FLEET_AGREEMENT_H
#include "base/text.h"
#include "base/vec.h"

#include <stdint.h>

/* Child number nth of a parent, which has an index below its own. */
typedef struct hd_agreed_name {
    uint32_t parent, nth;
} hd_agreed_name;
typedef hd_vec(hd_agreed_name) hd_agreed_names;

/* A zeroed one knows nothing. */
typedef struct hd_agreement {
    hd_agreed_names threads, processes; /* from index 1 on */
    hd_text facts;                      /* words in order of the alphabet */
} hd_agreement;

/* From a text of hd_machine_print_facts; false if it is none. */
bool hd_agreement_read(hd_agreement *a, const char *text);
void hd_agreement_print(const hd_agreement *a, hd_text *out);
void hd_agreement_release(hd_agreement *a);
/* Does no index mean two names? */
bool hd_agreement_fits(const hd_agreement *a, const hd_agreement *b);
/* Names of `from` that are not known come behind those that are (A1). */
void hd_agreement_learn_names(hd_agreement *a, const hd_agreement *from);
bool hd_agreement_has_same_facts(const hd_agreement *a, const hd_agreement *b);
void hd_agreement_copy_facts(hd_agreement *a, const hd_agreement *from);
#endif
