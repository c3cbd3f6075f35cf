/* machines.h -- the abstract machines that random programs run on, and who makes those programs:
 * the same place each time, the program before is gone. */
#ifndef HD_TESTS_MACHINES_H
#define HD_TESTS_MACHINES_H
#include "property/model/compare.h"

extern const machine threads_machine;
code *make_threads(uint64_t seed, unsigned features);
/* Of event `i` of the execution that ended. */
uint32_t threads_event_thread(uint32_t i);

extern const machine messages_machine;
unsigned message_features(const char *letters);
code *make_messages(uint64_t seed, unsigned features);
#endif
