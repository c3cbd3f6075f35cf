/* loss.h -- what a search is not exact about, by kind: one table.
 *
 * A bound is something that was left out on purpose, and that another run with another option could
 * look at; an approximation is something that could not be followed.  Both stand beside the verdict
 * with their place in the source.
 *
 * K1. Kinds are told apart by their number alone: nobody looks at the sentence of a loss.
 * K2. Numbers are stored in run directories: new kinds come last.
 * Not here: who counts losses (fleet/gather.c), their sentences (record/batch.c). */
#ifndef HD_PROGRAM_LOSS_H
#define HD_PROGRAM_LOSS_H
#include <stdbool.h>

/* Who notices a loss: the machine, in an execution; or the search, which keeps its own in the
 * journal. */
typedef enum hd_loss_side { HD_LOSS_OF_MACHINE, HD_LOSS_OF_SEARCH } hd_loss_side;
/* Is something left out, or not followed? */
typedef enum hd_loss_nature { HD_LOSS_IS_BOUND, HD_LOSS_IS_APPROXIMATION } hd_loss_nature;
/* Do executions go on behind it, or end there? */
typedef enum hd_loss_effect { HD_LOSS_GOES_ON, HD_LOSS_ENDS } hd_loss_effect;

/* kind, name in JSON, side, nature, effect; words for one and for several, before the sentence or
 * behind a number */
#define HD_LOSS_KINDS(X)                                                                           \
    /* a value that depends on inputs became a constant, or a call that nobody models took it */   \
    X(VALUE, "value", OF_MACHINE, IS_APPROXIMATION, GOES_ON,                                       \
      "inputs were treated as constants: ", "inputs were treated as constants: ")                  \
    /* the solver gave up on a branch */                                                           \
    X(UNKNOWN, "unknown", OF_SEARCH, IS_APPROXIMATION, GOES_ON,                                    \
      "branch that the solver gave up on", "branches that the solver gave up on")                  \
    /* an execution did not go where the solver sent it */                                         \
    X(MISPREDICTED, "mispredicted", OF_SEARCH, IS_APPROXIMATION, GOES_ON,                          \
      "execution left the path that was predicted for it",                                         \
      "executions left the paths that were predicted for them")                                    \
    /* an option of the search left something out */                                               \
    X(BOUND, "bound", OF_SEARCH, IS_BOUND, GOES_ON, "", "")                                        \
    /* the machine left out orders, or something else that could have happened, at this place */   \
    X(LEFT_OUT, "bound", OF_MACHINE, IS_BOUND, GOES_ON, "", "")                                    \
    /* something that is not modelled */                                                           \
    X(END, "end", OF_MACHINE, IS_APPROXIMATION, ENDS, "", "")                                      \
    /* there are too many of something */                                                          \
    X(LIMIT, "limit", OF_MACHINE, IS_BOUND, ENDS, "", "")

typedef enum hd_loss_kind {
#define X(name, ...) HD_LOSS_##name,
    HD_LOSS_KINDS(X)
#undef X
        HD_N_LOSS_KINDS
} hd_loss_kind;

/* The name in JSON. */
const char *hd_loss_kind_name(hd_loss_kind kind);
/* The words for `n` losses of a kind; "" if the sentence of a loss says it all. */
const char *hd_loss_kind_words(hd_loss_kind kind, unsigned long long n);
bool hd_loss_kind_is_bound(hd_loss_kind kind);
bool hd_loss_kind_is_of_search(hd_loss_kind kind);
/* Were executions ended because of it? */
bool hd_loss_kind_ends(hd_loss_kind kind);
#endif
