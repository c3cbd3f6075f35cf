/* Nearly nothing: what is left is the cost of starting the tool.
 *
 * brute: bytes 0,7,8 -> 2
 * paths: -> 2 */
#include <heddle.h>

int main(void) {
    unsigned char b;
    heddle_input(b);
    if (b == 7)
        return 1;
    return 0;
}
