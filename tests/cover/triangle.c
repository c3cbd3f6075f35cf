/* What kind of a triangle three lengths make. */
#include <heddle.h>

enum kind { NONE, EQUILATERAL, ISOSCELES, SCALENE, RIGHT };

static enum kind kind_of(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0 || a > 100 || b > 100 || c > 100)
        return NONE;
    if (a + b <= c || b + c <= a || c + a <= b)
        return NONE;
    if (a == b && b == c)
        return EQUILATERAL;
    if ((a == b && a != c) || (b == c && b != a) || (a == c && a != b))
        return ISOSCELES;
    return a == 3 && b == 4 && c == 5 ? RIGHT : SCALENE;
}

int main(void) {
    signed char a, b, c;
    heddle_input(a);
    heddle_input(b);
    heddle_input(c);
    return (int)kind_of(a, b, c);
}
