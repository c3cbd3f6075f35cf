/* Floating point, 128-bit integers, odd bit widths, atomics, builtins, inline assembly. */
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static _Atomic int counter;
static atomic_uint_least64_t word;

static unsigned __int128 multiply(uint64_t a, uint64_t b) {
    return (unsigned __int128)a * b;
}

static double series(int n) {
    double sum = 0;
    for (int i = 1; i <= n; i++)
        sum += (i & 1 ? 1.0 : -1.0) / i;
    return sum;
}

typedef float vec4 __attribute__((vector_size(16)));
typedef int int4 __attribute__((vector_size(16)));

int main(void) {
    unsigned __int128 p = multiply(0xdeadbeefcafebabeULL, 0x123456789abcdefULL);
    printf("%016lx%016lx %lu\n", (unsigned long)(p >> 64), (unsigned long)p,
           (unsigned long)(p % 1000007));
    printf("%.12f %.6f %Lf %d %d\n", series(1000), sqrt(2.0), 1.25L * 3, (int)-3.7,
           (int)fmod(7.5, 2));
    _BitInt(37) odd = 10000000000;
    unsigned _BitInt(7) small = 127;
    small += 3;
    odd = odd * 5 / 7;
    printf("%ld %u\n", (long)odd, (unsigned)small);
    atomic_fetch_add(&counter, 5);
    atomic_fetch_sub(&counter, 2);
    atomic_fetch_or(&word, 0xf0);
    atomic_fetch_and(&word, 0x3c);
    int expected = 3, ok = atomic_compare_exchange_strong(&counter, &expected, 10);
    int failed = atomic_compare_exchange_strong(&counter, &expected, 11);
    printf("%d %d %d %d %lu %d\n", ok, failed, expected, counter, (unsigned long)word,
           atomic_exchange(&counter, 4));
    unsigned x = 0x00f1e2d3;
    printf("%d %d %d %x %x\n", __builtin_popcount(x), __builtin_clz(x), __builtin_ctz(x),
           __builtin_bswap32(x), (x << 5) | (x >> 27));
    int sum, overflow = __builtin_add_overflow(2147483647, 1, &sum);
    printf("%d %d\n", overflow, sum);
    int in = 20, out;
    __asm__("leal 2(%1,%1), %0" : "=r"(out) : "r"(in));
    int memory = 1;
    __asm__("addl $41, %0" : "+m"(memory));
    printf("%d %d\n", out, memory);
    vec4 v = {1, 2, 3, 4}, w = v * v + 1;
    int4 i = {1, 2, 3, 4};
    i = i * i - 1;
    printf("%g %g %d %d\n", w[0], w[3], i[1], i[3]);
    float f = 16777217.0f;
    printf("%d %a\n", f == 16777216.0f, 0.1f);
    return 0;
}
