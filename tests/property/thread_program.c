/* The program under test of property_threads.c: threads that do what its arguments say.
 *
 *     thread_program SEMAPHORE CODE...       numbers in hexadecimal
 *
 * Each CODE is the program of one thread: operations of six bits from the lowest on, two bits of
 * operand below four bits of kind, up to a zero.  The code is the argument of the thread, so that
 * fetching operations is nobody else's business.  The labels that an execution reaches at its end say
 * what memory holds. */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>

enum { MAX_THREADS = 3 };

static atomic_int x[3];
static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;

typedef struct self {
    int r;
    unsigned held; /* mutex 0 and 1, the lock for writing, for reading */
} self;

static int exchange(atomic_int *at, int expected, int wanted) {
    return atomic_compare_exchange_strong(at, &expected, wanted);
}

static void lock(self *s, unsigned which) {
    pthread_mutex_lock(&mutex[which]);
    s->held |= 1u << which;
}

static void try_lock(self *s, unsigned which) {
    s->r = pthread_mutex_trylock(&mutex[which]) == 0;
    s->held |= (unsigned)s->r << which;
}

static void unlock(self *s, unsigned which) {
    if (!(s->held >> which & 1))
        return;
    s->held &= ~(1u << which);
    pthread_mutex_unlock(&mutex[which]);
}

static void use_semaphore(self *s, unsigned how) {
    if (how == 0)
        sem_wait(&semaphore);
    else if (how == 1)
        s->r = sem_trywait(&semaphore) == 0;
    else
        sem_post(&semaphore);
}

static void use_condition(self *s, unsigned how) {
    if (how == 2)
        pthread_cond_signal(&condition);
    else if (how == 3)
        pthread_cond_broadcast(&condition);
    else if (s->held >> how & 1)
        pthread_cond_wait(&condition, &mutex[how]);
}

static void use_shared_lock(self *s, unsigned how) {
    if (how == 0) {
        pthread_rwlock_rdlock(&shared);
        s->held |= 8;
    } else if (how == 1) {
        pthread_rwlock_wrlock(&shared);
        s->held |= 4;
    } else if (s->held & (how == 2 ? 8 : 4)) {
        s->held &= how == 2 ? ~8u : ~4u;
        pthread_rwlock_unlock(&shared);
    }
}

static void *run(void *argument) {
    self s = {0};
    for (uint64_t code = (uint64_t)(uintptr_t)argument; code & 63; code >>= 6) {
        unsigned operand = code & 3;
        switch (code >> 2 & 15) {
        case 1:
            s.r = x[operand];
            break;
        case 2:
            x[operand] = 1;
            break;
        case 3:
            x[operand] = 2;
            break;
        case 4:
            s.r = atomic_fetch_add(&x[operand], 1);
            break;
        case 5:
            s.r = exchange(&x[operand], 0, 1);
            break;
        case 6:
            s.r = exchange(&x[operand], 1, 2);
            break;
        case 7:
            x[operand] = s.r;
            break;
        case 8:
            lock(&s, operand);
            break;
        case 9:
            try_lock(&s, operand);
            break;
        case 10:
            unlock(&s, operand);
            break;
        case 11:
            use_semaphore(&s, operand);
            break;
        case 12:
            use_condition(&s, operand);
            break;
        case 13:
            use_shared_lock(&s, operand);
            break;
        case 14:
            if (s.r == (int)operand)
                code >>= 6;
            break;
        default:
            assert(s.r != (int)operand);
        }
    }
    return 0;
}

static uint64_t number(const char *text) {
    uint64_t n = 0;
    for (; *text; text++)
        n = n << 4 | (unsigned)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
    return n;
}

static void report(void) {
    static const char *const labels[3][4] = {{"x0=0", "x0=1", "x0=2", "x0=other"},
                                             {"x1=0", "x1=1", "x1=2", "x1=other"},
                                             {"x2=0", "x2=1", "x2=2", "x2=other"}};
    for (int i = 0; i < 3; i++)
        heddle_reach(labels[i][x[i] < 3 ? x[i] : 3]);
}

int main(int argc, char **argv) {
    pthread_t thread[MAX_THREADS];
    int n = argc - 2 < MAX_THREADS ? argc - 2 : MAX_THREADS;
    sem_init(&semaphore, 0, (unsigned)number(argv[1]));
    for (int i = 0; i < n; i++)
        pthread_create(&thread[i], NULL, run, (void *)(uintptr_t)number(argv[i + 2]));
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    report();
    return 0;
}
