/* Bytes moved from a place, to a place and by a number that inputs decide, of which some are behind their object: thousands
 * of executions strayed, and nothing said why.
 *
 * run:
 * verdict: complete
 * paths: 449
 * finding: out-of-bounds */
#include <heddle.h>
#include <string.h>

int main(void) {
    unsigned char from[12], to[32];
    heddle_bytes(from, sizeof from, "from");
    memset(to, 7, sizeof to);
    unsigned target = from[0] & 15, n = from[1] & 7, start = 3 + (from[2] & 3);
    memmove(to + target, from + start, n);
    return to[from[3] & 31] == 9;
}
