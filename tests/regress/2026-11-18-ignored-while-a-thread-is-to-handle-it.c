/* A signal was sent to a thread that waits, and before it has taken it another thread changes the handler.  That
 * is in conflict with all that the thread does: each handler runs in some class.  If it is ignored from then
 * on the wait may have been interrupted before that, which searches other than `none` do not see: said.
 *
 * run:
 * verdict: complete
 * paths: 35
 * label: interrupted
 * label: first
 * label: second
 *
 * run: --por none
 * verdict: complete
 * paths: 35
 *
 * run: -DIGNORED
 * verdict: incomplete
 * reason: a signal that another thread takes or ignores interrupts no wait before that */
#include <heddle.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];
static _Atomic int n;

static void handle_first(int number) {
    (void)number;
    n = 1;
}

static void handle_second(int number) {
    (void)number;
    n = 2;
}

static void *reads(void *unused) {
    char c;
    heddle_reach(read(ends[0], &c, 1) == 1 ? "read" : "interrupted");
    return unused;
}

int main(void) {
    pthread_t thread;
    struct sigaction a = {.sa_handler = handle_first};
    pipe(ends);
    sigaction(SIGUSR1, &a, NULL);
    pthread_create(&thread, NULL, reads, NULL);
    pthread_kill(thread, SIGUSR1);
#ifdef IGNORED
    a.sa_handler = SIG_IGN;
    (void)handle_second;
#else
    a.sa_handler = handle_second;
#endif
    sigaction(SIGUSR1, &a, NULL);
    write(ends[1], "x", 1);
    pthread_join(thread, NULL);
    heddle_reach(n == 0 ? "none" : n == 1 ? "first" : "second");
    return 0;
}
