/* A loop and a way out of it made of gotos: each of five bits is tested until the third one bit.
 * Brute force over the 32 values: 26 paths.
 *
 * run:
 * verdict: complete
 * paths: 26
 * label: enough */
#include <heddle.h>

int main(void) {
    unsigned char x;
    int i = 0, ones = 0;
    heddle_input(x);
again:
    if (i == 5)
        goto end;
    if (x >> i & 1)
        goto one;
    goto next;
one:
    if (++ones == 3)
        goto enough;
next:
    i++;
    goto again;
enough:
    heddle_reach("enough");
end:
    return 0;
}
