/* Any bytes as a request: refused with a status that has words, or a path that is asked for; and
 * what was decided stays, however much comes behind it and in however many pieces it came. */
#include "serve/request.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PIECES                                                                                     \
    32 /* that a long request comes in: all of them would take longer than reading it              \
        */

static void check_path(const char *path) {
    if (path[0] != '/' || strlen(path) > HD_PATH_MOST)
        abort();
    for (const char *c = path; *c; c++)
        if (*c <= ' ' || *c > '~')
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    hd_request r, again;
    int whole = hd_request_read(&r, (const char *)bytes, n), first = 0;
    size_t most = n < 600 ? n : 600;
    if (whole && !hd_status_words(whole)[0])
        abort();
    if (whole == 200)
        check_path(r.path);
    size_t step = 1 + most / PIECES, k = most % step; /* the last piece ends where it all does */
    for (; k <= most && !first; k += step)
        first = hd_request_read(&again, (const char *)bytes, k);
    if (n <= 600 && first != whole)
        abort();
    if (n <= 600 && whole == 200 && strcmp(r.path, again.path) != 0)
        abort();
    return 0;
}
