/* A group of processes, and a look at it whenever it ends or a signal comes (compiling.h).
 *
 * A signal that comes between looking and waiting is seen a moment later: no wait is longer than
 * that. */
#include "compile/compiling.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/panic.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define MOMENT 0.2  /* seconds */
#define GLANCE 0.02 /* the same where the kernel has no descriptors of processes (before 5.3) */

/* A group that is not the terminal's writes to it as it likes: clang's words are not held up (stty
 * tostop). */
static int start(char *const *argv, const sigset_t *before, pid_t *pid) {
    posix_spawnattr_t how;
    sigset_t blocked = *before;
    sigaddset(&blocked, SIGTTOU);
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setsigmask(&how, &blocked);
    int failure = posix_spawn(pid, argv[0], NULL, &how, argv, environ);
    posix_spawnattr_destroy(&how);
    return failure;
}

static bool has_ended(pid_t pid, hd_compiling *r) {
    int code;
    pid_t found = waitpid(pid, &code, WNOHANG);
    if (found == 0 || (found < 0 && errno == EINTR))
        return false;
    if (found < 0)
        *r = (hd_compiling){HD_COMPILING_LOST, errno};
    else if (WIFSIGNALED(code))
        *r = (hd_compiling){HD_COMPILING_KILLED, WTERMSIG(code)};
    else
        *r = (hd_compiling){HD_COMPILING_EXITED, WEXITSTATUS(code)};
    return true;
}

static void end_group(pid_t pid) {
    HD_ASSERT(pid > 1);
    kill(-pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

static void wait_a_moment(int process, double seconds) {
    struct pollfd p = {.fd = process, .events = POLLIN};
    double most = process < 0 ? GLANCE : MOMENT, least = seconds < most ? seconds : most;
    poll(&p, 1, least > 0 ? (int)(least * 1000) + 1 : 0);
}

/* True when it is to go on no longer. */
static bool is_over(double deadline, hd_compiling *r) {
    if (*hd_interrupts_count())
        *r = (hd_compiling){HD_COMPILING_INTERRUPTED, hd_interrupts_first()};
    else if (deadline > 0 && hd_clock_now() >= deadline)
        *r = (hd_compiling){HD_COMPILING_TOO_LONG, 0};
    else
        return false;
    return true;
}

static hd_compiling watch(pid_t pid, double deadline) {
    hd_compiling r = {0};
    int process = pidfd_open(pid, 0);
    while (!has_ended(pid, &r)) {
        if (is_over(deadline, &r)) {
            end_group(pid);
            break;
        }
        wait_a_moment(process, deadline > 0 ? deadline - hd_clock_now() : MOMENT);
    }
    if (process >= 0)
        close(process);
    if (r.end == HD_COMPILING_LOST)
        kill(-pid, SIGKILL);
    return r;
}

/* What a child inherits is what there was before this process began to listen; no signal comes in
 * between. */
hd_compiling hd_compiling_wait(char *const *argv, double deadline) {
    sigset_t all, before;
    hd_interrupts listening;
    pid_t pid;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    int failure = start(argv, &before, &pid);
    hd_interrupts_begin(&listening);
    sigprocmask(SIG_SETMASK, &before, NULL);
    hd_compiling r =
        failure ? (hd_compiling){HD_COMPILING_NOT_STARTED, failure} : watch(pid, deadline);
    hd_interrupts_end(&listening);
    return r;
}
