/* Any text as the command that compiled a source: options come of it that are clang's, and none
 * that runs code. */
#include "base/panic.h"
#include "base/text.h"
#include "compile/flag.h"
#include "compile/recorded_options.h"

#include <stdint.h>
#include <string.h>

static void check(const char *option) {
    const hd_compiler_flag *flag = hd_compiler_flag_find(option);
    HD_ASSERT(flag);
    HD_ASSERT(strncmp(option, "-fplugin", 8) != 0 && strncmp(option, "-fpass-plugin", 13) != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    char *command = hd_text_format("%.*s", (int)n, (const char *)bytes);
    hd_option_list options = {0};
    hd_recorded_options(command, "/folder", &options);
    for (size_t i = 0; i < options.n; i++) {
        check(options.at[i]);
        if (strcmp(options.at[i], "-include") == 0 || strcmp(options.at[i], "-imacros") == 0)
            i++; /* its file */
    }
    hd_option_list_release(&options);
    free(command);
    return 0;
}
