/* Nested monitors (paper 002, Table VII): a buffer counts its items with semaphores, and waits for
 * them while it holds its own lock: nobody can put anything in any more.  -DFIXED waits first.
 *
 * run:
 * verdict: complete
 * finding: deadlock
 *
 * run: -DFIXED
 * verdict: complete
 * exit: 0 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
enum { CAPACITY = 2, ITEMS = 2 };

struct semaphore { /* a monitor of its own */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int value;
};

static struct semaphore full = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
static struct semaphore empty = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, CAPACITY};
static pthread_mutex_t monitor = PTHREAD_MUTEX_INITIALIZER;
static int buffer[CAPACITY], in, out;

static void down(struct semaphore *s) {
    pthread_mutex_lock(&s->lock);
    while (s->value == 0)
        pthread_cond_wait(&s->changed, &s->lock);
    s->value--;
    pthread_mutex_unlock(&s->lock);
}

static void up(struct semaphore *s) {
    pthread_mutex_lock(&s->lock);
    s->value++;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

static void enter(struct semaphore *s) {
#ifdef FIXED
    down(s);
    pthread_mutex_lock(&monitor);
#else
    pthread_mutex_lock(&monitor);
    down(s);
#endif
}

static void *produce(void *unused) {
    for (int i = 1; i <= ITEMS; i++) {
        enter(&empty);
        buffer[in] = i;
        in = (in + 1) % CAPACITY;
        pthread_mutex_unlock(&monitor);
        up(&full);
    }
    return unused;
}

static void *consume(void *unused) {
    for (int i = 1; i <= ITEMS; i++) {
        enter(&full);
        assert(buffer[out] == i);
        out = (out + 1) % CAPACITY;
        pthread_mutex_unlock(&monitor);
        up(&empty);
    }
    return unused;
}

int main(void) {
    pthread_t producer, consumer;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    return 0;
}
