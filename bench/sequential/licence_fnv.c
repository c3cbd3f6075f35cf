/* A licence check by hash: N capital letters whose FNV-1a hash has the right low bits.
 *
 * Every letter is tested for being below 'A' or above 'Z' (two ways to fail each), then the hash
 * fits or not: 2 N + 2 paths, if some string fits.  MASK keeps as many bits of the hash as make
 * that sure: 8 for three letters (found by the brute force), 16 for six ("HEDDLE" fits).
 *
 * brute: -DN=3 -DMASK=0xff bytes 0-255 -> 8
 * paths: -DN=3 -DMASK=0xff -> 8
 * paths: -DN=6 -> 14 */
#include <heddle.h>
#include <stdint.h>
#ifndef N
#define N 6
#endif
#ifndef MASK
#define MASK 0xffff
#endif

static uint32_t fnv1a(const char *text, int n) {
    uint32_t h = 2166136261u;
    for (int i = 0; i < n; i++)
        h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h;
}

int main(void) {
    char key[N];
    heddle_input(key);
    for (int i = 0; i < N; i++) {
        if (key[i] < 'A')
            return 1;
        if (key[i] > 'Z')
            return 1;
    }
    if ((fnv1a(key, N) & MASK) == (fnv1a("HEDDLE", 6) & MASK)) {
        heddle_reach("licensed");
        return 0;
    }
    return 2;
}
