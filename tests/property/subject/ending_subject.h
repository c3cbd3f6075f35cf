/* ending_subject.h -- what the random programs of ending_source.c are made of, for Heddle and for a
 * native run (-DNATIVE).
 *
 * A thread notes what it sees in `seen`, digit after digit, and tells it once when it is done, as a
 * label.  Natively labels and failures are lines on standard output, and between two statements a
 * thread sleeps now and then.  What cuts a native execution off leaves a beginning of it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#ifdef NATIVE
static unsigned seed_of_delays;

static unsigned draw(void) {
    static _Thread_local unsigned state;
    if (!state)
        state = seed_of_delays * 2654435761u ^ (unsigned)(uintptr_t)&state >> 4;
    state = state * 1103515245u + 12345u;
    return state >> 16;
}

static void say(const char *text) {
    char line[64];
    size_t n = strlen(text);
    memcpy(line, text, n);
    line[n] = '\n';
    if (syscall(SYS_write, 1, line, n + 1) < 0)
        _exit(1);
}

/* No point of cancellation, and neither is say(). */
static void delay(void) {
    struct timespec some = {0, draw() % 400000};
    if (draw() % 3 == 0)
        syscall(SYS_nanosleep, &some, NULL);
}
#define heddle_reach(text) say(text)
#define heddle_choose(lo, hi)                                                                      \
    ((void)((lo) > (hi)), (long)(draw() % (unsigned)((hi) - (lo) + 1)) + (lo))
#define heddle_assume(condition) ((condition) ? (void)0 : _exit(0))
#define check(condition)         ((condition) ? (void)0 : (say("F" TEXT(__LINE__)), _exit(0)))
#define TEXT(x)                  TEXT_OF(x)
#define TEXT_OF(x)               #x
#else
#include <heddle.h>
#define delay()          ((void)0)
#define check(condition) heddle_assert(condition)
#endif

static atomic_int x[3];
static int plain; /* under lock[0] */
static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_spinlock_t spin; /* zero bytes are a free one, in glibc too once it is initialised */
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_key_t key;
static pthread_t first; /* thread, if another one than its creator joins it */
static void *result;    /* of the first thread */
static mtx_t plain_lock;
static pthread_mutex_t robust, again, checked; /* of other types */
static once_flag flag = ONCE_FLAG_INIT;
static _Atomic(int *) block; /* on the heap */
static _Thread_local int own;
static _Atomic(int *) kept; /* the address of a local, or of a thread's own */

/* An input becomes what it is: labels are constant then. */
static unsigned digit(long value) {
    for (unsigned i = 0; i < 7; i++)
        if (value == i)
            return i;
    return 7;
}

/* Label "who:digits". */
static void tell(char who, unsigned seen) {
    char text[24];
    unsigned n = 0;
    text[n++] = who;
    text[n++] = ':';
    for (; seen > 1; seen /= 8)
        text[n++] = (char)('0' + seen % 8);
    text[n] = '\0';
    heddle_reach(text);
}
/* One more digit; a thread sees less than ten things. */
#define SEE(value) (seen = seen * 8 + digit(value))

static struct timespec soon(void) {
    struct timespec when;
    clock_gettime(CLOCK_REALTIME, &when);
    when.tv_nsec += 200000;
    if (when.tv_nsec >= 1000000000) {
        when.tv_nsec -= 1000000000;
        when.tv_sec++;
    }
    return when;
}

static void run_once(void) {
    atomic_fetch_add(&x[0], 1);
}

static void destroy(void *value) {
    unsigned seen = 1;
    SEE(atomic_fetch_add(&x[1], (int)(intptr_t)value));
    tell('d', seen);
}

static void tidy(void *at) {
    atomic_fetch_add((atomic_int *)at, 1);
}

static void unlock(void *at) {
    pthread_mutex_unlock(at);
}

/* A pipe that somebody can always read, so that nobody dies of it; and what a call said.  The
 * numbers are high: natively the C library opens files of its own when a thread ends. */
static int ends[2], spare;

static void open_ends(void) {
    int low[2];
    if (pipe2(low, O_NONBLOCK) < 0)
        _exit(1);
    ends[0] = fcntl(low[0], F_DUPFD, 50);
    ends[1] = fcntl(low[1], F_DUPFD, 50);
    spare = low[0];
    close(low[1]);
}

/* Signals that all threads block: whoever waits for one, or looks for it, takes it. */
static sigset_t taken;

static void block_taken(void) {
    sigemptyset(&taken);
    sigaddset(&taken, SIGUSR2);
    sigaddset(&taken, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &taken, NULL);
}

static int take(int waits) {
    struct timespec none = {0, 0};
    int number = 0;
    if (waits)
        sigwait(&taken, &number);
    else
        number = sigtimedwait(&taken, NULL, &none);
    return number == SIGUSR2 ? 1 : number == SIGHUP ? 2 : 0;
}

static int left(void) {
    sigset_t set;
    sigpending(&set);
    return sigismember(&set, SIGUSR2) + 2 * sigismember(&set, SIGHUP);
}

/* Another one, whose readers wait. */
static int line[2];

static void open_line(void) {
    if (pipe(line) < 0)
        _exit(1);
}

static int told(long result) {
    return result >= 0 ? (int)result : errno == EBADF ? 6 : errno == EAGAIN ? 5 : 4;
}

/* A timer of a quarter of an hour and more, which nobody sees expire: what is left of it, and
 * whether it comes again; and whether it ran when it was set.  (That others could have seen it
 * expire before that is said to be left out, which ends the comparison.) */
static int timer;

static int told_timer(const struct itimerspec *t) {
    return (t->it_value.tv_sec > 0) + 2 * (t->it_interval.tv_sec > 0);
}

static int timer_left(void) {
    struct itimerspec now;
    return timerfd_gettime(timer, &now) < 0 ? 6 : told_timer(&now);
}

static int set_timer(int times, int again) {
    struct itimerspec wanted = {.it_value = {1000 * times, 0}, .it_interval = {1000 * again, 0}},
                      old;
    return timerfd_settime(timer, 0, &wanted, &old) < 0 ? 6 : told_timer(&old);
}

/* Handlers of the end. */
static void finish(void) {
    unsigned seen = 1;
    SEE(atomic_load(&x[0]));
    tell('e', seen);
}

static void finish_too(void) {
    unsigned seen = 1;
    SEE(atomic_exchange(&x[0], 1));
    SEE(pthread_mutex_trylock(&lock[1]) == 0);
    tell('f', seen);
}

/* A handler: who runs it, and how many have. */
static pthread_t main_thread;
static atomic_int n_caught;

static void catch (int number) {
    unsigned seen = 1;
    SEE(!pthread_equal(pthread_self(), main_thread));
    SEE(atomic_fetch_add(&n_caught, 1));
    SEE(atomic_fetch_add(&x[0], number == SIGUSR1));
    tell('h', seen);
}

/* Handlers that do not return. */
static void catch_and_end(int number) {
    catch (number);
    _exit(0);
}

static _Thread_local sigjmp_buf place;

static void catch_and_jump(int number) {
    catch (number);
    siglongjmp(place, 2);
}

/* A jump brings the set of signals back: the second is not blocked either. */
static int jump_away(void) {
    static _Thread_local int n_jumps;
    n_jumps = 0;
    signal(SIGVTALRM, catch_and_jump);
    if (sigsetjmp(place, 1) == 0 || ++n_jumps < 2)
        raise(SIGVTALRM);
    return n_jumps;
}

/* From now on waits fail because of it. */
static void interrupt(void) {
    struct sigaction a = {.sa_handler = catch};
    sigaction(SIGUSR1, &a, NULL);
}

static void suspend(void) {
    sigset_t none;
    sigemptyset(&none);
    sigsuspend(&none);
}

static void let_in(int how) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(how, &set, NULL);
}

/* The thread ends in nested calls. */
__attribute__((noinline)) static void leave(int depth) {
    int here = depth;
    if (depth <= 0)
        pthread_exit(NULL);
    leave(here - 1);
}

__attribute__((noinline)) static int descend(int depth, int which) {
    if (depth <= 0)
        return 0;
    int here = atomic_fetch_add(&x[which], 1);
    return here + descend(depth - 1, which);
}

/* Others get the address of a local whose function returns, or whose thread ends in it. */
__attribute__((noinline)) static int lend(int value) {
    int here = value;
    atomic_store(&kept, &here);
    if (value < 0)
        leave(1);
    return here;
}

static unsigned char byte(void) {
#ifdef NATIVE
    return (unsigned char)draw();
#else
    unsigned char input;
    heddle_input(input);
    return input;
#endif
}

static void prepare_mutex(pthread_mutex_t *at, int type, int robustness) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutexattr_setrobust(&attributes, robustness);
    pthread_mutex_init(at, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

static pthread_t create(void *(*body)(void *), void *argument, int is_detached) {
    pthread_attr_t attributes;
    pthread_t child;
    pthread_attr_init(&attributes);
    if (is_detached)
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&child, &attributes, body, argument);
    pthread_attr_destroy(&attributes);
    return child;
}

/* Processes that end with 1, 2, ... */
static pid_t born; /* the last of them */

static void bear(int n) {
    for (int i = 1; i <= n; i++) {
        born = fork();
        if (born == 0) {
            own += i; /* of the child: its parent's stays */
            _exit(own);
        }
    }
}

/* A child that sends its parent a signal, which may have ended. */
static void bear_sender(void) {
    pid_t parent = getpid();
    if (fork() == 0) {
        kill(parent, SIGUSR1);
        _exit(3);
    }
}

static int await(int options) {
    int status;
    pid_t child = waitpid(-1, &status, options);
    return child > 0 ? WEXITSTATUS(status) : child < 0 ? 4 : 0;
}

static void prepare(unsigned value, unsigned meet) {
    sem_init(&semaphore, 0, value);
    pthread_barrier_init(&barrier, NULL, meet);
    pthread_key_create(&key, destroy);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    mtx_init(&plain_lock, mtx_plain);
    prepare_mutex(&robust, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
    prepare_mutex(&again, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
    prepare_mutex(&checked, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
#ifdef NATIVE
    seed_of_delays = (unsigned)getpid() + 1;
#endif
}
