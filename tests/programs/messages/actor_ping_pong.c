/* More messages than there can be couriers, but each is an answer to the one before: one courier in
 * each direction is enough, although the channel does not keep its order.
 *
 * run:
 * verdict: complete
 * paths: 1
 *
 * run: --por none
 * verdict: complete
 * paths: 1
 *
 * run: -DSTALE
 * verdict: complete
 * finding: assertion */
#include <assert.h>
#include <heddle.h>

#define ROUNDS 200

static void pong(void *unused) {
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        int v;
        heddle_receive(&v, sizeof v);
#ifdef STALE
        if (i == 2)
            heddle_send(0, &v, sizeof v); /* may arrive any time later */
#endif
        v++;
        heddle_send(0, &v, sizeof v);
    }
}

int main(void) {
    heddle_actor partner = heddle_spawn(pong, 0, 0);
    for (int i = 0, v = 0; i < ROUNDS; i++) {
        heddle_send(partner, &v, sizeof v);
        heddle_receive(&v, sizeof v);
        assert(v == i + 1); // BUG assertion
    }
}
