/* Who closes a stream waits for the thread that has it to itself.
 *
 * run:
 * verdict: complete
 * label: closed 1
 *
 * run: --por none
 * verdict: complete
 * label: closed */
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

static FILE *f;
static sem_t has_it;
static atomic_int written;

static void *write_both(void *unused) {
    flockfile(f);
    sem_post(&has_it);
    putc_unlocked('a', f);
    written = 1;
    putc_unlocked('b', f);
    written = 2;
    funlockfile(f);
    return unused;
}

int main(void) {
    pthread_t thread;
    f = tmpfile();
    sem_init(&has_it, 0, 0);
    pthread_create(&thread, NULL, write_both, NULL);
    sem_wait(&has_it);
    heddle_assert(fclose(f) == 0);
    heddle_assert(written == 2);
    pthread_join(thread, NULL);
    heddle_reach("closed");
    return 0;
}
