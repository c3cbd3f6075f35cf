/* Bubble sort: as many paths as outcomes of the comparisons, N! (tests/brute/paths agrees).
 *
 * run: -DN=4
 * verdict: complete
 * paths: 24
 *
 * run: -DN=5 --strategy random-dfs --seed 3
 * verdict: complete
 * paths: 120
 *
 * run: -DN=4 --strategy bfs
 * verdict: complete
 * paths: 24
 *
 * run: -DN=4 --strategy coverage
 * verdict: complete
 * paths: 24
 *
 * run: -DN=4 --strategy random
 * verdict: complete
 * paths: 24 */
#include <heddle.h>

int main(void) {
    int a[N];
    heddle_input(a);
    for (int i = 0; i < N; i++)
        for (int j = 0; j + 1 < N - i; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
    for (int i = 0; i + 1 < N; i++)
        heddle_assert(a[i] <= a[i + 1]);
    return 0;
}
