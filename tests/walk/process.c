/* Processes and signals. */
#include "walk.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* What becomes of a child. */
#define CHILD(...)                                                                                 \
    int status = 0;                                                                                \
    pid_t child = fork();                                                                          \
    if (child == 0) {                                                                              \
        __VA_ARGS__;                                                                               \
        _exit(77);                                                                                 \
    }                                                                                              \
    waitpid(child, &status, 0);                                                                    \
    SEE(status & 0xff7f)
WALK(exit) {
    CHILD(exit(VS(0, 254, 1)));
}
WALK(_exit) {
    CHILD(_exit(VS(0, 254, 1)));
}
WALK(_Exit) {
    CHILD(_Exit(VS(0, 254, 1)));
}
WALK(quick_exit) {
    CHILD(quick_exit(VS(0, 254, 1)));
}
static void ends_3(void) {
    _exit(3);
}
static void ends_4(void) {
    _exit(4);
}
WALK(atexit) {
    CHILD(atexit((void *)C(0, (long)ends_3, (long)ends_4)); exit(0));
}
WALK(at_quick_exit) {
    CHILD(at_quick_exit((void *)C(0, (long)ends_3, (long)ends_4)); quick_exit(0));
}
static int got;
static void note(int s) {
    got = s;
}
static void note_more(int s) {
    got = 100 + s;
}
WALK(raise) {
    signal(SIGUSR1, note);
    signal(SIGUSR2, note_more);
    signal(SIGUSR1 + 1, note);
    SEE(raise(C(0, SIGUSR1, SIGUSR2, 0, 999)));
    SEE(got);
}
WALK(signal) {
    signal(SIGUSR1, SIG_IGN);
    SEE(signal(C(0, SIGUSR1, SIGUSR2, 999),
               (void *)C(1, (long)note, (long)note_more, (long)SIG_IGN)) == SIG_IGN);
    raise(SIGUSR1);
    SEE(got);
}
WALK(sigaction) {
    struct sigaction a = {.sa_handler = note}, old;
    memset(&old, 0, sizeof old);
    signal(SIGUSR1, SIG_IGN);
    SEE(sigaction(C(0, SIGUSR1, SIGUSR2, 999), M(1, &a, 8, 9), W(2, &old)));
    SEE(old.sa_handler == SIG_IGN);
    raise(SIGUSR1);
    SEE(got);
}
WALK(getpid) {
    SEE(getpid() > 0);
}
WALK(getppid) {
    SEE(getppid() >= 0);
}
WALK(fork) {
    CHILD(_exit(3));
}
WALK(vfork) {
    int status = 0;
    if (vfork() == 0)
        _exit(3);
    wait(&status);
    SEE(status);
}
#define ENDED                                                                                      \
    int status = 9;                                                                                \
    struct rusage u;                                                                               \
    memset(&u, 0, sizeof u);                                                                       \
    pid_t child = fork();                                                                          \
    if (child == 0)                                                                                \
    _exit(5)
#define SEEENDED(r)                                                                                \
    {                                                                                              \
        pid_t r_ = (r);                                                                            \
        SEE(r_ == child);                                                                          \
        SEE(r_ < 0);                                                                               \
        SEE(status);                                                                               \
    }
WALK(wait) {
    ENDED;
    SEEENDED(wait(W(0, &status)));
    (void)u;
}
WALK(waitpid) {
    ENDED;
    SEEENDED(waitpid(C(0, child, -1, 999999), W(1, &status), C(2, 0, WUNTRACED, 0x40000)));
}
WALK(wait3) {
    ENDED;
    SEEENDED(wait3(W(0, &status), C(1, 0, WUNTRACED, 0x40000), W(2, &u)));
    SEE(u.ru_nsignals);
}
WALK(wait4) {
    ENDED;
    SEEENDED(wait4(C(0, child, -1, 999999), W(1, &status), C(2, 0, WUNTRACED, 0x40000), W(3, &u)));
    SEE(u.ru_nsignals);
}
WALK(waitid) {
    ENDED;
    siginfo_t i;
    memset(&i, 0, sizeof i);
    SEE(waitid(C(0, P_PID, P_ALL, 99), C(1, child, 999999), W(2, &i),
               C(3, WEXITED, WEXITED | WNOWAIT, 0x8000)));
    SEE(i.si_pid == child);
    SEE(i.si_status);
    SEE(i.si_code);
}
WALK(kill) {
    signal(SIGUSR1, note);
    signal(SIGUSR2, note_more);
    SEE(kill(C(0, getpid(), 999999), C(1, SIGUSR1, SIGUSR2, 0, 999)));
    SEE(got);
}
WALK(killpg) {
    signal(SIGUSR1, note);
    setpgid(0, 0);
    SEE(killpg(C(0, 0, 999999, -1), C(1, SIGUSR1, 0, 999)));
    SEE(got);
}
WALK(pause) {
    signal(SIGALRM, note);
    alarm(1);
    SEE(pause());
    SEE(got);
}
static sigset_t set_of(int s) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, s);
    return set;
}
#define MASK(f)                                                                                    \
    sigset_t set = set_of(SIGUSR1), old;                                                           \
    sigemptyset(&old);                                                                             \
    SEE(f(V(0, 0), M(1, &set, 1), W(2, &old)));                                                    \
    SEEM(&old, 8);                                                                                 \
    sigprocmask(SIG_BLOCK, 0, &old);                                                               \
    SEEM(&old, 8)
WALK(sigprocmask) {
    MASK(sigprocmask);
}
WALK(pthread_sigmask) {
    MASK(pthread_sigmask);
}
WALK(sigpending) {
    sigset_t set = set_of(SIGUSR1), out;
    sigemptyset(&out);
    sigprocmask(SIG_BLOCK, &set, 0);
    signal(SIGUSR1, note);
    raise(SIGUSR1);
    SEE(sigpending(W(0, &out)));
    SEEM(&out, 8);
}
#define WALK_TAKES(f, ...)                                                                         \
    WALK(f) {                                                                                      \
        sigset_t set = set_of(SIGUSR1);                                                            \
        struct timespec none = {0, 0};                                                             \
        siginfo_t info = {0};                                                                      \
        int n = 0;                                                                                 \
        (void)none, (void)info;                                                                    \
        sigaddset(&set, SIGUSR2);                                                                  \
        sigprocmask(SIG_BLOCK, &set, 0);                                                           \
        raise(SIGUSR2);                                                                            \
        SEE(f(M(0, &set, 1), __VA_ARGS__));                                                        \
        SEE(n);                                                                                    \
        SEE(info.si_signo);                                                                        \
    }
WALK_TAKES(sigwait, W(1, &n))
WALK_TAKES(sigwaitinfo, W(1, &info))
WALK_TAKES(sigtimedwait, W(1, &info), M(2, &none, 0))
/* A thread that is there until its pipe is closed. */
static void *stay(void *pipe_of) {
    char c;
    return (void *)read(*(int *)pipe_of, &c, 1);
}
WALK(pthread_kill) {
    int ends[2];
    pthread_t t[2] = {pthread_self()};
    signal(SIGUSR1, note);
    signal(SIGUSR2, note_more);
    if (pipe(ends) || pthread_create(&t[1], 0, stay, ends))
        return;
    SEE(pthread_kill(A(0, t)[0], C(1, SIGUSR1, SIGUSR2, 0, 999)));
    close(ends[1]);
    pthread_join(t[1], 0); /* has run the handler by then */
    SEE(got);
}
static volatile long told;
static void note_told(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    got++;
    told = 10 * info->si_value.sival_int + (info->si_code == SI_QUEUE) +
           2 * (info->si_pid == getpid());
}
static void take_told(int signal) {
    struct sigaction a = {.sa_flags = SA_SIGINFO};
    a.sa_sigaction = note_told;
    sigaction(signal, &a, 0);
}
WALK(sigqueue) {
    union sigval value = {.sival_ptr = (void *)V(2, 1)};
    take_told(SIGUSR1);
    take_told(SIGRTMIN);
    SEE(sigqueue(C(0, getpid(), 999999), C(1, SIGUSR1, SIGRTMIN, 0, 999), value));
    SEE(got);
    SEE(told);
}
WALK(pthread_sigqueue) {
    int ends[2];
    pthread_t t[2] = {pthread_self()};
    union sigval value = {.sival_ptr = (void *)V(2, 1)};
    take_told(SIGUSR1);
    take_told(SIGRTMAX);
    if (pipe(ends) || pthread_create(&t[1], 0, stay, ends))
        return;
    SEE(pthread_sigqueue(A(0, t)[0], C(1, SIGUSR1, SIGRTMAX, 0, 999), value));
    close(ends[1]);
    pthread_join(t[1], 0);
    SEE(got);
    SEE(told);
}
static void note_timer(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    got++;
    told = 10 * info->si_value.sival_int + (info->si_code == SI_TIMER);
}
static timer_t make_timer(void) {
    timer_t t = 0;
    struct sigaction a = {.sa_flags = SA_SIGINFO};
    a.sa_sigaction = note_timer;
    sigaction(SIGALRM, &a, 0);
    timer_create(CLOCK_MONOTONIC, 0, &t);
    return t;
}
WALK(timer_create) {
    struct sigevent event = {.sigev_notify = SIGEV_NONE};
    timer_t t = 0;
    SEE(timer_create(C(0, CLOCK_REALTIME, CLOCK_MONOTONIC, 77), M(1, &event, 12), W(2, &t)));
    SEE(timer_getoverrun(t));
}
WALK(timer_delete) {
    timer_t t = make_timer();
    SEE(timer_delete((timer_t)C(0, (long)t, 999999)));
    SEE(timer_getoverrun(t));
}
WALK(timer_settime) {
    timer_t t = make_timer();
    struct itimerspec s = {{0, 0}, {100, 0}}, old = {{1, 1}, {1, 1}};
    SEE(timer_settime((timer_t)C(0, (long)t, 999999), C(1, 0, 2), M(2, &s, 11, 17, 27),
                      W(3, &old)));
    SEE(old.it_value.tv_sec);
    timer_gettime(t, &s);
    SEE((s.it_value.tv_sec + 128) / 256);
    SEE(s.it_interval.tv_sec);
}
WALK(timer_gettime) {
    timer_t t = make_timer();
    struct itimerspec s = {{5, 5}, {5, 5}};
    SEE(timer_gettime((timer_t)C(0, (long)t, 999999), W(1, &s)));
    SEE(s.it_value.tv_sec);
    SEE(s.it_interval.tv_sec);
}
WALK(timer_getoverrun) {
    timer_t t = make_timer();
    struct itimerspec s = {{0, 0}, {0, 1000}};
    sigset_t set = set_of(SIGALRM), none;
    sigemptyset(&none);
    sigprocmask(SIG_BLOCK, &set, 0);
    timer_settime(t, 0, &s, 0);
    sigsuspend(&none);
    SEE(timer_getoverrun((timer_t)C(0, (long)t, 999999)));
    SEE(got);
    SEE(told % 10);
}
WALK(__libc_current_sigrtmin) {
    SEE(SIGRTMIN);
}
WALK(__libc_current_sigrtmax) {
    SEE(SIGRTMAX);
}
WALK(sigsuspend) {
    sigset_t set = set_of(SIGUSR1), wait_for;
    sigemptyset(&wait_for);
    sigprocmask(SIG_BLOCK, &set, 0);
    signal(SIGUSR1, note);
    raise(SIGUSR1);
    SEE(sigsuspend(M(0, &wait_for, 3)));
    SEE(got);
}
#define WALK_SETSIG(f)                                                                             \
    WALK(f) {                                                                                      \
        sigset_t s = set_of(SIGUSR1);                                                              \
        SEE(f(M(0, &s, 0), V(1, SIGUSR1)));                                                        \
        SEEM(&s, 8);                                                                               \
    }
WALK_SETSIG(sigaddset)
WALK_SETSIG(sigdelset)
WALK(sigismember) {
    sigset_t s = set_of(SIGUSR1);
    SEE(sigismember(M(0, &s, 1), V(1, SIGUSR1 - 1)));
}
WALK(sigemptyset) {
    sigset_t s = set_of(SIGUSR1);
    SEE(sigemptyset(W(0, &s)));
    SEEM(&s, 8);
}
WALK(sigfillset) {
    sigset_t s = set_of(SIGUSR1);
    SEE(sigfillset(W(0, &s)));
    SEEM(&s, 8);
}
#define WALK_TWOSETS(f)                                                                            \
    WALK(f) {                                                                                      \
        sigset_t s = set_of(1), a = set_of(2), b = set_of(3);                                      \
        SEE(f(W(0, &s), M(1, &a, 0), M(2, &b, 0)));                                                \
        SEEM(&s, 8);                                                                               \
    }
WALK_TWOSETS(sigorset)
WALK_TWOSETS(sigandset)
WALK(sigisemptyset) {
    sigset_t s;
    sigemptyset(&s);
    SEE(sigisemptyset(M(0, &s, 0)));
}
WALK(__errno_location) {
    *__errno_location() = (int)V(0, 3);
    SEE(errno);
}

/* Facts. */
WALK(getuid) {
    SEE(getuid() == geteuid());
}
WALK(geteuid) {
    SEE(getuid() == geteuid());
}
WALK(getgid) {
    SEE(getgid() == getegid());
}
WALK(getegid) {
    SEE(getgid() == getegid());
}
WALK(getpgrp) {
    SEE(getpgrp() > 0);
}
WALK(getpgid) {
    SEE(getpgid(C(0, 0, -1)) > 0);
}
WALK(getsid) {
    SEE(getsid(C(0, 0, -1)) >= 0);
}
/* A leader may not leave what it leads. */
WALK(setsid) {
    CHILD(_exit((setsid() == getpid()) + 2 * (getpgrp() == getpid()) + 4 * (getsid(0) == getpid()) +
                8 * (setsid() == -1 && errno == EPERM)));
}
/* What is left of the child tells by a pipe. */
WALK(daemon) {
    int p[2], told[3] = {9, 9, 9};
    pipe(p);
    pid_t child = fork();
    if (child == 0) {
        int r = daemon(C(0, 1, 0), C(1, 1, 0));
        char here[64] = "";
        getcwd(here, sizeof here);
        int say[3] = {r, strcmp(here, "/") == 0, getsid(0) == getpid()};
        write(p[1], say, sizeof say);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    read(p[0], told, sizeof told);
    errno = 0;
    SEEM(told, sizeof told);
}
WALK(sysconf) {
    SEE(sysconf(C(0, _SC_PAGESIZE, _SC_CLK_TCK, _SC_OPEN_MAX, 99999)) > 1000);
}
WALK(getpagesize) {
    SEE(getpagesize());
}
WALK(getrlimit) {
    struct rlimit r = {0, 0};
    SEE(getrlimit(C(0, RLIMIT_CORE, RLIMIT_NOFILE, 99), W(1, &r)));
    SEE(r.rlim_max >= r.rlim_cur);
}
WALK(getrusage) {
    struct rusage r;
    memset(&r, 0, sizeof r);
    SEE(getrusage(C(0, RUSAGE_SELF, RUSAGE_CHILDREN, 99), W(1, &r)));
    SEE(r.ru_nsignals);
}
#include <sys/sysinfo.h>
WALK(get_nprocs) {
    SEE(get_nprocs() > 0);
}
WALK(get_nprocs_conf) {
    SEE(get_nprocs_conf() > 0);
}
WALK(getpriority) {
    SEE(getpriority(C(0, PRIO_PROCESS, 99), C(1, 0, 999999)));
}
WALK(getloadavg) {
    double a[3] = {-1, -1, -1};
    SEE(getloadavg(W(0, a), V(1, 0)));
    SEE(a[0] >= 0);
    SEE(a[1] >= 0);
    SEE(a[2] >= 0);
}
WALK(sched_getcpu) {
    SEE(sched_getcpu() >= 0);
}
#include <sys/auxv.h>
WALK(getauxval) {
    SEE(getauxval(C(0, AT_PAGESZ, AT_CLKTCK, 99999)) > 1000);
}
/* A child tries to become somebody else, and back; it tells what was done and who it is then. */
#define BECOMES(...)                                                                               \
    CHILD(int r = (__VA_ARGS__); int back = seteuid(0); int group = setegid(0);                    \
          _exit((r == 0) + 2 * (back == 0) + 4 * (group == 0) + 8 * (getuid() == 0) +              \
                16 * (geteuid() == 0) + 32 * (getgid() == 0) + 64 * (getegid() == 0)))
WALK(setuid) {
    BECOMES(setuid(C(0, 0, 65534, -1)));
}
WALK(setgid) {
    BECOMES(setgid(C(0, 0, 65534, -1)));
}
WALK(seteuid) {
    BECOMES(seteuid(C(0, 0, 65534, -1)));
}
WALK(setegid) {
    BECOMES(setegid(C(0, 0, 65534, -1)));
}
WALK(setreuid) {
    BECOMES(setreuid(C(0, 7, -1, 0), C(1, 9, -1, 7, 0)));
}
WALK(setregid) {
    BECOMES(setregid(C(0, 7, -1, 0), C(1, 9, -1, 7, 0)));
}
WALK(setresuid) {
    BECOMES(setresuid(C(0, 7, -1, 0), C(1, 9, -1, 7), C(2, 8, -1, 0)));
}
WALK(setresgid) {
    BECOMES(setresgid(C(0, 7, -1, 0), C(1, 9, -1, 7), C(2, 8, -1, 0)));
}
WALK(getresuid) {
    CHILD(uid_t u[3] = {9, 9, 9}; if (setreuid(3, 4)) _exit(9);
          getresuid(W(0, &u[0]), W(1, &u[1]), W(2, &u[2]));
          _exit(u[0] + 8 * u[1] + 32 * u[2] & 127));
}
WALK(getresgid) {
    CHILD(gid_t u[3] = {9, 9, 9}; if (setregid(3, 4)) _exit(9);
          getresgid(W(0, &u[0]), W(1, &u[1]), W(2, &u[2]));
          _exit(u[0] + 8 * u[1] + 32 * u[2] & 127));
}
#include <grp.h>
WALK(setgroups) {
    gid_t all[3] = {3, 4, 5};
    CHILD(gid_t told[3] = {0, 0, 0}; int r = setgroups(C(0, 1, 3, 0, 99999999), M(1, all, 0));
          int n = getgroups(3, told); _exit(r < 0 ? 99 : n * 16 + told[0] + told[2]));
}
WALK(getgroups) {
    gid_t all[3] = {3, 4, 5};
    CHILD(gid_t told[3] = {0, 0, 0}; if (setgroups(3, all)) _exit(9);
          int n = getgroups(C(0, 3, 0, 2, -1), W(1, told));
          _exit(n < 0 ? errno : n * 16 + told[0] + told[2]));
}
WALK(initgroups) {
    CHILD(gid_t told[3] = {0, 0, 0}; int r = initgroups(N(0, "nobody of this name"), V(1, 5));
          _exit(r < 0 ? 99 : getgroups(3, told) * 16 + told[0]));
}
WALK(setpgid) {
    CHILD(int r = setpgid(C(0, 0, 999999), C(1, 0, -1, 999999));
          _exit(r < 0 ? errno : getpgrp() == getpid()));
}
WALK(setpgrp) {
    CHILD(_exit(setpgrp() + 2 * (getpgrp() == getpid())));
}
/* Files that are not there; who runs nothing goes on. */
#define NOWHERE "/no/where"
static char *words[] = {"x", "y", NULL};
WALK(execve) {
    SEE(execve(N(0, NOWHERE), A(1, words), A(2, words)));
}
WALK(execv) {
    SEE(execv(N(0, NOWHERE), A(1, words)));
}
WALK(execvp) {
    SEE(execvp(N(0, NOWHERE), A(1, words)));
}
WALK(execvpe) {
    SEE(execvpe(N(0, NOWHERE), A(1, words), A(2, words)));
}
WALK(execl) {
    SEE(execl(N(0, NOWHERE), N(1, "name"), A(2, words[0]), (char *)NULL));
}
WALK(execlp) {
    SEE(execlp(N(0, NOWHERE), N(1, "name"), A(2, words[0]), (char *)NULL));
}
WALK(execle) {
    SEE(execle(N(0, NOWHERE), N(1, "name"), A(2, words[0]), (char *)NULL, words));
}
#include <spawn.h>
static posix_spawn_file_actions_t to_do[2]; /* nothing */
static posix_spawnattr_t how[2];
WALK(posix_spawn) {
    pid_t p[2] = {0, 0};
    SEE(posix_spawn(A(0, p), N(1, NOWHERE), A(2, to_do), A(3, how), A(4, words), A(5, words)));
    errno = 0;
}
WALK(posix_spawnp) {
    pid_t p[2] = {0, 0};
    SEE(posix_spawnp(A(0, p), N(1, NOWHERE), A(2, to_do), A(3, how), A(4, words), A(5, words)));
    errno = 0;
}
WALK(system) {
    SEE(system(N(0, "exec 2>&-; /no/where")));
    errno = 0;
}
WALK(setrlimit) {
    struct rlimit r = {7, 9}, told = {0, 0};
    CHILD(int done = setrlimit(C(0, RLIMIT_CORE, RLIMIT_NOFILE, 99), M(1, &r, 0, 8));
          getrlimit(RLIMIT_CORE, &told);
          _exit(done < 0 ? errno : (told.rlim_cur == r.rlim_cur) + 2 * (told.rlim_max == 9)));
}
WALK(getdtablesize) {
    CHILD(struct rlimit r = {20, 20}; setrlimit(RLIMIT_NOFILE, &r); _exit(getdtablesize()));
}
WALK(setpriority) {
    CHILD(int r = setpriority(C(0, PRIO_PROCESS, 99), C(1, 0, 999999), C(2, 5, 30, 0));
          _exit(r < 0 ? errno : getpriority(PRIO_PROCESS, 0)));
}
WALK(nice) {
    CHILD(int r = nice(C(0, 3, 0, 40)); _exit(r + getpriority(PRIO_PROCESS, 0)));
}
#include <sys/mman.h>
/* Whether it may is another's question. */
WALK(mlockall) {
    CHILD(int r = mlockall(C(0, 0, 77, MCL_ONFAULT)); _exit(r < 0 ? errno : 0));
}
WALK(munlockall) {
    SEE(munlockall());
}
WALK(mlock) {
    char page[17];
    SEE(mlock(A(0, page), C(1, 16, 8)));
    munlock(page, sizeof page);
}
WALK(munlock) {
    char page[17];
    SEE(munlock(A(0, page), C(1, 16, 8)));
}
WALK(sync) {
    sync();
    SEE(1);
}
#include <sys/prctl.h>
WALK(prctl) {
    char name[17] = "0123456789abcdef";
    prctl(PR_SET_NAME, N(1, "walker"));
    SEE(prctl(PR_GET_NAME, name));
    SEEM(name, 7);
    SEE(prctl(PR_SET_KEEPCAPS, C(1, 1, 0, 7)));
    SEE(prctl(C(0, PR_GET_KEEPCAPS, PR_GET_DUMPABLE)));
}
/* Nobody's clock is set: only what is refused, or asks. */
#include <sys/time.h>
#include <sys/timex.h>
WALK(clock_settime) {
    struct timespec t = {5, 2000000000};
    SEE(clock_settime(C(0, CLOCK_MONOTONIC, CLOCK_REALTIME, 999), M(1, &t, 0)));
}
WALK(settimeofday) {
    struct timeval t = {5, 2000000};
    struct timezone zones[2] = {{0, 0}, {60, 0}};
    SEE(settimeofday(M(0, &t, 0), A(1, zones)));
}
WALK(adjtime) {
    struct timeval left = {5, 5}, far = {(time_t)1 << 40, 0};
    SEE(adjtime(NULL, W(1, &left)));
    SEE(left.tv_usec < 5);
    SEE(adjtime(M(0, &far, 0), NULL));
}
WALK(adjtimex) {
    struct timex t = {0};
    SEE(adjtimex(M(0, &t, 8)) >= 0);
    SEE(t.tick > 0);
}
WALK(ntp_adjtime) {
    struct timex t = {0};
    SEE(ntp_adjtime(M(0, &t, 8)) >= 0);
}
WALK(clock_adjtime) {
    struct timex t = {0};
    SEE(clock_adjtime(C(0, CLOCK_REALTIME, 999), M(1, &t, 8)) >= 0);
}
WALK(sched_setscheduler) {
    struct sched_param p = {0};
    SEE(sched_setscheduler(C(0, 0, getpid()), C(1, SCHED_OTHER, SCHED_BATCH), &p));
}
