/* simpler_inputs.h -- inputs of tests made simple: as small as the same execution allows, bytes 0
 * or printable.
 *
 * Values are tried one input after the other, each by running the test: it must take the same path
 * to the same end (its trace hash), so that everything that the record says of it stays true.
 *
 * S1. A test whose inputs were changed has run with them, and its trace was the recorded one. */
#ifndef HD_CLI_SIMPLER_INPUTS_H
#define HD_CLI_SIMPLER_INPUTS_H
#include "fleet/fleet.h"

/* Changes values of inputs in place; how many were made simpler.  `options` are those of the run,
 * `module_directory` its module's. Tests of one thread only (hd_test_is_tame); one that does not
 * take its recorded path any more stays as it is. */
uint64_t hd_inputs_simplify(hd_test *test, const hd_run_options *options,
                            const char *module_directory);
#endif
