/* Which thread is the last one is no matter when another has failed: the program has ended then, and no handlers run.  With a
 * signal in the program the last thread ended it once more, in the orders in which it came after the failure; `none` had
 * two classes, the others one.
 *
 * run: --por none
 * verdict: complete
 * paths: 1
 * finding: assertion
 *
 * run:
 * verdict: complete
 * paths: 1
 * finding: assertion */
#include <heddle.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void begin(void) {}

static void ignore(int number) {
    (void)number;
}

static void *fail(void *unused) {
    kill(getpid(), SIGHUP);
    heddle_assert(unused);
    return unused;
}

int main(void) {
    sigset_t blocked;
    pthread_t t;
    signal(SIGHUP, ignore);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    pthread_create(&t, NULL, fail, NULL);
    pthread_once(&once, begin);
    pthread_exit(NULL);
}
