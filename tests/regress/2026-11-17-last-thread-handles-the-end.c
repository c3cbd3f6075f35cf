/* If main ends its thread only, the thread that ends last runs the handlers of atexit: which one that is was
 * no question of order.
 *
 * run:
 * verdict: complete
 * label: a
 * label: b
 * label: main
 *
 * run: -DDETACHED
 * verdict: complete
 * label: a
 * label: b
 * label: main
 *
 * run: -DDETACHED --por none
 * verdict: complete
 * label: a
 * label: b
 * label: main */
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_t a, b;

static void finish(void) {
    pthread_t me = pthread_self();
    heddle_reach(pthread_equal(me, a) ? "a" : pthread_equal(me, b) ? "b" : "main");
}

static void *work(void *unused) {
    return unused;
}

int main(void) {
    atexit(finish);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
#ifdef DETACHED
    pthread_detach(a);
    if (a == b)
        pthread_join(b, NULL);
#endif
    pthread_exit(NULL);
}
