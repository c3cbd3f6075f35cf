/* Cleanup handlers run in reverse order when a thread calls pthread_exit, also from a function.
 *
 * run:
 * verdict: complete
 * paths: 1
 * exit: 0 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int order[3], n;

static void note(void *number) {
    order[n++] = *(int *)number;
}

static void leave(void) {
    static int three = 3;
    pthread_cleanup_push(note, &three);
    pthread_exit(&order);
    pthread_cleanup_pop(0);
}

static void *work(void *unused) {
    static int one = 1, two = 2;
    pthread_cleanup_push(note, &one);
    pthread_cleanup_push(note, &two);
    leave();
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
    assert(result == &order && n == 3);
    assert(order[0] == 3 && order[1] == 2 && order[2] == 1);
    return 0;
}
