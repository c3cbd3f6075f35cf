/* dscenarios.h -- how many dscenarios a mapping has, and some of them, drawn at random.
 *
 * A dstate has as many as there are choices of one state for each node: a product.  Dscenarios of
 * different dstates differ, so that all of them are the sum.  Such numbers have hundreds of digits.
 *
 * The numbers are those of the mapping: who prunes dscenarios that are impossible learns how many
 * are left by going through them (explosion.h) only.  What keeps to shared budgets can be counted
 * without that.
 *
 * N1. Each dscenario has a number below their count, and each such number is one. */
#ifndef HD_MAPPING_DSCENARIOS_H
#define HD_MAPPING_DSCENARIOS_H
#include "base/map.h"
#include "mapping/explosion.h"

/* The number of dscenarios, in decimal. */
void hd_dscenarios_count(const hd_mapping *m, hd_text *decimal);
/* Of those that cost no more than every shared budget (mapping.h).  False, and nothing is written:
 * budgets are so large that nobody would wait for it. */
bool hd_dscenarios_count_affordable(const hd_mapping *m, hd_text *decimal);
/* About how many; infinity beyond the range of a double. */
double hd_dscenarios_estimate(const hd_mapping *m);

/* Dscenarios drawn one by one, each that was not drawn before with the same probability. */
typedef struct hd_sample {
    hd_explosion one;
    hd_vec(uint32_t) dstates;
    mpz_t *ends; /* numbers of the first dscenario behind each of them */
    uint64_t seed;
    hd_map drawn;
    hd_states members;
    uint64_t n_drawn, n_impossible;
    bool has_given_up; /* too many in a row were impossible or known: there may be others */
} hd_sample;

/* `together` may be NULL; dscenarios that do not go together are drawn and left out. */
void hd_sample_init(hd_sample *s, const hd_mapping *m, uint64_t seed, hd_together *together,
                    void *context);
/* The next, by node; NULL if all were drawn, or if it has given up. */
const uint32_t *hd_sample_next(hd_sample *s);
void hd_sample_release(hd_sample *s);
#endif
