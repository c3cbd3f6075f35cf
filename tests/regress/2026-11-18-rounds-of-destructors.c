/* Destructors of keys were always run for the lowest key that was set, so that one that sets its own value again was
 * run four times before that of the next key; glibc goes from key to key, and then round again.  A thread that ended by
 * pthread_exit() had eight rounds instead of four.
 *
 * run:
 * verdict: complete
 * paths: 4 */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <string.h>

static pthread_key_t first, second, silent;
static char order[32];

static void note(char c) {
    order[strlen(order)] = c;
}

static void end_first(void *value) {
    note('1');
    if (strlen(order) < 3)
        pthread_setspecific(first, value);
}

static void end_second(void *value) {
    note(pthread_getspecific(silent) ? 's' : '2');
    if (*(long *)value)
        pthread_setspecific(second, value);
}

static void *work(void *is_endless) {
    pthread_setspecific(first, is_endless);
    pthread_setspecific(silent, is_endless);
    pthread_setspecific(second, is_endless);
    if (heddle_choose(0, 1))
        pthread_exit(NULL);
    return NULL;
}

int main(void) {
    long is_endless = heddle_choose(0, 1);
    pthread_t thread;
    pthread_key_create(&first, end_first);
    pthread_key_create(&silent, NULL);
    pthread_key_create(&second, end_second);
    pthread_create(&thread, NULL, work, &is_endless);
    pthread_join(thread, NULL);
    assert(strcmp(order, is_endless ? "121222" : "121") == 0);
    return 0;
}
