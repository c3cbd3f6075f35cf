/* random_threads.h -- random little programs of threads (model_threads.h). */
#ifndef HD_TESTS_RANDOM_THREADS_H
#define HD_TESTS_RANDOM_THREADS_H
#include "property/model/model_threads.h"

/* A set of features by their letters (NULL: all that programs have without being asked for), one
 * for each line of this list:
 *
 *   m memory            p accesses of two places    l locks          r locks for reading
 *   s semaphores        c conditions                t timeouts       b barriers
 *   w waiting loops     i inputs                    x exchanges of values that depend on inputs
 *   a assumptions       n creation                  e exits
 * and only where asked for:
 *   h phases in which a thread is alone         v waiting loops over two places */
unsigned thread_features(const char *letters);
/* Of memory and two more of the features. */
program random_threads(uint64_t seed, unsigned features);
#endif
