/* Two threads hand a turn to each other for ever.  The number of events ends that, for both of them,
 * which is said as a limit;
 * it was reported again and again, each time for a thread that had ended already, until the stack was
 * full.  And looking for races took a time that was quadratic in the number of events.
 *
 * run:
 * verdict: incomplete
 * exit: 3
 * reason: visible operations */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int turn;

static void *play(void *second) {
    int mine = second != NULL;
    for (;;) {
        while (turn != mine)
            ;
        turn = !mine;
    }
    return second;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, play, NULL);
    pthread_create(&threads[1], NULL, play, &turn);
    pthread_join(threads[0], NULL);
    return 0;
}
