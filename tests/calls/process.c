/* Time, dates, locales, names of errors, ends of programs. */
#include "calls.h"

#include <locale.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#define SECOND 1000000000L
static long ns(struct timespec t) {
    return SECOND * t.tv_sec + t.tv_nsec;
}
static long at(int clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return ns(t);
}
static int near(long a, long b) {
    return a - b < SECOND / 2 && b - a < SECOND / 2;
}

/* All clocks tell the same time. */
static void clocks(void) {
    struct timespec t;
    struct timeval v;
    time_t when = 5;
    long real = at(CLOCK_REALTIME), mono = at(CLOCK_MONOTONIC);
    T(time(&when) == when);
    T(near(when * SECOND, real) || near(when * SECOND + SECOND, real));
    T(when <= real / SECOND + 1 && when >= real / SECOND);
    T(gettimeofday(&v, NULL));
    T(near(v.tv_sec * SECOND + v.tv_usec * 1000, real));
    T(v.tv_usec >= 0 && v.tv_usec < 1000000);
    T(clock_gettime(CLOCK_REALTIME, &t));
    T(t.tv_nsec >= 0 && t.tv_nsec < SECOND);
    T(near(ns(t), real));
    T(near(at(CLOCK_MONOTONIC_RAW), mono));
    T(clock_gettime(10, &t));
    T(clock_gettime(11, &t));
    T(clock_gettime(12, &t));
    T(clock_gettime(77, &t));
    T(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t));
    T(at(CLOCK_MONOTONIC) > mono); /* it goes on */
    T(mono < real);
}

static void show_rest(const struct timespec *t) {
    printf("  rest %ld %ld\n", (long)t->tv_sec, t->tv_nsec);
}

static void sleeping(void) {
    struct timespec t = {0, 1000000}, rest = {3, 4}, bad = {0, 1000000000}, minus = {-1, 0},
                    edge = {0, 999999999}, below = {0, -1};
    long start = at(CLOCK_MONOTONIC);
    T(nanosleep(&t, &rest));
    show_rest(&rest);
    T(nanosleep(&bad, NULL));
    T(nanosleep(&minus, NULL));
    T(nanosleep(&below, NULL));
    T(usleep(20000));
    T(at(CLOCK_MONOTONIC) - start >= 21000000);
    T(near(at(CLOCK_MONOTONIC), start));
    T(usleep(0));
    start = at(CLOCK_MONOTONIC);
    T(sleep(1));
    T(near(at(CLOCK_MONOTONIC), start + SECOND));
    T(nanosleep(&edge, NULL));
    T(near(at(CLOCK_MONOTONIC), start + 2 * SECOND));
    T(clock_nanosleep(CLOCK_MONOTONIC, 0, &t, &rest));
    T(clock_nanosleep(CLOCK_MONOTONIC, 0, &bad, &rest));
    T(clock_nanosleep(77, 0, &t, &rest));
    for (int clock = 3; clock < 8; clock++)
        T(clock_nanosleep(clock, 0, &t, &rest));
    T(clock_nanosleep(CLOCK_MONOTONIC_RAW, 0, &bad, &rest));
    T(clock_nanosleep(CLOCK_MONOTONIC, 2, &t, &rest));
    start = at(CLOCK_MONOTONIC);
    t = (struct timespec){start / SECOND + 1, start % SECOND};
    T(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, &rest));
    T(near(at(CLOCK_MONOTONIC), start + SECOND));
    T(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, &rest));
    T(near(at(CLOCK_MONOTONIC), start + SECOND));
    start = at(CLOCK_REALTIME);
    t = (struct timespec){start / SECOND + 1, start % SECOND};
    T(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, &rest));
    T(near(at(CLOCK_REALTIME), start + SECOND));
    show_rest(&rest);
}

static int n_alarms;
static void count(int signal) {
    n_alarms += signal == SIGALRM;
}
/* A signal ends a sleep, and what was left of it is told. */
static void interrupted(void) {
    struct itimerval soon = {{0, 0}, {0, 30000}};
    struct timespec t = {100, 0}, rest = {0, 0};
    long start = at(CLOCK_MONOTONIC);
    signal(SIGALRM, count);
    setitimer(ITIMER_REAL, &soon, NULL);
    T(nanosleep(&t, &rest));
    T(rest.tv_sec);
    T(near(ns(rest), 100 * SECOND));
    setitimer(ITIMER_REAL, &soon, NULL);
    T(nanosleep(&t, NULL));
    setitimer(ITIMER_REAL, &soon, NULL);
    T(sleep(100) / 90);
    setitimer(ITIMER_REAL, &soon, NULL);
    T(usleep(900000));
    setitimer(ITIMER_REAL, &soon, NULL);
    rest.tv_sec = 7;
    T(clock_nanosleep(CLOCK_MONOTONIC, 0, &t, &rest));
    T(near(ns(rest), 100 * SECOND));
    setitimer(ITIMER_REAL, &soon, NULL);
    rest.tv_sec = 7;
    t.tv_sec += start / SECOND;
    T(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, &rest));
    T(rest.tv_sec);
    T(near(at(CLOCK_MONOTONIC), start + 180000000));
    T(n_alarms);
    T(usleep(1));
}

static void show_date(const struct tm *t) {
    if (t)
        printf("  %d-%d-%d %d:%d:%d day %d of week %d, %d %ld %s\n", t->tm_year, t->tm_mon,
               t->tm_mday, t->tm_hour, t->tm_min, t->tm_sec, t->tm_yday, t->tm_wday, t->tm_isdst,
               t->tm_gmtoff, t->tm_zone ? t->tm_zone : "-");
}
static void dates(void) {
    time_t some[] = {0, 1700000000, -1, 951782400, INT64_MAX};
    struct tm t;
    char text[64];
    for (int i = 0; i < 5; i++) {
        memset(&t, 0, sizeof t);
        T(gmtime_r(&some[i], &t) == &t);
        if (i == 4)
            break;
        show_date(&t);
        T(timegm(&t) == some[i]);
        show_date(&t);
        T(localtime_r(&some[i], &t) == &t);
        show_date(&t);
        T(mktime(&t) == some[i]);
        T(asctime_r(&t, text) == text);
        show_text("asctime", text);
        T(ctime_r(&some[i], text) == text);
        show_text("ctime", text);
        T(strftime(text, 64, "%Y-%m-%d %H:%M:%S %a %j %% %Z", &t));
        show_text("strftime", text);
    }
    T(localtime_r(&some[4], &t) == &t);
    double far = strtod("1e999", NULL); /* an error of before is none of theirs */
    T(far > 1);
    t = (struct tm){
        .tm_year = 69, .tm_mon = 11, .tm_mday = 31, .tm_hour = 23, .tm_min = 59, .tm_sec = 59};
    T(timegm(&t));
    show_date(&t);
    t = (struct tm){.tm_year = 123, .tm_mon = 13, .tm_mday = 40, .tm_sec = -1};
    T(mktime(&t));
    show_date(&t);
    t = (struct tm){.tm_year = INT32_MAX, .tm_mon = INT32_MAX};
    T(timegm(&t) == -1);
    t = (struct tm){.tm_year = 20000, .tm_mday = 1};
    TP(asctime_r(&t, text));
    t = (struct tm){.tm_year = 123, .tm_mday = 1};
    strcpy(text, "kept");
    T(strftime(text, 4, "%Y", &t));
    T(strftime(text, 5, "%Y", &t));
    show_text("strftime", text);
    T(strftime(text, 9, "", &t));
}

static void names(void) {
    for (int i = 0; i < 40; i += 7)
        show_text("strerror", strerror(i));
    show_text("strerror", strerror(9999));
    show_text("strsignal", strsignal(SIGINT));
    show_text("strsignal", strsignal(36));
    show_text("setlocale", setlocale(LC_ALL, NULL));
    show_text("setlocale", setlocale(LC_CTYPE, "C"));
    show_text("setlocale", setlocale(LC_CTYPE, "POSIX"));
    TP(setlocale(LC_CTYPE, "xx_YY"));
    TP(setlocale(99, "C"));
    TP(setlocale(-1, "C"));
    TP(setlocale(LC_IDENTIFICATION, "C"));
    TP(setlocale(LC_IDENTIFICATION + 1, "C"));
    show_text("point", localeconv()->decimal_point);
    show_text("grouping", localeconv()->grouping);
    show_text("thousands", localeconv()->thousands_sep);
    show_text("negative", localeconv()->negative_sign);
}

static void first(void) {
    printf("first\n");
}
static void second(void) {
    printf("second\n");
}

static int told[2]; /* what handlers write */
static void tell_last(void) {
    write(told[1], "last ", 5);
}
static void tell_first(void) {
    write(told[1], "first ", 6);
    at_quick_exit(tell_last);
}
static void tell_second(void) {
    write(told[1], "second ", 7);
}
static void never(void) {
    write(told[1], "never ", 6);
}
static void quickly(void) {
    for (int i = 0; i < 4; i++) {
        int status = 0;
        pipe(told);
        fflush(NULL);
        if (fork() == 0) {
            close(told[0]);
            if (i)
                atexit(never);
            if (i > 1)
                T(at_quick_exit(tell_first));
            if (i > 2)
                T(at_quick_exit(tell_second));
            quick_exit(i == 1 ? 258 : i);
        }
        T(wait(&status) > 0);
        T(status);
        close(told[1]);
        show_ready(told[0]);
        close(told[0]);
    }
}

static void lead(void) {
    int status = 0;
    T(setpgid(0, 0));
    T(getpgrp() == getpid());
    T(getpgid(0) == getpgrp());
    T(setpgid(0, 999999));
    T(setpgid(999999, 0));
    T(setpgid(0, -1));
    T(setsid());
    T(getpgid(999999));
    T(killpg(999999, 0));
    T(killpg(getpgrp(), 0));
    pid_t child = fork();
    if (child == 0)
        pause();
    T(setpgid(child, child));
    T(getpgid(child) == child);
    T(waitpid(0, &status, WNOHANG));
    T(kill(-child, SIGTERM));
    T(waitpid(-child, &status, 0) == child);
    T(WTERMSIG(status));
    T(getpgid(child));
    T(kill(-child, 0));
    T(kill(-2147483647 - 1, 0));
    T(waitpid(-2147483647 - 1, NULL, WNOHANG));
    T(waitpid(0, &status, 0));
}

/* Groups of processes: in a child, which may not lead a session. */
static void groups(void) {
    int status = 0;
    fflush(NULL);
    if (fork() == 0) {
        lead();
        fflush(NULL);
        _exit(0);
    }
    T(wait(&status) > 0);
    T(status);
}

int main(void) {
    quickly();
    groups();
    clocks();
    sleeping();
    interrupted();
    dates();
    names();
    T(atexit(first));
    T(atexit(second));
    exit(3);
}
