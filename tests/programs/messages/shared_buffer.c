/* A producer and a consumer with a bounded buffer in memory that they share (mmap), and semaphores
 * that lie in it.
 *
 * -DBUG: the producer does not wait for room.
 *
 * run:
 * verdict: complete
 * executions: 16
 *
 * run: --por flip
 * verdict: complete
 * paths: 16
 *
 * run: -DBUG
 * verdict: complete
 * finding: assertion */
#include <assert.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOM = 2, ITEMS = 3 };

static struct buffer {
    sem_t mutex, empty, full;
    int in, out, at[ROOM];
} * buffer;

static void put(int item) {
#ifndef BUG
    sem_wait(&buffer->empty);
#endif
    sem_wait(&buffer->mutex);
    buffer->at[buffer->in] = item;
    buffer->in = (buffer->in + 1) % ROOM;
    sem_post(&buffer->mutex);
    sem_post(&buffer->full);
}

static int take(void) {
    sem_wait(&buffer->full);
    sem_wait(&buffer->mutex);
    int item = buffer->at[buffer->out];
    buffer->out = (buffer->out + 1) % ROOM;
    sem_post(&buffer->mutex);
    sem_post(&buffer->empty);
    return item;
}

int main(void) {
    buffer = mmap(NULL, sizeof *buffer, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (buffer == MAP_FAILED)
        return 1;
    sem_init(&buffer->mutex, 1, 1);
    sem_init(&buffer->empty, 1, ROOM);
    sem_init(&buffer->full, 1, 0);
    if (fork() == 0) {
        for (int i = 0; i < ITEMS; i++)
            put(i);
        exit(0);
    }
    for (int i = 0; i < ITEMS; i++) {
        int item = take();
        assert(item == i);
    }
    wait(NULL);
    munmap(buffer, sizeof *buffer);
    return 0;
}
