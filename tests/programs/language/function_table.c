/* A table of functions called by a symbolic index: one path per function, and one more where
 * the last one finds what it looks for.
 *
 * run:
 * paths: 5
 * label: plus 1
 * label: minus 1
 * label: times 1
 * label: found 1 */
#include <heddle.h>

static unsigned plus(unsigned a, unsigned b) {
    heddle_reach("plus");
    return a + b;
}
static unsigned minus(unsigned a, unsigned b) {
    heddle_reach("minus");
    return a - b;
}
static unsigned times(unsigned a, unsigned b) {
    heddle_reach("times");
    return a * b;
}
static unsigned either(unsigned a, unsigned b) {
    if ((a ^ b) == 0xdeadbeef)
        heddle_reach("found");
    return a | b;
}

int main(void) {
    unsigned (*const table[])(unsigned, unsigned) = {plus, minus, times, either};
    unsigned char op;
    unsigned a, b;
    heddle_input(op);
    heddle_input(a);
    heddle_input(b);
    return (int)table[op & 3](a, b) & 0;
}
