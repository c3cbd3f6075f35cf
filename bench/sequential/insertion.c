/* Insertion sort of N ints, then a check that the result is sorted.
 *
 * A run learns one of the N! stable orders; the N-1 checks at the end can never fail, and each
 * of them is a question that must be proved unsatisfiable on every path.
 *
 * brute: -DN=4 ints 0,1,2,3 -> 24
 * brute: -DN=5 ints 0,1,2,3,4 -> 120
 * brute: -DN=6 ints 0-5 -> 720
 * paths: -DN=4 -> 24
 * paths: -DN=5 -> 120
 * paths: -DN=6 -> 720 */
#include <heddle.h>
#ifndef N
#define N 6
#endif

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
