/* given_scenario.h -- `heddle run --net FILE`: from a scenario to a module and to what a record
 * keeps. */
#ifndef HD_CLI_GIVEN_SCENARIO_H
#define HD_CLI_GIVEN_SCENARIO_H
#include "cli/run_options.h"
#include "compile/compile.h"
#include "scenario/scenario.h"

/* Read the scenario of --net, and refuse what cannot be combined with it. */
bool hd_network_read(const hd_run_values *values, const hd_arguments *arguments,
                     hd_scenario *scenario, hd_err *err);
/* All its programs as one module; options for clang of the command line are for all of them. */
bool hd_network_compile(const hd_scenario *scenario, const hd_arguments *arguments,
                        const char *checks, const char *allow, hd_compile_result *module,
                        hd_err *err);
/* Nodes, links and sources into the record: a run is repeated without the scenario's file. */
void hd_network_keep(const hd_scenario *scenario, hd_kept_options *kept);
#endif
