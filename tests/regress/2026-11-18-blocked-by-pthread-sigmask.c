/* A program that blocks a signal with pthread_sigmask() and knows no other function about signals: kill()
 * of a thread ended the process although it was blocked.  And what a process has sent itself, and
 * lets in later, ended it without a finding.
 *
 * run:
 * verdict: complete
 * finding: signal
 * label: not-yet
 * label: pending
 *
 * run: --por none
 * verdict: complete
 * finding: signal
 * label: not-yet
 * label: pending */
#include <heddle.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void *sends(void *unused) {
    kill(getpid(), SIGUSR1);
    return unused;
}

static int is_pending(void) {
    sigset_t set;
    sigpending(&set);
    return sigismember(&set, SIGUSR1);
}

int main(void) {
    pthread_t thread;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, sends, NULL);
    heddle_reach(is_pending() ? "pending" : "not-yet");
    pthread_join(thread, NULL);
    heddle_assert(is_pending());
    heddle_reach("joined");
    pthread_sigmask(SIG_UNBLOCK, &set, NULL); // BUG signal
    return 1;
}
