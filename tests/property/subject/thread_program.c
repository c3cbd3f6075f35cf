/* The program under test of property_threads.c: threads that do what its arguments say.
 *
 *     thread_program MAIN CODE...       numbers in hexadecimal
 *
 * Each CODE is the program of one thread: operations of eight bits from the lowest on, two bits of
 * operand below six bits of kind, up to a zero.  MAIN says what main does: four bits are the value
 * of the semaphore, four the threads that it joins, four how it ends (enum how_main_ends), the rest
 * how many others come and go first, one at a time, so that these threads have high numbers.  The
 * code is the argument of the thread, so that fetching operations is nobody else's business.  The
 * labels that an execution reaches at its end say what memory holds. */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_THREADS = 3 };

static atomic_int x[3];
static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static pthread_barrier_t barrier;

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

static int try_shared_lock(unsigned *held, unsigned how) {
    int r = (how ? pthread_rwlock_trywrlock(&shared) : pthread_rwlock_tryrdlock(&shared)) == 0;
    *held |= (unsigned)r << (how ? WRITING : READING);
    return r;
}

static int use_semaphore(int r, unsigned how) {
    if (how == 3)
        sem_getvalue(&semaphore, &r);
    else if (how == 0)
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

static int wait_with_a_limit(int r, unsigned held, unsigned which) {
    struct timespec when = {0};
    if (held >> which & 1)
        r = pthread_cond_timedwait(&condition, &mutex[which], &when) != 0;
    return r;
}

static int input(void) {
    unsigned char value;
    heddle_input(value);
    return value & 3;
}

/* The thread ends in nested calls. */
__attribute__((noinline)) static void leave(unsigned depth) {
    if (depth == 0)
        pthread_exit(NULL);
    leave(depth - 1);
}

typedef void (*check)(int holds);

static void run(uint64_t code, check asserts) {
    int r = 0;
    unsigned held = 0;
    for (; code & 255; code >>= 8) {
        unsigned operand = code & 3;
        switch (code >> 2 & 63) {
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
                code >>= 8;
            break;
        case 15:
            asserts(r != (int)operand);
            break;
        case 16:
            r = try_shared_lock(&held, operand);
            break;
        case 17:
            r = wait_with_a_limit(r, held, operand);
            break;
        case 18:
            pthread_barrier_wait(&barrier);
            break;
        case 19:
            r = input();
            break;
        case 20:
            heddle_assume(r != (int)operand);
            break;
        case 21:
            leave(operand);
            break;
        default:
            exit(0);
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

enum how_main_ends { REPORTS, RETURNS, EXITS, LEAVES };

static int end_main(unsigned how) {
    if (how == REPORTS)
        report();
    if (how == EXITS)
        exit(0);
    if (how == LEAVES)
        leave(1);
    return 0;
}

static void *come_and_go(void *nothing) {
    return nothing;
}

static void let_others_go_first(unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, come_and_go, NULL);
        pthread_join(thread, NULL);
    }
}

int main(int argc, char **argv) {
    static void *(*const begin[MAX_THREADS])(void *) = {run_0, run_1, run_2};
    pthread_t thread[MAX_THREADS];
    uint64_t code[MAX_THREADS];
    int n = argc - 2 < MAX_THREADS ? argc - 2 : MAX_THREADS;
    unsigned what = (unsigned)number(argv[1]);
    sem_init(&semaphore, 0, what & 15);
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < n; i++) /* before there are threads, to whom it would be something */
        code[i] = number(argv[i + 2]);
    let_others_go_first(what >> 12);
    for (int i = 0; i < n; i++)
        pthread_create(&thread[i], NULL, begin[i], (void *)(uintptr_t)code[i]);
    for (int i = 0; i < n; i++)
        if (what >> 4 >> i & 1)
            pthread_join(thread[i], NULL);
    return end_main(what >> 8 & 15);
}
