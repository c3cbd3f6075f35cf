/* flock() and F_SETLKW that had to wait ended the execution.  And what flock() could not change without
 * waiting it kept: Linux gives the old lock back first.
 *
 * run: -DRECORDS
 * verdict: complete
 * paths: 4
 *
 * run: -DRECORDS --por none
 * verdict: complete
 * paths: 4
 *
 * run: -DTHREADS
 * verdict: complete
 * paths: 36
 *
 * run: -DTHREADS --por none
 * verdict: complete
 * paths: 36
 *
 * run: -DCIRCLE
 * verdict: complete
 * paths: 74
 * label: parent-fails
 * label: child-fails
 * label: parent-waits
 * label: child-waits
 *
 * run: -DCIRCLE --por none
 * verdict: complete
 * paths: 74
 *
 * run: -DCIRCLE --por dpor
 * verdict: complete
 * paths: 74
 *
 * run: -DTWICE
 * verdict: complete
 * finding: deadlock
 * says: waits for a lock of a file
 *
 * run: -DLEFT
 * verdict: complete
 * label: free
 * label: busy
 *
 * run: -DINTERRUPTED
 * verdict: complete
 * paths: 32
 * label: interrupted
 * label: locked
 *
 * run: -DCHANGED
 * verdict: complete */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int open_it(void) {
    return open("/tmp/heddle-locks-of-files", O_CREAT | O_RDWR, 0600);
}

#if defined RECORDS || defined CIRCLE
static int set(int file, int type, int at) {
    struct flock l = {.l_type = (short)type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};
    return fcntl(file, F_SETLKW, &l);
}
#endif

#ifdef RECORDS
int main(void) {
    int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int file = open_it();
    pid_t child = fork();
    assert(set(file, F_WRLCK, 0) == 0);
    int old = *shared;
    *shared = old + 1;
    set(file, F_UNLCK, 0);
    if (child == 0)
        _exit(0);
    wait(NULL);
    assert(*shared == 2);
    return 0;
}
#elif defined THREADS
static int n;

static void *adds(void *unused) {
    int file = open_it();
    assert(flock(file, LOCK_EX) == 0);
    n++;
    flock(file, LOCK_UN);
    close(file);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, adds, NULL);
    adds(NULL);
    pthread_join(thread, NULL);
    assert(n == 2);
    return 0;
}
#elif defined CIRCLE
int main(void) {
    int file = open_it();
    pid_t child = fork();
    int own = child ? 0 : 1;
    assert(set(file, F_WRLCK, own) == 0);
    if (set(file, F_WRLCK, 1 - own) == 0)
        heddle_reach(child ? "parent-waits" : "child-waits");
    else {
        assert(errno == EDEADLK);
        heddle_reach(child ? "parent-fails" : "child-fails");
        set(file, F_UNLCK, own);
    }
    set(file, F_UNLCK, 1 - own);
    set(file, F_UNLCK, own);
    if (child == 0)
        _exit(0);
    wait(NULL);
    return 0;
}
#elif defined TWICE
int main(void) {
    flock(open_it(), LOCK_EX);
    flock(open_it(), LOCK_EX); // BUG deadlock
    return 0;
}
#elif defined LEFT
int main(void) {
    int ends[2];
    char c;
    pipe(ends);
    if (fork() == 0) {
        flock(open_it(), LOCK_EX);
        write(ends[1], "x", 1);
        _exit(0);
    }
    read(ends[0], &c, 1);
    int file = open_it();
    heddle_reach(flock(file, LOCK_EX | LOCK_NB) == 0 ? "free" : "busy");
    assert(flock(file, LOCK_EX) == 0);
    wait(NULL);
    return 0;
}
#elif defined INTERRUPTED
static void handle(int number) {
    (void)number;
}

static void *waits(void *unused) {
    int file = open_it(), result = flock(file, LOCK_EX);
    assert(result == 0 || errno == EINTR);
    heddle_reach(result == 0 ? "locked" : "interrupted");
    close(file);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct sigaction a = {.sa_handler = handle};
    int file = open_it();
    sigaction(SIGUSR1, &a, NULL);
    flock(file, LOCK_EX);
    pthread_create(&thread, NULL, waits, NULL);
    pthread_kill(thread, SIGUSR1);
    close(file);
    pthread_join(thread, NULL);
    return 0;
}
#else
int main(void) {
    int a = open_it(), b = open_it(), c = open_it();
    assert(flock(a, LOCK_SH) == 0 && flock(b, LOCK_SH) == 0);
    assert(flock(a, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK);
    assert(flock(b, LOCK_UN) == 0 && flock(c, LOCK_EX | LOCK_NB) == 0);
    return 0;
}
#endif
