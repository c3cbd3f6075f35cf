/* A number by its remainders: by 97, by 101, and by 103.
 *
 * brute: -DA=3 -DB=5 -DC=7 ints 0-200 -> 4
 * paths: -DA=3 -DB=5 -DC=7 -> 4
 * paths: -DA=97 -DB=101 -DC=103 -> 4 */
#include <heddle.h>
#ifndef A
#define A 97
#define B 101
#define C 103
#endif

int main(void) {
    unsigned x;
    heddle_input(x);
    if (x % A != 2)
        return 1;
    if (x % B != 3)
        return 2;
    if (x % C == 4)
        heddle_reach("found");
    return 0;
}
