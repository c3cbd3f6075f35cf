/* A function of the C library was used as a value, and the program could not be linked.
 *
 * run:
 * verdict: complete
 * paths: 1 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static void *(*volatile allocate)(size_t) = malloc;

static void *work(void *unused) {
    pthread_setspecific(key, allocate(8));
    assert(pthread_getspecific(key));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, free);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
