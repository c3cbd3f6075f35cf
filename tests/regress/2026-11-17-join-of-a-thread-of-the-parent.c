/* A child that fork made has no threads of its parent: to join one of them is an error there.  It
 * was joined like one of its own.
 *
 * run: --no-leaks
 * finding: bad-thread
 *
 * run: --no-leaks -DOWN
 * verdict: complete */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static void *nothing(void *unused) {
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, nothing, NULL);
    if (fork() == 0) {
#ifdef OWN
        pthread_create(&t, NULL, nothing, NULL);
#endif
        pthread_join(t, NULL); // BUG bad-thread
        _exit(0);
    }
    wait(NULL);
    pthread_join(t, NULL);
    return 0;
}
