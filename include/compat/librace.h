/* librace.h -- what programs for the model checkers CDSChecker and C11Tester include.
 *
 * Their main function is called user_main, plain accesses that may race are written as calls, and
 * thrd_join has one argument there; with two, as the standard has it, it is the standard's. */
#ifndef HEDDLE_COMPAT_LIBRACE_H
#define HEDDLE_COMPAT_LIBRACE_H
#include <stddef.h>
#include <stdint.h>
#include <threads.h>

#define user_main main

/* Macros, so that findings name the line of the program. */
#define store_8(place, value)  ((void)(*(uint8_t *)(place) = (value)))
#define store_16(place, value) ((void)(*(uint16_t *)(place) = (value)))
#define store_32(place, value) ((void)(*(uint32_t *)(place) = (value)))
#define store_64(place, value) ((void)(*(uint64_t *)(place) = (value)))
#define load_8(place)          (*(const uint8_t *)(place))
#define load_16(place)         (*(const uint16_t *)(place))
#define load_32(place)         (*(const uint32_t *)(place))
#define load_64(place)         (*(const uint64_t *)(place))

#define HEDDLE_JOIN(thread, result, ...) (thrd_join)(thread, result)
#define thrd_join(...)                   HEDDLE_JOIN(__VA_ARGS__, NULL, 0)
#endif
