/* Inputs that threads ask for have names that do not depend on the schedule, and branches on them
 * are explored in every order: two reads commute, any other pair has two orders.
 *
 * run:
 * verdict: complete
 * paths: 7
 *
 * run: --por dpor
 * verdict: complete
 * paths: 7 */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *unused) {
    int mine;
    heddle_input(mine);
    if (mine > 0)
        atomic_store(&x, 1);
    else
        (void)atomic_load(&x);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
