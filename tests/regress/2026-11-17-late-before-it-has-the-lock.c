/* A wait with a limit ends by its time, and before it has its mutex back another thread does what
 * was waited for: the wait is late although it came.  To end the wait and to take the mutex was one
 * step, so that nobody could come in between, and the run was called complete.  The same holds for
 * waits that end without a reason.
 *
 * run:
 * verdict: complete
 * label: signalled
 * label: late
 * label: late-although-set
 * paths: 4
 *
 * run: --por dpor
 * verdict: complete
 * label: late-although-set
 *
 * run: --por none
 * verdict: complete
 * label: late-although-set
 *
 * run: -DC11
 * verdict: complete
 * label: late-although-set
 * paths: 4
 *
 * run: -DUNTIMED --spurious
 * verdict: complete
 * label: signalled
 * label: late
 * paths: 4 */
#include <heddle.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

#ifdef C11
static mtx_t lock;
static cnd_t changed;
#define LOCK()   mtx_lock(&lock)
#define UNLOCK() mtx_unlock(&lock)
#define SIGNAL() cnd_signal(&changed)
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
#define LOCK()   pthread_mutex_lock(&lock)
#define UNLOCK() pthread_mutex_unlock(&lock)
#define SIGNAL() pthread_cond_signal(&changed)
#endif
static int is_set;

/* Was it late? */
static int wait_for_it(void) {
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec++;
#if defined C11
    return cnd_timedwait(&changed, &lock, &limit) == thrd_timedout;
#elif defined UNTIMED
    return pthread_cond_wait(&changed, &lock) != 0;
#else
    return pthread_cond_timedwait(&changed, &lock, &limit) != 0;
#endif
}

static void *work(void *unused) {
    LOCK();
    is_set = 1;
    SIGNAL();
    UNLOCK();
    return unused;
}

int main(void) {
    pthread_t thread;
#ifdef C11
    mtx_init(&lock, mtx_plain), cnd_init(&changed);
#endif
    pthread_create(&thread, NULL, work, NULL);
    LOCK();
    if (!is_set) {
        int is_late = wait_for_it();
        if (is_late)
            heddle_reach(is_set ? "late-although-set" : "late");
        else
            heddle_reach(is_set ? "signalled" : "late");
    }
    UNLOCK();
    pthread_join(thread, NULL);
    return 0;
}
