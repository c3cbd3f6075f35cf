/* Numbers that were taken to digits and put together again were given up after 7 s: no bits show
 * soon that they are the same.  So were digits that are added with carries.
 *
 * run:
 * verdict: complete
 * paths: 19
 * label: digits 11
 * label: carries 8 */
#include <heddle.h>

static void check_digits(void) {
    unsigned n, again = 0;
    char text[12];
    int k = 0;
    heddle_input(n);
    for (unsigned rest = n; rest || !k; rest /= 10)
        text[k++] = (char)('0' + rest % 10);
    while (k)
        again = again * 10 + (unsigned)(text[--k] - '0');
    heddle_assert(again == n);
    heddle_reach("digits");
}

static void check_carries(void) {
    unsigned char a[3], b[3];
    int carry = 0, x = 0, y = 0, sum = 0, place = 1;
    heddle_input(a);
    heddle_input(b);
    for (int i = 0; i < 3; i++, place *= 10) {
        heddle_assume(a[i] < 10 && b[i] < 10);
        unsigned char digit = (unsigned char)(a[i] + b[i] + carry);
        carry = digit >= 10;
        digit = (unsigned char)(carry ? digit - 10 : digit);
        x += a[i] * place, y += b[i] * place, sum += digit * place;
    }
    heddle_assert(sum + carry * place == x + y);
    heddle_reach("carries");
}

int main(void) {
    _Bool which;
    heddle_input(which);
    which ? check_digits() : check_carries();
    return 0;
}
