/* More of C11: recursive and tried mutexes, call_once, thrd_exit, thrd_detach, thrd_yield,
 * sleeping.
 *
 * run: -DONCE
 * verdict: complete
 * paths: 2
 *
 * run: -DRECURSIVE
 * verdict: complete
 * paths: 2
 *
 * run: -DTRY
 * verdict: complete
 * paths: 4 */
#include <assert.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static once_flag flag = ONCE_FLAG_INIT;
static int counter;

static void count(void) {
    counter++;
}

static int work(void *unused) {
    (void)unused;
#ifdef ONCE
    call_once(&flag, count);
    assert(counter == 1);
#elif defined RECURSIVE
    mtx_lock(&lock);
    mtx_lock(&lock);
    count();
    mtx_unlock(&lock);
    mtx_unlock(&lock);
#else
    int result = mtx_trylock(&lock);
    assert(result == thrd_success || result == thrd_busy);
    if (result == thrd_success) {
        count();
        mtx_unlock(&lock);
    }
#endif
    thrd_yield();
    thrd_sleep(&(struct timespec){.tv_nsec = 1000}, NULL);
    thrd_exit(5);
}

int main(void) {
    thrd_t threads[2];
    int result;
    (void)flag;
    mtx_init(&lock, mtx_plain | mtx_recursive);
    for (int i = 0; i < 2; i++)
        thrd_create(&threads[i], work, NULL);
    for (int i = 0; i < 2; i++) {
        thrd_join(threads[i], &result);
        assert(result == 5);
    }
    assert(counter >= 1);
    return 0;
}
