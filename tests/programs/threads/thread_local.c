/* _Thread_local variables are each thread's own: no race, one class; but their address may be given
 * away.
 *
 * run:
 * verdict: complete
 * paths: 1
 *
 * run: -DSHARE
 * verdict: complete
 * finding: data-race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Thread_local int counter = 7;
static int *mains;

static void *work(void *unused) {
    assert(counter == 7);
    for (int i = 0; i < 3; i++)
        counter++;
    assert(counter == 10);
#ifdef SHARE
    *mains = 0; // BUG data-race
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    mains = &counter;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    counter = 1; // BUG data-race
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter <= 1);
    return 0;
}
