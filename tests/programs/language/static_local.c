/* Statics start afresh in every execution: memory of one run never shows in the next.
 *
 * run:
 * verdict: complete
 * paths: 8 */
#include <heddle.h>
#include <stdlib.h>

static int *kept;

static int visits(void) {
    static int n;
    return ++n;
}

int main(void) {
    unsigned char b[3];
    heddle_input(b);
    heddle_assert(kept == NULL);
    heddle_assert(visits() == 1);
    for (int i = 0; i < 3; i++)
        if (b[i] & 1)
            visits();
    kept = malloc(4);
    *kept = 1;
    free(kept);
    return 0;
}
