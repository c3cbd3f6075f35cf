/* A struct that is passed by value has no borders around it: an index of it was judged by the
 * nearest local that has some, and reported.
 *
 * run:
 * verdict: complete */
#include <heddle.h>
#include <stdarg.h>

struct s {
    int a[8];
};

__attribute__((noinline)) static int of_parameter(struct s v, unsigned i) {
    return v.a[i];
}

__attribute__((noinline)) static int of_list(int n, ...) {
    va_list l;
    va_start(l, n);
    struct s v = va_arg(l, struct s);
    va_end(l);
    return v.a[n];
}

int main(void) {
    unsigned i;
    int other[3] = {1, 2, 3};
    heddle_input(i);
    heddle_assume(i < 8);
    struct s v = {{1, 2, 3, 4, 5, 6, 7, 8}};
    heddle_assert(of_parameter(v, i) == (int)i + 1);
    heddle_assert(of_list((int)i, v) == (int)i + 1);
    return other[i & 1] == 7;
}
