/* search.h -- what every search can do: one table of functions, one row for each kind of search.
 *
 * A search holds what is left of a program, says what comes next, and learns from what was run.
 * There are two: of inputs alone (inputs/walk.h), with a tree from which a strategy chooses, and of
 * orders of threads, processes and messages together with inputs (orders/weave.h), with a stack.
 * hd_explorer_new decides which one it is; nobody else asks.
 *
 * S1. Between next() and done() the sink is told what the execution does, and nothing else is
 *     asked.
 * S2. What save() writes is all that is left, also before an execution of restore() was run again.
 * S3. split() takes away what it hands over: what was left is what is left here and there.
 * Not here: what all searches share (explore_int.h). */
#ifndef HD_EXPLORE_SEARCH_H
#define HD_EXPLORE_SEARCH_H
#include "base/pack.h"
#include "explore/explore.h"

typedef hd_vec(hd_var) hd_renaming; /* saved variables -> variables here */

/* All columns: a row is HD_SEARCH_ROW(prefix), which does not compile before each function of the
 * prefix is there.
 *
 *   new, free       the search of an explorer
 *   assume          as hd_explorer_assume
 *   sink            what the machine tells an execution to; called without this table in between
 *   next, done      as hd_explorer_next and hd_explorer_done
 *   hash            the name of the path or class of the execution that just ended
 *   print_path, print_schedule, races
 *                   as those of the explorer
 *   is_exhausted    nothing is left, and nothing was left out on purpose
 *   is_rebuilding   the next execution (or the one under way) only repeats what was saved
 *   compact         as hd_explorer_compact
 *   save, restore   its part of the journal
 *   split           as save, of a part that is taken out of what is left; false = of nothing
 *   begin_anew, save_rounds, take_classes, take_races, lift, take_asked, save_followed,
 * save_context, begin_unit      as those of the explorer */
#define HD_SEARCH_FUNCTIONS(X, p)                                                                  \
    X(p, void *, new, (hd_explorer * x))                                                           \
    X(p, void, free, (void *search))                                                               \
    X(p, void, assume, (void *search, const hd_expr *conditions, uint32_t n))                      \
    X(p, hd_sink, sink, (void *search))                                                            \
    X(p, bool, next, (void *search, hd_model *model))                                              \
    X(p, void, done, (void *search, const hd_outcome *outcome, const hd_model *model))             \
    X(p, uint64_t, hash, (void *search))                                                           \
    X(p, void, print_path, (const void *search, hd_text *out))                                     \
    X(p, void, print_schedule, (const void *search, hd_text *out))                                 \
    X(p, const hd_race *, races, (const void *search, uint32_t *n))                                \
    X(p, bool, is_exhausted, (const void *search))                                                 \
    X(p, bool, is_rebuilding, (const void *search))                                                \
    X(p, void, compact, (void *search))                                                            \
    X(p, void, save, (const void *search, hd_text *out))                                           \
    X(p, void, restore, (void *search, hd_unpack *u, const hd_renaming *names))                    \
    X(p, bool, split, (void *search, hd_text *out))                                                \
    X(p, void, begin_anew, (void *search))                                                         \
    X(p, void, save_rounds, (const void *search, hd_text *out))                                    \
    X(p, void, take_classes, (void *search, hd_text *out))                                         \
    X(p, void, take_races, (void *search, hd_text *out))                                           \
    X(p, bool, lift, (void *search, hd_text *out))                                                 \
    X(p, void, take_asked, (void *search, hd_text *out))                                           \
    X(p, void, save_followed, (const void *search, hd_text *out))                                  \
    X(p, void, save_context, (const void *search, hd_text *out))                                   \
    X(p, bool, begin_unit, (void *search, hd_unpack *path))

typedef struct hd_search {
#define X(p, type, name, arguments) type(*name) arguments;
    HD_SEARCH_FUNCTIONS(X, )
#undef X
} hd_search;

#define HD_SEARCH_DECLARE_ONE(p, type, name, arguments) type p##_##name arguments;
#define HD_SEARCH_DECLARE(p)                            HD_SEARCH_FUNCTIONS(HD_SEARCH_DECLARE_ONE, p)
#define HD_SEARCH_ROW_ONE(p, type, name, arguments)     .name = p##_##name,
#define HD_SEARCH_ROW(p)                                {HD_SEARCH_FUNCTIONS(HD_SEARCH_ROW_ONE, p)}

/* The rows: each in the file of its search. */
extern const hd_search hd_search_walk, hd_search_weave, hd_search_system;
#endif
