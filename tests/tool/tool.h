/* tool.h -- `heddle run` for property tests: the tool that HEDDLE names (default build/heddle),
 * with its output in a scratch directory. */
#ifndef HD_TESTS_TOOL_H
#define HD_TESTS_TOOL_H
#include <jansson.h>
#include <stdbool.h>

/* False if there is no room for the directory: nothing can be tested then, which is printed. */
bool tool_begin(void);
/* What `heddle run --json` with these words says, or NULL if that is no summary; the caller
 * releases it. */
json_t *tool_run(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* What `heddle tests --json` says of that run. */
json_t *tool_tests(void);
/* Remove the directory. */
bool tool_end(void);
#endif
