/* The functions that a program may call and does not define: tables.
 *
 * Some are the machine's own; others are looked up in this process, and their class says how
 * far they can be trusted.  A function that is in no table is called too, through a thunk that
 * notes the call (paper 002, 4.3): it runs on concrete values, and the user is told. */
#include "machine/libc_ipc.h"
#include "machine/libc_sync.h"
#include "machine/library.h"
#include "machine/stream.h"

#include "heddle.h"

#include <dlfcn.h>
#include <sys/mman.h>

/* clang-format off */

/* Functions of the machine's own: name in the program, function here. */
#define OWN(X)                                                                                     \
    /* machine/abi.h */                                                                            \
    X(__hd_slow_binary, __hd_slow_binary)           X(__hd_slow_cast, __hd_slow_cast)              \
    X(__hd_slow_select, __hd_slow_select)           X(__hd_slow_index, __hd_slow_index)            \
    X(__hd_slow_load, __hd_slow_load)               X(__hd_slow_store, __hd_slow_store)            \
    X(__hd_slow_access, __hd_slow_access)           X(__hd_slow_branch, __hd_slow_branch)          \
    X(__hd_slow_switch, __hd_slow_switch)           X(__hd_slow_step, __hd_slow_step)              \
    X(__hd_slow_concretize, __hd_slow_concretize)   X(__hd_slow_callee, __hd_slow_callee)          \
    X(__hd_slow_external, __hd_slow_external)       X(__hd_slow_overflow, __hd_slow_overflow)      \
    X(__hd_slow_intrinsic, __hd_slow_intrinsic)     X(__hd_memcpy, __hd_memcpy)                    \
    X(__hd_memset, __hd_memset)                     X(__hd_alloca, __hd_alloca)                    \
    X(__hd_variadic_enter, __hd_variadic_enter)     X(__hd_va_start, __hd_va_start)                \
    X(__hd_byval_enter, __hd_byval_enter)           X(__hd_byval_pass, __hd_byval_pass)            \
    X(__hd_cmpxchg, __hd_cmpxchg)                   X(__hd_slow_shared, __hd_slow_shared)          \
    X(__hd_slow_shared_compare, __hd_slow_shared_compare)                                          \
    X(__hd_slow_fix, __hd_slow_fix)                 X(__hd_slow_spin, __hd_slow_spin)              \
    /* heddle.h */                                                                                 \
    X(__heddle_input, __heddle_input)               X(__heddle_input_array, __heddle_input_array)  \
    X(__heddle_assume, __heddle_assume)             X(heddle_bytes, heddle_bytes)                  \
    X(__heddle_bytes_of, __heddle_bytes_of)                                                        \
    X(__heddle_assert_failed, __heddle_assert_failed)                                              \
    X(heddle_choose, heddle_choose)                 X(heddle_reach, heddle_reach)                  \
    X(heddle_spawn, heddle_spawn)                   X(heddle_self, heddle_self)                    \
    X(heddle_send, heddle_send)                     X(heddle_send_on, heddle_send_on)              \
    X(heddle_receive, heddle_receive)               X(heddle_receive_on, heddle_receive_on)        \
    X(heddle_sender, heddle_sender)                 X(heddle_channel, heddle_channel)              \
    X(heddle_fifo, heddle_fifo)                     X(heddle_halt, heddle_halt)                    \
    X(heddle_error, heddle_error)                   X(heddle_may_idle, heddle_may_idle)            \
    X(heddle_export, heddle_export)                 X(heddle_exported, heddle_exported)            \
    X(heddle_global_assert, heddle_global_assert)                                                  \
    /* libc_memory.c */                                                                            \
    X(malloc, hd_libc_malloc)                       X(calloc, hd_libc_calloc)                      \
    X(realloc, hd_libc_realloc)                     X(reallocarray, hd_libc_reallocarray)          \
    X(free, hd_libc_free)                           X(aligned_alloc, hd_libc_aligned_alloc)        \
    X(memalign, hd_libc_aligned_alloc)              X(posix_memalign, hd_libc_posix_memalign)      \
    X(malloc_usable_size, hd_libc_malloc_usable_size)                                              \
    /* libc_process.c */                                                                           \
    X(exit, hd_libc_exit)                           X(_exit, hd_libc_exit_now)                     \
    X(_Exit, hd_libc_exit_now)                      X(quick_exit, hd_libc_exit_now)                \
    X(abort, hd_libc_abort)                         X(__assert_fail, hd_libc_assert_fail)          \
    X(raise, hd_libc_raise)                         X(atexit, hd_libc_atexit)                      \
    X(signal, hd_libc_signal)                       X(sigaction, hd_libc_sigaction)                \
    X(__errno_location, hd_libc_errno_location)     X(__ctype_b_loc, hd_libc_ctype_b)              \
    X(__ctype_tolower_loc, hd_libc_ctype_tolower)   X(__ctype_toupper_loc, hd_libc_ctype_toupper)  \
    X(__heddle_environment, hd_libc_environment)    X(__heddle_hidden, hd_libc_hidden_block)       \
    X(strerror, hd_libc_strerror)                   X(time, hd_libc_time)                          \
    X(clock, hd_libc_clock)                         X(gettimeofday, hd_libc_gettimeofday)          \
    X(clock_gettime, hd_libc_clock_gettime)         X(sleep, hd_libc_sleep)                        \
    X(usleep, hd_libc_usleep)                       X(nanosleep, hd_libc_nanosleep)                \
    X(clock_nanosleep, hd_libc_clock_nanosleep)     X(getpid, hd_libc_getpid)                      \
    X(getppid, hd_libc_getppid)                     X(strsignal, hd_libc_strsignal)                \
    X(fork, hd_libc_fork)                           X(vfork, hd_libc_fork)                         \
    X(wait, hd_libc_wait)                           X(waitpid, hd_libc_waitpid)                    \
    X(pause, hd_libc_pause)                         X(kill, hd_libc_kill)                          \
    X(wait3, hd_libc_wait3)                         X(wait4, hd_libc_wait4)                        \
    X(waitid, hd_libc_waitid)                       X(sigprocmask, hd_libc_sigprocmask)            \
    X(pthread_sigmask, hd_libc_pthread_sigmask)     X(sigpending, hd_libc_sigpending)              \
    X(sigsuspend, hd_libc_sigsuspend)               X(alarm, hd_libc_alarm)                        \
    X(setitimer, hd_libc_setitimer)                 X(getitimer, hd_libc_getitimer)                \
    X(gmtime_r, hd_libc_gmtime_r)                   X(localtime_r, hd_libc_localtime_r)            \
    X(mktime, hd_libc_mktime)                       X(timegm, hd_libc_timegm)                      \
    X(asctime_r, hd_libc_asctime_r)                 X(strftime, hd_libc_strftime)                  \
    X(localeconv, hd_libc_localeconv)               X(setlocale, hd_libc_setlocale)                \
    /* libc_output.c */                                                                            \
    X(snprintf, hd_libc_snprintf)                   X(vsnprintf, hd_libc_vsnprintf)                \
    X(sprintf, hd_libc_sprintf)                     X(vsprintf, hd_libc_vsprintf)                  \
    X(asprintf, hd_libc_asprintf)                   X(vasprintf, hd_libc_vasprintf)

/* Threads: pthread_thread.c, pthread_key.c, pthread_cancel.c */
#define THREADS(X)                                                                                 \
    X(pthread_create, hd_libc_pthread_create)       X(pthread_join, hd_libc_pthread_join)          \
    X(pthread_detach, hd_libc_pthread_detach)       X(pthread_exit, hd_libc_pthread_exit)          \
    X(pthread_self, hd_libc_pthread_self)           X(pthread_equal, hd_libc_pthread_equal)        \
    X(__VERIFIER_atomic_begin, hd_libc_atomic_begin)                                               \
    X(__VERIFIER_atomic_end, hd_libc_atomic_end)                                                   \
    X(sched_yield, hd_libc_sched_yield)             X(pthread_yield, hd_libc_sched_yield)          \
    X(pthread_attr_init, hd_libc_pthread_attr_init)                                                \
    X(pthread_attr_destroy, hd_libc_pthread_attr_destroy)                                          \
    X(pthread_attr_setschedparam, hd_libc_pthread_hint)                                            \
    X(pthread_setname_np, hd_libc_pthread_hint)     X(pthread_setconcurrency, hd_libc_pthread_hint)\
    X(pthread_getconcurrency, hd_libc_pthread_hint)                                                \
    X(pthread_setschedparam, hd_libc_pthread_hint)                                                 \
    X(pthread_setschedprio, hd_libc_pthread_hint)                                                  \
    X(pthread_setaffinity_np, hd_libc_pthread_hint)                                                \
    X(sched_setaffinity, hd_libc_pthread_hint)                                                     \
    X(sched_get_priority_min, hd_libc_pthread_hint)                                                \
    X(sched_get_priority_max, hd_libc_pthread_hint)                                                \
    X(pthread_key_create, hd_libc_pthread_key_create)                                              \
    X(pthread_key_delete, hd_libc_pthread_key_delete)                                              \
    X(pthread_setspecific, hd_libc_pthread_setspecific)                                            \
    X(pthread_getspecific, hd_libc_pthread_getspecific)                                            \
    X(pthread_cancel, hd_libc_pthread_cancel)       X(pthread_testcancel, hd_libc_pthread_testcancel)\
    X(pthread_setcancelstate, hd_libc_pthread_setcancelstate)                                      \
    X(pthread_setcanceltype, hd_libc_pthread_setcanceltype)                                        \
    X(__pthread_register_cancel, hd_libc_register_cancel)                                          \
    X(__pthread_unregister_cancel, hd_libc_unregister_cancel)                                      \
    X(__pthread_unwind_next, hd_libc_unwind_next)

#define PRINTING(X)                                                                                \
    X(printf, hd_libc_printf)                       X(vprintf, hd_libc_vprintf)                    \
    X(fprintf, hd_libc_fprintf)                     X(vfprintf, hd_libc_vfprintf)                  \
    X(dprintf, hd_libc_dprintf)                     X(puts, hd_libc_puts)                          \
    X(fputs, hd_libc_fputs)                         X(fputs_unlocked, hd_libc_fputs)               \
    X(putchar, hd_libc_putchar)                     X(putchar_unlocked, hd_libc_putchar)           \
    X(putc, hd_libc_fputc)                          X(fputc, hd_libc_fputc)                        \
    X(putc_unlocked, hd_libc_fputc)                 X(fputc_unlocked, hd_libc_fputc)               \
    X(fflush_unlocked, hd_libc_fflush)                                                             \
    X(_IO_putc, hd_libc_fputc)                      X(fwrite, hd_libc_fwrite)                      \
    X(fwrite_unlocked, hd_libc_fwrite)              X(fflush, hd_libc_fflush)                      \
    X(perror, hd_libc_perror)                       X(setvbuf, hd_libc_setvbuf)                    \
    X(setbuf, hd_libc_setbuf)                       X(setlinebuf, hd_libc_setlinebuf)              \
    X(vdprintf, hd_libc_vdprintf)                   X(warn, hd_libc_warn)                          \
    X(warnx, hd_libc_warnx)                         X(vwarn, hd_libc_vwarn)                        \
    X(vwarnx, hd_libc_vwarnx)                       X(err, hd_libc_err)                            \
    X(errx, hd_libc_errx)                           X(verr, hd_libc_verr)                          \
    X(verrx, hd_libc_verrx)                         X(error, hd_libc_error)

/* libc_sync.h: the function here is hd_libc_ and the name in the program. */
#define SYNC(X)                                                                                    \
    X(pthread_mutex_init) X(pthread_mutex_destroy) X(pthread_mutex_lock) X(pthread_mutex_trylock)  \
    X(pthread_mutex_timedlock) X(pthread_mutex_clocklock) X(pthread_mutex_unlock)                  \
    X(pthread_mutex_consistent) X(pthread_mutexattr_init) X(pthread_mutexattr_destroy)             \
    X(pthread_mutexattr_settype) X(pthread_mutexattr_gettype) X(pthread_mutexattr_setrobust)       \
    X(pthread_mutexattr_getrobust) X(pthread_mutexattr_setpshared)                                 \
    X(pthread_mutexattr_getpshared) X(pthread_mutexattr_setprotocol)                               \
    X(pthread_mutexattr_getprotocol) X(pthread_mutexattr_setprioceiling)                           \
    X(pthread_mutexattr_getprioceiling) X(pthread_cond_init) X(pthread_cond_destroy)               \
    X(pthread_cond_wait) X(pthread_cond_timedwait) X(pthread_cond_clockwait)                       \
    X(pthread_cond_signal) X(pthread_cond_broadcast) X(pthread_condattr_init)                      \
    X(pthread_condattr_destroy) X(pthread_condattr_setclock) X(pthread_condattr_getclock)          \
    X(pthread_condattr_setpshared) X(pthread_condattr_getpshared) X(pthread_rwlock_unlock)         \
    X(pthread_rwlock_init) X(pthread_rwlock_destroy) X(pthread_rwlock_rdlock)                      \
    X(pthread_rwlock_wrlock) X(pthread_rwlock_tryrdlock) X(pthread_rwlock_trywrlock)               \
    X(pthread_rwlock_timedrdlock) X(pthread_rwlock_timedwrlock) X(pthread_rwlock_clockrdlock)      \
    X(pthread_rwlock_clockwrlock) X(pthread_rwlockattr_init) X(pthread_rwlockattr_destroy)         \
    X(pthread_rwlockattr_setpshared) X(pthread_rwlockattr_getpshared)                              \
    X(pthread_rwlockattr_setkind_np) X(pthread_rwlockattr_getkind_np) X(pthread_spin_init)         \
    X(pthread_spin_destroy) X(pthread_spin_lock) X(pthread_spin_trylock) X(pthread_spin_unlock)    \
    X(sem_wait) X(sem_trywait) X(sem_clockwait) X(sem_timedwait) X(sem_post) X(sem_getvalue)       \
    X(sem_init) X(sem_destroy) X(sem_open) X(sem_close) X(sem_unlink) X(pthread_barrier_wait)      \
    X(pthread_barrier_init) X(pthread_barrier_destroy) X(pthread_barrierattr_init)                 \
    X(pthread_barrierattr_destroy) X(pthread_barrierattr_setpshared)                               \
    X(pthread_barrierattr_getpshared) X(pthread_once) X(thrd_create) X(thrd_join) X(thrd_detach)   \
    X(thrd_exit) X(thrd_yield) X(mtx_init) X(mtx_destroy) X(mtx_lock) X(mtx_trylock)               \
    X(mtx_timedlock) X(mtx_unlock) X(cnd_init) X(cnd_destroy) X(cnd_wait) X(cnd_timedwait)         \
    X(cnd_signal) X(cnd_broadcast) X(call_once) X(tss_create) X(tss_set) X(tss_delete)

/* libc_ipc.h: the same for descriptors, sockets and message queues. */
#define IPC(X)                                                                                     \
    X(read) X(write) X(readv) X(writev) X(close) X(dup) X(dup2) X(dup3) X(fcntl) X(ioctl) X(pipe)  \
    X(pipe2) X(unlink) X(eventfd) X(eventfd_read) X(eventfd_write) X(timerfd_create)               \
    X(timerfd_settime) X(timerfd_gettime) X(socket) X(socketpair) X(bind) X(listen) X(connect)     \
    X(accept) X(accept4) X(shutdown) X(getsockname) X(getpeername) X(send) X(sendto) X(sendmsg)    \
    X(recv) X(recvfrom) X(recvmsg) X(setsockopt) X(getsockopt) X(poll) X(ppoll) X(select)          \
    X(pselect) X(epoll_create) X(epoll_create1) X(epoll_ctl) X(epoll_wait) X(epoll_pwait)          \
    X(mq_open) X(mq_close) X(mq_unlink) X(mq_send) X(mq_timedsend) X(mq_receive)                   \
    X(mq_timedreceive) X(mq_getattr) X(mq_setattr) X(getaddrinfo) X(freeaddrinfo) X(gai_strerror)  \
    X(getnameinfo) X(gethostbyname) X(getservbyname) X(gethostname) X(inet_pton) X(inet_ntop) X(inet_aton)          \
    X(inet_addr) X(inet_ntoa) X(lseek) X(pread) X(pwrite) X(isatty) X(fsync) X(ftruncate) X(fstat)  \
    X(fdopen) X(fclose) X(fileno) X(feof) X(ferror) X(clearerr) X(fseek) X(ftell) X(rewind)        \
    X(flockfile) X(ftrylockfile) X(funlockfile) X(popen) X(mmap) X(munmap) X(msync) X(shm_open) X(shm_unlink)

/* Those that make real files, which keep state outside. */
#define FILES(X)                                                                                   \
    X(open) X(openat) X(creat) X(fopen) X(freopen) X(tmpfile)

/* <threads.h> where it is the same as in <pthread.h> or <time.h> */
#define C11(X)                                                                                     \
    X(thrd_current, hd_libc_pthread_self)           X(thrd_equal, hd_libc_pthread_equal)           \
    X(thrd_sleep, hd_libc_nanosleep)                X(tss_get, hd_libc_pthread_getspecific)

/* ubsan.c */
#define CHECKS(X)                                                                                  \
    X(add_overflow_abort)                                                                          \
    X(sub_overflow_abort)                                                                          \
    X(mul_overflow_abort) X(negate_overflow_abort) X(divrem_overflow_abort)                        \
        X(shift_out_of_bounds_abort) X(out_of_bounds_abort) X(builtin_unreachable)                 \
            X(missing_return) X(vla_bound_not_positive_abort) X(float_cast_overflow_abort)         \
                X(load_invalid_value_abort) X(pointer_overflow_abort) X(type_mismatch_v1_abort)    \
                    X(invalid_builtin_abort) X(nonnull_arg_abort) X(implicit_conversion_abort)

/* No state, or state that a program cannot see; they read memory through their arguments. */
static const char pure[] =
    " memcmp bcmp memchr memrchr memmem mempcpy strlen strnlen strcpy strncpy stpcpy strcat"
    " strncat strcmp strncmp strcasecmp strncasecmp strchr strchrnul strrchr strstr strcasestr"
    " strspn strcspn strpbrk strtok strtok_r strsep strcoll strxfrm strtol strtoll strtoul"
    " strtoull strtod strtof strtold atoi atol atoll atof sscanf __isoc99_sscanf"
    " __isoc23_sscanf __isoc23_strtol __isoc23_strtoll __isoc23_strtoul __isoc23_strtoull"
    " qsort qsort_r bsearch abs labs llabs div ldiv toupper tolower isalnum isalpha isblank"
    " iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit rand_r ffs swab"
    " wcslen wcscmp wcscpy"
    " frexp frexpf modf modff ";

/* Called by code that has already moved the shadows; jumps, which have none to move; and
 * libm. */
static const char direct[] =
    " memcpy memmove memset setjmp _setjmp sigsetjmp __sigsetjmp longjmp _longjmp siglongjmp"
    " sin cos tan asin acos atan atan2 sinh cosh tanh exp exp2 expm1 log log2 log10 log1p pow"
    " sqrt cbrt hypot floor ceil round trunc rint nearbyint lround lrint llround llrint fabs"
    " fmod remainder fmin fmax fma fdim copysign nextafter ldexp scalbn ilogb logb erf erfc"
    " tgamma lgamma j0 j1 jn y0 y1 yn sinf cosf tanf asinf acosf atanf atan2f sinhf coshf tanhf expf exp2f expm1f"
    " logf log2f log10f log1pf powf sqrtf cbrtf hypotf floorf ceilf roundf truncf rintf"
    " nearbyintf lroundf lrintf llroundf llrintf fabsf fmodf remainderf fminf fmaxf fmaf fdimf"
    " copysignf nextafterf ldexpf scalbnf ilogbf logbf ";

/* Files and whatever else outlives an execution. */
static const char stateful[] =
    " tmpnam remove rename truncate"
    " stat lstat access link symlink mkdir rmdir chdir getcwd opendir readdir closedir"
    " chmod mprotect system dlopen"
    " dlsym umask uname ";

/* How many of the first arguments of the two above are pointers, where it is fewer than all. */
static const char no_pointers[] = " abs labs llabs div ldiv toupper tolower ffs readdir closedir umask ";
static const char one_pointer[] = " atof frexp frexpf modf modff remove truncate access mkdir rmdir chdir getcwd opendir chmod"
                                  " mprotect system dlopen uname tmpnam ";
static const char two_pointers[] =
    " strtod strtof strtold rename stat lstat link symlink dlsym ";

/* Other threads, other processes, other control flow: later. */
static const char refused[] =
    " clone sendmmsg recvmmsg mq_notify splice sendfile tee vmsplice signalfd"
    " timer_create posix_spawn posix_spawnp syscall swapcontext"
    " makecontext shmget shmat shmdt shmctl semget semop"
    " semctl msgget msgsnd msgrcv msgctl ptrace killpg sigqueue sigpause sbrk brk sigwait sigwaitinfo sigtimedwait ";

#define DECLARE(check) void hd_ubsan_##check();
CHECKS(DECLARE)

static const struct row {
    const char *name;
    void *function;
    hd_import_class class;
} rows[] = {
#define X(name, function) {#name, function, HD_IMPORT_ABI},
    OWN(X)
    THREADS(X)
#undef X
#define X(name, type, field, is_good)                                                              \
    {"pthread_attr_set" #name, hd_libc_pthread_attr_set##name, HD_IMPORT_ABI},                     \
    {"pthread_attr_get" #name, hd_libc_pthread_attr_get##name, HD_IMPORT_ABI},
    HD_THREAD_ATTRIBUTES(X)
#undef X
#define X(name, function) {#name, function, HD_IMPORT_SINK},
        PRINTING(X)
#undef X
#define X(name) {#name, hd_libc_##name, HD_IMPORT_ABI},
        SYNC(X)
        IPC(X)
#undef X
#define X(name) {#name, hd_libc_##name, HD_IMPORT_STATEFUL},
        FILES(X)
#undef X
        {"mmap64", hd_libc_mmap, HD_IMPORT_ABI},
        {"open64", hd_libc_open, HD_IMPORT_STATEFUL},
        {"fopen64", hd_libc_fopen, HD_IMPORT_STATEFUL},
        {"freopen64", hd_libc_freopen, HD_IMPORT_STATEFUL},
        {"fseeko", hd_libc_fseek, HD_IMPORT_ABI},
        {"ftello", hd_libc_ftell, HD_IMPORT_ABI},
        {"feof_unlocked", hd_libc_feof, HD_IMPORT_ABI},
        {"ferror_unlocked", hd_libc_ferror, HD_IMPORT_ABI},
        {"clearerr_unlocked", hd_libc_clearerr, HD_IMPORT_ABI},
        {"fileno_unlocked", hd_libc_fileno, HD_IMPORT_ABI},
        {"ungetc", hd_libc_ungetc, HD_IMPORT_ABI},
        {"__heddle_stream_get", hd_libc_stream_get, HD_IMPORT_ABI},
        {"__heddle_stream_unget", hd_libc_ungetc, HD_IMPORT_ABI},
        {"__heddle_stream_enter", hd_libc_stream_enter, HD_IMPORT_ABI},
        {"__heddle_stream_leave", hd_libc_funlockfile, HD_IMPORT_ABI},
        {"lseek64", hd_libc_lseek, HD_IMPORT_ABI},
        {"__fdelt_chk", hd_libc_fdelt_chk, HD_IMPORT_ABI},
#define X(name, function) {#name, function, HD_IMPORT_ABI},
            C11(X)
#undef X
#define X(check) {"__ubsan_handle_" #check, hd_ubsan_##check, HD_IMPORT_ABI},
            CHECKS(X)
#undef X
};
/* clang-format on */

static const struct row *find_row(const char *name) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

/* Is `name` one of the words of the list? */
static bool is_listed(const char *list, const char *name) {
    size_t n = strlen(name);
    for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
        if (at[-1] == ' ' && at[n] == ' ')
            return true;
    return false;
}

static bool starts_with(const char *name, const char *prefix) {
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

hd_import_class hd_import_class_of(const char *name) {
    const struct row *r = find_row(name);
    if (r)
        return r->class;
    if (is_listed(pure, name))
        return HD_IMPORT_PURE;
    if (is_listed(direct, name))
        return HD_IMPORT_DIRECT;
    if (is_listed(stateful, name))
        return HD_IMPORT_STATEFUL;
    bool is_refused =
        is_listed(refused, name) || starts_with(name, "pthread_") || starts_with(name, "exec");
    return is_refused ? HD_IMPORT_REFUSED : HD_IMPORT_UNKNOWN;
}

hd_import_class hd_import_find(const char *name, uint64_t *address) {
    const struct row *r = find_row(name);
    *address = (uint64_t)(r ? r->function : dlsym(RTLD_DEFAULT, name));
    return hd_import_class_of(name);
}

/* ---- data ---- */

bool hd_import_data(const hd_import *i) {
    const void *host = dlsym(RTLD_DEFAULT, i->name);
    if (!host)
        return false;
    memcpy((void *)i->address, host, i->size);
    /* Strings of this machine's environment are outside the region: none. */
    if (strcmp(i->name, "environ") == 0 || strcmp(i->name, "__environ") == 0)
        memset((void *)i->address, 0, i->size);
    return true;
}

/* ---- thunks ----
 * Entry for import n:  mov $n, %r11;  mov $hd_external_thunk, %r10;  jmp *%r10
 * The common part saves every register that may hold an argument. */

void hd_external_thunk(void);
__asm__(".text\n"
        ".globl hd_external_thunk\n"
        ".type hd_external_thunk, @function\n"
        "hd_external_thunk:\n"
        "    push %rbp\n"
        "    mov %rsp, %rbp\n"
        "    sub $192, %rsp\n"
        "    mov %rdi, (%rsp)\n"
        "    mov %rsi, 8(%rsp)\n"
        "    mov %rdx, 16(%rsp)\n"
        "    mov %rcx, 24(%rsp)\n"
        "    mov %r8, 32(%rsp)\n"
        "    mov %r9, 40(%rsp)\n"
        "    mov %rax, 48(%rsp)\n"
        "    movups %xmm0, 64(%rsp)\n"
        "    movups %xmm1, 80(%rsp)\n"
        "    movups %xmm2, 96(%rsp)\n"
        "    movups %xmm3, 112(%rsp)\n"
        "    movups %xmm4, 128(%rsp)\n"
        "    movups %xmm5, 144(%rsp)\n"
        "    movups %xmm6, 160(%rsp)\n"
        "    movups %xmm7, 176(%rsp)\n"
        "    mov %r11, %rdi\n"
        "    mov %rsp, %rsi\n"
        "    call hd_external_enter\n"
        "    mov %rax, %r11\n"
        "    mov (%rsp), %rdi\n"
        "    mov 8(%rsp), %rsi\n"
        "    mov 16(%rsp), %rdx\n"
        "    mov 24(%rsp), %rcx\n"
        "    mov 32(%rsp), %r8\n"
        "    mov 40(%rsp), %r9\n"
        "    mov 48(%rsp), %rax\n"
        "    movups 64(%rsp), %xmm0\n"
        "    movups 80(%rsp), %xmm1\n"
        "    movups 96(%rsp), %xmm2\n"
        "    movups 112(%rsp), %xmm3\n"
        "    movups 128(%rsp), %xmm4\n"
        "    movups 144(%rsp), %xmm5\n"
        "    movups 160(%rsp), %xmm6\n"
        "    movups 176(%rsp), %xmm7\n"
        "    leave\n"
        "    jmp *%r11\n"
        ".size hd_external_thunk, .-hd_external_thunk\n");

#define THUNK_SIZE 32
#define MAX_THUNKS 4096

static uint8_t *thunks;
static struct thunk {
    uint64_t target;
    hd_import_class class;
} targets[MAX_THUNKS];

static void write_thunk(uint8_t *code, uint64_t number) {
    uint64_t common = (uint64_t)hd_external_thunk;
    static const uint8_t mov_r11[] = {0x49, 0xbb}, mov_r10[] = {0x49, 0xba},
                         jmp_r10[] = {0x41, 0xff, 0xe2};
    memcpy(code, mov_r11, 2);
    memcpy(code + 2, &number, 8);
    memcpy(code + 10, mov_r10, 2);
    memcpy(code + 12, &common, 8);
    memcpy(code + 20, jmp_r10, 3);
}

static bool needs_thunk(hd_import_class class, uint64_t number) {
    return (class == HD_IMPORT_PURE || class == HD_IMPORT_UNKNOWN || class == HD_IMPORT_STATEFUL) &&
           number < MAX_THUNKS;
}

uint64_t hd_import_thunk(hd_import_class class, uint64_t number, uint64_t address) {
    size_t size = (size_t)MAX_THUNKS * THUNK_SIZE;
    if (!needs_thunk(class, number))
        return address;
    if (!thunks) {
        thunks = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (thunks == MAP_FAILED)
            hd_out_of_memory();
    }
    mprotect(thunks, size, PROT_READ | PROT_WRITE);
    targets[number] = (struct thunk){address, class};
    write_thunk(thunks + number * THUNK_SIZE, number);
    mprotect(thunks, size, PROT_READ | PROT_EXEC);
    return (uint64_t)(thunks + number * THUNK_SIZE);
}

/* ---- what an external call may do to us ---- */

#define LOOK_BYTES 256             /* of what an argument points to */
#define DEEP       UINT64_C(65536) /* stack that external code may leave dirty */

/* Does this argument point to symbolic bytes?  As far as a string would be read. */
static bool points_to_symbolic(uint64_t address) {
    if (!hd_in_region(address))
        return false;
    const hd_word *s = HD_SHADOW_OF(address);
    for (unsigned i = 0; i < LOOK_BYTES && !HD_WORD_IS_POISON(s[i]); i++)
        if (s[i])
            return true;
    return false;
}

/* Registers that are no arguments hold anything. */
static unsigned count_pointers(const char *name) {
    return is_listed(no_pointers, name)    ? 0
           : is_listed(one_pointer, name)  ? 1
           : is_listed(two_pointers, name) ? 2
                                           : 6;
}

/* May another thread see what an argument points to?  What is done to it is no event. */
static bool points_to_shared(const hd_machine *m, const char *name, const uint64_t *arguments) {
    unsigned n = count_pointers(name);
    for (unsigned i = 0; i < n; i++)
        if (hd_in_region(arguments[i]) && !hd_is_private(m, arguments[i]))
            return true;
    return false;
}

/* The host would take a stream of ours for one of its own. */
static void check_streams(hd_machine *m, const char *name, const uint64_t *arguments) {
    for (unsigned i = 0; i < 6; i++)
        if (hd_in_region(arguments[i]) && hd_is_stream(m, (const FILE *)arguments[i]))
            hd_ipc_refuse(m, "call of '%.40s' on a stream, not modelled (executions end there)",
                          name);
}

uint64_t hd_external_enter(uint64_t number, const uint64_t *arguments) {
    hd_machine *m = hd_enter();
    const char *name = m->image->imports[number].name;
    if (targets[number].class == HD_IMPORT_UNKNOWN)
        check_streams(m, name, arguments);
    uint64_t stack = (uint64_t)arguments;
    if (targets[number].class == HD_IMPORT_STATEFUL)
        hd_library_state(m, HD_TOKEN_OUTSIDE, true);
    if (targets[number].class == HD_IMPORT_UNKNOWN)
        hd_approximate_call(m, "call of '%.64s', which is not modelled", name);
    if (hd_is_threaded(m) && points_to_shared(m, name, arguments))
        hd_bound_call(m, "what '%.40s' does to memory of other threads is not seen", name);
    for (unsigned i = 0; i < 6; i++)
        if (points_to_symbolic(arguments[i])) {
            hd_approximate_call(m, "call of '%.64s' on symbolic memory", name);
            break;
        }
    /* Its frames will lie where returned functions left poison, and it may hand out pointers
     * to them in callbacks. */
    if (m->registers->stack_low < stack)
        hd_unpoison(m->registers->stack_low - HD_LOCAL_PAD,
                    stack - m->registers->stack_low + HD_LOCAL_PAD);
    if (stack - DEEP < m->stack_dirty)
        m->stack_dirty = stack - DEEP;
    if (targets[number].class != HD_IMPORT_PURE)
        hd_memory_stop_watching(m);
    return targets[number].target;
}
