/* An assignment of structs that overlap was not reported, nor was what mempcpy(), wmemcpy() and memcpy() by its address
 * copy onto itself: clang's sanitizers and C say that none of them may.
 *
 * run:
 * verdict: complete
 * paths: 8
 * finding: overlap 4 */
#include <heddle.h>
#define __USE_GNU
#include <string.h>
#include <wchar.h>

void *mempcpy(void *to, const void *from, size_t n);
struct record {
    int member[8];
};
struct pair {
    struct record of[2];
};
static union {
    struct record whole;
    char byte[40];
} u;
static wchar_t wide[8];
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;

static void copy_inside(struct pair *p, struct record *to) {
    p->of[0] = p->of[1];
    *to = p->of[0]; /* the same place may be copied onto itself */
}

int main(void) {
    struct pair p = {{{{1}}, {{2}}}};
    int o = (int)heddle_choose(0, 1);
    switch (heddle_choose(0, 3)) {
    case 0:
        copy_inside(&p, &p.of[o]);
        *(struct record *)(u.byte + 4 * o) = u.whole; // BUG overlap
        return p.of[0].member[0] - 2;
    case 1:
        mempcpy(u.byte + o, u.byte, 2); // BUG overlap
        return 0;
    case 2:
        wmemcpy(wide, wide + o, 2); // BUG overlap
        return 0;
    default:
        copy(u.byte, u.byte + o, 3); // BUG overlap
        return 0;
    }
}
