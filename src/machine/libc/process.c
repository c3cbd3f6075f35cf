/* Ends of the program, its environment and time: all the same in every execution. */
#include "machine/libc/libc.h"
#include "machine/tasks/library.h"
#include "machine/tasks/signals.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>

#define TICK UINT64_C(1000) /* nanoseconds that pass with every look at a clock */

/* ---- ends ---- */

void hd_libc_exit(int status) {
    hd_settle_status(hd_now, hd_argument(hd_now, hd_take_arguments(hd_now), 0), status);
    hd_exit_program(hd_now, status);
}

void hd_libc_exit_now(int status) {
    hd_settle_status(hd_now, hd_argument(hd_now, hd_take_arguments(hd_now), 0), status);
    hd_end_exit(hd_now, status);
}

/* assert() names the whole function, "int main(void)": the name is enough. */
static void print_plain_name(char *out, size_t n, const char *function) {
    const char *end = strchr(function, '(');
    if (!end)
        end = function + strlen(function);
    const char *start = end;
    while (start > function && start[-1] != ' ' && start[-1] != '*')
        start--;
    snprintf(out, n, "%.*s", (int)(end - start), start);
}

static void fill_assertion(hd_machine *m, const char *text, const char *file, unsigned line,
                           const char *function) {
    hd_finding *f = &m->call.outcome->finding;
    hd_finding_fill(m, HD_FINDING_ASSERTION, 0);
    m->call.outcome->status = SIGABRT;
    snprintf(f->message, sizeof f->message, "assertion '%s' failed", text);
    snprintf(f->file, sizeof f->file, "%s", file);
    print_plain_name(f->function, sizeof f->function, function ? function : "");
    f->line = line;
    hd_stack_walk(m, f, __builtin_frame_address(0));
}

/* A failed assertion is one whatever a handler of SIGABRT does then, which may leave it by a jump.
 */
void hd_libc_assert_fail(const char *text, const char *file, unsigned line, const char *function) {
    hd_machine *m = hd_enter();
    if (hd_signal_is_abort_handled(m)) {
        fill_assertion(m, text, file, line, function);
        hd_note_filled(m);
        hd_signal_handle(m, hd_signal_from(m, SIGABRT, SI_TKILL));
    }
    fill_assertion(m, text, file, line, function);
    hd_end_filled(m);
}

int hd_libc_atexit(hd_handler handler) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    hd_library_state(m, HD_TOKEN_AT_EXIT, true); /* they run in the opposite order */
    hd_vec_push(&m->process.at_exit, handler);
    return 0;
}

int hd_libc_at_quick_exit(hd_handler handler) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    hd_library_state(m, HD_TOKEN_AT_EXIT, true);
    hd_vec_push(&m->process.at_quick_exit, handler);
    return 0;
}

/* Handlers run beside the other threads, and so do those that they add. */
void hd_libc_quick_exit(int status) {
    hd_machine *m = hd_enter();
    hd_settle_status(m, hd_argument(m, hd_take_arguments(m), 0), status);
    if (m->process.at_quick_exit.n)
        hd_library_state(m, HD_TOKEN_AT_EXIT, true);
    while (m->process.at_quick_exit.n) {
        m->process.at_quick_exit.at[--m->process.at_quick_exit.n]();
        hd_library_state(m, HD_TOKEN_AT_EXIT, true);
    }
    hd_end_exit(m, status);
}

/* ---- the world ---- */

int *hd_libc_errno_location(void) {
    return (int *)hd_now->running.errno_at;
}

const void *hd_libc_ctype_b(void) {
    return (const void *)hd_now->surroundings.ctype[0];
}

const void *hd_libc_ctype_tolower(void) {
    return (const void *)hd_now->surroundings.ctype[1];
}

const void *hd_libc_ctype_toupper(void) {
    return (const void *)hd_now->surroundings.ctype[2];
}

/* The function runs on the concrete value of its argument only. */
static void take_concrete(hd_machine *m, const char *name) {
    if (hd_arguments_lost(m, hd_take_arguments(m)))
        hd_approximate_call(m, "call of '%s' with a symbolic argument", name);
}

static char *copy_text(hd_machine *m, const char *text) {
    return text ? hd_heap_hide(m->running.heap, text, strlen(text) + 1) : NULL;
}

/* Of the running process: that of its node, or an empty one. */
char **hd_libc_environment(void) {
    const hd_machine *m = hd_now;
    uint32_t node = hd_process_at(m, hd_process_current(m))->node;
    HD_ASSERT(node <= m->options.n_nodes);
    return (char **)(node ? m->surroundings.node_environ[node - 1] : m->surroundings.environment);
}

char *hd_libc_strerror(int number) {
    hd_machine *m = hd_enter();
    take_concrete(m, "strerror");
    return copy_text(m, strerror(number));
}

char *hd_libc_strsignal(int number) {
    hd_machine *m = hd_enter();
    take_concrete(m, "strsignal");
    return copy_text(m, strsignal(number));
}

/* There is one locale, as on a machine that has no others. */
char *hd_libc_setlocale(int category, const char *name) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    if (name)
        name = hd_library_name(m, name);
    if (category < LC_CTYPE || category > LC_IDENTIFICATION) {
        hd_errno_set(m, EINVAL);
        return NULL;
    }
    bool is_known = !name || !*name || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0;
    if (!is_known)
        hd_errno_set(m, ENOENT);
    return is_known ? copy_text(m, "C") : NULL;
}

struct lconv *hd_libc_localeconv(void) {
    hd_machine *m = hd_enter();
    struct lconv copy = *localeconv();
    char **texts[] = {&copy.decimal_point,     &copy.thousands_sep,   &copy.grouping,
                      &copy.int_curr_symbol,   &copy.currency_symbol, &copy.mon_decimal_point,
                      &copy.mon_thousands_sep, &copy.mon_grouping,    &copy.positive_sign,
                      &copy.negative_sign};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = copy_text(m, *texts[i]);
    return hd_heap_hide(m->running.heap, &copy, sizeof copy);
}

/* ---- time: it passes with each look at it, and sleeping costs nothing ---- */

static uint64_t look_at_clock(hd_machine *m) {
    hd_settle_arguments(m);
    m->running.virtual_time = hd_time_now(m) + TICK;
    return m->running.virtual_time;
}

static void *result(hd_machine *m, void *out, size_t n) {
    hd_library_write(m, out, n);
    hd_unpoison((uint64_t)out, n);
    return out;
}

time_t hd_libc_time(time_t *out) {
    hd_machine *m = hd_enter();
    time_t now = HD_START_OF_TIME + (time_t)(look_at_clock(m) / 1000000000);
    if (out)
        *(time_t *)result(m, out, sizeof *out) = now;
    return now;
}

clock_t hd_libc_clock(void) {
    return (clock_t)(look_at_clock(hd_now) / 1000);
}

int hd_libc_gettimeofday(struct timeval *out, void *zone) {
    hd_machine *m = hd_enter();
    uint64_t now = look_at_clock(m);
    (void)zone;
    if (out)
        *(struct timeval *)result(m, out, sizeof *out) = (struct timeval){
            HD_START_OF_TIME + (time_t)(now / 1000000000), (long)(now / 1000 % 1000000)};
    return 0;
}

/* Clocks of the system, and those of processes and threads, whose numbers are negative. */
static bool is_clock(int clock) {
    return clock <= CLOCK_TAI && clock != 10;
}

int hd_libc_clock_gettime(int clock, struct timespec *out) {
    hd_machine *m = hd_enter();
    uint64_t now = look_at_clock(m);
    if (!is_clock(clock)) {
        hd_errno_set(m, EINVAL);
        return -1;
    }
    time_t start = hd_clock_first(clock);
    *(struct timespec *)result(m, out, sizeof *out) =
        (struct timespec){start + (time_t)(now / 1000000000), (long)(now % 1000000000)};
    return 0;
}

/* ---- dates ---- */

/* What `in` points to is read by the host: it must be the program's, and is taken as it is. */
static void check_argument(hd_machine *m, const void *in, size_t n) {
    hd_settle_arguments(m);
    hd_library_read(m, in, n);
}

/* Members of struct tm by their place, as bits. */
enum {
    SECOND = 1 << 0,
    MINUTE = 1 << 1,
    HOUR = 1 << 2,
    MDAY = 1 << 3,
    MONTH = 1 << 4,
    YEAR = 1 << 5,
    WDAY = 1 << 6,
    YDAY = 1 << 7,
    IS_DST = 1 << 8,
    N_MEMBERS = 9,
    OFFSET = 1 << 9, /* tm_gmtoff */
    ZONE = 1 << 10,
    CLOCK = SECOND | MINUTE | HOUR,
    DATE = MDAY | MONTH | YEAR,
    ALL = (1 << N_MEMBERS) - 1
};
_Static_assert(offsetof(struct tm, tm_isdst) == sizeof(int) * (N_MEMBERS - 1), "one int each");

/* Only what a function looks at must have been written: there is room between members that nobody
 * writes, and programs leave those out that are not looked at. */
static void check_date(hd_machine *m, const struct tm *in, unsigned members) {
    const struct {
        const void *at;
        uint32_t n;
    } far[] = {{&in->tm_gmtoff, sizeof in->tm_gmtoff}, {&in->tm_zone, sizeof in->tm_zone}};
    bool is_lost = false;
    hd_library_touch(m, in, sizeof *in);
    for (unsigned i = 0; i < N_MEMBERS + 2; i++) {
        const void *member = i < N_MEMBERS ? (const int *)in + i : far[i - N_MEMBERS].at;
        uint32_t n = i < N_MEMBERS ? sizeof(int) : far[i - N_MEMBERS].n;
        if (!(members >> i & 1))
            continue;
        hd_define_memory(m, member, n, HD_USE_MEMORY);
        is_lost |= hd_in_region((uint64_t)member) &&
                   !hd_words_are_decided(m, HD_SHADOW_OF(member), n,
                                         hd_caller_site(m, __builtin_frame_address(0)));
    }
    if (is_lost)
        hd_approximate_memory(m);
}

static struct tm *store_date(hd_machine *m, struct tm *out, struct tm date, bool is_known) {
    if (!is_known) {
        hd_errno_set(m, EOVERFLOW);
        return NULL;
    }
    date.tm_zone = copy_text(m, date.tm_zone);
    hd_library_store(m, out, &date, sizeof date);
    return out;
}

struct tm *hd_libc_gmtime_r(const time_t *when, struct tm *out) {
    hd_machine *m = hd_enter();
    struct tm date = {0};
    check_argument(m, when, sizeof *when);
    bool is_known = gmtime_r(when, &date) != NULL;
    return store_date(m, out, date, is_known);
}

struct tm *hd_libc_localtime_r(const time_t *when, struct tm *out) {
    hd_machine *m = hd_enter();
    struct tm date = {0};
    check_argument(m, when, sizeof *when);
    bool is_known = localtime_r(when, &date) != NULL;
    return store_date(m, out, date, is_known);
}

static time_t time_of_date(struct tm *in, time_t (*convert)(struct tm *), unsigned members) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    check_date(m, in, members);
    struct tm date = *in;
    errno = 0;
    time_t when = convert(&date);
    if (when == -1 && errno) {
        hd_errno_set(m, EOVERFLOW);
        return -1;
    }
    date.tm_zone = copy_text(m, date.tm_zone);
    hd_library_store(m, in, &date, sizeof date);
    return when;
}

time_t hd_libc_mktime(struct tm *in) {
    return time_of_date(in, mktime, CLOCK | DATE | IS_DST);
}

time_t hd_libc_timegm(struct tm *in) {
    return time_of_date(in, timegm, CLOCK | DATE);
}

#define DATE_SIZE 26 /* that asctime_r and ctime_r may use, says POSIX */

char *hd_libc_asctime_r(const struct tm *when, char *out) {
    hd_machine *m = hd_enter();
    char text[128];
    hd_settle_arguments(m);
    check_date(m, when, CLOCK | DATE | WDAY);
    if (!asctime_r(when, text) || strlen(text) >= DATE_SIZE) {
        hd_errno_set(m, EOVERFLOW);
        return NULL;
    }
    hd_library_store(m, out, text, strlen(text) + 1);
    return out;
}

/* What conversions look at; those that are not here may look at anything. */
static unsigned members_of(char conversion) {
    static const struct {
        const char *letters;
        unsigned members;
    } all[] = {{"aAuw", WDAY},
               {"bBhm", MONTH},
               {"c", CLOCK | DATE | WDAY},
               {"CYy", YEAR},
               {"de", MDAY},
               {"DFx", DATE},
               {"HIklpP", HOUR},
               {"gGV", YEAR | YDAY | WDAY},
               {"j", YDAY},
               {"M", MINUTE},
               {"nt%", 0},
               {"z", IS_DST | OFFSET},
               {"Z", ZONE},
               {"rTX", CLOCK},
               {"R", HOUR | MINUTE},
               {"S", SECOND},
               {"UW", YDAY | WDAY}};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        if (strchr(all[i].letters, conversion))
            return all[i].members;
    return ALL;
}

static unsigned members_of_format(const char *format) {
    unsigned members = 0;
    for (const char *p = strchr(format, '%'); p; p = strchr(p, '%')) {
        p += 1 + strspn(p + 1, "_-0^#+EO0123456789");
        members |= *p ? members_of(*p) : 0;
        p += *p != '\0';
    }
    return members;
}

size_t hd_libc_strftime(char *out, size_t size, const char *format, const struct tm *when) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    hd_library_text f = hd_library_read_text(m, format, UINT64_MAX, 1);
    unsigned members = members_of_format(f.at);
    check_date(m, when, members);
    struct tm date = *when;
    bool names_zone = date.tm_zone && members & ZONE;
    date.tm_zone = names_zone ? hd_library_string(m, date.tm_zone) : NULL;
    char *text = hd_execution_alloc(m, size + 1);
    size_t n = strftime(text, size, f.at, &date);
    if (n)
        hd_library_store(m, out, text, n + 1);
    if (hd_library_is_lost(m, &f, 1))
        hd_approximate_memory(m);
    return n;
}

/* ---- sleeping ---- */

/* Sleeping is a cancellation point, and otherwise nothing that others see. */
static void sleep_for(hd_machine *m, uint64_t nanoseconds) {
    hd_sleep_until(m, hd_time_now(m) + nanoseconds);
    hd_cancellation_point(m);
}

/* Did a signal interrupt the wait that has just ended? */
static bool take_interruption(hd_machine *m) {
    bool *is_interrupted = &m->thread[m->threads.current].is_interrupted, was = *is_interrupted;
    *is_interrupted = false;
    return was;
}

/* Was the wait interrupted?  Then errno says so. */
static bool was_interrupted(hd_machine *m) {
    bool was = take_interruption(m);
    if (was)
        hd_errno_set(m, EINTR);
    return was;
}

unsigned hd_libc_sleep(unsigned seconds) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    uint64_t until = hd_time_now(m) + UINT64_C(1000000000) * seconds;
    sleep_for(m, UINT64_C(1000000000) * seconds);
    if (!was_interrupted(m))
        return 0;
    return (unsigned)((until - hd_time_now(m) + 999999999) / 1000000000);
}

int hd_libc_usleep(unsigned microseconds) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    sleep_for(m, UINT64_C(1000) * microseconds);
    return was_interrupted(m) ? -1 : 0;
}

static uint64_t nanoseconds_of(const struct timespec *t) {
    return UINT64_C(1000000000) * (uint64_t)t->tv_sec + (uint64_t)t->tv_nsec;
}

/* The two numbers of a duration are read one after the other: a waiting loop can wait for them. */
static uint64_t read_duration(hd_machine *m, const struct timespec *t) {
    struct timespec copy;
    hd_settle_arguments(m);
    hd_library_get(m, &copy.tv_sec, &t->tv_sec, sizeof t->tv_sec);
    hd_library_get(m, &copy.tv_nsec, &t->tv_nsec, sizeof t->tv_nsec);
    return copy.tv_sec < 0 || copy.tv_nsec < 0 || copy.tv_nsec > 999999999 ? UINT64_MAX
                                                                           : nanoseconds_of(&copy);
}

static void store_rest(hd_machine *m, struct timespec *left, uint64_t until) {
    uint64_t now = hd_time_now(m), rest = until > now ? until - now : 0;
    struct timespec t = {(time_t)(rest / 1000000000), (long)(rest % 1000000000)};
    if (left)
        hd_library_store(m, left, &t, sizeof t);
}

int hd_libc_nanosleep(const struct timespec *wanted, struct timespec *left) {
    hd_machine *m = hd_enter();
    uint64_t duration = read_duration(m, wanted), until = hd_time_now(m) + duration;
    if (duration == UINT64_MAX) {
        hd_errno_set(m, EINVAL);
        return -1;
    }
    sleep_for(m, duration);
    if (!was_interrupted(m))
        return 0;
    store_rest(m, left, until);
    hd_errno_set(m, EINTR);
    return -1;
}

/* There are clocks that can be looked at only. */
static bool can_wake(int clock) {
    return clock != CLOCK_MONOTONIC_RAW && clock != CLOCK_REALTIME_COARSE &&
           clock != CLOCK_MONOTONIC_COARSE;
}

int hd_libc_clock_nanosleep(int clock, int flags, const struct timespec *wanted,
                            struct timespec *left) {
    hd_machine *m = hd_enter();
    uint64_t until = read_duration(m, wanted), start = hd_time_now(m);
    bool is_absolute = flags & TIMER_ABSTIME;
    if (!is_clock(clock) || clock == CLOCK_THREAD_CPUTIME_ID)
        return EINVAL;
    if (!can_wake(clock))
        return EOPNOTSUPP;
    if (until == UINT64_MAX)
        return EINVAL;
    if (is_absolute) {
        uint64_t zero = UINT64_C(1000000000) * (uint64_t)hd_clock_first(clock);
        until = until > zero + m->running.virtual_time ? until - zero - m->running.virtual_time : 0;
    }
    sleep_for(m, until);
    bool is_interrupted = take_interruption(m); /* the result says what failed, and errno stays */
    if (is_interrupted && !is_absolute)
        store_rest(m, left, start + until);
    return is_interrupted ? EINTR : 0;
}
