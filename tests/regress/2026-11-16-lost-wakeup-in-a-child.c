/* Whether a signal was lost is written in the condition, which was looked up in the memory of
 * whichever process ran last: the same state was told as a deadlock or as a lost wake-up, and the
 * stack of a waiting thread was read from memory of another process.
 *
 * run: --por none
 * verdict: complete
 * finding: lost-wakeup
 *
 * run:
 * verdict: complete
 * finding: lost-wakeup */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *signaller(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    if (fork() == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, signaller, NULL);
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&condition, &mutex); // BUG lost-wakeup
        pthread_mutex_unlock(&mutex);
        pthread_join(thread, NULL);
        _exit(0);
    }
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    wait(NULL);
    return 0;
}
