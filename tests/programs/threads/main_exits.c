/* Main ends its thread and leaves the program to the others; returning from main instead would end
 * them all, so that only what they did before that counts.
 *
 * run:
 * verdict: complete
 * finding: assertion 1 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *work(void *unused) {
    assert(atomic_load(&x) == 0); // BUG assertion
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    atomic_store(&x, 1);
    pthread_exit(NULL);
}
