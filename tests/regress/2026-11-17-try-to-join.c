/* pthread_tryjoin_np and at_quick_exit were refused; the handlers of the latter never ran.
 *
 * run:
 * verdict: complete
 * label: busy
 * label: done
 * label: quick
 *
 * run: --por none
 * verdict: complete
 * label: busy
 * label: done
 * label: quick */
#define _GNU_SOURCE
#include <errno.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *work(void *argument) {
    x = 1;
    return argument;
}

static void quick(void) {
    heddle_reach("quick");
}

static void never(void) {
    heddle_assert(0);
}

int main(void) {
    pthread_t t;
    void *result = NULL;
    atexit(never);
    at_quick_exit(quick);
    pthread_create(&t, NULL, work, &t);
    int answer = pthread_tryjoin_np(t, &result);
    heddle_assert(answer == EBUSY || (answer == 0 && result == &t && x == 1));
    heddle_reach(answer ? "busy" : "done");
    if (answer)
        pthread_join(t, NULL);
    quick_exit(0);
}
