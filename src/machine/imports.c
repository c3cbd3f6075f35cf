/* The functions that a program may call and does not define: one table.
 *
 * Rows with an implementation are the machine's own; the others are looked up in this
 * process.  A function that is in no row is called too, through a thunk that notes the call
 * (S2.10): it runs on concrete values, and the user is told. */
#include "machine/libc.h"

#include "heddle.h"

#include <dlfcn.h>
#include <sys/mman.h>

#define ROW_ABI(name)          {#name, name, HD_IMPORT_ABI},
#define ROW_CHECK(check)       {"__ubsan_handle_" #check, __ubsan_handle_##check, HD_IMPORT_ABI},
#define ROW_MODEL(name, model) {#name, hd_libc_##model, HD_IMPORT_ABI},
#define ROW_SINK(name, model)  {#name, hd_libc_##model, HD_IMPORT_SINK},
#define ROW_PURE(name)         {#name, NULL, HD_IMPORT_PURE},
#define ROW_MOVE(name)         {#name, NULL, HD_IMPORT_DIRECT},
#define ROW_MATH(name)         {#name, NULL, HD_IMPORT_DIRECT}, {#name "f", NULL, HD_IMPORT_DIRECT},
#define ROW_STATE(name)        {#name, NULL, HD_IMPORT_STATEFUL},
#define ROW_REFUSED(name)      {#name, NULL, HD_IMPORT_REFUSED},

/* machine/abi.h and heddle.h */
#define ABI_FUNCTIONS(X)                                                                           \
    X(__hd_slow_binary)                                                                            \
    X(__hd_slow_cast) X(__hd_slow_select) X(__hd_slow_index) X(__hd_slow_load) X(__hd_slow_store)  \
        X(__hd_slow_access) X(__hd_slow_branch) X(__hd_slow_switch) X(__hd_slow_step)              \
            X(__hd_slow_concretize) X(__hd_slow_callee) X(__hd_slow_external)                      \
                X(__hd_slow_overflow) X(__hd_slow_intrinsic) X(__hd_memcpy) X(__hd_memset)         \
                    X(__hd_alloca) X(__hd_variadic_enter) X(__hd_va_start) X(__hd_byval_enter)     \
                        X(__hd_byval_pass) X(__hd_cmpxchg) X(__heddle_input)                       \
                            X(__heddle_input_array) X(__heddle_assume) X(__heddle_assert_failed)   \
                                X(heddle_bytes) X(heddle_choose) X(heddle_reach)

/* ubsan.c */
#define CHECKS(X)                                                                                  \
    X(add_overflow_abort)                                                                          \
    X(sub_overflow_abort) X(mul_overflow_abort) X(negate_overflow_abort) X(divrem_overflow_abort)  \
        X(shift_out_of_bounds_abort) X(out_of_bounds_abort) X(builtin_unreachable)                 \
            X(missing_return) X(vla_bound_not_positive_abort) X(float_cast_overflow_abort)         \
                X(load_invalid_value_abort) X(pointer_overflow_abort) X(type_mismatch_v1_abort)    \
                    X(invalid_builtin_abort) X(nonnull_arg_abort) X(implicit_conversion_abort)

/* libc.h: name in the program, name here */
#define MODELS(X)                                                                                  \
    X(malloc, malloc)                                                                              \
    X(calloc, calloc) X(realloc, realloc) X(reallocarray, reallocarray) X(free, free)              \
        X(cfree, free) X(aligned_alloc, aligned_alloc) X(memalign, aligned_alloc)                  \
            X(posix_memalign, posix_memalign) X(malloc_usable_size, malloc_usable_size)            \
                X(strdup, strdup) X(__strdup, strdup) X(strndup, strndup) X(__strndup, strndup)    \
                    X(exit, exit) X(_exit, exit_now) X(_Exit, exit_now) X(quick_exit, exit_now)    \
                        X(abort, abort) X(__assert_fail, assert_fail) X(raise, raise)              \
                            X(atexit, atexit) X(signal, signal) X(__sysv_signal, signal)           \
                                X(sigaction, sigaction) X(__errno_location, errno_location) X(     \
                                    __ctype_b_loc, ctype_b) X(__ctype_tolower_loc, ctype_tolower)  \
                                    X(__ctype_toupper_loc, ctype_toupper) X(getenv, getenv) X(     \
                                        secure_getenv, getenv) X(strerror, strerror) X(time, time) \
                                        X(clock, clock) X(gettimeofday, gettimeofday)              \
                                            X(clock_gettime, clock_gettime) X(sleep, sleep)        \
                                                X(usleep, usleep) X(rand, rand) X(srand, srand)    \
                                                    X(random, random) X(srandom, srand)            \
                                                        X(lrand48, random) X(srand48, srand)       \
                                                            X(getpid, getpid) X(getppid, getpid)   \
                                                                X(snprintf, snprintf)              \
                                                                    X(vsnprintf, vsnprintf)        \
                                                                        X(sprintf, sprintf)        \
                                                                            X(vsprintf, vsprintf)

#define SINKS(X)                                                                                   \
    X(printf, printf)                                                                              \
    X(vprintf, vprintf) X(fprintf, fprintf) X(vfprintf, vfprintf) X(dprintf, dprintf)              \
        X(puts, puts) X(fputs, fputs) X(fputs_unlocked, fputs) X(putchar, putchar)                 \
            X(putchar_unlocked, putchar) X(putc, fputc) X(fputc, fputc) X(_IO_putc, fputc)         \
                X(fwrite, fwrite) X(fwrite_unlocked, fwrite) X(fflush, fflush) X(perror, perror)   \
                    X(setvbuf, setvbuf) X(setbuf, setbuf)

/* No state, or state that a program cannot see; they read memory through their arguments. */
#define PURE(X)                                                                                    \
    X(memcmp)                                                                                      \
    X(bcmp) X(memchr) X(memrchr) X(memmem) X(mempcpy) X(strlen) X(strnlen) X(strcpy) X(strncpy)    \
        X(stpcpy) X(strcat) X(strncat) X(strcmp) X(strncmp) X(strcasecmp) X(strncasecmp) X(strchr) \
            X(strchrnul) X(strrchr) X(strstr) X(strcasestr) X(strspn) X(strcspn) X(strpbrk)        \
                X(strtok) X(strtok_r) X(strsep) X(strcoll) X(strxfrm) X(strtol) X(strtoll)         \
                    X(strtoul) X(strtoull) X(strtod) X(strtof) X(strtold) X(atoi) X(atol) X(atoll) \
                        X(atof) X(sscanf) X(__isoc99_sscanf) X(__isoc23_sscanf) X(__isoc23_strtol) \
                            X(__isoc23_strtoll) X(__isoc23_strtoul) X(__isoc23_strtoull) X(qsort)  \
                                X(qsort_r) X(bsearch) X(abs) X(labs) X(llabs) X(div) X(ldiv)       \
                                    X(toupper) X(tolower) X(isalnum) X(isalpha) X(isblank)         \
                                        X(iscntrl) X(isdigit) X(isgraph) X(islower) X(isprint)     \
                                            X(ispunct) X(isspace) X(isupper) X(isxdigit) X(rand_r) \
                                                X(setjmp) X(_setjmp) X(sigsetjmp) X(__sigsetjmp)   \
                                                    X(longjmp) X(_longjmp) X(siglongjmp) X(ffs)    \
                                                        X(swab) X(htonl) X(htons) X(ntohl)         \
                                                            X(ntohs) X(wcslen) X(wcscmp) X(wcscpy) \
                                                                X(mktime) X(gmtime_r)              \
                                                                    X(localtime_r) X(strftime)     \
                                                                        X(setlocale) X(crc32)

/* Called by code that has already moved the shadows. */
#define MOVES(X) X(memcpy) X(memmove) X(memset)

/* libm: floating point in, floating point out. */
#define MATH(X)                                                                                    \
    X(sin)                                                                                         \
    X(cos) X(tan) X(asin) X(acos) X(atan) X(atan2) X(sinh) X(cosh) X(tanh) X(exp) X(exp2) X(expm1) \
        X(log) X(log2) X(log10) X(log1p) X(pow) X(sqrt) X(cbrt) X(hypot) X(floor) X(ceil) X(round) \
            X(trunc) X(rint) X(nearbyint) X(lround) X(lrint) X(llround) X(llrint) X(fabs) X(fmod)  \
                X(remainder) X(fmin) X(fmax) X(fma) X(fdim) X(copysign) X(nextafter) X(ldexp)      \
                    X(scalbn) X(ilogb) X(logb) X(erf) X(erfc) X(tgamma) X(lgamma)

/* Files, sockets and whatever else outlives an execution. */
#define STATEFUL(X)                                                                                \
    X(fopen)                                                                                       \
    X(fopen64) X(fdopen) X(freopen) X(fclose) X(fread) X(fgets) X(fgetc) X(getc) X(getchar)        \
        X(ungetc) X(fseek) X(fseeko) X(ftell) X(ftello) X(rewind) X(feof) X(ferror) X(clearerr)    \
            X(fileno) X(fscanf) X(scanf) X(__isoc99_scanf) X(__isoc99_fscanf) X(__isoc23_scanf) X( \
                __isoc23_fscanf) X(getline) X(getdelim) X(tmpfile) X(tmpnam) X(remove) X(rename)   \
                X(open) X(open64) X(openat) X(creat) X(close) X(read) X(write) X(pread) X(pwrite)  \
                    X(lseek) X(lseek64) X(ftruncate) X(truncate) X(fsync) X(stat) X(fstat)         \
                        X(lstat) X(access) X(unlink) X(link) X(symlink) X(mkdir) X(rmdir) X(chdir) \
                            X(getcwd) X(opendir) X(readdir) X(closedir) X(chmod) X(dup) X(dup2)    \
                                X(pipe) X(fcntl) X(ioctl) X(isatty) X(mmap) X(mmap64) X(munmap)    \
                                    X(mprotect) X(socket) X(bind) X(listen) X(accept) X(connect)   \
                                        X(send) X(recv) X(sendto) X(recvfrom) X(setsockopt)        \
                                            X(getsockopt) X(getaddrinfo) X(freeaddrinfo)           \
                                                X(gethostbyname) X(select) X(poll)                 \
                                                    X(setenv) X(unsetenv) X(putenv) X(system)      \
                                                        X(popen) X(pclose) X(dlopen) X(dlsym)      \
                                                            X(nanosleep) X(drand48) X(umask)       \
                                                                X(uname) X(gethostname)

/* Other threads, other processes, other control flow: later. */
#define REFUSED(X)                                                                                 \
    X(fork)                                                                                        \
    X(vfork) X(clone) X(thrd_create) X(thrd_join) X(mtx_lock) X(mtx_unlock) X(sem_wait)            \
        X(sem_post) X(kill) X(alarm) X(setitimer) X(timer_create) X(wait) X(waitpid)               \
            X(posix_spawn) X(posix_spawnp) X(syscall) X(swapcontext) X(makecontext) X(ptrace)      \
                X(sbrk) X(brk)

typedef struct row {
    const char *name;
    void *function;
    hd_import_class class;
} row;

#define DECLARE_CHECK(check) void __ubsan_handle_##check();
CHECKS(DECLARE_CHECK)

static const row rows[] = {ABI_FUNCTIONS(ROW_ABI) CHECKS(ROW_CHECK) MODELS(ROW_MODEL)
                               SINKS(ROW_SINK) PURE(ROW_PURE) MOVES(ROW_MOVE) MATH(ROW_MATH)
                                   STATEFUL(ROW_STATE) REFUSED(ROW_REFUSED)};

static const row *find_row(const char *name) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

static bool starts_with(const char *name, const char *prefix) {
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

hd_import_class hd_import_class_of(const char *name) {
    const row *r = find_row(name);
    if (r)
        return r->class;
    return starts_with(name, "pthread_") || starts_with(name, "exec") ? HD_IMPORT_REFUSED
                                                                      : HD_IMPORT_UNKNOWN;
}

hd_import_class hd_import_find(const char *name, uint64_t *address) {
    const row *r = find_row(name);
    *address = (uint64_t)(r && r->function ? r->function : dlsym(RTLD_DEFAULT, name));
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

/* A thunk leaves no frame behind, so even setjmp may stand behind one. */
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

uint64_t hd_external_enter(uint64_t number, const uint64_t *arguments) {
    hd_machine *m = hd_now;
    const char *name = m->image->imports[number].name;
    uint64_t stack = (uint64_t)arguments;
    if (targets[number].class == HD_IMPORT_UNKNOWN)
        hd_approximate(m, 0, "call of '%.64s', which is not modelled", name);
    for (unsigned i = 0; i < 6; i++)
        if (points_to_symbolic(arguments[i])) {
            hd_approximate(m, 0, "call of '%.64s' on symbolic memory", name);
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
