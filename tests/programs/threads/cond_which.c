/* A signal wakes any one of the waiters: each may be the one that gets the only token.  The other
 * one is woken afterwards, to give up.
 *
 * run:
 * verdict: complete
 * label: first-got-it
 * label: second-got-it
 * label: both-waited
 *
 * run: --por dpor
 * verdict: complete
 * label: first-got-it
 * label: second-got-it */
#include <heddle.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int tokens, waiting, woken[2];
static bool over;

static void *wait(void *number) {
    intptr_t self = (intptr_t)number;
    pthread_mutex_lock(&lock);
    while (tokens == 0 && !over) {
        waiting++;
        pthread_cond_wait(&changed, &lock);
        waiting--;
    }
    if (tokens > 0) {
        tokens--;
        woken[self] = 1;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, wait, (void *)i);
    pthread_mutex_lock(&lock);
    tokens = 1;
    if (waiting == 2)
        heddle_reach("both-waited");
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    over = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    heddle_assert(woken[0] + woken[1] == 1);
    heddle_reach(woken[0] ? "first-got-it" : "second-got-it");
    return 0;
}
