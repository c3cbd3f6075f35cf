/* Cases about values: bit-fields, unions, structs, integers, floating point (cases.c). */
#ifndef HD_TESTS_LANGUAGE_VALUES_H
#define HD_TESTS_LANGUAGE_VALUES_H
#include "odd.h"

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
#endif
