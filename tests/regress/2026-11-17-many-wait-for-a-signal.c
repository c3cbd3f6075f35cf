/* Who is woken of more than 256 threads was chosen among the first 256.  Each thread begins to wait
 * before the next one can; the last one wakes any of them, which ends the program.
 *
 * run: --no-leaks
 * verdict: complete
 * executions: 258
 * label: the-257th */
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 258 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *waits(void *number) {
    long mine = (long)number;
    pthread_t t;
    pthread_mutex_lock(&lock);
    if (mine == THREADS) {
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&lock);
        return NULL;
    }
    pthread_create(&t, NULL, waits, (void *)(mine + 1));
    pthread_cond_wait(&condition, &lock);
    if (mine == 256)
        heddle_reach("the-257th");
    exit(0);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waits, (void *)0);
    pthread_exit(NULL);
}
