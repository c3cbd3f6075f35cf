/* Index straight into declared arrays, also into the inner array of a struct and of two
 * dimensions: leaving the inner array is a finding although the bytes exist.
 *
 * run: -DINNER
 * finding: member-bounds 1
 *
 * run: -DPLANE
 * finding: out-of-bounds 1 */
#include <heddle.h>

struct frame {
    unsigned char bytes[4];
    int sum;
};

int main(void) {
    struct frame f = {{1, 2, 3, 4}, 10};
    int plane[3][4] = {{0}};
    unsigned char i;
    heddle_input(i);
    heddle_assume(i < 8);
#ifdef INNER
    return f.bytes[i] > 100; // BUG member-bounds
#else
    (void)f;
    return plane[1][i] != 0; // BUG out-of-bounds
#endif
}
