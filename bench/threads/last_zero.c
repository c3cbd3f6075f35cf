/* Last zero: a reader scans an array downwards for a zero while N writers set a[j] = a[j-1] + 1.
 *
 * a[0] stays 0, so that the scan ends.
 *
 * paths: -DN=4 -> 28
 * paths: -DN=5 -> 64
 * paths: -DN=10 -> 3328 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#ifndef N
#define N 10
#endif

static atomic_int a[N + 1];

static void *reader(void *unused) {
    int at = N;
    while (atomic_load(&a[at]) != 0)
        at--;
    return unused;
}

static void *writer(void *number) {
    intptr_t j = (intptr_t)number;
    int before = atomic_load(&a[j - 1]);
    atomic_store(&a[j], before + 1);
    return NULL;
}

int main(void) {
    pthread_t scan, write[N];
    pthread_create(&scan, NULL, reader, NULL);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&write[i], NULL, writer, (void *)(i + 1));
    pthread_join(scan, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(write[i], NULL);
    return 0;
}
