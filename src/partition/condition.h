/* condition.h -- conditions on inputs as C expressions.
 *
 * Inputs have the types that the program gives them, and operands are converted as in C, on a
 * machine whose int has 32 bits and whose long has 64.  What C leaves undefined is what the
 * processor and SMT-LIB do: arithmetic goes round, shifts by too much leave nothing (or copies of
 * the sign), and x / 0 has all bits set.
 *
 * Promise (tests/property/property_partition.c, tests/fuzz/fuzz_partition.c): what is printed is
 *     read back as a condition that holds for the same inputs. */
#ifndef HD_PARTITION_CONDITION_H
#define HD_PARTITION_CONDITION_H
#include "partition/input_names.h"

/* Appends the condition; false, and nothing, if it would be too long, or if it is about something
 * that has no name. */
bool hd_condition_print(const hd_names *names, hd_expr condition, hd_text *out);
/* One condition, `text` to its end; false with one sentence, which begins with `where`. */
bool hd_condition_parse(const hd_names *names, const char *text, const char *where,
                        hd_expr *condition, hd_err *err);
#endif
