/* The program under test of property_threads.c: threads that do what its arguments say.
 *
 *     thread_program SEMAPHORE CODE...       numbers in hexadecimal
 *
 * Each CODE is the program of one thread: operations of six bits from the lowest on, two bits of
 * operand below four bits of kind, up to a zero.  The code is the argument of the thread, so that
 * fetching operations is nobody else's business.  The labels that an execution reaches at its end
 * say what memory holds. */
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

/* Bits of what a thread holds; mutexes have their number. */
enum { WRITING = 2, READING = 3 };

static int exchange(atomic_int *at, int expected, int wanted) {
    return atomic_compare_exchange_strong(at, &expected, wanted);
}

/* These answer what is held afterwards. */
static unsigned lock(unsigned held, unsigned which) {
    pthread_mutex_lock(&mutex[which]);
    return held | 1u << which;
}

static unsigned unlock(unsigned held, unsigned which) {
    if (held >> which & 1)
        pthread_mutex_unlock(&mutex[which]);
    return held & ~(1u << which);
}

static unsigned use_shared_lock(unsigned held, unsigned how) {
    unsigned bit = 1u << (how % 2 ? WRITING : READING);
    if (how == 0)
        pthread_rwlock_rdlock(&shared);
    else if (how == 1)
        pthread_rwlock_wrlock(&shared);
    else if (held & bit)
        pthread_rwlock_unlock(&shared);
    return how < 2 ? held | bit : held & ~bit;
}

static int use_semaphore(int r, unsigned how) {
    if (how == 0)
        sem_wait(&semaphore);
    else if (how == 1)
        r = sem_trywait(&semaphore) == 0;
    else
        sem_post(&semaphore);
    return r;
}

static void use_condition(unsigned held, unsigned how) {
    if (how == 2)
        pthread_cond_signal(&condition);
    else if (how == 3)
        pthread_cond_broadcast(&condition);
    else if (held >> how & 1)
        pthread_cond_wait(&condition, &mutex[how]);
}

typedef void (*check)(int holds);

static void run(uint64_t code, check asserts) {
    int r = 0;
    unsigned held = 0;
    for (; code & 63; code >>= 6) {
        unsigned operand = code & 3;
        switch (code >> 2 & 15) {
        case 1:
            r = x[operand];
            break;
        case 2:
            x[operand] = 1;
            break;
        case 3:
            x[operand] = 2;
            break;
        case 4:
            r = atomic_fetch_add(&x[operand], 1);
            break;
        case 5:
            r = exchange(&x[operand], 0, 1);
            break;
        case 6:
            r = exchange(&x[operand], 1, 2);
            break;
        case 7:
            x[operand] = r;
            break;
        case 8:
            held = lock(held, operand);
            break;
        case 9:
            r = pthread_mutex_trylock(&mutex[operand]) == 0;
            held |= (unsigned)r << operand;
            break;
        case 10:
            held = unlock(held, operand);
            break;
        case 11:
            r = use_semaphore(r, operand);
            break;
        case 12:
            use_condition(held, operand);
            break;
        case 13:
            held = use_shared_lock(held, operand);
            break;
        case 14:
            if (r == (int)operand)
                code >>= 6;
            break;
        default:
            asserts(r != (int)operand);
        }
    }
}

/* Every thread asserts in a function of its own: two that fail are two findings. */
#define THREAD(n)                                                                                  \
    static void assert_##n(int holds) {                                                            \
        assert(holds);                                                                             \
    }                                                                                              \
    static void *run_##n(void *code) {                                                             \
        run((uint64_t)(uintptr_t)code, assert_##n);                                                \
        return 0;                                                                                  \
    }
THREAD(0)
THREAD(1)
THREAD(2)

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
    static void *(*const begin[MAX_THREADS])(void *) = {run_0, run_1, run_2};
    pthread_t thread[MAX_THREADS];
    int n = argc - 2 < MAX_THREADS ? argc - 2 : MAX_THREADS;
    sem_init(&semaphore, 0, (unsigned)number(argv[1]));
    for (int i = 0; i < n; i++)
        pthread_create(&thread[i], NULL, begin[i], (void *)(uintptr_t)number(argv[i + 2]));
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    report();
    return 0;
}
