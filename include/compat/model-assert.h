/* model-assert.h -- assertions of programs for the model checkers CDSChecker and C11Tester. */
#ifndef HEDDLE_COMPAT_MODEL_ASSERT_H
#define HEDDLE_COMPAT_MODEL_ASSERT_H
#include <heddle.h>
#include <librace.h>

#define MODEL_ASSERT(condition) heddle_assert(condition)
#endif
