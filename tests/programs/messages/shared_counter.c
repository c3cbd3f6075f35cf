/* Two children count in memory with a name (shm_open), one at a time by a named semaphore.
 *
 * -DBUG: without the semaphore.
 * -DLOCK: by a mutex and a condition in the memory, in turns.
 * -DSPIN: by waiting in a loop (Peterson).
 *
 * run:
 * verdict: complete
 * executions: 18
 *
 * run: --por none
 * verdict: complete
 * paths: 18
 *
 * run: -DBUG
 * verdict: complete
 * finding: data-race
 * finding: assertion
 *
 * run: -DLOCK
 * verdict: complete
 *
 * run: -DSPIN
 * verdict: complete */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct shared {
    int count;
    atomic_int wants[2], turn;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int next;
} * shared;
static sem_t *one;

static void open_memory(void) {
    struct stat about;
    shm_unlink("/shared_counter");
    assert(shm_open("/shared_counter", O_RDWR, 0) == -1 && errno == ENOENT);
    int fd = shm_open("/shared_counter", O_CREAT | O_EXCL | O_RDWR, 0600);
    assert(fd >= 0 && ftruncate(fd, sizeof *shared) == 0);
    assert(fstat(fd, &about) == 0 && about.st_size == sizeof *shared);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert(shared != MAP_FAILED && shared->count == 0);
    close(fd);
}

static void init_locks(void) {
    pthread_mutexattr_t mutex;
    pthread_condattr_t condition;
    pthread_mutexattr_init(&mutex);
    pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared->mutex, &mutex);
    pthread_condattr_init(&condition);
    pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&shared->changed, &condition);
}

static void enter(int me) {
#if defined LOCK
    pthread_mutex_lock(&shared->mutex);
    while (shared->next != me)
        pthread_cond_wait(&shared->changed, &shared->mutex);
#elif defined SPIN
    shared->wants[me] = 1;
    shared->turn = !me;
    while (shared->wants[!me] && shared->turn == !me)
        ;
#elif !defined BUG
    (void)me;
    sem_wait(one);
#endif
}

static void leave(int me) {
#if defined LOCK
    shared->next = !me;
    pthread_cond_signal(&shared->changed);
    pthread_mutex_unlock(&shared->mutex);
#elif defined SPIN
    shared->wants[me] = 0;
#elif !defined BUG
    (void)me;
    sem_post(one);
#endif
}

static void count(int me) {
#ifdef SPIN
    enum { TIMES = 1 };
#else
    enum { TIMES = 2 };
#endif
    for (int i = 0; i < TIMES; i++) {
        enter(me);
        shared->count++; /* the line of the race */
        leave(me);
    }
    exit(TIMES);
}

int main(void) {
    int status, wanted = 0;
    open_memory();
    init_locks();
    sem_unlink("/shared_counter");
    one = sem_open("/shared_counter", O_CREAT | O_EXCL, 0600, 1);
    for (int i = 0; i < 2; i++)
        if (fork() == 0)
            count(i);
    while (wait(&status) > 0)
        wanted += WEXITSTATUS(status);
    assert(shared->count == wanted);
    shm_unlink("/shared_counter");
    sem_unlink("/shared_counter");
    return 0;
}
