/* A semaphore that lies in an input is taken as a free one, which is said; but its value, 0, was
 * counted down, and the next to use it was told that it had never been initialised.
 *
 * run:
 * verdict: incomplete
 * label: done */
#include <heddle.h>
#include <semaphore.h>

static sem_t semaphore;

int main(void) {
    heddle_bytes(&semaphore, sizeof semaphore, "semaphore");
    sem_wait(&semaphore);
    sem_post(&semaphore);
    sem_wait(&semaphore);
    heddle_reach("done");
    return 0;
}
