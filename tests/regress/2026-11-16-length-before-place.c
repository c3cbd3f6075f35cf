/* How long a copy may be was asked with the room at the addresses of this execution, before these
 * were on the path: other executions asked something else, and strayed.
 *
 * run:
 * verdict: complete
 * finding: out-of-bounds
 *
 * run: -DSET
 * verdict: complete
 * finding: out-of-bounds */
#include <heddle.h>
#include <string.h>

int main(void) {
    unsigned char s[12], o[32];
    heddle_bytes(s, 12, "s");
    memset(o, 7, 32);
#ifdef SET
    unsigned a = s[0] & 31, n = s[1] & 7;
    memset(o + a, s[2], n); // BUG out-of-bounds
#else
    unsigned a = s[0] & 15, n = s[1] & 7, b = s[2] & 3;
    memmove(o + a, s + 3 + b, n); // BUG out-of-bounds
#endif
    return o[s[3] & 31] == 9;
}
