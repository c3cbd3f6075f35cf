/* C11 threads, mutexes, conditions, call_once and thread-specific storage.
 *
 * Two classes: the waiter or main locks first.
 *
 * run:
 * verdict: complete
 * paths: 2
 * exit: 0 */
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static bool ready;
static tss_t key;
static thread_local int mine = 3;

static int wait(void *value) {
    tss_set(key, value);
    mine++;
    mtx_lock(&lock);
    while (!ready)
        cnd_wait(&changed, &lock);
    mtx_unlock(&lock);
    assert(tss_get(key) == value);
    return mine;
}

int main(void) {
    thrd_t thread;
    int result = 0;
    assert(mtx_init(&lock, mtx_plain) == thrd_success);
    assert(cnd_init(&changed) == thrd_success);
    assert(tss_create(&key, NULL) == thrd_success);
    assert(thrd_create(&thread, wait, &lock) == thrd_success);
    mtx_lock(&lock);
    ready = true;
    cnd_signal(&changed);
    mtx_unlock(&lock);
    assert(thrd_join(thread, &result) == thrd_success);
    assert(result == 4 && mine == 3);
    mtx_destroy(&lock);
    cnd_destroy(&changed);
    tss_delete(key);
    return 0;
}
