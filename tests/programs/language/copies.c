/* memcpy, overlapping memmove and memset move symbolic bytes as they are.
 *
 * run:
 * verdict: complete
 * paths: 3
 * label: moved 1
 * label: filled 1 */
#include <heddle.h>
#include <string.h>

int main(void) {
    unsigned char in[4], fill, buffer[12] = {0};
    unsigned word;
    heddle_input(in);
    heddle_input(fill);
    memcpy(buffer + 2, in, 4);
    memmove(buffer + 3, buffer + 2, 4);
    memcpy(&word, buffer + 3, 4);
    if (word == 0xcafef00d) {
        heddle_reach("moved");
        heddle_assert(in[3] == 0xca && buffer[2] == 0x0d);
        return 0;
    }
    memset(buffer, fill, sizeof buffer);
    memcpy(&word, buffer + 5, 4);
    if (word == 0x5a5a5a5a)
        heddle_reach("filled");
    return 0;
}
