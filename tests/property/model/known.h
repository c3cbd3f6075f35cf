/* known.h -- what brute force knows of a program: all its executions and classes.
 *
 * Filled by brute_threads.c and brute_messages.c without any explorer; compare.c then notes in it
 * what the explorer ran. */
#ifndef HD_TESTS_KNOWN_H
#define HD_TESTS_KNOWN_H
#include "base/map.h"
#include "base/vec.h"
#include "property/model/history.h"

enum { KNOWN_LOCATIONS = 3 };

typedef struct known_class {
    uint64_t trace, core, final_state, findings;
    uint8_t memory[KNOWN_LOCATIONS]; /* at the end, and whether every thread ended: for threads */
    bool has_ended;
    uint64_t hash;    /* the explorer's name of it; 0: not yet seen */
    uint32_t n_run;   /* by the explorer, */
    bool was_unnamed; /* once at least without a name */
} known_class;

typedef struct known {
    hd_vec(known_class) classes; /* of executions that no assumption rejects */
    hd_map class_of_trace;
    hd_map class_of_core; /* one of those that have it */
    hd_map n_run_of_core, n_run_of_sequence;
    hd_map prompt;     /* the sequences that `none` must run: all, but that threads are created and
                        * joined as soon as possible, and do not go on behind iterations in vain */
    hd_map rejected;   /* the sequences of those that are rejected */
    uint64_t limit;    /* of executions, also of rejected ones */
    uint64_t findings; /* of all executions, also of rejected ones */
    uint64_t n_ends;   /* executions, the same for several inputs counted for each */
    bool is_beyond;    /* there are more */
    bool is_wrong; /* two executions of one trace or core ended differently: the model is wrong */
} known;

/* An execution, which belongs to `class`.  `n_vectors` values of inputs are tried. */
void known_add(known *k, const history *h, known_class class, unsigned n_vectors, bool is_prompt);
known_class *known_find(const known *k, uint64_t trace);
/* As if the explorer had run nothing. */
void known_forget_runs(known *k);
void known_release(known *k);
#endif
