/* Library functions of the machine's own whose result depends on an argument: every value of
 * it is followed.
 *
 * run:
 * verdict: complete
 * label: second
 * label: third */
#include <heddle.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    unsigned char a;
    heddle_input(a);
    heddle_assume(a < 4);
    void *blocks[4] = {0};
    time_t times[4] = {0};
    if (posix_memalign(&blocks[a], 16, 8))
        return 1;
    time(&times[a]);
    if (blocks[1])
        heddle_reach("second");
    if (times[2])
        heddle_reach("third");
    for (int i = 0; i < 4; i++)
        free(blocks[i]);
    return 0;
}
