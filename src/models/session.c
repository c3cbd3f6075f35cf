/* session.c -- sessions and groups of processes, and how a daemon leaves its own.
 *
 * Which session and group a process is in its children inherit, as globals are.  Who started the
 * program leads those that it begins in: so that its first process may leave them, as one that a
 * service manager has started. Nobody here has a terminal to lose. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#define WEAK       __attribute__((weak))
#define OF_STARTER 1 /* the process that started the program */

void __heddle_bound(const char *words);

static pid_t session = OF_STARTER, group = OF_STARTER;

WEAK pid_t getpgrp(void) {
    return group;
}

/* Of others only that they are there is known. */
static pid_t ask(pid_t of, pid_t own) {
    if (of == 0 || of == getpid())
        return own;
    if (of < 0 || (kill(of, 0) != 0 && errno == ESRCH)) {
        errno = ESRCH;
        return -1;
    }
    __heddle_bound(
        "groups and sessions of other processes are taken for those of the one that asks");
    return own;
}

WEAK pid_t getpgid(pid_t of) {
    return ask(of, group);
}

WEAK pid_t getsid(pid_t of) {
    return ask(of, session);
}

WEAK pid_t setsid(void) {
    if (group == getpid()) {
        errno = EPERM;
        return -1;
    }
    return session = group = getpid();
}

/* Into a group of its own, or one of this session; others are not told. */
WEAK int setpgid(pid_t of, pid_t next) {
    if (next < 0) {
        errno = EINVAL;
        return -1;
    }
    if (of != 0 && of != getpid()) {
        if (ask(of, 0) < 0)
            return -1;
        __heddle_bound("a process that another one puts into a group is not told");
        return 0;
    }
    if (session == getpid()) {
        errno = EPERM;
        return -1;
    }
    group = next ? next : getpid();
    return 0;
}

WEAK int setpgrp(void) {
    return setpgid(0, 0);
}

static int close_standard_streams(void) {
    int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0)
        return -1;
    for (int i = 0; i < 3; i++)
        if (dup2(nothing, i) < 0)
            return -1;
    if (nothing > 2)
        close(nothing);
    return 0;
}

WEAK int daemon(int stays, int keeps_streams) {
    pid_t child = fork();
    if (child < 0)
        return -1;
    if (child > 0)
        _exit(0);
    if (setsid() < 0)
        return -1;
    if (!stays)
        (void)!chdir("/");
    return keeps_streams ? 0 : close_standard_streams();
}
