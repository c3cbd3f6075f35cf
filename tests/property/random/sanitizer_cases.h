/* sanitizer_cases.h -- random C programs with planted errors, for property_sanitizers.
 *
 * A program is many small functions, its cases.  Each does one thing with memory or with numbers,
 * rightly or wrongly, and what it does may depend on x, which is 0 to 3.
 *
 * By itself the program runs every case with every x, each in a child that first prints "@ CASE X"
 * on standard error.  Under Heddle which case it is is an input; x is too, or the argument. */
#ifndef HD_TESTS_SANITIZER_CASES_H
#define HD_TESTS_SANITIZER_CASES_H
#include "base/text.h"

#include <stdint.h>

#define N_CASE_INPUTS 4

typedef enum case_theme { CASES_OF_ALL, CASES_OF_LITERALS } case_theme;

/* The text of a program of n cases. */
void cases_write(hd_text *out, uint64_t seed, unsigned n, case_theme theme);
#endif
