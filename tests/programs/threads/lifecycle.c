/* Threads from birth to death: attributes, results, equality, detached threads, threads made by
 * threads, and main leaving first.
 *
 * run:
 * verdict: complete
 * paths: 1
 * exit: 0 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *grandchild(void *value) {
    return (int *)value + 1;
}

static void *work(void *value) {
    pthread_t thread;
    void *result;
    assert(pthread_equal(pthread_self(), pthread_self()));
    pthread_create(&thread, NULL, grandchild, value);
    pthread_join(thread, &result);
    pthread_exit(result);
}

static void *alone(void *unused) {
    return unused;
}

int main(void) {
    static int numbers[2];
    pthread_t child, detached;
    pthread_attr_t attributes;
    void *result;
    int state;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_getdetachstate(&attributes, &state);
    assert(state == PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    pthread_create(&detached, &attributes, alone, NULL);
    pthread_attr_destroy(&attributes);
    pthread_create(&child, NULL, work, numbers);
    pthread_join(child, &result);
    assert(result == numbers + 1);
    pthread_create(&detached, NULL, alone, NULL);
    pthread_detach(detached);
    pthread_exit(NULL);
}
