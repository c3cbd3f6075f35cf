/* N bytes of which all 32 bits of the FNV-1a hash are given: find them.
 *
 * brute: -DN=2 bytes 0-255 -> 2
 * paths: -DN=2 -> 2
 * paths: -DN=5 -> 2
 * paths: -DN=6 -> 2
 * paths: -DN=5 -DLETTERS -> 2
 * paths: -DN=6 -DLETTERS -> 2 */
#include <heddle.h>
#include <stdint.h>
#ifndef N
#define N 5
#endif

static uint32_t fnv1a(const char *text) {
    uint32_t h = 2166136261u;
    for (int i = 0; i < N; i++)
        h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h;
}

int main(void) {
    char key[N];
    heddle_input(key);
#ifdef LETTERS
    for (int i = 0; i < N; i++)
        heddle_assume(key[i] >= 'a' && key[i] <= 'z');
#endif
    if (fnv1a(key) == fnv1a("heddle"))
        heddle_reach("inverted");
    return 0;
}
