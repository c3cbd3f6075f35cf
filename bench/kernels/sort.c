/* Concrete work: heap sort of 4,096 ints, ROUNDS times; then two symbolic tests against the
 * result.  The inputs lie in memory during the work, untouched.
 *
 * brute: -DROUNDS=1 ints -2000000000,0,2000000000 -> 4
 * paths: -DROUNDS=4 -> 4 */
#include <heddle.h>
#ifndef ROUNDS
#define ROUNDS 80
#endif
enum { SIZE = 4096 };

static int a[SIZE];

static void swap(int i, int j) {
    int t = a[i];
    a[i] = a[j];
    a[j] = t;
}

static void sift_down(int i, int n) {
    for (;;) {
        int child = 2 * i + 1;
        if (child >= n)
            return;
        if (child + 1 < n && a[child] < a[child + 1])
            child++;
        if (a[i] >= a[child])
            return;
        swap(i, child);
        i = child;
    }
}

static void sort(void) {
    for (int i = SIZE / 2; i-- > 0;)
        sift_down(i, SIZE);
    for (int n = SIZE; n-- > 1;) {
        swap(0, n);
        sift_down(0, n);
    }
}

int main(void) {
    int x[2];
    unsigned state = 1;
    heddle_input(x);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < SIZE; i++)
            a[i] = (int)((state = state * 1664525u + 1013904223u) >> 1) - 1000000000;
        sort();
    }
    int n = 0;
    for (int i = 0; i < 2; i++) {
        if (x[i] > a[SIZE / 2])
            n++;
    }
    return n;
}
