/* An execution that took more than --max-steps iterations and ended while it was watched for a
 * repetition was a path like any other: what it had decided in the meantime was lost, and the
 * run "complete".
 *
 * run: --max-steps 100
 * verdict: incomplete
 * reason: more than 100 loop iterations
 * exit: 3
 *
 * run: --max-steps 100 -DREJECT
 * verdict: incomplete
 * reason: more than 100 loop iterations
 * exit: 3
 *
 * run: --max-steps 1000 -DBOUNDED
 * verdict: complete
 * paths: 151
 * finding: assertion 1
 *
 * run: --max-steps 100 -DBOUNDED
 * verdict: incomplete
 * reason: more than 100 loop iterations */
#include <heddle.h>

int main(void) {
    unsigned n, sum = 0;
    heddle_input(n);
#ifdef BOUNDED
    heddle_assume(n <= 150);
#endif
    for (unsigned i = 0; i < n; i++)
        sum += i;
#ifdef REJECT
    heddle_assume(n < 50);
#endif
    heddle_assert(sum != 7140 || n > 150); // BUG assertion
    return 0;
}
