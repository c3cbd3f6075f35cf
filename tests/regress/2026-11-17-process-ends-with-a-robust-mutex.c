/* A process ends while it holds a robust mutex in shared memory: who waits for it is told that its
 * owner has died.  Only the ends of threads were looked at, and a deadlock was reported that is
 * none.  If a process is ended beside the thread that holds it, by another one, the execution ends
 * there, which is said.
 *
 * run:
 * verdict: complete
 * label: free
 * label: owner-died
 * paths: 2
 *
 * run: --por dpor
 * verdict: complete
 * label: free
 * label: owner-died
 * paths: 2
 *
 * run: --por none
 * verdict: complete
 * label: free
 * label: owner-died
 *
 * run: -DRETURNS
 * verdict: complete
 * label: owner-died
 * paths: 2
 *
 * run: -DTRIES_ITS_OWN
 * verdict: complete
 * paths: 1
 *
 * run: -DKILLED
 * verdict: incomplete
 * label: free
 * no-label: owner-died
 * reason: holds a robust mutex
 * exit: 3 */
#include <errno.h>
#include <heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t *new_mutex(void) {
    pthread_mutexattr_t attributes;
    pthread_mutex_t *new =
        mmap(NULL, sizeof *new, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(new, &attributes);
    return new;
}

static void end(void) {
#if defined RETURNS
    exit(0);
#elif defined KILLED
    pause();
#else
    _exit(0);
#endif
}

/* Robust ones that look for mistakes say EDEADLK, others EBUSY, as in glibc. */
static void try_own(int type, int robust, int expected) {
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, robust);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutex_lock(&mutex);
    heddle_assert(pthread_mutex_trylock(&mutex) == expected);
    pthread_mutex_unlock(&mutex);
}

int main(void) {
#ifdef TRIES_ITS_OWN
    try_own(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_ROBUST, EDEADLK);
    try_own(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED, EBUSY);
    try_own(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST, EBUSY);
    return 0;
#endif
    pthread_mutex_t *mutex = new_mutex();
    pid_t child = fork();
    if (child == 0) {
        pthread_mutex_lock(mutex);
        end();
    }
#ifdef KILLED
    kill(child, SIGKILL);
#endif
    int result = pthread_mutex_lock(mutex);
    heddle_reach(result == EOWNERDEAD ? "owner-died" : "free");
    if (result == EOWNERDEAD)
        pthread_mutex_consistent(mutex);
    pthread_mutex_unlock(mutex);
    waitpid(child, NULL, 0);
    return 0;
}
