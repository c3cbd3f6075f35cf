/* uninitialised_cases.h -- random C programs that use memory that was never written, for
 * property_uninitialised.
 *
 * A program is many small functions, its cases.  Each makes an object, writes some of it, moves
 * some of it about, and decides something with what it then has, in one line, the last of the case.
 * All that may depend on x, which is 0 to 3.
 *
 * By itself the program runs every case with every x, each in a child that first prints "@ CASE X"
 * on standard error.  Under Heddle which case it is is an input; x is too, or the argument. */
#ifndef HD_TESTS_UNINITIALISED_CASES_H
#define HD_TESTS_UNINITIALISED_CASES_H
#include "base/text.h"

#include <stdint.h>

#define N_CASE_INPUTS 4

/* The text of a program of n cases. */
void uninitialised_write(hd_text *out, uint64_t seed, unsigned n);
#endif
