/* Fibonacci race: one thread stores i + j into i, the other j + i into j, N times each; main looks
 * at both without waiting for them.
 *
 * No number can become greater than the Fibonacci number 2N + 2 (1, 1, 2, 3, ...).
 *
 * paths: -DN=1 -> 11
 * paths: -DN=2 -> 140
 * paths: -DN=3 -> 1698
 * paths: -DN=4 -> 19605
 * paths: -DN=5 -> 218243 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef N
#define N 5
#endif

static atomic_int i = 1, j = 1;

static void *add_to_i(void *unused) {
    for (int k = 0; k < N; k++) {
        int old_i = atomic_load(&i);
        int old_j = atomic_load(&j);
        atomic_store(&i, old_i + old_j);
    }
    return unused;
}

static void *add_to_j(void *unused) {
    for (int k = 0; k < N; k++) {
        int old_j = atomic_load(&j);
        int old_i = atomic_load(&i);
        atomic_store(&j, old_j + old_i);
    }
    return unused;
}

static int greatest_possible(void) {
    int current = 1, next = 1;
    for (int k = 0; k < 2 * N; k++) {
        int sum = current + next;
        current = next;
        next = sum;
    }
    return next;
}

int main(void) {
    pthread_t a, b;
    int greatest = greatest_possible();
    pthread_create(&a, NULL, add_to_i, NULL);
    pthread_create(&b, NULL, add_to_j, NULL);
    int seen_i = atomic_load(&i);
    assert(seen_i <= greatest);
    int seen_j = atomic_load(&j);
    assert(seen_j <= greatest);
    return 0;
}
