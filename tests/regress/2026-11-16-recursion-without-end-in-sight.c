/* Recursion was not counted: an execution of few inputs and no loop went on for ever, and the
 * search with it.  Calls of functions that may call themselves are counted like iterations of
 * loops.
 *
 * run: --max-steps 1000000
 * verdict: incomplete
 * exit: 3
 * reason: more than 1000000 loop iterations and recursive calls (--max-steps raises that)
 * reason-at: LOSS
 *
 * run: --max-steps 1000000 -DBY_POINTER
 * verdict: incomplete
 * exit: 3
 * reason: more than 1000000 loop iterations and recursive calls (--max-steps raises that)
 *
 * run: --max-steps 1000000 -DSEARCH --stop-at-first
 * verdict: incomplete
 * finding: assertion 1 */
#include <heddle.h>

#ifdef BY_POINTER
static unsigned long number(unsigned n);
static unsigned long (*volatile go_on)(unsigned) = number;
#else
#define go_on number
#endif

static unsigned long number(unsigned n) {
    return n < 2 ? n : go_on(n - 1) + go_on(n - 2); // LOSS
}

static unsigned ackermann(unsigned m, unsigned n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
#ifdef SEARCH
    unsigned m, n;
    heddle_input(m);
    heddle_input(n);
    heddle_assume(m < 4);
    heddle_assert(ackermann(m, n) != 13); // BUG assertion
    return 0;
#else
    return number(60) == 1;
#endif
}
