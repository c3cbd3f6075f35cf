/* Values on ways that are no library function: assembly, structures and lists of arguments, wide
 * and floating-point types, atomic operations, jumps, handlers, threads. */
#include "walk.h"

#include <alloca.h>
#include <complex.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/ucontext.h>
#include <sys/wait.h>

/* Assembly. */
WALK(other_asm_register) {
    int a = V(0, 3), r;
    __asm__("lea 4(%q1), %0" : "=r"(r) : "r"(a));
    SEE(r);
}
WALK(other_asm_both) {
    int a = V(0, 3);
    __asm__("add $7, %0" : "+r"(a));
    SEE(a);
}
WALK(other_asm_tied) {
    int a = V(0, 3), r;
    __asm__("add $7, %0" : "=r"(r) : "0"(a));
    SEE(r);
}
WALK(other_asm_memory_written) {
    int a = V(0, 3);
    __asm__("movl $7, %0" : "=m"(a));
    SEE(a);
}
WALK(other_asm_pointer_written) {
    int a[2] = {V(0, 3), 1};
    __asm__ volatile("movl $9, (%0)" : : "r"(a) : "memory");
    SEE(a[0]);
}
WALK(other_asm_two) {
    int a = V(0, 3), r, s;
    __asm__("mov %2, %0; lea 1(%q2), %1" : "=&r"(r), "=&r"(s) : "r"(a));
    SEE(r);
    SEE(s);
}
WALK(other_asm_immediate_index) {
    char t[8] = "abcdefg", r;
    long i = V(0, 1);
    __asm__("movb (%1, %2), %0" : "=q"(r) : "r"(t), "r"(i) : "memory");
    SEE(r);
}
WALK(other_asm_flags) {
    long a = V(0, 3);
    bool z;
    __asm__("cmp $5, %1; sete %0" : "=q"(z) : "r"(a) : "cc");
    SEE((int)z);
}

/* Structures that are returned and passed. */
typedef struct two {
    int a, b;
} two;
typedef struct mixed {
    int a;
    float b;
    long c;
} mixed;
typedef struct large {
    int a[12];
} large;
typedef struct bits {
    unsigned a : 3, b : 5, c : 24;
} bits;
static __attribute__((noinline)) two make_two(int v) {
    return (two){v, 2 * v};
}
static __attribute__((noinline)) mixed make_mixed(int v) {
    return (mixed){v, 1, 3 * v};
}
static __attribute__((noinline)) large make_large(int v) {
    large l = {{1, 2, 3}};
    l.a[5] = v;
    return l;
}
static __attribute__((noinline)) int sum_large(large l) {
    return l.a[5] + l.a[0];
}
static __attribute__((noinline)) long sum_mixed(mixed l) {
    return l.a + l.c;
}
WALK(other_struct_small) {
    two t = make_two(V(0, 3));
    SEE(t.a);
    SEE(t.b);
}
WALK(other_struct_mixed) {
    mixed t = make_mixed(V(0, 3));
    SEE(t.a);
    SEE(t.c);
}
WALK(other_struct_large) {
    large t = make_large(V(0, 3));
    SEE(t.a[5]);
}
WALK(other_struct_passed) {
    SEE(sum_large(make_large(V(0, 3))));
    SEE(sum_mixed(make_mixed(V(0, 3))));
}
WALK(other_struct_assigned) {
    large a = make_large(V(0, 3)), b;
    b = a;
    large *p = &b;
    SEE(p->a[5]);
}
WALK(other_bit_fields) {
    bits t = {1, 2, 3};
    t.b = V(0, 29);
    t.c += t.b;
    SEE((int)t.a);
    SEE((int)t.b);
    SEE((int)t.c);
}
WALK(other_union) {
    union {
        int i;
        unsigned char b[4];
    } u;
    u.i = V(0, 0x01020304);
    SEE((int)u.b[0]);
    u.b[1] = V(0, 7);
    SEE(u.i);
}
WALK(other_padding) {
    struct {
        char a;
        int b;
    } s = {1, (int)V(0, 5)}, t;
    memcpy(&t, &s, sizeof t);
    SEE((int)t.a);
    SEE(t.b);
}
WALK(other_compound) {
    two *p = &(two){V(0, 1), 2};
    SEE(p->a + p->b);
}
WALK(other_container) {
    large l = make_large(V(0, 3));
    int *p = &l.a[4];
    large *q = (large *)((char *)p - offsetof(large, a[4]));
    SEE(q->a[5]);
}
WALK(other_flexible) {
    struct {
        int n;
        int v[];
    } *p = calloc(1, 32);
    p->n = V(0, 1);
    p->v[p->n] = 9;
    for (int i = 0; i < 6; i++)
        p->v[i] += i;
    SEE(p->v[2] == 11);
}

/* Lists of arguments. */
static __attribute__((noinline)) long var_sum(int n, ...) {
    va_list a, b;
    long r = 0;
    va_start(a, n);
    va_copy(b, a);
    for (int i = 0; i < n; i++)
        r = 10 * r + va_arg(a, int);
    for (int i = 0; i < n; i++)
        r += va_arg(b, int);
    va_end(a);
    va_end(b);
    return r;
}
static __attribute__((noinline)) int var_struct(int n, ...) {
    va_list a;
    va_start(a, n);
    two t = va_arg(a, two);
    large l = va_arg(a, large);
    int last = va_arg(a, int);
    va_end(a);
    return t.a + t.b + l.a[5] + last;
}
static __attribute__((noinline)) int var_mixed(int n, ...) {
    va_list a;
    va_start(a, n);
    double d = va_arg(a, double);
    long double e = va_arg(a, long double);
    int i = va_arg(a, int);
    char *s = va_arg(a, char *);
    va_end(a);
    return (int)d + (int)e + i + s[0];
}
static __attribute__((noinline)) long var_pass(va_list *a) {
    return va_arg(*a, long);
}
static __attribute__((noinline)) long var_outer(int n, ...) {
    va_list a;
    va_start(a, n);
    long r = var_pass(&a);
    r = 100 * r + var_pass(&a);
    va_end(a);
    return r;
}
WALK(other_variadic) {
    SEE(var_sum(8, 1, 2, V(0, 3), 4, 5, V(1, 6), 7, V(2, 8)));
}
WALK(other_variadic_struct) {
    SEE(var_struct(2, make_two(V(0, 3)), make_large(V(1, 4)), (int)V(2, 1)));
}
WALK(other_variadic_mixed) {
    SEE(var_mixed(4, D(0, 2.0), (long double)D(1, 3.0), (int)V(2, 1), S(3, "abc")));
}
WALK(other_variadic_passed) {
    SEE(var_outer(2, V(0, 3), V(1, 4)));
}
WALK(other_many_arguments) {
    extern __attribute__((noinline)) long sum9(long, long, long, long, long, long, long, char,
                                               short);
    SEE(sum9(1, 2, 3, 4, 5, 6, V(0, 7), (char)V(1, 8), (short)V(2, 9)));
}
long sum9(long a, long b, long c, long d, long e, long f, long g, char h, short i) {
    return a + b + c + d + e + f + 10 * g + 100 * h + 1000 * i;
}

/* Wide and floating-point types. */
WALK(other_int128) {
    __int128 a = (__int128)V(0, 3) << 70;
    a = a * 3 + V(1, 5);
    SEE((long)(a >> 64));
    SEE((long)a);
    SEE((long)(a / 7));
}
WALK(other_double) {
    double d = D(0, 1);
    d = d * 2 + 1;
    SEE((int)d);
    SEE(d > 3);
}
WALK(other_float) {
    float d = (float)V(0, 1);
    SEE((int)(d * 3));
    SEE(d < 3 ? 1 : 2);
}
WALK(other_long_double) {
    long double d = V(0, 1);
    d /= 2;
    SEE((int)(d * 10));
}
WALK(other_complex) {
    double complex c = V(0, 1) + 2 * I;
    c = c * c;
    SEE((int)creal(c));
    SEE((int)cimag(c));
}
WALK(other_double_bits) {
    union {
        double d;
        unsigned char b[8];
    } u = {.d = 1};
    u.b[6] = (unsigned char)V(0, 0xf0);
    SEE(u.d > 3);
    SEE((int)(u.d * 100));
}
typedef int four __attribute__((vector_size(16)));
WALK(other_vector) {
    four a = {1, (int)V(0, 2), 3, 4}, b = {5, 6, 7, (int)V(1, 8)};
    four c = a * b + a;
    SEE(c[0]);
    SEE(c[1]);
    SEE(c[2]);
    SEE(c[3]);
}
WALK(other_vector_compare) {
    four a = {1, (int)V(0, 2), 3, 4}, b = {1, 4, 3, 0};
    four c = a == b;
    SEE(c[1]);
    SEE(c[3]);
    c = __builtin_shufflevector(a, b, 1, 4, 5, 2);
    SEE(c[0]);
}
WALK(other_bool) {
    bool b = V(0, 0);
    unsigned char raw = (unsigned char)V(0, 0) & 1;
    memcpy(&b, &raw, 1);
    SEE((int)b);
    SEE(b ? 5 : 6);
}

/* What compilers know. */
WALK(other_bit_counts) {
    unsigned a = V(0, 12);
    SEE(__builtin_popcount(a));
    SEE(__builtin_clz(a));
    SEE(__builtin_ctz(a));
    SEE(__builtin_parity(a));
    SEE(__builtin_ffs(a));
}
WALK(other_swap) {
    SEE(__builtin_bswap32(V(0, 12)));
    SEE((int)__builtin_bswap16(V(0, 12)));
    SEE(__builtin_bswap64(V(0, 12)));
}
WALK(other_overflow) {
    int r;
    SEE((int)__builtin_add_overflow((int)V(0, 0x7ffffffd), 1, &r));
    SEE(r);
    unsigned char u;
    SEE((int)__builtin_mul_overflow((unsigned char)V(0, 62), 4, &u));
    SEE((int)u);
}
WALK(other_rotate) {
    unsigned a = V(0, 0x80000001);
    SEE(a << 3 | a >> 29);
    unsigned n = V(1, 1);
    SEE(a << (n & 31) | a >> (-n & 31));
}
WALK(other_saturate) {
    int a = V(0, -2);
    SEE(a < 0 ? 0 : a);
    SEE(__builtin_abs(a));
    SEE(a > 1 ? 1 : a);
}

/* Atomic operations. */
static _Atomic int atom = 3;
static int plain = 4;
WALK(other_atomic_add) {
    SEE(atomic_fetch_add(&atom, V(0, 1)));
    SEE(atom);
}
WALK(other_atomic_exchange) {
    SEE(atomic_exchange(&atom, V(0, 1)));
    SEE(atom);
}
WALK(other_atomic_compare) {
    int want = V(0, 2);
    SEE((int)atomic_compare_exchange_strong(&atom, &want, V(1, 9)));
    SEE(want);
    SEE(atom);
}
WALK(other_atomic_logic) {
    SEE(atomic_fetch_or(&atom, V(0, 4)));
    SEE(atomic_fetch_xor(&atom, V(0, 1)));
    SEE(__atomic_nand_fetch(&plain, V(0, 1), 5));
}
WALK(other_sync) {
    SEE(__sync_val_compare_and_swap(&plain, V(0, 2), 7));
    SEE(__sync_fetch_and_add(&plain, V(0, 1)));
    SEE(__sync_lock_test_and_set(&plain, V(0, 1)));
    SEE(plain);
}
static _Atomic large atomic_large;
WALK(other_atomic_struct) {
    atomic_store(&atomic_large, make_large(V(0, 3)));
    large l = atomic_load(&atomic_large);
    SEE(l.a[5]);
}

/* Jumps. */
static jmp_buf place;
static __attribute__((noinline)) void jump(int v) {
    longjmp(place, v);
}
WALK(other_jump_value) {
    volatile int kept = V(0, 3);
    int r = setjmp(place);
    if (!r)
        jump((int)V(0, 1));
    SEE(r);
    SEE(kept);
}
WALK(other_computed_goto) {
    static void *const to[] = {&&one, &&two, &&three};
    goto *to[V(0, 0) % 3];
one:
    SEE(1);
    return;
two:
    SEE(2);
    return;
three:
    SEE(3);
}
WALK(other_switch) {
    switch (V(0, 1L << 40)) {
    case 1L << 40:
        SEE(1);
        break;
    case (1L << 40) + 2:
        SEE(2);
        break;
    case (1L << 40) + 4 ...(1L << 40) + 9:
        SEE(3);
        break;
    default:
        SEE(4);
    }
}
static int f_a(int v) {
    return v + 1;
}
static int f_b(int v) {
    return v * 7;
}
WALK(other_call_table) {
    static int (*const table[])(int) = {f_a, f_b, f_a};
    SEE(table[V(0, 0) % 3]((int)V(1, 5)));
}
static int depth(int n) {
    return n <= 0 ? 0 : 1 + depth(n - 2);
}
WALK(other_recursion) {
    SEE(depth((int)V(0, 3)));
}

/* Memory. */
WALK(other_variable_array) {
    int n = V(0, 2);
    char b[n];
    memset(b, 'x', n);
    b[n - 1] = 'y';
    SEE((int)sizeof b);
    SEE(b[1]);
}
WALK(other_alloca) {
    int n = V(0, 2);
    char *b = alloca(n);
    memset(b, 'x', n);
    b[n - 1] = 'y';
    SEE(b[1]);
}
WALK(other_literal) {
    SEE("abcdefgh"[V(0, 1)]);
}
WALK(other_two_indices) {
    static const char t[3][4] = {"abc", "def", "ghi"};
    SEE(t[V(0, 0) % 3][V(1, 0) % 3]);
}
WALK(other_store_index) {
    char b[8] = "abcdefg";
    b[V(0, 1)] = 'X';
    SEEM(b, 8);
}
WALK(other_overlap) {
    char b[12] = "abcdefghij";
    b[2] = V(0, 'a');
    memmove(b + 1 + V(1, 0), b, 5);
    SEEM(b, 11);
}
WALK(other_reallocated) {
    char *p = malloc(4);
    p[1] = V(0, 'a');
    p = realloc(p, 400);
    SEE(p[1]);
    free(p);
    p = calloc(1, 4);
    SEE(p[1]);
}
WALK(other_pointer_difference) {
    char b[8];
    char *p = b + V(0, 1), *q = b + 7;
    SEE(q - p);
    SEE(p < q);
    *p = 1;
    SEE(p == b + 2);
}
WALK(other_pointer_in_integer) {
    int t[5] = {9, 8, 7, 6, 5};
    uintptr_t p = (uintptr_t)t + 4 * V(0, 0);
    SEE(*(int *)p);
}
WALK(other_volatile) {
    volatile int v = V(0, 3);
    v++;
    SEE(v);
    volatile char c[2] = {1, 2};
    c[1] = V(0, 3);
    SEE(c[1] + 0);
}
static _Thread_local int own = 3;
static void *see_own(void *v) {
    own += (int)(long)v;
    return (void *)(long)own;
}
WALK(other_thread_local) {
    pthread_t t;
    void *out;
    own = V(0, 9);
    pthread_create(&t, 0, see_own, (void *)V(1, 1));
    pthread_join(t, &out);
    SEE((long)out);
    SEE(own);
}

/* Handlers and threads. */
static volatile int handled;
static void on_signal(int s, siginfo_t *i, void *c) {
    handled += s + (i ? i->si_signo : 0);
}
static void on_plain(int s) {
    handled = handled * 3 + s;
}
WALK(other_handler_global) {
    signal(SIGUSR1, on_plain);
    handled = V(0, 3);
    raise(SIGUSR1);
    SEE(handled);
}
WALK(other_handler_number) {
    signal(SIGUSR1, on_plain);
    signal(SIGUSR2, on_plain);
    raise(C(0, SIGUSR1, SIGUSR2));
    SEE(handled);
}
static int cleaned;
static void clean_up(void *v) {
    cleaned += (int)(long)v;
}
static void *with_cleanup(void *v) {
    pthread_cleanup_push(clean_up, v);
    pthread_exit((void *)5);
    pthread_cleanup_pop(0);
    return 0;
}
WALK(other_cleanup) {
    pthread_t t;
    pthread_create(&t, 0, with_cleanup, (void *)V(0, 3));
    pthread_join(t, 0);
    SEE(cleaned);
}
static pthread_key_t key;
static void *with_key(void *v) {
    pthread_setspecific(key, v);
    return 0;
}
WALK(other_destructor) {
    pthread_t t;
    pthread_key_create(&key, clean_up);
    pthread_create(&t, 0, with_key, (void *)V(0, 3));
    pthread_join(t, 0);
    SEE(cleaned);
}
static int at_end;
static void ends(void) {
    _exit(at_end);
}
WALK(other_atexit_global) {
    int status = 0;
    if (fork() == 0) {
        at_end = V(0, 3);
        atexit(ends);
        exit(0);
    }
    wait(&status);
    SEE(WEXITSTATUS(status));
}
WALK(other_shared_mapping) {
    int *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), status;
    if (fork() == 0) {
        *p = V(0, 3);
        _exit(0);
    }
    wait(&status);
    SEE(*p);
}
WALK(other_pipe_of_structs) {
    int p[2];
    two t = {V(0, 3), 4}, u;
    pipe(p);
    write(p[1], &t, sizeof t);
    read(p[0], &u, sizeof u);
    SEE(u.a);
    SEE(u.b);
}
WALK(other_inherited) {
    int status = 0, v = V(0, 3);
    if (fork() == 0)
        _exit(v * 2);
    wait(&status);
    SEE(WEXITSTATUS(status));
}

/* State of the library. */
WALK(other_errno_value) {
    errno = (int)V(0, 3);
    int kept = errno;
    errno = 0;
    SEE(kept);
    errno = (int)V(0, 3);
    SEES(strerror(errno));
    errno = 0;
}
WALK(other_percent_n) {
    int n = 7;
    char b[32];
    snprintf(b, 32, "%.*s%n", (int)V(0, 2), "abcdefgh", &n);
    SEE(n);
    SEES(b);
}
WALK(other_print_float) {
    char b[32];
    snprintf(b, 32, "%.2f", D(0, 1.5));
    SEES(b);
}
WALK(other_print_chars) {
    char b[32];
    snprintf(b, 32, "%c%x%5d|%-4s|", (int)V(0, 'a'), (unsigned)V(1, 250), (int)V(2, -2),
             S(3, "abc"));
    SEES(b);
}
WALK(other_environ) {
    extern char **environ;
    char text[] = "K=0";
    text[2] = V(0, 'a');
    char *list[] = {text, 0};
    environ = list;
    SEES(getenv("K"));
    SEE((int)environ[0][2]);
}
WALK(other_mapped_file) {
    int d = open("m", O_CREAT | O_RDWR, 0600);
    char c = V(0, 'a');
    write(d, &c, 1);
    char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, d, 0);
    SEE(p[0]);
    p[1] = V(1, 'p');
    lseek(d, 0, SEEK_SET);
    SEE(ftruncate(d, 2));
    msync(p, 4096, MS_SYNC);
    pread(d, &c, 1, 1);
    SEE(c);
}
WALK(other_rand_seeded) {
    srand((unsigned)V(0, 1));
    int a = rand() % 10;
    SEE(a);
}
WALK(other_stream_buffer) {
    FILE *f = tmpfile();
    setvbuf(f, 0, _IONBF, 0);
    fprintf(f, "%c", (int)V(0, 'a'));
    putc((int)V(1, 'x'), f);
    rewind(f);
    SEE(getc(f));
    SEE(getc(f));
}
WALK(other_text_state) {
    char b[] = "a b c d";
    b[3] = V(0, ' ');
    strtok(b, " ");
    strtok(0, " ");
    char *s = strtok(0, " ");
    SEES(s);
}

/* ---- operations that compilers call routines for (ROUTINE) ---- */

WALK(other_wide_division) {
    __int128 a = V(0, -9) * ((__int128)1 << 70), b = V(1, 3);
    unsigned __int128 c = (unsigned __int128)a;
    SEE((long)(a / (b * 1000003) >> 40));
    SEE((long)(a % (b * 1000003)));
    SEE((long)(c / ((unsigned __int128)b << 60)));
    SEE((long)(c % ((unsigned __int128)b << 60) >> 30));
}
WALK(other_wide_and_floating) {
    __int128 a = V(0, -2) * ((__int128)1 << 66);
    unsigned __int128 c = (unsigned __int128)V(1, 2) << 64;
    SEE((long)((double)a / 1e15));
    SEE((long)((float)a / 1e15f));
    SEE((long)((long double)a / 1e15L));
    SEE((long)((double)c / 1e15));
    SEE((long)((float)c / 1e15f));
    SEE((long)((long double)c / 1e15L));
    SEE((long)((__int128)((double)a * 2) >> 60));
    SEE((long)((__int128)((float)a * 2) >> 60));
    SEE((long)((__int128)((long double)a * 2) >> 60));
    SEE((long)((unsigned __int128)((double)c * 2) >> 60));
    SEE((long)((unsigned __int128)((float)c * 2) >> 60));
    SEE((long)((unsigned __int128)((long double)c * 2) >> 60));
}
#define WALK_COMPLEX(name, type)                                                                   \
    WALK(name) {                                                                                   \
        volatile _Complex type z;                                                                  \
        __real__ z = V(0, -2);                                                                     \
        __imag__ z = V(1, 1);                                                                      \
        _Complex type w = z / (z + 5), v = z * w;                                                  \
        SEE((long)(__real__ w * 1000));                                                            \
        SEE((long)(__imag__ v * 1000));                                                            \
    }
WALK_COMPLEX(other_complex_float, float)
WALK_COMPLEX(other_complex_double, double)
WALK_COMPLEX(other_complex_long_double, long double)
WALK(other_complex_infinite) { /* nan in both parts is looked at again: a routine multiplies */
    volatile _Complex double z;
    __real__ z = 1e300 * 1e300;
    __imag__ z = V(0, 1);
    _Complex double v = z * z;
    SEE((__real__ v > 0) + 2 * (__imag__ v > 0));
}
WALK(other_half) {
    volatile _Float16 h = (_Float16)V(0, 3);
    h = h * h / (_Float16)2.5 + (_Float16)0.1;
    SEE((long)((float)h * 1000));
    SEE((long)((double)h * 1000));
    h = (_Float16)((double)h * 3);
    SEE((long)((long double)h * 1000));
}
WALK(other_quad) {
    volatile __float128 q = (__float128)V(0, -3), r = (__float128)(unsigned)V(1, 2);
    SEE((long)((double)(q * r / 7) * 1000));
    SEE((long)((float)(q + r) * 1000));
    SEE((long)((long double)(q - r) * 1000));
    SEE((int)q + (long)(unsigned)r);
    SEE((q < r) + 2 * (q <= -r) + 4 * (q > r) + 8 * (q >= -r) + 16 * (q == -r) + 32 * (q != -r));
    q = (double)V(0, 2), r = (float)V(1, 3);
    SEE((long)(-q * r));
    SEE(__builtin_isnan((double)q));
}
WALK(other_powers) {
    SEE((long)(__builtin_powi(1.5, V(0, 2)) * 1000));
    SEE((long)(__builtin_powif(1.5f, V(0, 2)) * 1000));
    SEE((long)(__builtin_powil(1.5L, V(0, 2)) * 1000));
}
