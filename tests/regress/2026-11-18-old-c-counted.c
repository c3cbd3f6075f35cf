/* A function that nobody declared, as old C allows: the search went on with a warning, but not with --mcdc, whose object file for llvm-cov clang
 * was to compile without that leniency.
 *
 * run: --mcdc
 * verdict: complete
 * paths: 3 */
#include <heddle.h>

int main(void) {
    unsigned char a, b;
    heddle_input(a);
    heddle_input(b);
    return is_pair(a > 9 && b > 9);
}

int is_pair(int both) {
    return both;
}
