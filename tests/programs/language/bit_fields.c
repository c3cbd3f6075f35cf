/* Bit-fields of an input struct, signed and unsigned, and one that is written before.
 *
 * run:
 * verdict: complete
 * paths: 4
 * label: all 1 */
#include <heddle.h>

struct packed {
    unsigned a : 3;
    signed b : 5;
    unsigned c : 20;
    unsigned d : 4;
};

int main(void) {
    struct packed s;
    heddle_input(s);
    s.d = 9;
    if (s.a != 5)
        return 0;
    if (s.b != -7)
        return 0;
    if (s.c != 0xabcde)
        return 0;
    heddle_reach("all");
    heddle_assert(s.a == 5 && s.b == -7 && s.d == 9);
    return 0;
}
