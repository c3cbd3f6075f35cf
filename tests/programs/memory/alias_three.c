/* Three input pointers of one type, a write through each in turn, no comparison of pointers:
 * what *p and *q hold tells how they share.  Five ways for three pointers to be equal or not,
 * each with its own outcome: p q r apart (1,2), p=q (2,2), p=r (3,2), q=r (1,3), all (3,3).
 *
 * run:
 * verdict: complete
 * paths: 5
 * label: 1,2 1
 * label: 2,2 1
 * label: 3,2 1
 * label: 1,3 1
 * label: 3,3 1
 *
 * run: --strategy random --seed 3
 * verdict: complete
 * paths: 5
 * label: 3,3 1 */
#include <heddle.h>

struct cell {
    int tag, v;
};

int main(void) {
    struct cell *p, *q, *r;
    heddle_input(p);
    heddle_input(q);
    heddle_input(r);
    heddle_assume(p != NULL);
    heddle_assume(q != NULL);
    heddle_assume(r != NULL);
    p->v = 1;
    q->v = 2;
    r->v = 3;
    if (p->v == 1) {
        if (q->v == 2)
            heddle_reach("1,2");
        else
            heddle_reach("1,3");
    } else if (p->v == 2) {
        heddle_assert(q->v == 2);
        heddle_reach("2,2");
    } else {
        if (q->v == 2)
            heddle_reach("3,2");
        else
            heddle_reach("3,3");
    }
    return 0;
}
