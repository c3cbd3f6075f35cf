/* An index that is one of two constants, or was itself read from an array that was written
 * through a symbolic index: nothing branches on it, so there is one path.
 *
 * run: -DSELECT
 * verdict: complete
 * paths: 1
 *
 * run:
 * verdict: complete
 * paths: 1 */
#include <heddle.h>

int main(void) {
    unsigned char a, bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    unsigned short cells[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    heddle_input(a);
#ifdef SELECT
    int i = a > 7 ? 3 : 5;
#else
    cells[a & 7] = 1;
    int i = ~cells[4] & 7;
#endif
    return bytes[i] + cells[0];
}
