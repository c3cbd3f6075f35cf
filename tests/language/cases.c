/* cases.c -- odd corners of C, each a function of two bytes with a result of six bits.
 *
 * property_language.c compiles this natively and calls every case with all inputs; and runs Heddle
 * on it with the name of a case as argument: the results must be the same.  EXACT cases must be
 * explored completely, LISTED ones must say what is approximated, with file and line. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef unsigned u32;

/* ---- Bit-fields, unions, layout ---------------------------------------------------------- */

struct bits {
    unsigned a : 3;
    signed b : 5;
    unsigned long long c : 37;
    unsigned : 0;
    bool d : 1;
};

static int bit_fields(u8 a, u8 b) {
    struct bits s = {0};
    s.a = a;
    s.b = (signed char)b % 16;
    s.c = (unsigned long long)a << 30 | b;
    s.d = s.a == 5;
    return (int)(s.a + (unsigned)s.b + (unsigned)(s.c >> 33) + s.d) & 63;
}

static int bit_field_updates(u8 a, u8 b) {
    struct {
        int x : 4, y : 4;
        unsigned z : 9;
    } s = {1, -2, 300};
    s.x ^= a & 3;
    s.y += b & 1;
    s.z *= (a & 1) + 1u;
    s.z--;
    return (s.x * 3 + s.y + s.z) & 63;
}

static int packed(u8 a, u8 b) {
    struct __attribute__((packed)) {
        u8 tag;
        uint32_t value;
        uint16_t rest;
    } s = {a, a * 256u + b, b};
    u8 copy[sizeof s];
    memcpy(copy, &s, sizeof copy);
    return copy[2] == 7 ? copy[5] & 31 : copy[0] == 200 ? 40 : 41;
}

static int union_pun(u8 a, u8 b) {
    union {
        uint32_t whole;
        uint16_t half[2];
        u8 byte[4];
    } u = {.byte = {a, b, 3, a}};
    if (u.half[0] == 0x1234)
        return 1;
    return u.whole >> 24 == 9 && u.half[1] == 0x903 ? 2 : (int)(u.whole >> 28);
}

static int union_of_structs(u8 a, u8 b) {
    union event {
        struct {
            int kind, x;
        } move;
        struct {
            int kind;
            char key;
        } press;
    } e;
    if (a & 1)
        e.move.kind = 0, e.move.x = b;
    else
        e.press.kind = 1, e.press.key = (char)b;
    return e.move.kind == 0 ? (e.move.x > 100 ? 1 : 2) : e.press.key < 0 ? 3 : 4;
}

struct line {
    u32 n;
    u8 data[];
};

static int flexible_array(u8 a, u8 b) {
    u32 n = 1 + (a & 3);
    struct line *l = malloc(sizeof *l + n);
    l->n = n;
    for (u32 i = 0; i < n; i++)
        l->data[i] = (u8)(b + i);
    int r = l->data[l->n - 1] == 9 ? 1 : l->data[b % l->n] > 128 ? 2 : 3;
    free(l);
    return r;
}

static int nested_designators(u8 a, u8 b) {
    struct point {
        int x, y;
    } grid[2][3] = {[1] = {[2] = {.y = 7}, [0].x = 3}, [0][1] = {4, 5}};
    return grid[a & 1][b % 3].x * 8 + grid[b & 1][a % 3].y;
}

static int struct_holes(u8 a, u8 b) {
    struct hole {
        char c;
        int i;
        short s;
    } x, y;
    memset(&x, 0, sizeof x);
    memset(&y, 0, sizeof y);
    x.c = (char)a, x.i = b, y.c = (char)b, y.i = a;
    return memcmp(&x, &y, sizeof x) == 0 ? 1 : memcmp(&x, &y, sizeof x) < 0 ? 2 : 3;
}

/* ---- Structs by value --------------------------------------------------------------------- */

struct small {
    u8 x, y;
};
struct large {
    long v[5];
};
struct mixed {
    double d;
    int i;
};

static struct small swap_small(struct small s) {
    return (struct small){s.y, s.x};
}

static struct large shift_large(struct large l, int by) {
    for (int i = 0; i < 5; i++)
        l.v[i] += by;
    return l;
}

static int struct_return(u8 a, u8 b) {
    struct small s = swap_small(swap_small((struct small){a, b}));
    struct large l = shift_large((struct large){{a, b, 1, 2, 3}}, b);
    return s.x == a && s.y == b ? (int)(l.v[0] == 77) * 2 + (l.v[4] > 100) : 63;
}

static struct mixed make_mixed(int i) {
    return (struct mixed){1.5, i};
}

static int struct_mixed(u8 a, u8 b) {
    return make_mixed(a).i == 33 ? 1 : make_mixed(b).i & 7;
}

static int struct_assignment(u8 a, u8 b) {
    struct large x = {{a}}, y = {{b}}, *p = a > b ? &x : &y;
    struct large z = *p;
    return z.v[0] > 250 ? 1 : z.v[0] == b ? 2 : 3;
}

static int compound_literals(u8 a, u8 b) {
    int *p = (int[]){a, b, a + b};
    const struct small *s = &(struct small){.y = a};
    return p[2] == 300 ? 1 : s->x == 0 && s->y == 17 ? 2 : p[b & 1] > 128 ? 3 : 4;
}

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

/* ---- Integers -----------------------------------------------------------------------------------
 */

static int char_signedness(u8 a, u8 b) {
    char c = (char)a;
    signed char s = (signed char)b;
    unsigned char u = (u8)c;
    return (c < 0) | (s < 0) << 1 | (u > 127) << 2 | (c == (char)0xff) << 3 | (c == 0xff) << 4;
}

static int conversions(u8 a, u8 b) {
    unsigned short us = (unsigned short)(a * 257);
    int minus = -(int)b;
    return (minus < 5u) | ((short)us < 0) << 1 | ((long)(unsigned)minus > 5) << 2 |
           ((u8)(a + b) < a) << 3 | ((int32_t)((uint32_t)a << 24) >> 24 == (signed char)a) << 4;
}

static int shifts(u8 a, u8 b) {
    unsigned n = b & 31;
    uint32_t x = (uint32_t)a << n;
    int32_t y = (int32_t)((uint32_t)a << 24) >> n;
    return (x == 0x1000) | (y == -1) << 1 | (x >> n == a) << 2;
}

static int shift_wide(u8 a, u8 b) {
    uint64_t x = (uint64_t)a << (b & 63);
    return (x >> 32) == 3 ? 1 : x == 0 ? 2 : (x & 0xff) == a ? 3 : 4;
}

static int division(u8 a, u8 b) {
    int x = (signed char)a, y = (signed char)b;
    if (y == 0)
        return 63;
    return (x / y == -3) | (x % y == -2) << 1 | (x % y < 0) << 2 | (x / y > 100) << 3;
}

static int division_unsigned(u8 a, u8 b) {
    return b ? (a / b & 7) | (a % b == 5) << 3 : 63;
}

static int division_constant(u8 a, u8 b) {
    int x = (signed char)a;
    return (x / 7 == 3) | (x % 10 == -4) << 1 | (b / 3 == 20) << 2 | (x / -8 == 1) << 3;
}

static uint32_t rotate(uint32_t x, unsigned n) {
    return x << (n & 31) | x >> (-n & 31);
}

static int rotates(u8 a, u8 b) {
    uint32_t x = rotate(a, b & 31);
    return x == 0x80000001 ? 1 : x >> 31 ? 2 : x == a ? 3 : 4;
}

static int bit_builtins(u8 a, u8 b) {
    return __builtin_popcount(a) + (b ? __builtin_ctz(b) : 8) * 2 +
           (a ? __builtin_clz(a) - 24 : 9) + (__builtin_parity(b) ? 16 : 0) + __builtin_ffs(a & b);
}

static int byte_swaps(u8 a, u8 b) {
    uint32_t x = __builtin_bswap32((uint32_t)a << 8 | b);
    return x == 0x01020000 ? 1 : x >> 24 == b ? 2 : 3;
}

static int overflow_builtins(u8 a, u8 b) {
    signed char s;
    unsigned char u;
    int i;
    return __builtin_add_overflow((signed char)a, (signed char)b, &s) |
           __builtin_sub_overflow(a, b, &u) << 1 | __builtin_mul_overflow(a, b, &u) << 2 |
           __builtin_mul_overflow((int)a << 20, (int)b, &i) << 3 | (s == 7) << 4;
}

static int saturating(u8 a, u8 b) {
    u8 sum;
    if (__builtin_add_overflow(a, b, &sum))
        sum = UINT8_MAX;
    return sum == 255 ? 1 : sum / 64 + 2;
}

static int bool_values(u8 a, u8 b) {
    bool x = a, y = b & 2;
    x += 1;
    y ^= a > 3;
    return x + y * 2 + (bool)(a * 256) * 4 + !!b * 8;
}

static int enumerations(u8 a, u8 b) {
    enum level { LOW, MIDDLE = 5, HIGH } l = (enum level)(a % 7);
    switch (l) {
    case LOW:
        return b & 1;
    case MIDDLE:
        return 2;
    case HIGH:
        return 3;
    }
    return 4;
}

static int wide_arithmetic(u8 a, u8 b) {
    uint64_t x = (uint64_t)a * 0x0101010101010101 + b;
    return x % 7 == 3 ? 1 : x == 0x0202020202020204 ? 2 : 3;
}

static int int128(u8 a, u8 b) {
    unsigned __int128 x = (unsigned __int128)a << 64 | b;
    return x >> 60 == 16 ? 1 : (int)(x >> 64 & 3) + 2;
}

static int crc8(u8 a, u8 b) {
    u8 crc = a;
    for (int i = 0; i < 4; i++)
        crc = (u8)(crc & 0x80 ? crc << 1 ^ 7 : crc << 1);
    return crc == b ? 1 : 0;
}

static int gray_code(u8 a, u8 b) {
    u8 g = a ^ a >> 1;
    return g == b ? 1 : g == 0x55 ? 2 : 3;
}

/* ---- Floating point: listed ----------------------------------------------------------------- */

static int floats(u8 a, u8 b) {
    double d = a / 2.0 + b;
    return d > 100.25 ? 1 : d == 7.5 ? 2 : 3;
}

static int float_compare(u8 a, u8 b) {
    float f = a;
    return f * f < b ? 1 : 2;
}

/* ---- Memory -------------------------------------------------------------------------------------
 */

static const u8 primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};

static int constant_table(u8 a, u8 b) {
    return primes[a & 15] == 31 ? 1 : primes[primes[b & 7] & 15] % 4 + 2;
}

static uint16_t big_table[20000];

static int large_table(u8 a, u8 b) {
    for (u32 i = 0; i < 20000; i += 1000)
        big_table[i] = (uint16_t)(i / 1000);
    big_table[(a & 3) * 1000u] += 9;
    return big_table[(b & 3) * 1000u];
}

static int negative_index(u8 a, u8 b) {
    int v[8] = {10, 11, 12, 13, 14, 15, 16, 17}, *middle = v + 4;
    return middle[(a & 7) - 4] + (b > 128 ? middle[-1] : 0);
}

static int pointer_walk(u8 a, u8 b) {
    u8 v[6] = {a, 2, 3, b, 5, 0};
    const u8 *p = v, *end = v + 6;
    while (p < end && *p != 5)
        p += *p > 100 ? 2 : 1;
    return (int)(p - v);
}

static int pointer_difference(u8 a, u8 b) {
    int v[8], *p = v + (a & 7), *q = &v[b & 7];
    return p == q ? 8 : p < q ? (int)(q - p) : 16 + (int)(p - q);
}

static int pointer_as_integer(u8 a, u8 b) {
    static int v[4] = {1, 2, 3, 4};
    uintptr_t p = (uintptr_t)v + (a & 3) * sizeof *v;
    return *(int *)p + ((p & 3) == (b & 3)) * 8;
}

static int tagged_pointer(u8 a, u8 b) {
    static long value[2] = {7, 9};
    uintptr_t p = (uintptr_t)&value[a & 1] | (b & 7);
    long *q = (long *)(p & ~(uintptr_t)7);
    return (int)*q + (int)(p & 7) * 4;
}

static int xor_swap(u8 a, u8 b) {
    a ^= b, b ^= a, a ^= b;
    return a > b ? a & 31 : 32 + (b & 31);
}

static int matrix(u8 a, u8 b) {
    int m[3][4], sum = 0;
    for (int i = 0; i < 12; i++)
        m[i / 4][i % 4] = i;
    m[a % 3][b & 3] = 20;
    for (int i = 0; i < 3; i++)
        sum += m[i][i];
    return sum;
}

static int variable_array(u8 a, u8 b) {
    int n = 1 + (a & 3), v[n], sum = 0;
    for (int i = 0; i < n; i++)
        v[i] = b & i;
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum + (int)(sizeof v / sizeof *v) * 8;
}

static int variable_matrix(u8 a, u8 b) {
    int n = 1 + (a & 1), m[2][n];
    m[0][0] = 5, m[0][n - 1] = b & 3, m[1][0] = 4;
    return m[b & 1][0] * (n == 1 || (b & 1)) + n * 8;
}

static int reallocated(u8 a, u8 b) {
    u32 n = 2, used = 0;
    u8 *v = malloc(n);
    for (u32 i = 0; i < (a & 7u); i++) {
        if (used == n)
            v = realloc(v, n *= 2);
        v[used++] = (u8)(b + i);
    }
    int r = used ? v[used - 1] == 4 ? 1 : 2 : 3;
    free(v);
    return r * 8 + (int)n;
}

struct pool {
    _Alignas(8) u8 room[64];
    u32 used;
};

static void *take(struct pool *p, u32 n) {
    void *at = p->room + p->used;
    p->used += (n + 7) & ~7u;
    return p->used <= sizeof p->room ? at : NULL;
}

static int memory_pool(u8 a, u8 b) {
    struct pool pool = {.used = 0};
    u8 *first = take(&pool, 1 + (a & 15)), *second = take(&pool, 8 + (b & 63));
    if (!second)
        return 1;
    first[0] = a, second[0] = b;
    return (int)(second - first) / 8 + (second[0] == 9) * 4 + 2;
}

struct node {
    struct node *left, *right;
    int key;
};

static struct node *insert(struct node *t, struct node *n) {
    if (!t)
        return n;
    if (n->key < t->key)
        t->left = insert(t->left, n);
    else
        t->right = insert(t->right, n);
    return t;
}

static int height(const struct node *t) {
    if (!t)
        return 0;
    int l = height(t->left), r = height(t->right);
    return 1 + (l > r ? l : r);
}

static int search_tree(u8 a, u8 b) {
    struct node n[4] = {{.key = 100}, {.key = a}, {.key = b}, {.key = a ^ b}}, *t = NULL;
    for (int i = 0; i < 4; i++)
        t = insert(t, &n[i]);
    return height(t) * 4 + (t->left != NULL);
}

static int linked_list(u8 a, u8 b) {
    struct node n[3] = {{.key = a}, {.key = b}, {.key = 50}}, *head = &n[0];
    n[0].right = &n[1], n[1].right = &n[2];
    struct node **p = &head;
    while (*p)
        if ((*p)->key > 100)
            *p = (*p)->right;
        else
            p = &(*p)->right;
    int count = 0;
    for (struct node *at = head; at; at = at->right)
        count++;
    return count;
}

static int hash_table(u8 a, u8 b) {
    int slot[4] = {-1, -1, -1, -1}, keys[3] = {a & 15, b & 15, 6}, steps = 0;
    for (int i = 0; i < 3; i++) {
        int h = keys[i] * 5 & 3;
        while (slot[h] >= 0 && slot[h] != keys[i])
            h = (h + 1) & 3, steps++;
        slot[h] = keys[i];
    }
    return steps * 4 + (slot[2] >= 0);
}

static int overlapping_copies(u8 a, u8 b) {
    u8 v[8] = {a, b, 2, 3, 4, 5, 6, 7};
    memmove(v + 1 + (a & 1), v, 4);
    memcpy(v, v + 6, 2);
    return v[2] == b ? 1 : v[1] == 7 && v[3] == 3 ? 2 : 3;
}

static int copies_of_any_length(u8 a, u8 b) {
    u8 from[8] = {1, 2, 3, b, 5, 6, 7, 8}, to[8] = {0};
    memcpy(to, from, a & 7);
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += to[i] != 0;
    return sum * 4 + (to[3] == 9);
}

static int type_punned_copy(u8 a, u8 b) {
    u8 bytes[4] = {a, b, a, 0};
    int32_t n;
    memcpy(&n, bytes, sizeof n);
    return n == 0x050605 ? 1 : n % 3 == 0 ? 2 : 3;
}

static int volatile_access(u8 a, u8 b) {
    volatile u8 v = a;
    v += b;
    return v == 0 ? 1 : v < a ? 2 : 3;
}

static int restrict_pointers(u8 a, u8 b) {
    int x = a, y = b;
    int *restrict p = &x, *restrict q = &y;
    *p += *q;
    return *p > 300 ? 1 : *q == 3 ? 2 : 3;
}

static int generic_selection(u8 a, u8 b) {
#define SIZE_CLASS(x) _Generic((x), u8: 1, int: 2, long: 3, default: 4)
    return SIZE_CLASS(a) + SIZE_CLASS(a + b) * (a > b) + SIZE_CLASS(1L + a) * (a == b);
}

/* ---- The library ------------------------------------------------------------------------------
 */

static int by_value(const void *x, const void *y) {
    return *(const u8 *)x - *(const u8 *)y;
}

static int sorting(u8 a, u8 b) {
    u8 v[4] = {a, 100, b, 50};
    qsort(v, 4, 1, by_value);
    return v[0] == 50 ? 1 : v[3] == 100 ? 2 : v[1] == v[2] ? 3 : 4;
}

static int searching(u8 a, u8 b) {
    u8 v[5] = {10, 20, 30, 40, (u8)(41 + (b & 63))}, *p = bsearch(&a, v, 5, 1, by_value);
    return p ? (int)(p - v) : 9;
}

static int strings(u8 a, u8 b) {
    char s[8] = {(char)(a & 3 ? 'a' : 0), (char)b, 'c', 0};
    return (int)strlen(s) + (strcmp(s, "abc") == 0) * 8 + (strchr(s, 'c') != NULL) * 16;
}

static int more_strings(u8 a, u8 b) {
    char s[16] = "key=", t[4] = {(char)('a' + (a & 3)), (char)(b & 1 ? 'b' : 0)};
    strcat(s, t);
    char *v = strchr(s, '=') + 1;
    return strncmp(v, "ab", 2) == 0 ? 1 : strstr(s, "=b") ? 2 : (int)strspn(v, "cd") + 3;
}

static int tokens(u8 a, u8 b) {
    char s[] = {(char)(a & 1 ? ',' : 'x'), 'y', (char)(b & 1 ? ',' : 'z'), 'w', 0};
    int n = 0;
    for (char *t = strtok(s, ","); t; t = strtok(NULL, ","))
        n += (int)strlen(t) * 4 + 1;
    return n;
}

static int numbers(u8 a, u8 b) {
    char s[4] = {(char)a, (char)b, 0}, *end;
    long n = strtol(s, &end, 10);
    return n == 42 ? 1 : n < 0 ? 2 : end == s ? 3 : *end ? 4 : 5;
}

static int hexadecimal(u8 a, u8 b) {
    char s[5] = {'0', 'x', (char)a, (char)b, 0};
    return (int)(strtoul(s, NULL, 0) & 63);
}

static int characters(u8 a, u8 b) {
    return !!isalpha(a) | !!isdigit(b) << 1 | !!isspace(a) << 2 | (toupper(b) == 'Q') << 3 |
           !!ispunct(a) << 4 | !!isxdigit(b) << 5;
}

static int memory_functions(u8 a, u8 b) {
    u8 v[4] = {1, a, 3, b};
    u8 *p = memchr(v, 3, 4), *q = memchr(v, b, 4);
    return (int)(p - v) * 8 + (int)(q - v) + (memcmp(v, "\1\2", 2) > 0) * 4;
}

static int absolute_values(u8 a, u8 b) {
    return abs((signed char)b) % 16 + (labs((long)a - b) > 100) * 16;
}

static int quotient_and_remainder(u8 a, u8 b) {
    div_t d = div((signed char)a, 7);
    return (d.rem < 0) + (d.quot == 3) * 2 + (b > 9) * 4;
}

static int error_numbers(u8 a, u8 b) {
    char s[24] = "9999999999999999999";
    s[a & 15] = (char)('0' + b % 10);
    if ((a & 15) < 15)
        s[18 - (a & 1)] = 0;
    errno = 0;
    strtol(s, NULL, 10);
    return errno == ERANGE ? 1 : errno == 0 ? 2 : 3;
}

/* ---- Little machines --------------------------------------------------------------------------
 */

static int parser(u8 a, u8 b) {
    char text[] = {(char)a, (char)b, '1', ')', 0};
    int depth = 0, digits = 0;
    for (const char *p = text; *p; p++)
        if (*p == '(')
            depth++;
        else if (*p == ')' && --depth < 0)
            return 40;
        else if (*p >= '0' && *p <= '9')
            digits++;
    return depth * 8 + digits;
}

static int utf8(u8 a, u8 b) {
    if (a < 0x80)
        return 1;
    if (a < 0xc2 || a > 0xdf)
        return 2;
    if ((b & 0xc0) != 0x80)
        return 3;
    int code = (a & 0x1f) << 6 | (b & 0x3f);
    return code == 0xe9 ? 4 : code > 0x400 ? 5 : 6;
}

static int bytecode(u8 a, u8 b) {
    u8 program[] = {(u8)(a & 3), (u8)(b & 3), 2, 3}, stack[8] = {1, 2};
    int top = 2;
    for (u32 pc = 0; pc < 4; pc++)
        switch (program[pc]) {
        case 0:
            stack[top] = (u8)(stack[top - 1] + 1), top++;
            break;
        case 1:
            if (top > 2)
                top--, stack[top - 1] = (u8)(stack[top - 1] * stack[top]);
            break;
        case 2:
            stack[top] = stack[top - 1], top++;
            break;
        default:
            return stack[top - 1] * 4 + top;
        }
    return 63;
}

static int tic_tac_toe(u8 a, u8 b) {
    static const u8 lines[][3] = {{0, 1, 2}, {3, 4, 5}, {0, 4, 8}, {2, 4, 6}};
    u8 board[9] = {[4] = 1};
    board[a % 9] = 1;
    board[b % 9] = 1;
    for (int i = 0; i < 4; i++)
        if (board[lines[i][0]] && board[lines[i][1]] && board[lines[i][2]])
            return i + 1;
    return 0;
}

static int run_lengths(u8 a, u8 b) {
    u8 in[4] = {(u8)(a & 1), (u8)(b & 1), (u8)(a >> 7), 1}, out[8];
    int n = 0;
    for (int i = 0, j; i < 4; i = j) {
        for (j = i; j < 4 && in[j] == in[i];)
            j++;
        out[n++] = in[i];
        out[n++] = (u8)(j - i);
    }
    return n * 4 + out[1];
}

#define CASES(X)                                                                                   \
    X(bit_fields, EXACT)                                                                           \
    X(bit_field_updates, EXACT)                                                                    \
    X(packed, EXACT)                                                                               \
    X(union_pun, EXACT)                                                                            \
    X(union_of_structs, EXACT)                                                                     \
    X(flexible_array, EXACT)                                                                       \
    X(nested_designators, EXACT)                                                                   \
    X(struct_holes, EXACT)                                                                         \
    X(struct_return, EXACT)                                                                        \
    X(struct_mixed, EXACT)                                                                         \
    X(struct_assignment, EXACT)                                                                    \
    X(compound_literals, EXACT)                                                                    \
    X(function_pointers, EXACT)                                                                    \
    X(function_pointer_chosen, EXACT)                                                              \
    X(callbacks, EXACT)                                                                            \
    X(recursion, EXACT)                                                                            \
    X(mutual_recursion, EXACT)                                                                     \
    X(variadic, EXACT)                                                                             \
    X(variadic_mixed, EXACT)                                                                       \
    X(inlined, EXACT)                                                                              \
    X(static_state, EXACT)                                                                         \
    X(computed_goto, EXACT)                                                                        \
    X(switch_in_loop, EXACT)                                                                       \
    X(switch_ranges, EXACT)                                                                        \
    X(switch_wide, EXACT)                                                                          \
    X(duffs_device, EXACT)                                                                         \
    X(long_jump, EXACT)                                                                            \
    X(long_jump_value, LISTED)                                                                     \
    X(nested_loops, EXACT)                                                                         \
    X(short_circuit, EXACT)                                                                        \
    X(conditional_chain, EXACT)                                                                    \
    X(comma_and_assignment, EXACT)                                                                 \
    X(statement_expression, EXACT)                                                                 \
    X(cleanup_attribute, EXACT)                                                                    \
    X(char_signedness, EXACT)                                                                      \
    X(conversions, EXACT)                                                                          \
    X(shifts, EXACT)                                                                               \
    X(shift_wide, EXACT)                                                                           \
    X(division, EXACT)                                                                             \
    X(division_unsigned, EXACT)                                                                    \
    X(division_constant, EXACT)                                                                    \
    X(rotates, EXACT)                                                                              \
    X(bit_builtins, EXACT)                                                                         \
    X(byte_swaps, EXACT)                                                                           \
    X(overflow_builtins, EXACT)                                                                    \
    X(saturating, EXACT)                                                                           \
    X(bool_values, EXACT)                                                                          \
    X(enumerations, EXACT)                                                                         \
    X(wide_arithmetic, EXACT)                                                                      \
    X(int128, LISTED)                                                                              \
    X(crc8, EXACT)                                                                                 \
    X(gray_code, EXACT)                                                                            \
    X(floats, LISTED)                                                                              \
    X(float_compare, LISTED)                                                                       \
    X(constant_table, EXACT)                                                                       \
    X(large_table, EXACT)                                                                          \
    X(negative_index, EXACT)                                                                       \
    X(pointer_walk, EXACT)                                                                         \
    X(pointer_difference, EXACT)                                                                   \
    X(pointer_as_integer, EXACT)                                                                   \
    X(tagged_pointer, EXACT)                                                                       \
    X(xor_swap, EXACT)                                                                             \
    X(matrix, EXACT)                                                                               \
    X(variable_array, EXACT)                                                                       \
    X(variable_matrix, EXACT)                                                                      \
    X(reallocated, EXACT)                                                                          \
    X(memory_pool, EXACT)                                                                          \
    X(search_tree, EXACT)                                                                          \
    X(linked_list, EXACT)                                                                          \
    X(hash_table, EXACT)                                                                           \
    X(overlapping_copies, EXACT)                                                                   \
    X(copies_of_any_length, EXACT)                                                                 \
    X(type_punned_copy, EXACT)                                                                     \
    X(volatile_access, EXACT)                                                                      \
    X(restrict_pointers, EXACT)                                                                    \
    X(generic_selection, EXACT)                                                                    \
    X(sorting, EXACT)                                                                              \
    X(searching, EXACT)                                                                            \
    X(strings, EXACT)                                                                              \
    X(more_strings, EXACT)                                                                         \
    X(tokens, EXACT)                                                                               \
    X(numbers, EXACT)                                                                              \
    X(hexadecimal, EXACT)                                                                          \
    X(characters, EXACT)                                                                           \
    X(memory_functions, EXACT)                                                                     \
    X(absolute_values, EXACT)                                                                      \
    X(quotient_and_remainder, LISTED)                                                              \
    X(error_numbers, EXACT)                                                                        \
    X(parser, EXACT)                                                                               \
    X(utf8, EXACT)                                                                                 \
    X(bytecode, EXACT)                                                                             \
    X(tic_tac_toe, EXACT)                                                                          \
    X(run_lengths, EXACT)

enum { EXACT, LISTED };

const struct language_case {
    const char *name;
    int (*run)(u8, u8);
    int is_listed;
} language_cases[] = {
#define X(name, how) {#name, name, how},
    CASES(X)
#undef X
        {0}};

#ifdef __HEDDLE__
#include <heddle.h>

int main(int argc, char **argv) {
    u8 a, b;
    const struct language_case *c = language_cases;
    while (argc > 1 && c->name && strcmp(c->name, argv[1]) != 0)
        c++;
    heddle_input(a);
    heddle_input(b);
    int result = c->run(a, b);
    for (int i = 0; i < 64; i++) /* each is a path */
        if (result == i)
            return i;
    return 64;
}
#endif
