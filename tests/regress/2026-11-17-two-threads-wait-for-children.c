/* Two threads of a process wait for its children: who gets which is a question of order, and who
 * comes too late is told that there is none (it waited for ever).
 *
 * run: --no-leaks
 * verdict: complete
 * label: thread-first
 * label: thread-second
 *
 * run: --no-leaks --por none
 * verdict: complete
 * label: thread-first
 * label: thread-second
 *
 * run: --no-leaks -DONE
 * verdict: complete
 * label: main-none
 * label: thread-none */
#include <errno.h>
#include <heddle.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int mine;

static void *waits(void *unused) {
    int status;
    mine = wait(&status) > 0 ? WEXITSTATUS(status) : -errno;
    return unused;
}

int main(void) {
    pthread_t t;
    int status, other;
    if (fork() == 0)
        _exit(1);
#ifndef ONE
    if (fork() == 0)
        _exit(2);
#endif
    pthread_create(&t, NULL, waits, NULL);
    other = wait(&status) > 0 ? WEXITSTATUS(status) : -errno;
    pthread_join(t, NULL);
#ifdef ONE
    heddle_assert((mine == 1 && other == -ECHILD) || (mine == -ECHILD && other == 1));
    heddle_reach(mine == 1 ? "main-none" : "thread-none");
#else
    heddle_assert(mine + other == 3);
    heddle_reach(mine == 1 ? "thread-first" : "thread-second");
#endif
    return 0;
}
