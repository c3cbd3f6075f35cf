/* Handlers of a thread that waits for a semaphore, a lock or a condition.  sem_wait() was never
 * interrupted, and waits for locks and conditions were said to hold handlers up, although every
 * such order is run as one in which the thread looks for signals before it waits.  A handler that
 * another thread installs while the receiver waits made executions stray.
 *
 * run:
 * verdict: complete
 * paths: 3
 * label: interrupted
 * label: taken
 *
 * run: --por dpor
 * verdict: complete
 * paths: 3
 *
 * run: --por none
 * verdict: complete
 * paths: 3
 * label: interrupted
 * label: taken
 *
 * run: -DFLAGS=SA_RESTART
 * verdict: complete
 * paths: 3
 * label: taken
 *
 * run: -DTIMED -DFLAGS=SA_RESTART
 * verdict: complete
 * label: interrupted
 * label: late
 * label: taken
 *
 * run: -DTIMED -DFLAGS=SA_RESTART --por none
 * verdict: complete
 * label: interrupted
 * label: late
 * label: taken
 *
 * run: -DMUTEX
 * verdict: complete
 * paths: 3
 * label: handled
 *
 * run: -DMUTEX --por none
 * verdict: complete
 * paths: 3
 *
 * run: -DCONDITION
 * verdict: complete
 * paths: 8
 * label: handled
 *
 * run: -DNESTED
 * verdict: incomplete
 * reason: a handler that waits for a condition inside of such a wait
 *
 * run: -DLATE
 * verdict: complete
 * paths: 3
 * label: handled
 *
 * run: -DLATE --por none
 * verdict: complete
 * paths: 3 */
#include <errno.h>
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#ifndef FLAGS
#define FLAGS 0
#endif

static atomic_int n;
static pthread_t first;

static void wait_too(void);

static void handle(int number) {
    (void)number;
    wait_too();
    n++;
}

static void install(void) {
    struct sigaction a = {.sa_handler = handle, .sa_flags = FLAGS};
    sigaction(SIGUSR1, &a, NULL);
}

static void send(void) {
    pthread_kill(first, SIGUSR1);
}

static void send_and_see(void) {
    send();
    while (!n)
        ;
}

#if defined(MUTEX) || defined(CONDITION) || defined(NESTED)
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *other(void *unused) {
#ifdef MUTEX
    pthread_mutex_lock(&lock);
    send_and_see();
#else
    send_and_see();
    pthread_mutex_lock(&lock);
#endif
    is_ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void await(void) {
    pthread_mutex_lock(&lock);
#ifndef MUTEX
    while (!is_ready)
        pthread_cond_wait(&condition, &lock);
#endif
    pthread_mutex_unlock(&lock);
}
#elif defined(LATE)
static void *other(void *unused) {
    install();
    send_and_see();
    return unused;
}

static void await(void) {}
#else
static sem_t semaphore;

static void *other(void *unused) {
    send();
    sem_post(&semaphore);
    return unused;
}

static void await(void) {
    struct timespec when;
    clock_gettime(CLOCK_REALTIME, &when);
    when.tv_sec++;
#ifdef TIMED
    int result = sem_timedwait(&semaphore, &when);
#else
    int result = sem_wait(&semaphore);
#endif
    heddle_reach(!result ? "taken" : errno == EINTR ? "interrupted" : "late");
}
#endif

/* POSIX gives that no meaning; a thread lost what it was waiting for before. */
static void wait_too(void) {
#ifdef NESTED
    static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    struct timespec now = {0};
    pthread_mutex_lock(&inner);
    pthread_cond_timedwait(&never, &inner, &now);
    pthread_mutex_unlock(&inner);
#endif
}

int main(void) {
    pthread_t thread;
    first = pthread_self();
#ifndef LATE
    install();
#endif
    pthread_create(&thread, NULL, other, NULL);
    await();
    pthread_join(thread, NULL);
    if (n)
        heddle_reach("handled");
    return 0;
}
