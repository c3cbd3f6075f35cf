/* A thread that does not want to be cancelled works to the end; one that asks may end there.
 *
 * run: -DDISABLED
 * verdict: complete
 * label: worked
 * no-label: cancelled
 *
 * run:
 * verdict: complete
 * label: worked
 * label: cancelled */
#include <heddle.h>
#include <pthread.h>

static void *work(void *unused) {
#ifdef DISABLED
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
#endif
    pthread_testcancel();
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    heddle_reach(result == PTHREAD_CANCELED ? "cancelled" : "worked");
    return 0;
}
