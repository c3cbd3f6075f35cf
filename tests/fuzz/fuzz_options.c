/* Any words as a command line, and any bytes as kept options: refused or parsed, never a crash. */
#include "cli/run_options.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    char *text = hd_text_format("%.*s", (int)n, (const char *)bytes);
    hd_kept_options kept = {0};
    hd_err err;
    hd_kept_read(&kept, text, &err);
    hd_kept_release(&kept);

    char *words[32] = {"run"};
    int count = 1;
    for (char *w = strtok(text, "\n"); w && count < 32; w = strtok(NULL, "\n"))
        words[count++] = w;
    hd_run_values values = hd_run_default_values();
    hd_arguments arguments = {0};
    hd_options_parse(&hd_run_option_table, count, words, &values, &arguments, &err);
    hd_arguments_release(&arguments);
    free(text);
    return 0;
}
