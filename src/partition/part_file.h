/* part_file.h -- partitions as text, in two formats that people and other programs can write too.
 *
 * C-like: one part on each line, a condition (condition.h); empty lines and what follows a '#' that
 * stands first on its line are left out.
 *
 * SMT-LIB: a script of QF_BV; a part is what is asserted at a (check-sat).  Inputs are declared
 * under their names (input_names.h) as bit-vectors of their widths.  A file is one if '(' and a
 * command of SMT-LIB come first.
 *
 * Promise (tests/property/property_partition.c): what is written is read back as parts that hold
 *     for the same inputs, or for more, if some of their conditions cannot be written. */
#ifndef HD_PARTITION_PART_FILE_H
#define HD_PARTITION_PART_FILE_H
#include "partition/input_names.h"
#include "partition/input_parts.h"

typedef enum hd_part_format { HD_PARTS_C, HD_PARTS_SMT } hd_part_format;

void hd_division_print(const hd_names *names, const hd_division *parts, hd_part_format format,
                       hd_text *out);
/* The parts of a text, which came from `file`; false with one sentence that names the line. */
bool hd_division_parse(const hd_names *names, const char *file, const char *text,
                       hd_division *parts, hd_err *err);
/* The parts of a script, for hd_division_parse. */
bool hd_division_parse_smt(const hd_names *names, const char *file, const char *text,
                           hd_division *parts, hd_err *err);
/* Can the condition be written in both formats? */
bool hd_condition_is_writable(const hd_names *names, hd_expr condition);
#endif
