/* Quotients by 10 and by 7 as compilers make them, of products and shifts: always right, but not
 * with a factor that is too small.
 *
 * paths: -DEXACT=1 -> 1
 * paths: -DEXACT=0 -> 2 */
#include <heddle.h>
#ifndef EXACT
#define EXACT 1
#endif

int main(void) {
    unsigned x;
    heddle_input(x);
    unsigned ten = (unsigned)((x * 0xcccccccdul) >> 35);
    unsigned high = (unsigned)((x * (EXACT ? 0x24924925ul : 0x24924924ul)) >> 32);
    unsigned seven = (((x - high) >> 1) + high) >> 2;
    if (ten != x / 10)
        heddle_reach("not a tenth");
    if (seven != x / 7)
        heddle_reach("not a seventh");
    return 0;
}
