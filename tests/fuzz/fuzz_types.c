/* Any bytes as a file of types: refused or loaded, never a crash. */
#include "base/text.h"
#include "program/types.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    hd_text text = {0};
    hd_err err = {0};
    hd_text_add_bytes(&text, bytes, n);
    hd_types *types = hd_types_parse((char *)hd_text_string(&text), "types", &err);
    if (!types && !err.message[0])
        abort(); /* refused without a word */
    for (hd_type_id id = 0; types && id < 64; id++)
        hd_types_get(types, id);
    if (types)
        hd_types_free(types);
    hd_text_release(&text);
    return 0;
}
