/* A driver for cJSON (bench/run compile): parse four bytes, print what they mean. */
#include "cJSON.h"
#include <heddle.h>
#include <stdlib.h>

int main(void) {
    char text[5] = "";
    heddle_bytes(text, 4, "text");
    cJSON *parsed = cJSON_Parse(text);
    if (parsed)
        free(cJSON_PrintUnformatted(parsed));
    cJSON_Delete(parsed);
    return 0;
}
