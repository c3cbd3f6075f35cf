/* dates.c -- dates in the one object that the C library has for them.
 *
 * It is an object of the program like any other: what one thread finds there another may overwrite,
 * and that is a data race. */
#include <stddef.h>
#include <time.h>

#define WEAK __attribute__((weak))

static struct tm date;
static char text[26];

WEAK struct tm *gmtime(const time_t *when) {
    return gmtime_r(when, &date);
}

WEAK struct tm *localtime(const time_t *when) {
    return localtime_r(when, &date);
}

WEAK char *asctime(const struct tm *when) {
    return asctime_r(when, text);
}

WEAK char *ctime(const time_t *when) {
    const struct tm *known = localtime(when);
    return known ? asctime(known) : NULL;
}

WEAK char *ctime_r(const time_t *when, char *out) {
    struct tm own;
    return localtime_r(when, &own) ? asctime_r(&own, out) : NULL;
}

WEAK double difftime(time_t a, time_t b) {
    return (double)a - (double)b;
}

WEAK int timespec_get(struct timespec *out, int base) {
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, out) == 0 ? base : 0;
}
