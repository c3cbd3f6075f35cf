/* A calculator: parses and evaluates SIZE bytes by recursive descent, with the four operations,
 * unary minus and brackets, then asks for one special result.
 *
 * The values of the digits stay symbolic through the arithmetic, so divisors and the result
 * are conditions over several bytes.  No closed formula; the brute force tries all digits, all
 * operators, and a byte before, between and behind them.
 *
 * brute: -DSIZE=3 bytes 0,33,40-43,45,47-57,58 -> 81
 * brute: -DSIZE=4 bytes 0,33,40-43,45,47-57,58 -> 307
 * brute: -DSIZE=5 bytes 0,33,40-43,45,47-57,58 -> 1147
 * paths: -DSIZE=4 -> 307
 * paths: -DSIZE=5 -> 1147 */
#include <heddle.h>
#ifndef SIZE
#define SIZE 5
#endif

static const char *p;
static int failed;

static int sum(void);

static int number(void) {
    int n = 0;
    if (*p < '0' || *p > '9') {
        failed = 1;
        return 0;
    }
    while (*p >= '0' && *p <= '9')
        n = n * 10 + (*p++ - '0');
    return n;
}

static int factor(void) {
    if (*p == '-') {
        p++;
        return -factor();
    }
    if (*p != '(')
        return number();
    p++;
    int n = sum();
    if (*p == ')')
        p++;
    else
        failed = 1;
    return n;
}

static int product(void) {
    int n = factor();
    while (!failed) {
        if (*p == '*') {
            p++;
            n *= factor();
        } else if (*p == '/') {
            p++;
            int divisor = factor();
            if (divisor == 0)
                failed = 1;
            else
                n /= divisor;
        } else {
            break;
        }
    }
    return n;
}

static int sum(void) {
    int n = product();
    while (!failed) {
        if (*p == '+') {
            p++;
            n += product();
        } else if (*p == '-') {
            p++;
            n -= product();
        } else {
            break;
        }
    }
    return n;
}

int main(void) {
    char text[SIZE + 1];
    heddle_bytes(text, SIZE, "text");
    text[SIZE] = '\0';
    p = text;
    int n = sum();
    if (failed || *p)
        return 1;
    if (n == 42)
        heddle_reach("forty-two");
    return 0;
}
