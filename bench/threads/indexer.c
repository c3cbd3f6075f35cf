/* Indexer (paper 001, Table 1; Flanagan and Godefroid 2005): THREADS threads insert four words each
 * into a hash table with linear probing, by compare-and-exchange.
 *
 * Up to 11 threads nobody collides; thread 12 meets three words of others, each further one three
 * more.  Each meeting has two orders.
 *
 * paths: -DTHREADS=11 -> 1
 * paths: -DTHREADS=12 -> 8
 * paths: -DTHREADS=13 -> 64
 * paths: -DTHREADS=13 -DLAST=1 -> 16
 * paths: -DTHREADS=13 -DLAST=2 -> 32
 * paths: -DTHREADS=15 -> 4096 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#ifndef THREADS
#define THREADS 15
#endif
#ifndef LAST
#define LAST WORDS /* words of the last thread: sizes between those of THREADS */
#endif
enum { SIZE = 128, WORDS = 4 };

static atomic_int table[SIZE];

static void insert(int word) {
    int at = word * 7 % SIZE, empty = 0;
    while (!atomic_compare_exchange_strong(&table[at], &empty, word)) {
        at = (at + 1) % SIZE;
        empty = 0;
    }
}

static void *work(void *number) {
    int n = (intptr_t)number + 1 == THREADS ? LAST : WORDS;
    for (int m = 1; m <= n; m++)
        insert(m * 11 + (int)(intptr_t)number);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
