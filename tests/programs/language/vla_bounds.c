/* One element behind an array of variable length.
 *
 * run:
 * finding: out-of-bounds 1 */
#include <heddle.h>

int main(void) {
    int n = (int)heddle_choose(1, 3);
    int v[n];
    for (int i = 0; i < n; i++)
        v[i] = i;
    int last = n == 3 ? n : n - 1;
    return v[last] < 0; // BUG out-of-bounds
}
