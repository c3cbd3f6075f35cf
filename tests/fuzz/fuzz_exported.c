/* Any bytes as a test that 'heddle export --test' might have written: refused or read, never a
 * crash. */
#include "record/record.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    hd_text text = {0};
    hd_exported_test t = {0};
    hd_err err = {0};
    hd_text_add_bytes(&text, bytes, n);
    if (hd_exported_parse(&t, (char *)hd_text_string(&text), "test", &err))
        hd_exported_release(&t);
    else if (!err.message[0])
        abort(); /* refused without a word */
    hd_text_release(&text);
    return 0;
}
