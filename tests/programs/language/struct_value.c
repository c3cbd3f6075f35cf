/* Structs by value as arguments and results: in registers (16 bytes), in memory (more), nested.
 *
 * run:
 * verdict: complete
 * paths: 3
 * label: small 1
 * label: big 1 */
#include <heddle.h>

struct pair {
    int a;
    long b;
};
struct big {
    struct pair pairs[3];
    char tag;
};

static struct pair swap(struct pair p) {
    struct pair q = {(int)p.b, p.a};
    return q;
}

static struct big rotate(struct big b) {
    struct big r = b;
    r.pairs[0] = b.pairs[2];
    r.pairs[2] = swap(b.pairs[0]);
    r.tag = (char)(b.tag ^ 0x20);
    return r;
}

int main(void) {
    struct big b;
    heddle_input(b);
    struct big r = rotate(b);
    if (r.pairs[2].a == 1234567) {
        heddle_reach("small");
        return 0;
    }
    if (r.tag == 'a') {
        heddle_reach("big");
        heddle_assert(b.tag == 'A');
    }
    return 0;
}
