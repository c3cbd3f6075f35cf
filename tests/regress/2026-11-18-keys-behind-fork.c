/* A child of fork() had none of its parent's keys, nor the values, handlers and cancelability of the thread that forked:
 * pthread_getspecific() said null, pthread_setspecific() EINVAL.
 *
 * run:
 * verdict: complete
 * paths: 1
 * label: cleaned 1
 * label: destroyed 1 */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_key_t key, gone;

static void destroy(void *value) {
    heddle_reach(*(char *)value == 'v' ? "destroyed" : "wrong");
}

static void clean(void *unused) {
    (void)unused;
    heddle_reach("cleaned");
}

static void be_child(char *value) {
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    assert(old == PTHREAD_CANCEL_DISABLE);
    assert(pthread_getspecific(key) == value && pthread_getspecific(gone) == NULL);
    assert(pthread_setspecific(gone, value) != 0 && pthread_setspecific(key, value) == 0);
    pthread_exit(NULL);
}

int main(void) {
    char value = 'v';
    int status;
    pthread_key_create(&key, destroy);
    pthread_key_create(&gone, destroy);
    pthread_key_delete(gone);
    pthread_setspecific(key, &value);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_cleanup_push(clean, NULL);
    if (fork() == 0)
        be_child(&value);
    pthread_cleanup_pop(0);
    wait(&status);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 0;
}
