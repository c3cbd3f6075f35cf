/* va_arg beyond what was passed: in registers of both kinds, on the stack, through a list that was
 * handed on or copied.
 *
 * run:
 * verdict: complete
 * finding: missing-argument 9
 *
 * run: -DRIGHT
 * verdict: complete */
#include <heddle.h>
#include <stdarg.h>

static volatile long sink;

static long sum(int n, ...) {
    va_list list;
    long all = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        all += va_arg(list, int); // BUG missing-argument
    va_end(list);
    return all;
}

static double real_sum(int n, ...) {
    va_list list;
    double all = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        all += va_arg(list, double); // BUG missing-argument
    va_end(list);
    return all;
}

static long wide_sum(int n, ...) {
    va_list list;
    long double all = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        all += va_arg(list, long double); // BUG missing-argument
    va_end(list);
    return (long)all;
}

static long take(int n, va_list list) {
    long all = 0;
    for (int i = 0; i < n; i++)
        all += va_arg(list, long); // BUG missing-argument
    return all;
}

static long hand_on(int n, ...) {
    va_list list, again;
    va_start(list, n);
    va_copy(again, list);
    long all = take(n - 1, list) + va_arg(again, long) + take(n - 1, again);
    va_end(again);
    va_end(list);
    return all;
}

int main(void) {
    int which, n;
    heddle_input(which);
    heddle_input(n);
    heddle_assume(n > 0 && n < 12);
#ifdef RIGHT
    heddle_assume(n <= 2);
#endif
    switch (which) {
    case 0:
        sink += sum(n, 1, 2);
        break;
    case 1:
        sink += sum(n, 1, 2, 3, 4, 5, 6, 7);
        break;
    case 2:
        sink += (long)real_sum(n, 1., 2.);
        break;
    case 3:
        sink += (long)real_sum(n, 1., 2., 3., 4., 5., 6., 7., 8., 9.);
        break;
    case 4:
        sink += wide_sum(n, 1.L, 2.L);
        break;
    case 5:
        sink += hand_on(n, 1l, 2l);
        break;
    default:
        sink += hand_on(n, 1l, 2l, 3l, 4l, 5l, 6l, 7l);
    }
    return 0;
}
