/* A struct tm has room between its members, and members that a function does not look at: that
 * these were never written is no mistake.  mktime, timegm, asctime, strftime and strptime said it
 * was one, and mq_setattr of all members but the flags.
 *
 * run:
 * verdict: complete
 * paths: 1
 *
 * run: -DBUG
 * finding: uninitialised
 *
 * run: -DBUG=2
 * finding: uninitialised */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <string.h>
#include <time.h>

static void fill(struct tm *t) {
    t->tm_year = 124, t->tm_mon = 1, t->tm_mday = 30;
    t->tm_hour = 12, t->tm_min = 5, t->tm_sec = 7;
}

/* Room between members is written by nobody. */
static void use_initialised(int month) {
    struct tm t = {.tm_year = 124, .tm_mon = month, .tm_mday = 30, .tm_hour = 12};
    char text[32];
    assert(timegm(&t) > 0 && t.tm_mon == 2 && t.tm_mday == 1);
    assert(strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &t) == 20);
    assert(strcmp(text, "2024-03-01T12:00:00Z") == 0);
}

static void use_some(void) {
    struct tm t;
    char text[32];
    fill(&t);
    assert(strftime(text, sizeof text, "%F %TZ 100%%", &t) == 25);
    assert(timegm(&t) > 0);
    fill(&t);
    t.tm_isdst = 0;
    assert(mktime(&t) > 0);
}

static void read_text(void) {
    struct tm t;
    assert(strptime("2024-01-02", "%Y-%m-%d", &t) && t.tm_year == 124 && t.tm_mday == 2);
}

static void set_flags(void) {
    struct mq_attr sizes = {.mq_maxmsg = 1, .mq_msgsize = 1}, flags;
    int queue = mq_open("/dates", O_CREAT | O_RDWR, 0600, &sizes);
    flags.mq_flags = O_NONBLOCK;
    assert(mq_setattr(queue, &flags, NULL) == 0);
    mq_close(queue), mq_unlink("/dates");
}

int main(int argc, char **argv) {
    (void)argv;
    use_initialised(argc);
    use_some();
    read_text();
    set_flags();
#ifdef BUG
    struct tm t;
    char text[32];
    fill(&t);
#if BUG == 2
    return mktime(&t) < 0; /* tm_isdst */ // BUG uninitialised
#else
    return strftime(text, sizeof text, "%a", &t) == 0; // BUG uninitialised
#endif
#endif
    return 0;
}
