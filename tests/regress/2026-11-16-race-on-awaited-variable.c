/* The variable that a waiting loop reads is a plain one: that race was not reported.
 *
 * run:
 * verdict: complete
 * finding: data-race */
#include <pthread.h>
#include <stddef.h>

static volatile int ready;

static void *work(void *unused) {
    ready = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    while (!ready) {
    }
    pthread_join(thread, NULL);
    return 0;
}
