/* A preprocessed program has the declarations of the library in it, often those for 32 bits, whose
 * locks are smaller: the bytes behind them were said to be out of bounds, or overwritten.
 *
 * run:
 * verdict: complete
 *
 * run: -DRACE
 * verdict: complete
 * finding: data-race */
typedef unsigned long pthread_t;
typedef union {
    char bytes[24];
    long align;
} pthread_mutex_t;
typedef union {
    char bytes[32];
    long align;
} pthread_rwlock_t;
typedef union {
    char bytes[20];
    long align;
} pthread_barrier_t;
typedef union {
    char bytes[16];
    long align;
} sem_t;

extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_init(pthread_mutex_t *, const void *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_mutex_destroy(pthread_mutex_t *);
extern int pthread_rwlock_wrlock(pthread_rwlock_t *);
extern int pthread_rwlock_unlock(pthread_rwlock_t *);
extern int pthread_barrier_init(pthread_barrier_t *, const void *, unsigned);
extern int pthread_barrier_wait(pthread_barrier_t *);
extern int sem_init(sem_t *, int, unsigned);
extern int sem_wait(sem_t *);
extern int sem_post(sem_t *);
extern void __assert_fail(const char *, const char *, unsigned, const char *);

static struct {
    pthread_mutex_t mutex;
    long behind_mutex;
    pthread_rwlock_t rwlock;
    long behind_rwlock;
    pthread_barrier_t barrier;
    long behind_barrier;
    sem_t semaphore;
    long behind_semaphore;
} all = {.behind_mutex = 1, .behind_rwlock = 2, .behind_barrier = 3, .behind_semaphore = 4};
static pthread_mutex_t last[2];
static int count;

static void *work(void *unused) {
    pthread_barrier_wait(&all.barrier);
    pthread_mutex_lock(&all.mutex);
    pthread_mutex_lock(&last[1]);
    count++;
    pthread_mutex_unlock(&last[1]);
    pthread_mutex_unlock(&all.mutex);
    pthread_rwlock_wrlock(&all.rwlock);
    count++; // BUG data-race
    pthread_rwlock_unlock(&all.rwlock);
    sem_post(&all.semaphore);
    return unused;
}

static void check(int holds) {
    if (!holds)
        __assert_fail("intact", __FILE__, __LINE__, __func__);
}

int main(void) {
    pthread_t thread;
    pthread_mutex_init(&all.mutex, 0);
    pthread_mutex_init(&last[1], 0);
    pthread_barrier_init(&all.barrier, 0, 2);
    sem_init(&all.semaphore, 0, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_barrier_wait(&all.barrier);
#ifdef RACE
    pthread_mutex_lock(&all.mutex);
    count++; // BUG data-race
    pthread_mutex_unlock(&all.mutex);
#endif
    sem_wait(&all.semaphore);
    pthread_join(thread, 0);
    pthread_mutex_destroy(&all.mutex);
    check(all.behind_mutex == 1 && all.behind_rwlock == 2);
    check(all.behind_barrier == 3 && all.behind_semaphore == 4);
    return 0;
}
