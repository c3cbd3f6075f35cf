/* A thread that works for ever, whatever the others do.
 *
 * run: --max-steps 100000
 * finding: non-termination 1 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int stop;

static void *work(void *unused) {
    volatile unsigned turns = 0;
    while (!atomic_load(&stop))
        turns++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
