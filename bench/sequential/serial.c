/* A serial number AAA-BBB: six digits with products and digit sums that must agree.
 *
 * brute: bytes 47-58,44-46 -> 18
 * paths: -> 18 */
#include <heddle.h>

static int number(const char *digits) {
    return (digits[0] - '0') * 100 + (digits[1] - '0') * 10 + (digits[2] - '0');
}

static int sum_of_digits(int n) {
    return n / 100 + n / 10 % 10 + n % 10;
}

int main(void) {
    char text[7];
    heddle_input(text);
    for (int i = 0; i < 7; i++) {
        if (i == 3 && text[i] != '-')
            return 1;
        if (i != 3 && (text[i] < '0' || text[i] > '9'))
            return 1;
    }
    int a = number(text), b = number(text + 4);
    if (a < 100)
        return 2;
    if (sum_of_digits(a) + sum_of_digits(b) != 31)
        return 3;
    if (a * b % 97 != 13)
        return 4;
    if ((a + 3 * b) % 11 == 7)
        heddle_reach("a serial number");
    return 0;
}
