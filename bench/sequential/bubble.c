/* Bubble sort of N ints: neighbours compared and swapped, all rounds run.
 *
 * Equal neighbours stay, as smaller ones do, so a run learns one of the N! stable orders.
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
    for (int i = 0; i < N; i++) {
        for (int j = 0; j + 1 < N - i; j++) {
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
        }
    }
    return 0;
}
