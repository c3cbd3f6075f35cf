/* Insertion sort of distinct-or-equal ints: N! feasible comparison outcomes (tests/brute/paths).
 *
 * run: -DN=4
 * verdict: complete
 * paths: 24
 *
 * run: -DN=5
 * verdict: complete
 * paths: 120
 *
 * run: -DN=6
 * verdict: complete
 * paths: 720 */
#include <heddle.h>

int main(void) {
    int a[N];
    heddle_input(a);
    for (int i = 1; i < N; i++) {
        int v = a[i], j = i - 1;
        while (j >= 0 && a[j] > v) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = v;
    }
    for (int i = 0; i + 1 < N; i++)
        heddle_assert(a[i] <= a[i + 1]);
    return 0;
}
