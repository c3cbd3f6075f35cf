/* Variadic functions: registers, stack, doubles, structs, va_copy, vprintf. */
#include <stdarg.h>
#include <stdio.h>

struct pair {
    long a, b;
};
struct big {
    int v[10];
};

static long sum(int n, ...) {
    va_list list, again;
    long total = 0;
    va_start(list, n);
    va_copy(again, list);
    for (int i = 0; i < n; i++)
        total += va_arg(list, int);
    for (int i = 0; i < n; i++)
        total = total * 2 + va_arg(again, int);
    va_end(again);
    va_end(list);
    return total;
}

static void mixed(const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i':
            printf("%d ", va_arg(list, int));
            break;
        case 'd':
            printf("%g ", va_arg(list, double));
            break;
        case 'L':
            printf("%Lg ", va_arg(list, long double));
            break;
        case 's':
            printf("%s ", va_arg(list, const char *));
            break;
        case 'p': {
            struct pair p = va_arg(list, struct pair);
            printf("(%ld,%ld) ", p.a, p.b);
            break;
        }
        case 'b': {
            struct big b = va_arg(list, struct big);
            printf("[%d,%d] ", b.v[0], b.v[9]);
            break;
        }
        }
    va_end(list);
    putchar('\n');
}

static void print(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

int main(void) {
    struct big b = {{7, 0, 0, 0, 0, 0, 0, 0, 0, 8}};
    struct pair p = {11, 12};
    printf("%ld\n", sum(3, 1, 2, 3));
    printf("%ld\n", sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    mixed("idsLpb", 1, 2.5, "three", 4.25L, p, b);
    mixed("iiiiiiiidddddddddpbi", 1, 2, 3, 4, 5, 6, 7, 8, 1., 2., 3., 4., 5., 6., 7., 8., 9., p, b,
          5);
    print("%d %s %.3f\n", 42, "text", 1.0 / 3);
    return 0;
}
