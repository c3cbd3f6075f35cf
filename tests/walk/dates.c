/* <time.h>, locales. */
#include "walk.h"

#include <langinfo.h>
#include <locale.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <utime.h>

static void see_tm(const struct tm *t) {
    SEEM(t, 9 * sizeof(int));
}
#define WALK_TM(f)                                                                                 \
    WALK(f) {                                                                                      \
        time_t t = 1000000000;                                                                     \
        see_tm(f(M(0, &t, 0, 3)));                                                                 \
    }
#define WALK_TMR(f)                                                                                \
    WALK(f) {                                                                                      \
        time_t t = 1000000000;                                                                     \
        struct tm out;                                                                             \
        memset(&out, 0, sizeof out);                                                               \
        SEEP(f(M(0, &t, 0, 3), W(1, &out)), &out);                                                 \
        see_tm(&out);                                                                              \
    }
#define WALK_MK(f)                                                                                 \
    WALK(f) {                                                                                      \
        struct tm t = {                                                                            \
            .tm_year = 101, .tm_mon = 8, .tm_mday = 9, .tm_hour = 1, .tm_min = 46, .tm_sec = 58};  \
        SEE(f(M(0, &t, 0, 12, 16)));                                                               \
        see_tm(&t);                                                                                \
    }
WALK_TM(gmtime)
WALK_TM(localtime)
WALK_TMR(gmtime_r)
WALK_TMR(localtime_r)
WALK_MK(mktime)
WALK_MK(timegm)
static const struct tm walk_tm = {.tm_year = 101,
                                  .tm_mon = 7,
                                  .tm_mday = 9,
                                  .tm_hour = 1,
                                  .tm_min = 46,
                                  .tm_sec = 50,
                                  .tm_wday = 2};
WALK(asctime) {
    struct tm t = walk_tm;
    SEES(asctime(M(0, &t, 0, 12, 24)));
}
WALK(asctime_r) {
    struct tm t = walk_tm;
    char b[64] = "abc";
    SEEP(asctime_r(M(0, &t, 0, 12, 24), W(1, b)), b);
    SEES(b);
}
WALK(ctime) {
    time_t t = 1000000000;
    SEES(ctime(M(0, &t, 0, 3)));
}
WALK(ctime_r) {
    time_t t = 1000000000;
    char b[64] = "abc";
    SEEP(ctime_r(M(0, &t, 0, 3), W(1, b)), b);
    SEES(b);
}
WALK(strftime) {
    struct tm t = walk_tm;
    char b[32] = "abcdefgh";
    long n = strftime(W(0, b), VS(1, 16, -3), M(2, (char[16]){"%H:%a"}, 2), M(3, &t, 8, 24));
    SEE(n);
    if (n)
        SEEM(b, 8);
}
WALK(strptime) {
    struct tm t = walk_tm;
    char *s = S(0, "12:30");
    SEEP(strptime(s, M(1, (char[16]){"%H:%M"}, 2), M(2, &t, 0, 8)), s);
    see_tm(&t);
}
WALK(tzset) {
    tzset();
    SEE(timezone);
}
WALK(time) {
    time_t t = 0;
    time_t r = time(W(0, &t));
    SEE(r == t);
    SEE(r > 0);
}
WALK(clock) {
    SEE(clock() >= 0);
}
WALK(gettimeofday) {
    struct timeval t = {0, 0};
    char zone[2][16];
    SEE(gettimeofday(W(0, &t), A(1, zone)));
    SEE(t.tv_sec > 0);
    SEE(t.tv_usec < 1000000);
}
WALK(clock_gettime) {
    struct timespec t = {0, 0};
    SEE(clock_gettime(C(0, CLOCK_REALTIME, CLOCK_MONOTONIC, 99), W(1, &t)));
    SEE(t.tv_nsec >= 0);
}
WALK(timespec_get) {
    struct timespec t = {0, 0};
    SEE(timespec_get(W(0, &t), (int)C(1, TIME_UTC, 0, 99)));
    SEE(t.tv_nsec >= 0);
}
WALK(clock_getres) {
    struct timespec t = {7, 7};
    SEE(clock_getres(C(0, CLOCK_REALTIME, CLOCK_MONOTONIC, 99), W(1, &t)));
    SEE(t.tv_sec);
    SEE(t.tv_nsec);
}
WALK(sleep) {
    SEE(sleep(C(0, 0, 1)));
}
WALK(usleep) {
    SEE(usleep(V(0, 1)));
}
WALK(nanosleep) {
    struct timespec t = {0, 999999998}, left = {7, 7};
    SEE(nanosleep(M(0, &t, 0 + 8), W(1, &left)));
    SEE(left.tv_nsec);
}
WALK(clock_nanosleep) {
    struct timespec t = {0, 1}, left = {7, 7};
    SEE(clock_nanosleep(C(0, CLOCK_REALTIME, CLOCK_MONOTONIC, 99), C(1, 0, TIMER_ABSTIME),
                        M(2, &t, 11), W(3, &left)));
    SEE(left.tv_nsec);
}
WALK(times) {
    struct tms t;
    memset(&t, 0, sizeof t);
    SEE(times(W(0, &t)) != -1);
    SEE(t.tms_cutime);
}
WALK(localeconv) {
    SEES(localeconv()->decimal_point);
}
WALK(setlocale) {
    SEES(setlocale(C(0, LC_ALL, LC_CTYPE, 99), M(1, (char[4]){"C"}, 0)));
    SEES(setlocale(LC_ALL, ""));
}
WALK(nl_langinfo) {
    SEES(nl_langinfo(V(0, DAY_1)));
}
WALK(alarm) {
    alarm(V(0, 5));
    SEE(alarm(0));
}
WALK(setitimer) {
    struct itimerval t = {{0, 0}, {50, 0}}, old = {{1, 1}, {1, 1}};
    setitimer(C(0, ITIMER_REAL, 77), M(1, &t, 17, 10), W(2, &old));
    SEE(old.it_value.tv_sec);
    struct itimerval now;
    getitimer(ITIMER_REAL, &now);
    SEE((now.it_value.tv_sec + 128) / 256);
    SEE(now.it_interval.tv_sec);
    setitimer(ITIMER_REAL, &old, 0);
}
WALK(getitimer) {
    struct itimerval t = {{0, 0}, {0, 0}};
    SEE(getitimer(C(0, ITIMER_REAL, 77), W(1, &t)));
    SEE(t.it_value.tv_sec);
}
