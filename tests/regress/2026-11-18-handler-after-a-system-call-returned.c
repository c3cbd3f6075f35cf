/* A handler of a signal that had come while a system call was under way ran before the next visible
 * operation, not before the call returned: `waitpid(...); assert(0);` failed although the handler
 * of SIGCHLD does not return, which cannot happen.  Linux sends SIGCHLD before it lets waitpid()
 * go, and runs handlers when a call leaves the kernel.  Nor was the set of signals that sigsetjmp()
 * keeps brought back by siglongjmp(), and that a jump out of a handler can come at any instruction
 * was not said.
 *
 * run:
 * verdict: complete
 * label: ended
 *
 * run: -DJUMPS
 * verdict: incomplete
 * reason: handlers that are left by a jump run between visible operations only
 * label: left
 *
 * run: -DASSUMES
 * verdict: complete
 *
 * run: -DREADS
 * verdict: complete
 * label: ended
 *
 * run: -DREADS -DJUMPS
 * verdict: incomplete
 * reason: handlers that are left by a jump run between visible operations only
 * label: left
 *
 * run: -DASKS
 * verdict: complete
 * label: ended
 *
 * run: -DSPINS
 * verdict: complete
 * label: ended
 * label: late
 *
 * run: -DFAILS
 * verdict: complete
 * label: failed
 *
 * run: -DTWICE -DJUMPS
 * verdict: complete
 * label: twice */
#include <assert.h>
#include <errno.h>
#include <heddle.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static sigjmp_buf away;
static atomic_int *shared;

static void handle(int number) {
    (void)number;
#if defined JUMPS
    siglongjmp(away, 1);
#elif defined ASSUMES
    heddle_assume(0);
#elif defined FAILS
    errno = E2BIG;
#else
    heddle_reach("ended");
    _exit(0);
#endif
}

int main(void) {
    int ends[2], n = 0;
    char c;
    pid_t me = getpid();
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pipe(ends);
#if defined READS || defined ASKS || defined SPINS || defined FAILS || defined TWICE
    signal(SIGUSR1, handle);
#else
    signal(SIGCHLD, handle);
#endif
#ifdef FAILS
    int pair[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    write(pair[0], "a", 1);
#endif
    if (sigsetjmp(away, 1)) {
#ifdef TWICE
        if (++*shared < 3)
            raise(SIGUSR1); /* it is not blocked any more */
        assert(*shared == 3);
        heddle_reach("twice");
#else
        heddle_reach("left");
#endif
        return 0;
    }
#ifdef TWICE
    raise(SIGUSR1);
    assert(0);
#endif
    pid_t child = fork();
    if (!child) {
#if defined READS || defined ASKS || defined SPINS || defined FAILS
        kill(me, SIGUSR1);
        *shared = 1;
#endif
#ifdef READS
        write(ends[1], "a", 1);
#endif
        _exit(0);
    }
#if defined READS
    while (read(ends[0], &c, 1) != 1)
        ;
    assert(0);
#elif defined ASKS
    while (!*shared)
        ;
    getppid();
    assert(0);
#elif defined SPINS
    while (!*shared)
        ;
    heddle_reach("late"); /* memory is seen at once, a signal takes its time */
    getppid();
    assert(0);
#elif defined FAILS
    close(pair[1]);
    n = read(pair[0], &c, 1); /* what the child has not read resets the connection */
    assert(n == -1 && errno == ECONNRESET);
    heddle_reach("failed");
#else
    while (waitpid(child, NULL, 0) != child)
        ;
    assert(0);
#endif
    (void)n, (void)c;
    return 0;
}
