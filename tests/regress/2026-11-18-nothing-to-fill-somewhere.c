/* Of a block of no bytes at a place that inputs decide the place was not decided, but the room
 * behind it was asked for: executions that go the same way asked for different rooms, and strayed.
 *
 * run:
 * verdict: complete
 * paths: 45
 *
 * run: -DCOPY
 * verdict: complete
 * paths: 45
 *
 * run: -DFROM
 * verdict: complete
 * paths: 45 */
#include <heddle.h>
#include <string.h>

static char b[16], c[16];

int main(void) {
    unsigned char n, k;
    heddle_input(n);
    heddle_input(k);
    heddle_assume(n <= 8 && k <= 4);
    size_t at = (n + 3u) & ~(size_t)3;
#ifdef COPY
    memcpy(b + at, c, k);
#elif defined FROM
    memmove(c, b + at, k);
#else
    memset(b + at, 1, k);
#endif
    memset(b, 2, n);
    return 0;
}
