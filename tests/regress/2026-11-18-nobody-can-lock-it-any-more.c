/* A robust mutex whose owner died is given back by the next one without having been repaired: who
 * waits for it then is told that nobody can have it any more.  That it could have been the next one
 * itself was never tried: the outcome 131 130 was missing, and the run was called complete.
 *
 * run:
 * verdict: complete
 * paths: 6
 * label: 130-131
 * label: 131-130
 *
 * run: --por dpor
 * verdict: complete
 * paths: 6
 *
 * run: --por none
 * verdict: complete
 * paths: 6
 * label: 131-130 */
#include <errno.h>
#include <heddle.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock;
static int result[2];

static void *dies(void *unused) {
    pthread_mutex_lock(&lock);
    return unused;
}

static void *gives_back(void *out) {
    int error = pthread_mutex_lock(&lock);
    *(int *)out = error;
    if (error != ENOTRECOVERABLE)
        pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t robust;
    pthread_t thread[3];
    char text[32];
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &robust);
    pthread_create(&thread[0], NULL, dies, NULL);
    pthread_create(&thread[1], NULL, gives_back, &result[0]);
    pthread_create(&thread[2], NULL, gives_back, &result[1]);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    snprintf(text, sizeof text, "%d-%d", result[0], result[1]);
    heddle_reach(text);
    return 0;
}
