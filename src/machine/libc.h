/* libc.h -- the C library functions that the machine provides itself.
 *
 * Those that read or write much program memory (strings, sorting) are not here: they are C
 * code, compiled and instrumented with the program (models/).
 * Each of these takes the shadows of its arguments, and leaves none behind. */
#ifndef HD_MACHINE_LIBC_H
#define HD_MACHINE_LIBC_H
#include "machine/machine_int.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

/* libc_memory.c */
void *hd_libc_malloc(size_t size);
void *hd_libc_calloc(size_t n, size_t size);
void *hd_libc_aligned_alloc(size_t alignment, size_t size);
int hd_libc_posix_memalign(void **out, size_t alignment, size_t size);
void hd_libc_free(void *p);
void *hd_libc_realloc(void *p, size_t size);
void *hd_libc_reallocarray(void *p, size_t n, size_t size);
size_t hd_libc_malloc_usable_size(void *p);
/* A copy in the program's heap that is never a leak. */
void *hd_libc_hidden(hd_machine *m, const void *bytes, size_t n);
/* Room for one, as models call it. */
void *hd_libc_hidden_block(size_t n);

/* libc_process.c */
_Noreturn void hd_libc_exit(int status);
_Noreturn void hd_libc_exit_now(int status);
_Noreturn void hd_libc_abort(void);
_Noreturn void hd_libc_assert_fail(const char *text, const char *file, unsigned line,
                                   const char *function);
int hd_libc_atexit(hd_handler handler);
int *hd_libc_errno_location(void);
const void *hd_libc_ctype_b(void);
const void *hd_libc_ctype_tolower(void);
const void *hd_libc_ctype_toupper(void);
char **hd_libc_environment(void);
char *hd_libc_strerror(int number);
char *hd_libc_strsignal(int number);
char *hd_libc_setlocale(int category, const char *name);
struct lconv *hd_libc_localeconv(void);
#define HD_START_OF_TIME 1700000000 /* what time() says first */
time_t hd_libc_time(time_t *out);
clock_t hd_libc_clock(void);
int hd_libc_gettimeofday(struct timeval *out, void *zone);
int hd_libc_clock_gettime(int clock, struct timespec *out);
/* A time of that clock in nanoseconds of the machine's; UINT64_MAX: never. */
uint64_t hd_clock_until(int clock, const struct timespec *when);
/* It is at least `when` now: a wait has timed out. */
void hd_clock_reach(hd_machine *m, int clock, const struct timespec *when);
struct tm *hd_libc_gmtime_r(const time_t *when, struct tm *out);
struct tm *hd_libc_localtime_r(const time_t *when, struct tm *out);
time_t hd_libc_mktime(struct tm *in);
time_t hd_libc_timegm(struct tm *in);
char *hd_libc_asctime_r(const struct tm *when, char *out);
size_t hd_libc_strftime(char *out, size_t size, const char *format, const struct tm *when);
unsigned hd_libc_sleep(unsigned seconds);
int hd_libc_usleep(unsigned microseconds);

/* libc_fork.c */
int hd_libc_fork(void);
int hd_libc_getpid(void);
int hd_libc_getppid(void);
int hd_libc_wait(int *status);
int hd_libc_waitpid(int pid, int *status, int options);
int hd_libc_kill(int pid, int signal);
struct rusage;
int hd_libc_wait3(int *status, int options, struct rusage *usage);
int hd_libc_wait4(int pid, int *status, int options, struct rusage *usage);
int hd_libc_waitid(int type, unsigned id, siginfo_t *out, int options);

/* libc_signal.c */
int hd_libc_raise(int signal);
void *hd_libc_signal(int signal, void *handler);
int hd_libc_sigaction(int signal, const void *action, void *old);
int hd_libc_sigprocmask(int how, const sigset_t *set, sigset_t *old);
int hd_libc_pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int hd_libc_sigpending(sigset_t *out);
int hd_libc_pause(void);
int hd_libc_sigsuspend(const sigset_t *set);
unsigned hd_libc_alarm(unsigned seconds);
int hd_libc_setitimer(int which, const struct itimerval *given, struct itimerval *old);
int hd_libc_getitimer(int which, struct itimerval *out);

int hd_libc_nanosleep(const struct timespec *wanted, struct timespec *left);
int hd_libc_clock_nanosleep(int clock, int flags, const struct timespec *wanted,
                            struct timespec *left);

/* pthread_thread.c: pthread_t is an unsigned long */
int hd_libc_pthread_create(uint64_t *out, void *attr, void *(*function)(void *), void *argument);
int hd_libc_pthread_join(uint64_t value, uint64_t *out);
int hd_libc_pthread_detach(uint64_t value);
_Noreturn void hd_libc_pthread_exit(void *result);
uint64_t hd_libc_pthread_self(void);
int hd_libc_pthread_equal(uint64_t a, uint64_t b);
void hd_libc_atomic_begin(void);
void hd_libc_atomic_end(void);
int hd_libc_sched_yield(void);
int hd_libc_pthread_attr_init(void *p);
int hd_libc_pthread_attr_destroy(void *p);
/* name, type, field, and which values are good */
#define HD_THREAD_ATTRIBUTES(X)                                                                    \
    X(detachstate, int, is_detached, value == 0 || value == 1)                                     \
    X(scope, int, scope, value == 0)                                                               \
    X(inheritsched, int, inherits, value == 0 || value == 1)                                       \
    X(schedpolicy, int, policy, value >= 0 && value <= 2)                                          \
    X(stacksize, size_t, stack_size, value >= 16384)                                               \
    X(guardsize, size_t, guard_size, true)
#define X(name, type, field, is_good)                                                              \
    int hd_libc_pthread_attr_set##name(void *p, type value);                                       \
    int hd_libc_pthread_attr_get##name(void *p, type *out);
HD_THREAD_ATTRIBUTES(X)
#undef X
int hd_libc_pthread_hint(void);

/* pthread_key.c: pthread_key_t is an unsigned int */
int hd_libc_pthread_key_create(uint32_t *out, void (*destructor)(void *));
int hd_libc_pthread_key_delete(uint32_t key);
int hd_libc_pthread_setspecific(uint32_t key, const void *value);
void *hd_libc_pthread_getspecific(uint32_t key);

/* pthread_cancel.c */
int hd_libc_pthread_cancel(uint64_t value);
void hd_libc_pthread_testcancel(void);
int hd_libc_pthread_setcancelstate(int state, int *old);
int hd_libc_pthread_setcanceltype(int type, int *old);
void hd_libc_register_cancel(__pthread_unwind_buf_t *buffer);
void hd_libc_unregister_cancel(__pthread_unwind_buf_t *buffer);
_Noreturn void hd_libc_unwind_next(__pthread_unwind_buf_t *buffer);

/* libc_output.c */
int hd_libc_printf(const char *format, ...);
int hd_libc_vprintf(const char *format, va_list arguments);
int hd_libc_fprintf(FILE *file, const char *format, ...);
int hd_libc_vfprintf(FILE *file, const char *format, va_list arguments);
int hd_libc_dprintf(int file, const char *format, ...);
int hd_libc_vdprintf(int file, const char *format, va_list arguments);
int hd_libc_puts(const char *s);
int hd_libc_fputs(const char *s, FILE *file);
int hd_libc_putchar(int c);
int hd_libc_fputc(int c, FILE *file);
size_t hd_libc_fwrite(const void *p, size_t size, size_t n, FILE *file);
int hd_libc_fflush(FILE *file);
void hd_libc_perror(const char *s);
int hd_libc_setvbuf(FILE *file, char *buffer, int mode, size_t size);
void hd_libc_setbuf(FILE *file, char *buffer);
void hd_libc_warn(const char *format, ...);
void hd_libc_warnx(const char *format, ...);
void hd_libc_vwarn(const char *format, va_list arguments);
void hd_libc_vwarnx(const char *format, va_list arguments);
void hd_libc_err(int status, const char *format, ...);
void hd_libc_errx(int status, const char *format, ...);
void hd_libc_verr(int status, const char *format, va_list arguments);
void hd_libc_verrx(int status, const char *format, va_list arguments);
void hd_libc_error(int status, int number, const char *format, ...);
int hd_libc_snprintf(char *out, size_t size, const char *format, ...);
int hd_libc_vsnprintf(char *out, size_t size, const char *format, va_list arguments);
int hd_libc_sprintf(char *out, const char *format, ...);
int hd_libc_vsprintf(char *out, const char *format, va_list arguments);
int hd_libc_asprintf(char **out, const char *format, ...);
int hd_libc_vasprintf(char **out, const char *format, va_list arguments);
#endif
