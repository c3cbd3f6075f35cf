/* A thread is given the address of a local of a function that returns.
 *
 * run: --no-races
 * verdict: complete
 * finding: use-after-return */
#include <pthread.h>
#include <stddef.h>

static pthread_t thread;

static void *work(void *local) {
    *(volatile int *)local = 1; // BUG use-after-return
    return NULL;
}

__attribute__((noinline)) static void start(void) {
    volatile int local = 0;
    pthread_create(&thread, NULL, work, (void *)&local);
}

int main(void) {
    start();
    pthread_join(thread, NULL);
    return 0;
}
