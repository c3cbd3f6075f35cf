/* Of a struct with more than 256 bit-fields the others were 0 and no inputs, and nobody said so.
 *
 * run:
 * verdict: complete
 * paths: 8
 * label: first
 * label: last
 * label: inner
 *
 * run: --function whole
 * verdict: complete
 * paths: 2
 * label: last */
#include <heddle.h>

#define FOUR(n)    unsigned n##a : 1, n##b : 3, n##c : 5, n##d : 2;
#define SIXTEEN(n) FOUR(n##0) FOUR(n##1) FOUR(n##2) FOUR(n##3)
#define SIXTY(n)   SIXTEEN(n##0) SIXTEEN(n##1) SIXTEEN(n##2) SIXTEEN(n##3)

struct wide {
    SIXTY(p) SIXTY(q)
    struct {
        SIXTY(r) SIXTY(s)
        unsigned inside : 3;
    } inner;
    SIXTY(t) SIXTY(u) SIXTY(v)
    unsigned last : 7;
};

void whole(struct wide w) {
    if (w.last == 99)
        heddle_reach("last");
}

int main(void) {
    struct wide w;
    heddle_input(w);
    if (w.p00a)
        heddle_reach("first");
    if (w.inner.inside == 5)
        heddle_reach("inner");
    else if (w.last == 99 && w.v33d == 2)
        heddle_reach("last");
    return 0;
}
