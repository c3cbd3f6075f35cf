/* File system (paper 001, Table 1; Flanagan and Godefroid 2005): each of THREADS threads gives its
 * inode a free block, searching from a place that depends on the inode.
 *
 * Threads t and t + BLOCKS / 2 begin at the same block: each such pair has two orders.
 *
 * paths: -DTHREADS=13 -> 1
 * paths: -DTHREADS=14 -> 2
 * paths: -DTHREADS=16 -> 8
 * paths: -DTHREADS=18 -> 32
 * paths: -DBLOCKS=30 -DTHREADS=25 -> 1024 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifndef THREADS
#define THREADS 18
#endif
#ifndef BLOCKS
#define BLOCKS 26 /* as many threads at most: a further one would look for a block for ever */
#endif
enum { INODES = BLOCKS + 6 };

static pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
static int inode[INODES]; /* 1 + its block, 0 = none yet */
static bool busy[BLOCKS];

static bool take_block(int i, int block) {
    bool taken = false;
    pthread_mutex_lock(&block_lock[block]);
    if (!busy[block]) {
        busy[block] = true;
        inode[i] = block + 1;
        taken = true;
    }
    pthread_mutex_unlock(&block_lock[block]);
    return taken;
}

static void *work(void *number) {
    int i = (int)(intptr_t)number % INODES;
    pthread_mutex_lock(&inode_lock[i]);
    if (inode[i] == 0)
        for (int block = i * 2 % BLOCKS; !take_block(i, block); block = (block + 1) % BLOCKS) {
        }
    pthread_mutex_unlock(&inode_lock[i]);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inode_lock[i], NULL);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&block_lock[i], NULL);
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
