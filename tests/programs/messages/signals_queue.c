/* What signals carry: who sent them, a value, the status of a child; real-time signals wait in a
 * queue, others are pending once.
 *
 * run:
 * verdict: complete
 * label: both-12
 * label: both-21
 * no-label: one
 *
 * run: --por none
 * verdict: complete
 * label: both-12
 * label: both-21
 *
 * run: -DONCE
 * verdict: complete
 * label: first-1
 * label: first-2
 *
 * run: -DINPUT
 * verdict: complete
 * paths: 3
 * label: value-0
 * label: value-1
 * label: value-2
 *
 * run: -DCHILD
 * verdict: complete
 * label: told
 *
 * run: -DWAIT
 * verdict: complete
 * label: taken
 *
 * run: -DTHREAD
 * verdict: complete
 * label: queued */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int values[4];
static volatile int n, from, status;

static void handle(int number, siginfo_t *info, void *context) {
    (void)number, (void)context;
    if (info->si_code == SI_QUEUE)
        values[n & 3] = info->si_value.sival_int;
    from = info->si_pid;
    status = info->si_code == CLD_EXITED ? info->si_status : -1;
    n++;
}

static void install(int number) {
    struct sigaction a = {.sa_flags = SA_SIGINFO | SA_RESTART};
    a.sa_sigaction = handle;
    sigaction(number, &a, NULL);
}

static void change(int how, int number) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(how, &set, NULL);
}

static void reach(const char *format, int a) {
    char text[32];
    snprintf(text, sizeof text, format, a);
    heddle_reach(text);
}

#if defined THREAD
static void *work(void *unused) {
    siginfo_t info;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    for (int i = 1; i <= 2; i++) {
        assert(sigwaitinfo(&set, &info) == SIGRTMIN);
        assert(info.si_code == SI_QUEUE && info.si_value.sival_int == i);
    }
    heddle_reach("queued");
    return unused;
}

int main(void) {
    pthread_t t;
    union sigval one = {.sival_int = 1}, two = {.sival_int = 2};
    change(SIG_BLOCK, SIGRTMIN);
    pthread_create(&t, NULL, work, NULL);
    assert(pthread_sigqueue(t, SIGRTMIN, one) == 0 && pthread_sigqueue(t, SIGRTMIN, two) == 0);
    pthread_join(t, NULL);
    return 0;
}
#elif defined CHILD
int main(void) {
    install(SIGCHLD);
    pid_t child = fork();
    if (!child)
        _exit(7);
    while (waitpid(child, NULL, 0) != child)
        ;
    assert(n == 1 && from == child && status == 7);
    heddle_reach("told");
    return 0;
}
#elif defined WAIT
int main(void) {
    siginfo_t info;
    sigset_t set;
    pid_t me = getpid();
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    change(SIG_BLOCK, SIGUSR1);
    pid_t child = fork();
    if (!child) {
        kill(me, SIGUSR1);
        _exit(0);
    }
    assert(sigwaitinfo(&set, &info) == SIGUSR1);
    assert(info.si_signo == SIGUSR1 && info.si_code == SI_USER && info.si_pid == child);
    heddle_reach("taken");
    return 0;
}
#elif defined INPUT
int main(void) {
    union sigval value = {0};
    value.sival_int = (int)heddle_choose(0, 2);
    install(SIGRTMIN + 1);
    assert(sigqueue(getpid(), SIGRTMIN + 1, value) == 0);
    assert(n == 1 && values[0] == value.sival_int && from == getpid());
    heddle_reach(values[0] == 0 ? "value-0" : values[0] == 1 ? "value-1" : "value-2");
    return 0;
}
#else
#ifdef ONCE
#define NUMBER SIGUSR1
#else
#define NUMBER SIGRTMIN
#endif
int main(void) {
    pid_t me = getpid(), child[2];
    install(NUMBER);
    change(SIG_BLOCK, NUMBER);
    for (int i = 0; i < 2; i++)
        if (!(child[i] = fork())) {
            union sigval value;
            value.sival_int = i + 1;
            sigqueue(me, NUMBER, value);
            _exit(0);
        }
    waitpid(child[0], NULL, 0);
    waitpid(child[1], NULL, 0);
    change(SIG_UNBLOCK, NUMBER);
#ifdef ONCE
    assert(n == 1);
    reach("first-%d", values[0]);
#else
    if (n != 2)
        heddle_reach("one");
    reach("both-%d", 10 * values[0] + values[1]);
#endif
    return 0;
}
#endif
