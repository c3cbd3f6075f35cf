/* kill(pid, 0) asks whether a process is there, and any other signal does too: it is gone when its
 * parent has waited for it, when its parent ignores SIGCHLD, or has ended itself, as has main's.
 * Asking was no event, and main was always there.
 *
 * run: -DMAIN
 * verdict: complete
 * label: there
 * label: gone
 *
 * run: -DMAIN --por dpor
 * verdict: complete
 * label: there
 * label: gone
 *
 * run: -DMAIN --por none
 * verdict: complete
 * label: there
 * label: gone
 *
 * run: -DSIBLING
 * verdict: complete
 * label: there
 * label: gone
 *
 * run: -DSIBLING --por dpor
 * verdict: complete
 * label: there
 * label: gone
 *
 * run: -DSIBLING --por none
 * verdict: complete
 * label: there
 * label: gone
 *
 * run: -DIGNORED
 * verdict: complete
 * label: there
 * label: gone
 *
 * run: -DIGNORED --por dpor
 * verdict: complete
 * label: there
 * label: gone
 *
 * run: -DIGNORED --por none
 * verdict: complete
 * label: there
 * label: gone
 *
 * run: -DGRANDCHILD
 * verdict: complete
 * label: there
 * label: gone
 *
 * run: -DGRANDCHILD --por dpor
 * verdict: complete
 * label: there
 * label: gone
 *
 * run: -DGRANDCHILD --por none
 * verdict: complete
 * label: there
 * label: gone */
#include <errno.h>
#include <heddle.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void ask(int pid) {
    heddle_reach(kill(pid, 0) == 0 ? "there" : errno == ESRCH ? "gone" : "?");
}

int main(void) {
    int self = getpid();
#ifdef IGNORED
    signal(SIGCHLD, SIG_IGN);
#endif
    int child = fork();
    if (child == 0) {
#if defined MAIN
        ask(self);
#elif defined GRANDCHILD
        self = getpid();
        if (fork() == 0)
            ask(self);
#endif
        _exit(0);
    }
#if defined SIBLING
    if (fork() == 0) {
        ask(child);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    waitpid(-1, NULL, 0);
#elif defined IGNORED
    ask(child);
#elif defined GRANDCHILD
    wait(NULL);
#endif
    return self == 0;
}
