/* A key of threads' own values is deleted while another thread ends, or uses it: the value is
 * destroyed or not.  Deleting was no event, and the run was called complete.
 *
 * run:
 * verdict: complete
 * label: destroyed
 * label: kept
 * paths: 2
 *
 * run: --por none
 * verdict: complete
 * label: destroyed
 * label: kept
 *
 * run: -DUSES
 * verdict: complete
 * label: set
 * label: not-set */
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_key_t key;
static sem_t has_begun;
static atomic_int n_destroyed;

static void destroy(void *value) {
    (void)value;
    n_destroyed++;
}

static void *work(void *unused) {
#ifdef USES
    sem_post(&has_begun);
    heddle_reach(pthread_setspecific(key, &key) == 0 ? "set" : "not-set");
#else
    pthread_setspecific(key, &key);
    sem_post(&has_begun);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&has_begun, 0, 0);
    pthread_key_create(&key, destroy);
    pthread_create(&thread, NULL, work, NULL);
    sem_wait(&has_begun);
    pthread_key_delete(key);
    pthread_join(thread, NULL);
    heddle_reach(n_destroyed ? "destroyed" : "kept");
    return 0;
}
