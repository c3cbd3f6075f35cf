/* Numbers of packets in the byte order of the network: inputs stay inputs.
 *
 * run:
 * verdict: complete
 * paths: 4
 * label: long
 * label: short */
#include <arpa/inet.h>
#include <heddle.h>
#include <stdint.h>
#include <string.h>

int main(void) {
    uint32_t x;
    uint16_t y;
    unsigned char bytes[4];
    heddle_input(x);
    heddle_input(y);
    if (htonl(x) == 0x04030201) {
        heddle_reach("long");
        memcpy(bytes, &x, sizeof x);
        heddle_assert(bytes[0] == 4 && bytes[3] == 1);
    }
    if (ntohs(y) == 7)
        heddle_reach("short");
    heddle_assert(ntohl(htonl(x)) == x && htons(ntohs(y)) == y);
}
