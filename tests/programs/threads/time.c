/* Sleeping takes no real time and orders nothing: both orders are run.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: early
 * label: late */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int x;

static void *work(void *unused) {
    sleep(3600);
    atomic_store(&x, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    usleep(10);
    heddle_reach(atomic_load(&x) ? "late" : "early");
    pthread_join(thread, NULL);
    return 0;
}
