/* Counting in a table: N bytes choose one of eight counters each, then the counters are read.
 *
 * All writes go through a symbolic index and none of them branches.  The loop at the end asks
 * for each counter whether it is above one, so the paths are the sets of counters that can be
 * hit twice by N bytes: all sets of at most N/2 of the eight.
 *
 * N=2: 1+8 = 9.  N=4: 1+8+28 = 37.
 *
 * brute: -DN=2 bytes 0-7 -> 9
 * brute: -DN=4 bytes 0-7 -> 37
 * brute: -DN=2 bytes 0-255 -> 9
 * paths: -DN=2 -> 9
 * paths: -DN=3 -> 9
 * paths: -DN=4 -> 37 */
#include <heddle.h>
#ifndef N
#define N 4
#endif

int main(void) {
    unsigned char b[N];
    int count[8] = {0};
    heddle_input(b);
    for (int i = 0; i < N; i++)
        count[b[i] & 7]++;
    int n = 0;
    for (int i = 0; i < 8; i++) {
        if (count[i] > 1)
            n++;
    }
    return n;
}
