/* The FNV-1a hash of three bytes, inverted by the solver: the hash is that of "hdl".
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: licensed 1 */
#include <heddle.h>
#include <stdint.h>

static uint32_t fnv(const unsigned char *s, int n) {
    uint32_t h = 2166136261u;
    for (int i = 0; i < n; i++)
        h = (h ^ s[i]) * 16777619u;
    return h;
}

int main(void) {
    unsigned char key[3];
    heddle_input(key);
    if (fnv(key, 3) == fnv((const unsigned char *)"hdl", 3)) {
        heddle_reach("licensed");
        heddle_assert(fnv(key, 3) == fnv((const unsigned char *)"hdl", 3));
    }
    return 0;
}
