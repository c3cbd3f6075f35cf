/* A thread-local object is gone for others from the event on in which its thread gives it up, also before the thread has told of
 * its end: writes in between were no findings, and `none` had a class more than the others.
 *
 * run: --por none
 * verdict: complete
 * paths: 5
 * finding: use-after-return
 * finding: data-race
 *
 * run:
 * verdict: complete
 * paths: 5
 * finding: use-after-return
 * finding: data-race */
#define _GNU_SOURCE
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) kept;
static _Thread_local int own;

static void *give(void *unused) {
    atomic_store(&kept, &own);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, give, NULL);
    int *p = atomic_load(&kept);
    if (p)
        *p = 0;
    if (pthread_tryjoin_np(t, NULL) != 0)
        pthread_join(t, NULL);
    return 0;
}
