/* cute.h -- the macros of CUTE, in Heddle's words: harnesses written for CUTE just compile. */
#ifndef HEDDLE_COMPAT_CUTE_H
#define HEDDLE_COMPAT_CUTE_H
#include <heddle.h>

#define CUTE_input(x)          heddle_input(x)
#define CUTE_input_array(p, n) heddle_input_array(p, n)
#define CUTE_assume(condition) heddle_assume(condition)
#define CUTE_assert(condition) heddle_assert(condition)
#endif
