/* A signal comes while the main thread could still take a lock; before it does another thread takes it, and
 * waits for what the handler does.  On Linux the handler runs while the main thread waits.  Here such
 * executions were rejected and nothing was said: only a signal that came into the wait was.
 *
 * run:
 * verdict: incomplete
 * reason: handlers of signals do not run while the main thread waits for another thread
 * reason-at: LOSS */
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
    pthread_mutex_lock(&lock); // LOSS
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
