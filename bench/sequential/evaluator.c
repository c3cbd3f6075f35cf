/* An evaluator of sums of products over SIZE bytes that notices overflow itself: digits, + - * / and %.
 *
 * Each operation is one of the builtins that say whether it overflowed, so that every path asks about the size of a number
 * that several bytes make; the result is asked for two special values.
 *
 * brute: -DSIZE=3 bytes 0,36,37,38,41-58 -> 36
 * brute: -DSIZE=4 bytes 0,36,37,38,41-58 -> 111
 * brute: -DSIZE=5 bytes 0,36,37,38,41-58 -> 322
 * paths: -DSIZE=3 -> 36
 * paths: -DSIZE=4 -> 111
 * paths: -DSIZE=5 -> 322
 * paths: -DSIZE=6 -> 934 */
#include <heddle.h>
#ifndef SIZE
#define SIZE 5
#endif

static const char *at;
static int failed; /* 1: no expression, 2: overflow, 3: division by zero */

static int fail(int why) {
    failed = why;
    return 0;
}

static int number(void) {
    int n = 0;
    if (*at < '0' || *at > '9')
        return fail(1);
    for (; *at >= '0' && *at <= '9'; at++)
        if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *at - '0', &n))
            return fail(2);
    return n;
}

static int apply(char op, int x, int y) {
    int result = 0;
    if (op == '+')
        return __builtin_add_overflow(x, y, &result) ? fail(2) : result;
    if (op == '-')
        return __builtin_sub_overflow(x, y, &result) ? fail(2) : result;
    if (op == '*')
        return __builtin_mul_overflow(x, y, &result) ? fail(2) : result;
    if (y == 0)
        return fail(3);
    return op == '/' ? x / y : x % y;
}

static int product(void) {
    int n = number();
    while (!failed && (*at == '*' || *at == '/' || *at == '%')) {
        char op = *at++;
        int other = number();
        if (!failed)
            n = apply(op, n, other);
    }
    return n;
}

static int sum(void) {
    int n = product();
    while (!failed && (*at == '+' || *at == '-')) {
        char op = *at++;
        int other = product();
        if (!failed)
            n = apply(op, n, other);
    }
    return n;
}

int main(void) {
    char text[SIZE + 1];
    heddle_bytes(text, SIZE, "text");
    text[SIZE] = '\0';
    at = text;
    failed = 0;
    int n = sum();
    if (failed || *at)
        return 1;
    if (n == 42)
        heddle_reach("forty-two");
    if (n < 0 && n % 7 == 0)
        heddle_reach("minus seven times something");
    return 0;
}
