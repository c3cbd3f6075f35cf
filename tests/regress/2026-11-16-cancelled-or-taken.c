/* A thread that is cancelled before it waits for a semaphore could have taken it before that: no
 * reduction tried it.  And a thread can be cancelled after another has joined it, or before.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: gone
 * label: left
 * label: taken
 *
 * run: --por none
 * verdict: complete
 * paths: 2
 *
 * run: -DJOINED
 * verdict: complete
 * paths: 3
 * finding: bad-thread
 *
 * run: -DJOINED --por none
 * verdict: complete
 * paths: 3
 * finding: bad-thread */
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static pthread_t first, second;

static void *take(void *unused) {
    sem_wait(&semaphore);
    heddle_reach("taken");
    return unused;
}

static void *join(void *unused) {
    pthread_join(first, NULL);
    return unused;
}

int main(void) {
    int value;
    sem_init(&semaphore, 0, 1);
    pthread_create(&first, NULL, take, NULL);
#ifdef JOINED
    pthread_create(&second, NULL, join, NULL);
    pthread_cancel(first); // BUG bad-thread
    pthread_join(second, NULL);
#else
    (void)join, (void)second;
    pthread_cancel(first);
    pthread_join(first, NULL);
    sem_getvalue(&semaphore, &value);
    heddle_reach(value ? "left" : "gone");
#endif
    return 0;
}
