/* native.h -- the same program without Heddle: every input byte is 0x41, and the processor time
 * of main is printed when it ends.  Included before the program by `clang -include`, so that
 * nothing in the program changes.
 *
 * The time is taken inside the process, around main alone, as Heddle's is: neither side pays
 * for starting a process. */
#ifndef HD_BENCH_NATIVE_H
#define HD_BENCH_NATIVE_H
#include <heddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct timespec native_begin;

static inline double native_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)(now.tv_sec - native_begin.tv_sec) +
           (double)(now.tv_nsec - native_begin.tv_nsec) * 1e-9;
}

__attribute__((constructor)) static void native_start(void) {
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &native_begin);
}

__attribute__((destructor)) static void native_report(void) {
    printf("%.6f\n", native_seconds());
}

/* The optimiser must not know the bytes, or it could fold the tests away. */
static inline void native_fill(void *address, size_t n) {
    memset(address, 0x41, n);
    __asm__ volatile("" : : "r"(address) : "memory");
}

#undef heddle_input
#define heddle_input(x) native_fill((void *)&(x), sizeof(x))
#undef heddle_input_array
#define heddle_input_array(p, n) native_fill((void *)(p), (n) * sizeof *(p))
#undef heddle_assume
#define heddle_assume(condition) ((condition) ? (void)0 : exit(0))
#undef heddle_assert
#define heddle_assert(condition)      ((condition) ? (void)0 : abort())
#define heddle_bytes(buffer, n, name) native_fill((buffer), (n))
#define heddle_choose(lo, hi)         ((void)(hi), (long)(lo))
#define heddle_reach(label)           ((void)(label))
#endif
