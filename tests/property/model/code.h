/* code.h -- little programs of operations, for the abstract machines of threads and of messages.
 *
 * What a program consists of, whatever its operations mean: a list of operations for each thread
 * or actor, and inputs.  The machines' own `program` begins with it, so that programs can be
 * printed, made smaller and handed around without knowing which machine they are for.
 * Not here: what operations mean (model_threads.h, model_messages.h). */
#ifndef HD_TESTS_CODE_H
#define HD_TESTS_CODE_H
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CODE_THREADS = 6,
    MODEL_OPERATIONS = 8, /* of one thread */
    MODEL_INPUTS = 5,
};

typedef struct operation {
    uint8_t kind, object, value, extra, other;
} operation;

/* Threads 0 to n_initial-1 exist at the start, the others are created. */
typedef struct code {
    operation at[CODE_THREADS][MODEL_OPERATIONS];
    uint8_t n[CODE_THREADS];
    uint8_t n_threads, n_initial;
    uint8_t n_inputs, input_width; /* bits */
    uint8_t first[MODEL_INPUTS];   /* values of the inputs where the explorer has no wish */
} code;

bool code_has(const code *c, unsigned kind);
/* Does the machine say who is the first that can go on?  Half of the programs have one that does. */
static inline bool has_first(const code *c) {
    return c->n[0] % 2;
}
void code_insert(code *c, unsigned t, unsigned at, operation o);
/* A thread that nobody creates any more does nothing. */
void code_remove(code *c, unsigned t, unsigned at);
/* One line for each thread, "t0: ...", by the text of each kind of operation: %o is its object, %p
 * another one, %v its value, %e what it has besides.  `created` is said of threads that are. */
void code_print(const code *c, const char *const *texts, char letter, const char *created,
                hd_text *out);

/* A random number less than n. */
unsigned below(uint64_t *random, unsigned n);
/* The set of the places that letters of the command line have in `all`. */
unsigned features_of(const char *all, const char *letters);
#endif
