/* The check digit of card numbers: N digits, every second one doubled, the sum a multiple of ten.
 *
 * Two ways to be no digit for each byte, then the sum fits or not: 2 N + 2 paths.  What is doubled is looked up in no
 * table, but loses nine where it is above nine, without a branch.
 *
 * brute: -DN=2 bytes 0-255 -> 6
 * paths: -DN=2 -> 6
 * paths: -DN=8 -> 18
 * paths: -DN=12 -> 26 */
#include <heddle.h>
#ifndef N
#define N 8
#endif

int main(void) {
    char text[N];
    int sum = 0;
    heddle_input(text);
    for (int i = 0; i < N; i++) {
        if (text[i] < '0')
            return 1;
        if (text[i] > '9')
            return 1;
        int digit = text[i] - '0';
        if ((N - i) % 2 == 0)
            digit = digit * 2 / 10 + digit * 2 % 10;
        sum += digit;
    }
    if (sum % 10 == 0)
        heddle_reach("a card");
    return 0;
}
