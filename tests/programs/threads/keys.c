/* Thread-specific values: each thread has its own, and destructors run at its end, again for values
 * that they set themselves.
 *
 * run:
 * verdict: complete
 * paths: 1
 * exit: 0 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_key_t key;
static int destroyed[2];

static void destroy(void *value) {
    int *count = value;
    if (++*count == 1)
        pthread_setspecific(key, count);
}

static void *work(void *number) {
    int *mine = &destroyed[(intptr_t)number];
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, mine);
    assert(pthread_getspecific(key) == mine);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_key_create(&key, destroy);
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(destroyed[0] == 2 && destroyed[1] == 2);
    pthread_key_delete(key);
    return 0;
}
