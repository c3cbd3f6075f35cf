/* Locals of main live until the process ends: what other threads do with them they do before main
 * returns, or not at all.  What ran after main had returned lay on top of them, so that threads read
 * something else, and orders in which they read right were not tried.
 *
 * run:
 * verdict: complete
 * paths: 2
 * finding: assertion
 *
 * run: --por none
 * verdict: complete
 * paths: 2
 * finding: assertion
 *
 * run: -DREADS
 * verdict: complete
 * paths: 1
 *
 * run: -DREADS --por none
 * verdict: complete
 * paths: 1
 *
 * run: -DWAITS
 * verdict: complete
 *
 * run: -DEXITS
 * verdict: complete
 *
 * run: -DSCOPE --no-races
 * verdict: complete
 * finding: use-after-scope */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int seen;

#if defined READS
static void *use(void *array) {
    for (int i = 0; i < 64; i++)
        assert(((int *)array)[i] == i);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int array[64];
    for (int i = 0; i < 64; i++)
        array[i] = i;
    pthread_create(&thread, NULL, use, array);
    return 0;
}
#elif defined WAITS
struct meeting {
    sem_t semaphore;
    pthread_mutex_t lock;
    int n;
};

static void *use(void *p) {
    struct meeting *m = p;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m->lock);
        m->n++;
        pthread_mutex_unlock(&m->lock);
        sem_wait(&m->semaphore);
    }
    assert(m->n == 2);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct meeting m = {.lock = PTHREAD_MUTEX_INITIALIZER};
    sem_init(&m.semaphore, 0, 0);
    pthread_create(&thread, NULL, use, &m);
    sem_post(&m.semaphore);
    sem_post(&m.semaphore);
    return 0;
}
#elif defined EXITS
static void *use(void *p) {
    assert(*(int *)p == 7);
    return NULL;
}

static void leave(int depth) {
    char room[100] = {(char)depth};
    if (depth == 0)
        exit(room[0]);
    leave(depth - 1);
}

int main(void) {
    pthread_t thread;
    int local = 7;
    pthread_create(&thread, NULL, use, &local);
    leave(3);
}
#elif defined SCOPE
static void *use(void *p) {
    seen = *(int *)p; // BUG use-after-scope
    return NULL;
}

int main(void) {
    pthread_t thread;
    {
        int local = 7;
        pthread_create(&thread, NULL, use, &local);
    }
    seen = 1;
    return 0;
}
#else
static void *use(void *p) {
    if (*(int *)p == 20)
        seen = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    int local = 20;
    pthread_create(&thread, NULL, use, &local);
    assert(seen == 0); // BUG assertion
    return 0;
}
#endif
