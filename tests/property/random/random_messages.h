/* random_messages.h -- random little programs of actors, queues and a clock (model_messages.h). */
#ifndef HD_TESTS_RANDOM_MESSAGES_H
#define HD_TESTS_RANDOM_MESSAGES_H
#include "property/model/model_messages.h"

/* A set of features by their letters (NULL: any):
 *
 *   m messages      s selective receive   r replies             c spawned actors
 *   d may idle      h halts               q queues              t attempts to take
 *   b streams       p polls               o posts by couriers   l listeners and connections
 *   f full queues   k the clock           x memory              e assertions
 *   i inputs        a assumptions         y timeouts at any time */
unsigned message_features(const char *letters);
/* Of most of the features that were asked for. */
program random_messages(uint64_t seed, unsigned features);
#endif
