/* A loop that tests what was read last, the first time before it: that value is no state of the loop,
 * because it is read again in every iteration.  It was taken for one, so that every sequence of values
 * was a class, 1024 of them here.  By hand: each reader reads first one of 6 values, and then waits for
 * the last one: 6 times 6.
 *
 * run: --por none
 * verdict: complete
 * paths: 36
 *
 * run: --por dpor
 * verdict: complete
 * paths: 36
 *
 * run:
 * verdict: complete
 * paths: 36 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int place;

static void *count(void *unused) {
    for (int i = 1; i <= 5; i++)
        place = i;
    return unused;
}

static void *await(void *unused) {
    int seen = place;
    while (seen != 5)
        seen = place;
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, count, NULL);
    pthread_create(&threads[1], NULL, await, NULL);
    pthread_create(&threads[2], NULL, await, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
