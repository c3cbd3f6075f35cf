/* libc.h -- the C library functions that the machine provides itself.
 *
 * A function that the program calls by the name f is hd_libc_f; its row in program/functions.def
 * says so, and what it does with memory.  Each takes the shadows of its arguments, and leaves none
 * behind.  Declared here are only those that other files call or that need a type: the table needs
 * no declaration (functions.c).
 * Not here: functions that read or write much of the program's memory (strings, sorting), which are
 * C code that is compiled and instrumented with the program (models/); threads and locks
 * (sync/libc_sync.h), descriptors and files (libc_ipc.h). */
#ifndef HD_MACHINE_LIBC_LIBC_H
#define HD_MACHINE_LIBC_LIBC_H
#include "machine/tasks/process.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

/* libc/malloc.c */
void *hd_libc_malloc(size_t size);
void *hd_libc_calloc(size_t n, size_t size);
void *hd_libc_aligned_alloc(size_t alignment, size_t size);
int hd_libc_posix_memalign(void **out, size_t alignment, size_t size);
void hd_libc_free(void *p);
/* As the program's free() at `pc` does it, for library functions that give back what others of them
 * have allocated for the program. */
void hd_program_free(hd_machine *m, void *p, uint64_t pc);
void *hd_libc_realloc(void *p, size_t size);
void *hd_libc_reallocarray(void *p, size_t n, size_t size);
size_t hd_libc_malloc_usable_size(void *p);
/* A block of the program's heap that is no leak, for what models keep. */
void *hd_libc_hidden_block(size_t n);

/* libc/process.c */
_Noreturn void hd_libc_exit(int status);
_Noreturn void hd_libc_exit_now(int status);
_Noreturn void hd_libc_abort(void);
_Noreturn void hd_libc_assert_fail(const char *text, const char *file, unsigned line,
                                   const char *function);
int hd_libc_atexit(hd_handler handler);
int hd_libc_at_quick_exit(hd_handler handler);
void hd_libc_quick_exit(int status);
int *hd_libc_errno_location(void);
const void *hd_libc_ctype_b(void);
const void *hd_libc_ctype_tolower(void);
const void *hd_libc_ctype_toupper(void);
char **hd_libc_environment(void);
char *hd_libc_strerror(int number);
char *hd_libc_strsignal(int number);
char *hd_libc_setlocale(int category, const char *name);
struct lconv *hd_libc_localeconv(void);
time_t hd_libc_time(time_t *out);
clock_t hd_libc_clock(void);
int hd_libc_gettimeofday(struct timeval *out, void *zone);
int hd_libc_clock_gettime(int clock, struct timespec *out);
struct tm *hd_libc_gmtime_r(const time_t *when, struct tm *out);
struct tm *hd_libc_localtime_r(const time_t *when, struct tm *out);
time_t hd_libc_mktime(struct tm *in);
time_t hd_libc_timegm(struct tm *in);
char *hd_libc_asctime_r(const struct tm *when, char *out);
size_t hd_libc_strftime(char *out, size_t size, const char *format, const struct tm *when);
unsigned hd_libc_sleep(unsigned seconds);
int hd_libc_usleep(unsigned microseconds);

/* libc/fork.c */
int hd_libc_fork(void);
int hd_libc_getpid(void);
int hd_libc_getppid(void);
int hd_libc_getpgid(int pid);
int hd_libc_getpgrp(void);
int hd_libc_getsid(int pid);
int hd_libc_setsid(void);
int hd_libc_setpgid(int pid, int group);
int hd_libc_setpgrp(void);
int hd_libc_killpg(int group, int signal);
int hd_libc_wait(int *status);
int hd_libc_waitpid(int pid, int *status, int options);
int hd_libc_kill(int pid, int signal);
struct rusage;
int hd_libc_wait3(int *status, int options, struct rusage *usage);
int hd_libc_wait4(int pid, int *status, int options, struct rusage *usage);
int hd_libc_waitid(int type, unsigned id, siginfo_t *out, int options);

/* libc/signal.c */
int hd_libc_raise(int signal);
void *hd_libc_signal(int signal, void *handler);
int hd_libc_sigaction(int signal, const void *action, void *old);
int hd_libc_sigprocmask(int how, const sigset_t *set, sigset_t *old);
int hd_libc_pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int hd_libc_sigpending(sigset_t *out);
int hd_libc_pause(void);
int hd_libc_sigsuspend(const sigset_t *set);

/* libc/jump.c */
struct __jmp_buf_tag;
void hd_jump_prepare(struct __jmp_buf_tag *buffer, int keeps_set);
void hd_libc_longjmp(struct __jmp_buf_tag *buffer, int value);

/* libc/signal_wait.c */
int hd_libc_sigwait(const sigset_t *set, int *out);
int hd_libc_sigwaitinfo(const sigset_t *set, siginfo_t *out);
int hd_libc_sigtimedwait(const sigset_t *set, siginfo_t *out, const struct timespec *timeout);
int hd_libc_pthread_kill(uint64_t thread, int signal);
/* libc/signal.c */
unsigned hd_libc_alarm(unsigned seconds);
int hd_libc_setitimer(int which, const struct itimerval *given, struct itimerval *old);
int hd_libc_getitimer(int which, struct itimerval *out);

int hd_libc_nanosleep(const struct timespec *wanted, struct timespec *left);
int hd_libc_clock_nanosleep(int clock, int flags, const struct timespec *wanted,
                            struct timespec *left);

/* libc/output.c */
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

/* ---- surroundings.c ---- */
/* What such an object of the C library has, by its name (environ, __progname, ...). */
hd_own_kind hd_own_kind_of(const char *name);
/* `environ` of the running process and its name, before its main. */
void hd_own_set(hd_machine *m);
bool hd_world_init(hd_machine *m, hd_err *err);
/* Room for n bytes with poison around; `name` for messages. */
void *hd_world_alloc(hd_machine *m, uint64_t n, const char *name, bool is_constant);

/* ---- imports.c ---- */
/* Where calls of import `number` go; false if the function is refused where it is reached. */
bool hd_import_function(hd_import *import, uint64_t number);
/* Does the function of that name keep state that the machine cannot bring back? */
bool hd_import_is_outside(const char *name);
/* Fill the program's copy of an external object; false if nobody has it. */
bool hd_import_data(const hd_import *import);

/* ---- gateway.c ---- */
struct hd_function;
/* Around all calls of hd_gateway_bind for the imports of a module. */
void hd_gateway_open(uint64_t n_imports);
void hd_gateway_seal(void);
void hd_gateway_close(void);
/* Where calls of import `number` go: to a thunk, if its row (NULL: none) needs one. */
uint64_t hd_gateway_bind(uint64_t number, const struct hd_function *row, uint64_t address);
/* Called by the thunks: those that are called before the function answer its address. */
uint64_t hd_gateway_enter(uint64_t number, const uint64_t *registers);
void hd_gateway_leave(uint64_t number, const uint64_t *registers);
uint64_t hd_gateway_enter_unknown(uint64_t number, uint64_t *registers);
void hd_gateway_copy(uint64_t *to, const uint64_t *from);
void hd_gateway_leave_unknown(uint64_t number, const uint64_t *registers);
void hd_gateway_failed(void);
uint64_t hd_gateway_return(uint64_t result);
#endif
