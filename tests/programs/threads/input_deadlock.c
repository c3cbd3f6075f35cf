/* Transfers lock both accounts in the order of the arguments, which are inputs: a deadlock exactly
 * when they go in opposite directions; none when the locks are ordered.
 *
 * run:
 * verdict: complete
 * finding: deadlock
 *
 * run: -DORDERED
 * verdict: complete
 * exit: 0 */
#include <heddle.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int balance[2] = {100, 100};
static bool backwards[2];

static void transfer(int from, int to) {
#ifdef ORDERED
    int first = from < to ? from : to, second = from < to ? to : from;
#else
    int first = from, second = to;
#endif
    pthread_mutex_lock(&locks[first]);
    pthread_mutex_lock(&locks[second]); // BUG deadlock
    balance[from]--;
    balance[to]++;
    pthread_mutex_unlock(&locks[second]);
    pthread_mutex_unlock(&locks[first]);
}

static void *work(void *direction) {
    if (*(bool *)direction)
        transfer(1, 0);
    else
        transfer(0, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        backwards[i] = heddle_choose(0, 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &backwards[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL); // BUG deadlock
    heddle_assert(balance[0] + balance[1] == 200);
    return 0;
}
