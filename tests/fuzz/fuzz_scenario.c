/* Any bytes as a scenario: refused with a sentence, or read and explained, never a crash. */
#include "scenario/scenario.h"

#include <stdio.h>
#include <stdlib.h>

/* Programs must exist: a.c and b.c do, in a folder of this process.  Answers the path of a scenario
 * in it. */
static const char *make_folder(void) {
    static char folder[] = "/tmp/heddle-fuzz-XXXXXX";
    static const char *const files[] = {"a.c", "b.c"};
    if (!mkdtemp(folder))
        abort();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *path = hd_text_format("%s/%s", folder, files[i]);
        FILE *file = fopen(path, "w");
        if (!file)
            abort();
        fclose(file);
        free(path);
    }
    return hd_text_format("%s/net.yaml", folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    static const char *path;
    hd_scenario scenario;
    hd_text text = {0};
    hd_err err = {0};
    if (!path)
        path = make_folder();
    if (hd_scenario_parse(&scenario, path, (const char *)bytes, n, &err)) {
        hd_scenario_explain(&scenario, &text);
        hd_scenario_assertion_source(&scenario, &text);
        hd_scenario_release(&scenario);
    } else if (!err.message[0]) {
        abort(); /* refused without a word */
    }
    hd_text_release(&text);
    return 0;
}
