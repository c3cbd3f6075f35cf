/* Running the tool: one directory for all runs, since each replaces what the one before has left.
 */
#include "tool/tool.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static char directory[128];

__attribute__((format(printf, 1, 2))) static int shell(const char *format, ...) {
    char command[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    return system(command);
}

bool tool_begin(void) {
    const char *temporary = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/heddle-property-XXXXXX",
             temporary ? temporary : "/tmp");
    if (mkdtemp(directory))
        return true;
    printf("cannot make a scratch directory\n");
    return false;
}

json_t *tool_run(const char *format, ...) {
    char words[2048], path[256];
    const char *heddle = getenv("HEDDLE");
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    snprintf(path, sizeof path, "%s/summary.json", directory);
    shell("rm -rf %s/out %s; %s run --json -o %s/out %s >%s 2>%s/errors", directory, path,
          heddle ? heddle : "build/heddle", directory, words, path, directory);
    return json_load_file(path, 0, NULL);
}

json_t *tool_tests(void) {
    char path[256];
    const char *heddle = getenv("HEDDLE");
    snprintf(path, sizeof path, "%s/tests.json", directory);
    shell("%s tests %s/out --json >%s 2>%s/errors", heddle ? heddle : "build/heddle", directory,
          path, directory);
    return json_load_file(path, 0, NULL);
}

bool tool_end(void) {
    return shell("rm -rf '%s'", directory) == 0;
}
