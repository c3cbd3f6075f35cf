/* last_words.h -- what a worker was doing when it died, in memory that the supervisor has too.
 *
 * Written as the execution goes on, by the last worker that tries a unit: inputs, then decisions
 * and turns of threads as they come.  The tested program may have written there as well, so that
 * readers believe nothing: hd_last_words_read makes texts of whatever is there. */
#ifndef HD_FLEET_LAST_WORDS_H
#define HD_FLEET_LAST_WORDS_H
#include "base/pack.h"
#include "explore/explore.h"
#include "program/abi.h"

#define HD_PREFIX_SHOWN 1500 /* characters of decisions and turns; longer ones keep their end */

typedef struct hd_last_words {
    bool is_running;    /* an execution has begun, and not ended */
    char file[200];     /* of the last decision, */
    char function[100]; /* or empty */
    uint32_t line;
    uint64_t n_decisions;             /* of the execution so far */
    uint64_t n_turns;                 /* of threads, beyond those that were planned */
    char inputs[600];                 /* that were chosen before: "x = 3, y = 0" */
    char schedule[600];               /* turns that were planned: hd_explorer_print_schedule */
    char prefix[HD_PREFIX_SHOWN + 1]; /* "12+ 14- t1": sites with ways, turns */
} hd_last_words;

/* A sink in front of another one. */
typedef struct hd_witness {
    hd_last_words *words;
    const hd_sink *real;
    const hd_image *image;
} hd_witness;

/* An execution is about to begin. */
void hd_last_words_begin(hd_last_words *w, const hd_explorer *x, const hd_variables *variables,
                         const hd_model *model);
void hd_last_words_end(hd_last_words *w);
/* `witness` has to live as long as the sink. */
hd_sink hd_witness_sink(hd_witness *witness);
/* A copy in which texts end and have no characters that a terminal would obey. */
hd_last_words hd_last_words_read(const hd_last_words *w);
/* As bytes; what does not fit is cut off. */
void hd_last_words_pack(hd_text *out, const hd_last_words *w);
hd_last_words hd_last_words_unpack(hd_unpack *u);
#endif
