/* Two symbolic indexes into one object.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: hit 1 */
#include <heddle.h>

int main(void) {
    static const int m[4][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}};
    unsigned char r, c;
    heddle_input(r);
    heddle_input(c);
    if (m[r & 3][c & 3] == 11) {
        heddle_reach("hit");
        heddle_assert((r & 3) == 2 && (c & 3) == 2);
    }
    return 0;
}
