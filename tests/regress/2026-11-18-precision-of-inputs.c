/* How much of a text "%.*s" reads was the number of the execution at hand: one path, and "complete"
 * although other precisions read behind the text.  A format of inputs was one format, and what "%n"
 * stores one number.  sprintf into too small a buffer ended the execution before it said that its
 * arguments are constants: "complete" after one path.
 *
 * run:
 * verdict: complete
 * paths: 6
 * finding: out-of-bounds
 * label: fits 5
 *
 * run: -DLIST
 * verdict: complete
 * paths: 6
 * finding: out-of-bounds
 * label: fits 5
 *
 * run: -DWARN
 * verdict: complete
 * paths: 6
 * finding: out-of-bounds
 * label: fits 5
 *
 * run: -DNEGATIVE
 * verdict: complete
 * paths: 7
 * finding: out-of-bounds
 * label: fits 5
 *
 * run: -DFORMAT
 * verdict: complete
 * finding: null-pointer
 *
 * run: -DCOUNT
 * verdict: incomplete
 * reason: number that '%n' stores
 * reason-at: LOSS
 *
 * run: -DSMALL
 * verdict: incomplete
 * finding: out-of-bounds
 * reason: call of 'sprintf' with a symbolic argument
 * reason-at: 76 */
#include <err.h>
#include <heddle.h>
#include <stdarg.h>
#include <stdio.h>

#ifdef LIST
static void say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list); // BUG out-of-bounds
    va_end(list);
}
#elif defined WARN
#define say warnx
#else
#define say printf
#endif

int main(void) {
    unsigned char n;
    char text[4] = {'a', 'b', 'c', 'd'};
    heddle_input(n);
    heddle_assume(n < 7);
#ifdef FORMAT
    char format[3] = {'%', n < 3 ? 'd' : n < 6 ? '%' : 's', 0};
    printf(format, 8); // BUG null-pointer
#elif defined COUNT
    int stored = 0;
    printf("%d%n", n * 10, &stored); // LOSS
    heddle_assert(stored < 9);
#elif defined SMALL
    char small[5];
    sprintf(small, "%*d", 6 - n % 2, n); // BUG out-of-bounds
#else
#ifdef NEGATIVE
    int precision = n - 1;
#else
    int precision = n;
#endif
    say("%.*s\n", precision, text); // BUG out-of-bounds
#endif
    heddle_reach("fits");
    return 0;
}
