/* The determinant of three by three numbers from -M to M: its sign, whether the matrix can be inverted over the integers,
 * and one special value.
 *
 * brute: -DM=1 ints -1-1 -> 4
 * paths: -DM=1 -> 4
 * paths: -DM=9 -> 5 */
#include <heddle.h>
#ifndef M
#define M 9
#endif

int main(void) {
    int a[3][3];
    heddle_input(a);
    for (int i = 0; i < 9; i++)
        heddle_assume(a[i / 3][i % 3] >= -M && a[i / 3][i % 3] <= M);
    int d = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
            a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
    if (d == 0)
        return 1;
    if (d == 1 || d == -1)
        heddle_reach("can be inverted");
    else if (d == 97)
        heddle_reach("ninety-seven");
    return 0;
}
