/* C11 and later: _Generic, compound literals, designated initialisers, _Static_assert, _Alignas,
 * statement expressions and __builtin functions of clang.
 *
 * run: -std=gnu2x
 * verdict: complete
 * paths: 3
 * label: bits 1
 * label: swapped 1 */
#include <heddle.h>
#include <stdint.h>

#define width(x) _Generic((x), uint8_t: 8, uint32_t: 32, default: 0)

struct point {
    _Alignas(16) uint32_t x;
    uint32_t y;
};

static uint32_t norm(const struct point *p) {
    return p->x + p->y;
}

int main(void) {
    uint32_t v;
    heddle_input(v);
    _Static_assert(sizeof(struct point) == 16, "aligned");
    heddle_assert(width(v) == 32);
    if (norm(&(struct point){.y = v, .x = 1}) == 0) {
        heddle_assert(v == UINT32_MAX);
        heddle_reach("bits");
        return 0;
    }
    if (({ uint32_t s = __builtin_bswap32(v); s ^ 0xff; }) == 0x12345678) {
        heddle_reach("swapped");
        heddle_assert(__builtin_popcount(v) == __builtin_popcount(0x12345687));
    }
    return 0;
}
