/* Signals with handlers (signals.h G1 to G4): where they run, in which order, and what waits do. */
#include "tool/every_schedule.h"

static const char text[] =
    "#define _GNU_SOURCE\n#include <errno.h>\n#include <heddle.h>\n#include <poll.h>\n"
    "#include <pthread.h>\n#include <signal.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "#include <sys/wait.h>\n#include <time.h>\n#include <unistd.h>\n"
    "static volatile int n, order; static pthread_t self;\n"
    "static void count(int s) { n++; order = order * 4 + (s == SIGUSR1 ? 1 : s == SIGUSR2 ? 2 : "
    "3); }\n"
    "static void leave(int s) { (void)s; _exit(7); }\n"
    "static void who(int s) { (void)s; n = pthread_equal(pthread_self(), self) ? 1 : 2; }\n"
    "static void on(int s, void (*f)(int), int flags) { struct sigaction a = {.sa_handler = f};\n"
    "  a.sa_flags = flags; sigaction(s, &a, 0); }\n"
    "static void block(int how, int a, int b) { sigset_t s; sigemptyset(&s); sigaddset(&s, a);\n"
    "  if (b) sigaddset(&s, b); sigprocmask(how, &s, 0); }\n"
    "static int end_of(pid_t child) { int s = 0; while (waitpid(child, &s, 0) < 0) {} return s >> "
    "8; }\n"
    /* G1: in the main thread, whoever runs */
    "static void *look(void *p) { order = 5; return p; }\n"
    "static int case0(void) { pthread_t t; self = pthread_self(); on(SIGUSR1, who, 0);\n"
    "  pid_t parent = getpid(), c = fork(); if (!c) { kill(parent, SIGUSR1); _exit(0); }\n"
    "  pthread_create(&t, 0, look, 0); pthread_join(t, 0); end_of(c); return n; }\n"
    /* G2: before its end a process looks, and may be earlier */
    "static int case1(void) { on(SIGUSR1, leave, 0); pid_t c = fork(); if (!c) _exit(0);\n"
    "  kill(c, SIGUSR1); return end_of(c); }\n"
    /* G3: the end of a child */
    "static int case2(void) { on(SIGCHLD, count, SA_RESTART); pid_t c = fork(); if (!c) _exit(0);\n"
    "  end_of(c); return n; }\n"
    /* nobody minds */
    "static int case3(void) { pid_t c = fork(); if (!c) _exit(0); end_of(c); return n; }\n"
    /* G4: the highest number first */
    "static int case4(void) { on(SIGUSR1, count, 0); on(SIGUSR2, count, 0);\n"
    "  block(SIG_BLOCK, SIGUSR1, SIGUSR2); raise(SIGUSR1); raise(SIGUSR2); raise(SIGUSR1);\n"
    "  if (n) return 60; block(SIG_UNBLOCK, SIGUSR1, SIGUSR2); return order; }\n"
    /* one by one */
    "static int case5(void) { on(SIGUSR1, count, 0); on(SIGUSR2, count, 0);\n"
    "  block(SIG_BLOCK, SIGUSR1, SIGUSR2); raise(SIGUSR2); raise(SIGUSR1); sigset_t p;\n"
    "  sigpending(&p); if (!sigismember(&p, SIGUSR1) || !sigismember(&p, SIGUSR2)) return 60;\n"
    "  block(SIG_UNBLOCK, SIGUSR1, 0); if (order != 1) return 61; sigpending(&p);\n"
    "  if (sigismember(&p, SIGUSR1)) return 62; block(SIG_UNBLOCK, SIGUSR2, 0); return order; }\n"
    /* a wait ends by it, or begins again */
    "static int waits(int flags) { int p[2]; char b = 0; pipe(p); on(SIGUSR1, count, flags);\n"
    "  pid_t parent = getpid(), c = fork(); if (!c) { kill(parent, SIGUSR1); write(p[1], \"x\", "
    "1);\n"
    "    _exit(0); } long r = read(p[0], &b, 1); int e = errno; end_of(c);\n"
    "  return n != 1 ? 60 : r == 1 ? 1 : e == EINTR ? 2 : 61; }\n"
    "static int case6(void) { return waits(0); }\n"
    "static int case7(void) { return waits(SA_RESTART); }\n"
    /* what is ignored is not noticed, also if it waited */
    "static int case8(void) { on(SIGUSR1, count, 0); block(SIG_BLOCK, SIGUSR1, 0); "
    "raise(SIGUSR1);\n"
    "  signal(SIGUSR1, SIG_IGN); on(SIGUSR1, count, 0); block(SIG_UNBLOCK, SIGUSR1, 0); return n; "
    "}\n"
    /* sigsuspend takes what came before it, and its set is gone afterwards */
    "static int case9(void) { sigset_t none; sigemptyset(&none); on(SIGUSR1, count, 0);\n"
    "  block(SIG_BLOCK, SIGUSR1, 0); pid_t parent = getpid(), c = fork();\n"
    "  if (!c) { kill(parent, SIGUSR1); _exit(0); }\n"
    "  int r = sigsuspend(&none) == -1 && errno == EINTR; end_of(c); raise(SIGUSR1);\n"
    "  return r && n == 1 ? 1 : 2; }\n"
    /* a child has the handlers of its parent and its set, but nothing that waits */
    "static int case10(void) { on(SIGUSR1, count, 0); block(SIG_BLOCK, SIGUSR1, 0); "
    "raise(SIGUSR1);\n"
    "  pid_t c = fork(); if (!c) { block(SIG_UNBLOCK, SIGUSR1, 0); int before = n; "
    "raise(SIGUSR1);\n"
    "    _exit(10 * before + n); } return end_of(c); }\n"
    /* an alarm ends a sleep */
    "static int case11(void) { on(SIGALRM, count, 0); alarm(2); struct timespec t = {5, 0}, r;\n"
    "  int e = nanosleep(&t, &r); return e == -1 && errno == EINTR && n == 1 && r.tv_sec >= 2 &&\n"
    "    r.tv_sec <= 3 ? 1 : 2; }\n"
    /* once only */
    "static int case12(void) { on(SIGUSR1, count, SA_RESETHAND); raise(SIGUSR1);\n"
    "  struct sigaction a; sigaction(SIGUSR1, 0, &a); return n == 1 && a.sa_handler == SIG_DFL; }\n"
    "static int (*const cases[])(void) = {case0, case1, case2, case3, case4, case5, case6, case7,\n"
    "  case8, case9, case10, case11, case12};\n"
    "int main(void) { unsigned char which; heddle_input(which);\n"
    "  return which < 13 ? cases[which]() : 0; }\n";

static const case_of cases[] = {
    {"in the main thread", 0, S(1)},
    {"before the end", 0, S(0) | S(7)},
    {"the end of a child", 0, S(1)},
    {"without a handler", 0, S(0)},
    {"the highest first", 0, S(2 * 4 + 1)},
    {"one by one", 0, S(1 * 4 + 2)},
    {"a wait ends", 0, S(1) | S(2)},
    {"a wait begins again", 0, S(1)},
    {"ignored", 0, S(0)},
    {"sigsuspend", 0, S(1)},
    {"children", 0, S(1)},
    {"an alarm", 0, S(1)},
    {"once", 0, S(1)},
};

static void handlers_run_where_they_can(void **state) {
    (void)state;
    check_cases(text, cases, sizeof cases / sizeof *cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handlers_run_where_they_can),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
