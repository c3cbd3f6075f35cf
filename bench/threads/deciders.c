/* Inputs and orders together: two threads add each other's number, N times each, and an input byte
 * decides each time whether one more is added.
 *
 * paths: -DN=1 -> 12
 * paths: -DN=2 -> 304
 * paths: -DN=3 -> 9024
 * paths: -DN=4 -> 283392 */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef N
#define N 3
#endif

static atomic_int i = 1, j = 1;
static unsigned char more[2 * N];

static void *first(void *unused) {
    for (int k = 0; k < N; k++)
        i += more[k] > 100 ? j : j + 1;
    return unused;
}

static void *second(void *unused) {
    for (int k = 0; k < N; k++)
        j += more[N + k] > 50 ? i : i + 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    heddle_bytes(more, sizeof more, "more");
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
