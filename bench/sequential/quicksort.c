/* qsort of N ints with a comparator; what comes out must be sorted.
 *
 * One path for each way in which N numbers can be smaller than and equal to each other: 1, 3, 13, 75, 541.  Brute force
 * would see the C library's qsort, which compares otherwise than the model.
 *
 * paths: -DN=3 -> 13
 * paths: -DN=4 -> 75 */
#include <heddle.h>
#include <stdlib.h>
#ifndef N
#define N 4
#endif

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

int main(void) {
    int a[N];
    heddle_input(a);
    qsort(a, N, sizeof *a, compare);
    for (int i = 1; i < N; i++)
        heddle_assert(a[i - 1] <= a[i]);
    return 0;
}
