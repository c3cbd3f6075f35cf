/* A sense-reversing barrier waits for a value that it keeps where no other thread looks.  That a
 * value leads round the loop again was remembered without what it is compared with, so threads
 * waited for ever in a correct program.
 *
 * run:
 * verdict: complete
 * paths: 16 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int arrived, sense;
static int round_of[2];

static void meet(int *mine) {
    *mine = !*mine;
    if (atomic_fetch_add(&arrived, 1) == 1) {
        atomic_store(&arrived, 0);
        atomic_store(&sense, *mine);
    } else
        while (atomic_load(&sense) != *mine) {
        }
}

static void *work(void *number) {
    int mine = 0;
    for (int round = 1; round <= 2; round++) {
        round_of[(intptr_t)number] = round;
        meet(&mine);
        assert(round_of[1 - (intptr_t)number] == round);
        meet(&mine);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
