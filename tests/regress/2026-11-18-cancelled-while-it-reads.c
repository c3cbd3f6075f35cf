/* A thread is cancelled before or while it waits for a pipe, a child or a poll, or writes.  Calls on
 * descriptors had nothing to do with cancellation unless they were waiting when it came, and no order
 * was tried because of it: "returned" only, and complete.
 *
 * run:
 * verdict: complete
 * paths: 5
 * label: cancelled-EPIPE
 * label: cancelled
 * label: returned
 *
 * run: --por none
 * verdict: complete
 * paths: 5
 * label: cancelled-EPIPE
 * label: cancelled
 * label: returned
 *
 * run: -DWRITES
 * verdict: complete
 * paths: 3
 * label: 0-written
 * label: 1-written
 * label: 2-written
 *
 * run: -DPOLLS
 * verdict: complete
 * label: cancelled
 * label: returned
 *
 * run: -DNOTHING
 * verdict: complete
 * paths: 2
 * label: cancelled
 *
 * run: -DCHILD
 * verdict: complete
 * label: cancelled
 * label: returned
 *
 * run: -DCHILD --por none
 * verdict: complete
 * label: cancelled
 * label: returned */
#include <errno.h>
#include <heddle.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];

static void tidy(void *unused) {
    (void)unused;
    close(ends[0]);
}

static void *work(void *unused) {
    char c;
#ifdef WRITES
    write(ends[1], "a", 1);
    write(ends[1], "b", 1);
#elif defined POLLS
    struct pollfd some = {ends[0], POLLIN, 0};
    poll(&some, 1, -1);
#elif defined CHILD
    wait(NULL);
#elif defined NOTHING
    read(ends[0], &c, 1);
#else
    pthread_cleanup_push(tidy, NULL);
    read(ends[0], &c, 1);
    pthread_cleanup_pop(0);
#endif
    (void)c, (void)tidy;
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    int error = 0;
    pipe(ends);
    signal(SIGPIPE, SIG_IGN);
#ifdef CHILD
    if (fork() == 0)
        _exit(3);
#endif
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
#if !defined WRITES && !defined NOTHING && !defined CHILD
    if (write(ends[1], "x", 1) < 0)
        error = errno;
#endif
    pthread_join(thread, &result);
#ifdef WRITES
    int n;
    ioctl(ends[0], FIONREAD, &n);
    heddle_reach(n == 0 ? "0-written" : n == 1 ? "1-written" : "2-written");
#else
    heddle_reach(result != PTHREAD_CANCELED ? "returned"
                 : error == EPIPE           ? "cancelled-EPIPE"
                                            : "cancelled");
#endif
    return 0;
}
