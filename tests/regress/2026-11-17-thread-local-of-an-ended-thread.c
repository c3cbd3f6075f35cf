/* What is thread-local ends with its thread: a pointer to it must not be used behind that.  The
 * copies stayed what they were, and the program was called correct.
 *
 * run: -DENDED
 * verdict: complete
 * finding: use-after-return
 *
 * run: -DENDED -DFAR
 * verdict: complete
 * finding: use-after-return
 *
 * run: -DENDED -DEARLY --no-races
 * verdict: complete
 * finding: use-after-return
 * label: seen
 *
 * run: -DMAIN
 * verdict: complete
 * finding: use-after-return
 *
 * run:
 * verdict: complete
 * label: seen */
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>

static _Thread_local struct {
    int before, value;
} local;
static int *shown;
static sem_t told, looked;

static void *shows(void *unused) {
    local.value = 7;
    shown = &local.value;
    sem_post(&told);
#ifndef ENDED
    sem_wait(&looked);
#endif
    return unused;
}

static void *looks(void *other) {
    pthread_join(*(pthread_t *)other, NULL);
    return (void *)(long)*shown; // BUG use-after-return
}

#ifdef FAR
static void *passes(void *unused) {
    return unused;
}
static void use_up(int n) {
    pthread_t t;
    while (n-- > 0) {
        pthread_create(&t, NULL, passes, NULL);
        pthread_join(t, NULL);
    }
}
#else
#define use_up(n) (void)0
#endif

#ifdef MAIN
int main(void) {
    static pthread_t me;
    pthread_t t;
    me = pthread_self();
    shown = &local.value;
    pthread_create(&t, NULL, looks, &me);
    pthread_exit(NULL);
}
#else
int main(void) {
    pthread_t t;
    (void)looks;
    use_up(70);
    sem_init(&told, 0, 0);
    sem_init(&looked, 0, 0);
    pthread_create(&t, NULL, shows, NULL);
#if defined ENDED && !defined EARLY
    pthread_join(t, NULL);
#endif
    sem_wait(&told);
    local.value = 1;
    int seen = *shown; // BUG use-after-return
    sem_post(&looked);
#if !defined ENDED || defined EARLY
    pthread_join(t, NULL);
#endif
    heddle_assert(seen == 7 && local.value == 1);
    heddle_reach("seen");
    return 0;
}
#endif
