/* A daemon as they are written: it raises limits, locks its memory, calls other programs that are not
 * there, and gives its rights away.  All of it goes on, and what is not as it would be is said.
 *
 * run:
 * verdict: incomplete
 * label: served 1
 * reason: no other program is run: it is not found */
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <heddle.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void run_hook(void) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        execl("/etc/hook", "hook", (char *)NULL);
        _exit(errno == ENOENT ? 42 : 1);
    }
    heddle_assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 42);
    heddle_assert(WEXITSTATUS(system("ip route flush")) == 127);
}

static void give_up_rights(void) {
    heddle_assert(setgroups(0, NULL) == 0 && setgid(65534) == 0 && setuid(65534) == 0);
    heddle_assert(getuid() == 65534 && geteuid() == 65534 && getegid() == 65534);
    heddle_assert(setuid(0) == -1 && errno == EPERM);
    heddle_assert(setgroups(0, NULL) == -1 && nice(-3) == -1);
}

int main(void) {
    struct rlimit all = {4096, 4096};
    struct timeval t = {1700000000, 0};
    heddle_assert(setrlimit(RLIMIT_NOFILE, &all) == 0);
    heddle_assert(getrlimit(RLIMIT_NOFILE, &all) == 0 && all.rlim_cur == 4096);
    heddle_assert(mlockall(MCL_CURRENT | MCL_FUTURE) == 0 && prctl(PR_SET_DUMPABLE, 0L) == 0);
    run_hook();
    if (geteuid() == 0) { /* who runs the test as somebody else has nothing to give away */
        heddle_assert(settimeofday(&t, NULL) == 0 && nice(-5) == -5);
        give_up_rights();
    }
    heddle_reach("served");
    return 0;
}
