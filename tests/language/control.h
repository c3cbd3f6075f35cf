/* Cases about calls and control (cases.c). */
#ifndef HD_TESTS_LANGUAGE_CONTROL_H
#define HD_TESTS_LANGUAGE_CONTROL_H
#include "odd.h"

/* ---- Functions ------------------------------------------------------------------------------ */

static int add(int x, int y) {
    return x + y;
}
static int sub(int x, int y) {
    return x - y;
}
static int mul(int x, int y) {
    return x * y;
}

static int function_pointers(u8 a, u8 b) {
    static int (*const table[])(int, int) = {add, sub, mul, add};
    return table[a & 3](a >> 4, b & 7) & 63;
}

static int function_pointer_chosen(u8 a, u8 b) {
    int (*f)(int, int) = a == 3 ? mul : a > 200 ? sub : add;
    return f(b & 7, 3) & 63;
}

typedef int (*visitor)(int, void *);

static int sum_until(int x, void *state) {
    *(int *)state += x;
    return *(int *)state > 20;
}

static int walk(visitor v, void *state, int n) {
    for (int i = 0; i < n; i++)
        if (v(i, state))
            return i;
    return n;
}

static int callbacks(u8 a, u8 b) {
    int state = b & 15;
    return walk(sum_until, &state, a & 15);
}

static int ackermann(int m, int n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int recursion(u8 a, u8 b) {
    return ackermann(a & 1, b & 3);
}

static int is_even(u32 n);
static int is_odd(u32 n) {
    return n == 0 ? 0 : is_even(n - 1);
}
static int is_even(u32 n) {
    return n == 0 ? 1 : is_odd(n - 1);
}

static int mutual_recursion(u8 a, u8 b) {
    return is_even(a & 15) * 2 + is_odd(b & 7);
}

static int sum_of(int n, ...) {
    va_list list, copy;
    int sum = 0;
    va_start(list, n);
    va_copy(copy, list);
    for (int i = 0; i < n; i++)
        sum += va_arg(list, int);
    for (int i = 0; i < n; i += 2)
        sum -= va_arg(copy, int) > 100;
    va_end(list);
    va_end(copy);
    return sum;
}

static int variadic(u8 a, u8 b) {
    return sum_of(a & 3, a, b, 3) & 63;
}

static long mixed_arguments(const char *kinds, ...) {
    va_list list;
    long sum = 0;
    va_start(list, kinds);
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i':
            sum += va_arg(list, int);
            break;
        case 'l':
            sum += va_arg(list, long);
            break;
        case 'd':
            sum += (long)va_arg(list, double);
            break;
        default:
            sum += *va_arg(list, u8 *);
        }
    va_end(list);
    return sum;
}

static int variadic_mixed(u8 a, u8 b) {
    return (int)(mixed_arguments("ildpilililipd", a, (long)b, 2.0, &a, 1, 2L, 3, 4L, 5, 6L, 7, &b,
                                 3.0) &
                 63);
}

static inline int clamp(int x, int low, int high) {
    return x < low ? low : x > high ? high : x;
}

static int inlined(u8 a, u8 b) {
    return clamp(a - b, -20, 20) + 20;
}

static int static_state(u8 a, u8 b) {
    static u32 calls; /* the native library calls it many times */
    calls = 0;
    for (int i = 0; i < (a & 3); i++)
        calls += b & 3;
    return (int)calls;
}

/* ---- Control ----------------------------------------------------------------------------------
 */

static int computed_goto(u8 a, u8 b) {
    static const void *const ops[] = {&&inc, &&dec, &&dup, &&end};
    int acc = b & 7;
    u32 code = a;
    goto *ops[code & 3];
inc:
    acc++, code = code >> 2 | 0xc0;
    goto *ops[code & 3];
dec:
    acc--, code = code >> 2 | 0xc0;
    goto *ops[code & 3];
dup:
    acc *= 2, code = code >> 2 | 0xf0;
    goto *ops[code & 3];
end:
    return acc & 63;
}

static int switch_in_loop(u8 a, u8 b) {
    int state = 0, n = 0;
    for (u32 bits = a | (u32)(b & 3) << 8; bits && n < 20; bits >>= 1, n++)
        switch (state) {
        case 0:
            state = bits & 1 ? 1 : 2;
            break;
        case 1:
            if (!(bits & 1)) {
                state = 0;
                continue;
            }
            state = 3;
            /* fall through */
        case 2:
            state++;
            break;
        default:
            return 40 + state;
        }
    return state * 8 + (n & 7);
}

static int switch_ranges(u8 a, u8 b) {
    switch (a) {
    case 0 ... 9:
        return 1;
    case 'a' ... 'z':
        return b == 'q' ? 2 : 3;
    case 200:
        return 4;
    default:
        return a > 250 ? 5 : 6;
    }
}

static int switch_wide(u8 a, u8 b) {
    switch ((uint64_t)a << 32 | b) {
    case UINT64_C(0x500000007):
        return 1;
    case UINT64_C(0xff000000ff):
        return 2;
    case 3:
        return 3;
    }
    return 0;
}

static int duffs_device(u8 a, u8 b) {
    int n = (a & 7) + 1, rounds = (n + 3) / 4, sum = 0;
    switch (n % 4) {
    case 0:
        do {
            sum += b & 1;
        case 3:
            sum += 1;
        case 2:
            sum += 2;
        case 1:
            sum += 3;
        } while (--rounds > 0);
    }
    return sum;
}

static jmp_buf place;

static void deep(int n, int value) {
    if (n == 0)
        longjmp(place, value);
    deep(n - 1, value + 1);
}

static int long_jump(u8 a, u8 b) {
    volatile int before = b & 3;
    if (setjmp(place)) /* that it came back is known; with what is not asked */
        return 10 + before;
    if ((a & 3) == 2)
        deep(b & 3, 1);
    return before;
}

static int long_jump_value(u8 a, u8 b) {
    int n = setjmp(place);
    if (n)
        return n & 63;
    if (a > 3)
        deep(2, (a & 3) + (b & 1));
    return 0;
}

static int nested_loops(u8 a, u8 b) {
    int found = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            if (i * j == (a & 7))
                goto out;
            if (j == (b & 3))
                break;
            found++;
        }
out:
    return found;
}

static int short_circuit(u8 a, u8 b) {
    int n = 0;
    if ((a > 10 && ++n && b < 5) || (b == 200 && (n += 2)) || !(a | b))
        n += 4;
    return n + (a ? b ? 8 : 16 : 0);
}

static int conditional_chain(u8 a, u8 b) {
    const char *s = a < b ? "less" : a > b ? "more" : "same";
    return s[0] == 'l' ? s[1] & 63 : s[0] == 'm' ? 2 : (int)strlen(s) + 3 == 7 ? 7 : 63;
}

static int comma_and_assignment(u8 a, u8 b) {
    int x = 3, y = (x += a & 3, x * 2), z;
    z = y = b > 9 ? x : -x;
    return (x + y + z) & 63;
}

static int statement_expression(u8 a, u8 b) {
#define MAX_OF(x, y)                                                                               \
    ({                                                                                             \
        __typeof__(x) x_ = (x);                                                                    \
        __typeof__(y) y_ = (y);                                                                    \
        x_ > y_ ? x_ : y_;                                                                         \
    })
    return MAX_OF(a & 15, MAX_OF(b & 31, 9));
}

static void forget(u8 **p) {
    free(*p);
}

static int cleanup_attribute(u8 a, u8 b) {
    __attribute__((cleanup(forget))) u8 *p = malloc(2);
    p[0] = a, p[1] = b;
    if (p[a & 1] == 3)
        return 1;
    return p[0] > p[1] ? 2 : 3;
}
#endif
