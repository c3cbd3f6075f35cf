/* Two workers take tasks from a list until they are told to stop.  With -DBROKEN the one who stops
 * them signals one worker only.
 *
 * run:
 * verdict: complete
 * paths: 1564
 *
 * run: -DBROKEN
 * verdict: complete
 * finding: deadlock */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { WORKERS = 2 };

typedef struct task {
    void (*run)(int);
    int argument;
    struct task *next;
} task;

static struct pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    task *first;
    bool is_stopping;
    pthread_t worker[WORKERS];
} pool;

static atomic_int sum;

static void add(int argument) {
    atomic_fetch_add(&sum, argument);
}

static void *work(void *unused) {
    for (;;) {
        pthread_mutex_lock(&pool.lock);
        while (!pool.first && !pool.is_stopping)
            pthread_cond_wait(&pool.changed, &pool.lock);
        task *t = pool.first;
        if (t)
            pool.first = t->next;
        pthread_mutex_unlock(&pool.lock);
        if (!t)
            return unused;
        t->run(t->argument);
        free(t);
    }
}

static void submit(int argument) {
    task *t = malloc(sizeof *t);
    pthread_mutex_lock(&pool.lock);
    *t = (task){add, argument, pool.first};
    pool.first = t;
    pthread_cond_signal(&pool.changed);
    pthread_mutex_unlock(&pool.lock);
}

int main(void) {
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.changed, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&pool.worker[i], NULL, work, NULL);
    submit(1);
    submit(2);
    pthread_mutex_lock(&pool.lock);
    pool.is_stopping = true;
#ifdef BROKEN
    pthread_cond_signal(&pool.changed);
#else
    pthread_cond_broadcast(&pool.changed);
#endif
    pthread_mutex_unlock(&pool.lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(pool.worker[i], NULL);
    assert(atomic_load(&sum) == 3);
    return 0;
}
