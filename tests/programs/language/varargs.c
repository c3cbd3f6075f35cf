/* Symbolic values through variable arguments, of several widths, by va_arg and by va_list.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: sum 1 */
#include <heddle.h>
#include <stdarg.h>

static unsigned long add_list(unsigned n, va_list list) {
    unsigned long sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += i % 2 ? va_arg(list, unsigned long) : va_arg(list, unsigned);
    return sum;
}

static unsigned long add(unsigned n, ...) {
    va_list list;
    va_start(list, n);
    unsigned long sum = add_list(n, list);
    va_end(list);
    return sum;
}

int main(void) {
    unsigned a;
    unsigned long b;
    unsigned char c;
    heddle_input(a);
    heddle_input(b);
    heddle_input(c);
    /* Nine arguments: the last ones travel on the stack. */
    if (add(8, a, 1ul, 2u, b, 3u, 4ul, (unsigned)c, 5ul) == 0x1234567890ul) {
        heddle_reach("sum");
        heddle_assert(a + b + c + 15 == 0x1234567890ul);
    }
    return 0;
}
