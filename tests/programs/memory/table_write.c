/* Counting sort: writes and reads through symbolic indexes; the counts always add up.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: all-same 1 */
#include <heddle.h>

int main(void) {
    unsigned char in[3], count[8] = {0};
    heddle_input(in);
    for (int i = 0; i < 3; i++)
        count[in[i] & 7]++;
    unsigned sum = 0;
    for (int i = 0; i < 8; i++)
        sum += count[i];
    heddle_assert(sum == 3);
    if (count[in[0] & 7] == 3) {
        heddle_reach("all-same");
        heddle_assert((in[0] & 7) == (in[2] & 7));
    }
    return 0;
}
