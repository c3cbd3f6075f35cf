/* A function of many hundred instructions with short loops: the loops are compiled as hot code, all
 * else asks in stubs, and values that depend on inputs go to and fro between them.  With -DLONGER
 * it is so long that all of it is compiled the quick way.  By hand: only the last lines decide
 * anything, between both bits, one of them and none.
 *
 * run:
 * verdict: complete
 * paths: 3
 *
 * run: -DLONGER
 * verdict: complete
 * paths: 3
 *
 * run: -DBUG
 * verdict: complete
 * paths: 3
 * finding: out-of-bounds
 *
 * run: -DBUG -DLONGER
 * verdict: complete
 * paths: 3
 * finding: out-of-bounds */
#include <assert.h>
#include <heddle.h>

#ifdef BUG
#define ROOM 2
#else
#define ROOM 3
#endif

static unsigned mixed[8], seen[ROOM];

/* Straight code.  mixed[0] becomes nine times as large as the number of EIGHTs if both bits are
 * set. */
#define STEP(n) mixed[(n) % 8] += bits[0] * (n) + bits[1];
#define EIGHT   STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8)
#define MANY    EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT
#ifdef LONGER
#define EIGHTS 40
#define ALL    MANY MANY MANY MANY
#else
#define EIGHTS 20
#define ALL    MANY MANY
#endif

int main(void) {
    unsigned char bits[2];
    unsigned sum = 0;
    heddle_input(bits);
    for (int n = 0; n < 2; n++) {
        bits[n] &= 1;
        sum += bits[n];
    }
    ALL;
    if (mixed[0] == 9 * EIGHTS)
        seen[sum] = 1; // BUG out-of-bounds
    else if (sum)
        seen[sum] = 1;
    for (int n = 0; n < 2; n++)
        assert(seen[n] <= 1);
    return 0;
}
