/* Addresses from text took every character for 256 ways, and the text that is one was not come to.
 *
 * run: -DWAY=1
 * verdict: complete
 * finding: assertion
 * paths: 54
 *
 * run: -DWAY=2
 * verdict: complete
 * finding: assertion
 * paths: 958
 *
 * run: -DWAY=3
 * verdict: complete
 * finding: assertion
 * paths: 231
 *
 * run: -DWAY=4
 * verdict: complete
 * finding: assertion */
#include <arpa/inet.h>
#include <heddle.h>
#include <string.h>

int main(void) {
    char in[8] = "", out[INET6_ADDRSTRLEN];
    struct in_addr a;
    struct in6_addr b;
#if WAY == 1
    heddle_bytes(in, 7, "in");
    heddle_assert(inet_pton(AF_INET, in, &a) != 1); // BUG assertion
#elif WAY == 2
    heddle_bytes(in, 7, "in");
    heddle_assert(inet_addr(in) == INADDR_NONE); // BUG assertion
#elif WAY == 3
    heddle_input(a.s_addr);
    heddle_assert(strcmp(inet_ntop(AF_INET, &a, out, sizeof out), "10.0.0.1")); // BUG assertion
#else
    heddle_bytes(in, 4, "in");
    heddle_assert(inet_pton(AF_INET6, in, &b) != 1 || b.s6_addr[15] != 0xab); // BUG assertion
#endif
    return 0;
}
