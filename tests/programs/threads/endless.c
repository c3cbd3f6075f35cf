/* A thread that works for ever, whatever the others do: with something that changes all the time
 * nobody knows that it never ends, and the limit is said; without, its state repeats.
 *
 * run: --max-steps 100000
 * verdict: incomplete
 * exit: 3
 * reason: --max-steps
 *
 * run: --max-steps 100000 -DNOTHING
 * verdict: incomplete
 * finding: non-termination 1 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int stop;

static void *work(void *unused) {
#ifdef NOTHING
    volatile unsigned turns = atomic_load(&stop);
    while (!turns) // BUG non-termination
        ;
#else
    volatile unsigned turns = 0;
    while (!atomic_load(&stop))
        turns++;
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
