/* What the two files of the abstract machine of messages share: model_messages.c knows actors,
 * couriers and the clock, model_queues.c queues. */
#ifndef HD_TESTS_MODEL_MESSAGES_INT_H
#define HD_TESTS_MODEL_MESSAGES_INT_H
#include "property/model/model_messages.h"

/* What an actor is at. */
operation messages_operation(const model *m, uint32_t actor);
unsigned model_process_of(const model *m, uint32_t actor);
/* A timed wait that can end now, whatever is there: it does not wait any more. */
bool model_may_time_out(const model *m, uint32_t actor, const operation *o);
hd_action model_new_action(const model *m, uint32_t actor, hd_action_kind kind, unsigned flags);
void model_add_access(hd_action *a, uint64_t address, uint64_t size, hd_access_mode mode);

/* ---- Queues ---- */

bool operation_uses_queue(const operation *o);
hd_action queue_action(const model *m, uint32_t actor, const operation *o);
/* Room that was made by taking: there would have been none without. */
void queue_put_accesses(const model *m, hd_action *a, unsigned queue);
/* What becomes of the action of an actor, if it is about a queue. */
void queue_settle(const model *m, hd_action *a, const operation *o);
bool queue_is_enabled(const model *m, uint32_t actor, const operation *o);
void queue_put(model *m, unsigned queue, model_value v);
void queue_apply(model *m, uint32_t actor, const hd_action *a, const operation *o);
uint64_t queue_state(const model_queue *q); /* for comparison */
#endif
