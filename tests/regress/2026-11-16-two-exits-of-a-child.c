/* Two threads of a child both end it, with different statuses: only one order was explored, because
 * what waited when a process ended was remembered for the last process only.
 *
 * run:
 * label: status-0
 * label: status-1
 * verdict: incomplete
 * reason: a process ends when its threads have to wait
 * reason-at: 32
 * run: --por flip
 * label: status-0
 * label: status-1
 * verdict: incomplete
 * run: --por dpor
 * label: status-0
 * label: status-1
 * verdict: incomplete */
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *ender(void *unused) {
    exit(0);
    return unused;
}

static void child(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, ender, NULL);
    exit(1);
}

int main(void) {
    int status = 0;
    if (fork() == 0)
        child();
    wait(&status);
    heddle_reach(WEXITSTATUS(status) ? "status-1" : "status-0");
    return 0;
}
