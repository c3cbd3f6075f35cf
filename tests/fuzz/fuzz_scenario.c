/* Any bytes as a scenario: refused with a sentence, or read and explained, never a crash. */
#include "scenario/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Programs must exist: a.c and b.c do, in a folder of this process. */
static void enter_folder(void) {
    static char folder[] = "/tmp/heddle-fuzz-XXXXXX";
    static const char *const files[] = {"a.c", "b.c"};
    if (!mkdtemp(folder) || chdir(folder) != 0)
        abort();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        FILE *file = fopen(files[i], "w");
        if (!file)
            abort();
        fclose(file);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    static bool is_there;
    hd_scenario scenario;
    hd_text text = {0};
    hd_err err = {0};
    if (!is_there)
        enter_folder();
    is_there = true;
    if (hd_scenario_parse(&scenario, "net.yaml", (const char *)bytes, n, &err)) {
        hd_scenario_explain(&scenario, &text);
        hd_scenario_assertion_source(&scenario, &text);
        hd_scenario_release(&scenario);
    } else if (!err.message[0]) {
        abort(); /* refused without a word */
    }
    hd_text_release(&text);
    return 0;
}
