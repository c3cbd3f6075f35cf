/* A signal comes while the main thread could still take a lock; before it does another thread takes
 * it, and waits for what the handler does.  On Linux the handler runs while the main thread waits.
 * Here such executions were rejected and nothing was said: only a signal that came into the wait
 * was.  Nothing has to be said: the order in which the main thread looks for signals before it
 * waits is run, and is the same.
 *
 * run:
 * verdict: complete
 * paths: 7
 * label: handled
 *
 * run: --por none
 * verdict: complete
 * paths: 7 */
#include <heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int handled;

static void handle(int signal) {
    handled = signal;
}

static void *send(void *unused) {
    kill(getpid(), SIGUSR1);
    pthread_mutex_lock(&lock);
    while (!handled)
        ;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t;
    signal(SIGUSR1, handle);
    pthread_create(&t, NULL, send, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    heddle_reach("handled");
    return 0;
}
