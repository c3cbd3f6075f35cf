/* That a thread may be cancelled anywhere was said to be about inputs: "inputs were treated as
 * constants", with advice about their values.  There are none.
 *
 * run: --no-races
 * verdict: incomplete
 * reason: asynchronous cancellation takes place at cancellation points only */
#include <pthread.h>

static int done;

static void *work(void *unused) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
    done++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_cancel(thread);
    pthread_join(thread, 0);
    return 0;
}
