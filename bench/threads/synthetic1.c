/* Made by: synthetic_generator 29 4 3 50 25
 *
 * Three threads, random reads and writes of few shared variables, branches on inputs.
 *
 * paths: -> 1023 */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef LONGER
#define LONGER 0
#endif

static atomic_int shared[3];

static void *thread_0(void *unused) {
    for (int round = 0; round < ROUNDS + (0 < LONGER); round++) {
        if (heddle_choose(0, 1) > 0)
            atomic_store(&shared[2], 1);
        atomic_store(&shared[0], 4);
        if (heddle_choose(0, 1) > 0)
            atomic_store(&shared[0], 8);
        (void)atomic_load(&shared[2]);
    }
    return unused;
}

static void *thread_1(void *unused) {
    for (int round = 0; round < ROUNDS + (1 < LONGER); round++) {
        (void)atomic_load(&shared[0]);
        (void)atomic_load(&shared[1]);
        (void)atomic_load(&shared[2]);
        atomic_store(&shared[2], 7);
    }
    return unused;
}

static void *thread_2(void *unused) {
    for (int round = 0; round < ROUNDS + (2 < LONGER); round++) {
        if (heddle_choose(0, 1) > 0)
            atomic_store(&shared[1], 4);
        if (heddle_choose(0, 1) > 0)
            (void)atomic_load(&shared[0]);
        (void)atomic_load(&shared[2]);
        (void)atomic_load(&shared[2]);
    }
    return unused;
}

int main(void) {
    void *(*const work[3])(void *) = {thread_0, thread_1, thread_2};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
