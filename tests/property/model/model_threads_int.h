/* What the two files of the abstract machine of threads share: thread_actions.c says what a thread
 * stands before, model_threads.c does it. */
#ifndef HD_TESTS_MODEL_THREADS_INT_H
#define HD_TESTS_MODEL_THREADS_INT_H
#include "property/model/model_threads.h"

/* What a thread is at. */
const operation *model_operation(const model *m, uint32_t thread);
model_set model_alive(const model *m);
/* Is what `thread` does an event?  Not if it is alone and has joined all others, except that
 * creating a thread always is. */
bool model_is_event(const model *m, uint32_t thread);
/* The next lock that a thread has to tell of before it creates another; MODEL_LOCKS: none. */
unsigned model_untold_lock(const model *m, uint32_t thread);
/* Whom a signal wakes up: the lowest waiting thread; a broadcast: all. */
unsigned model_woken_by(const model *m, hd_action_kind kind);
/* A waiting loop; over two places. */
bool operation_spins(const operation *o);
bool operation_has_two_places(const operation *o);
/* What an iteration of a waiting loop does after it saw that in the first place, and in both. */
typedef enum loop_way { LEAVE, LOOK_ON, GO_ROUND } loop_way;
loop_way loop_after_first(const operation *o, unsigned first);
loop_way loop_after_second(const operation *o, unsigned first, unsigned second);
/* Would the thread, if it is before an iteration of a waiting loop, go round after its first
 * access now? */
bool model_goes_round(const model *m, uint32_t thread);
/* What is at the places of the action's first access, as an expression; HD_NONE if that does not
 * depend on inputs. */
hd_expr model_content(const model *m, const hd_action *a);
/* The explorer looks at values where the actions say that they are. */
void model_show_memory(const model *m);
#endif
