/* Variadic arguments on the stack: a constant that happens to equal an input's value is not
 * that input.
 *
 * run:
 * verdict: complete
 * label: last
 * no-label: moved */
#include <heddle.h>
#include <stdarg.h>

static int at(int n, ...) {
    va_list list;
    int value = 0;
    va_start(list, n);
    for (int i = 0; i <= n; i++)
        value = va_arg(list, int);
    va_end(list);
    return value;
}

int main(void) {
    unsigned char a;
    heddle_input(a);
    heddle_assume(a < 2);
    if (at(7, 9, 9, 9, 9, 9, 0, 1, a) == 1)
        heddle_reach("last");
    if (at(6, 9, 9, 9, 9, 9, 0, 1, a) != 1 || at(5, 9, 9, 9, 9, 9, 0, 1, a) != 0)
        heddle_reach("moved");
    return 0;
}
