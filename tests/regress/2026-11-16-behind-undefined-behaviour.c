/* An overflow or a bad shift ended the execution: what comes behind it was never explored, and the
 * verdict was "complete" all the same.  Now it is told, and the execution goes on with the value
 * that the processor makes; --checks-end is the old way.
 *
 * A check is no fork: whether it holds or not, the paths behind it are the same ones, and one
 * execution shows the failure.
 *
 * run: -DCASE=1
 * verdict: complete
 * finding: bad-shift 1
 * finding: assertion 1
 * paths: 1
 *
 * run: -DCASE=1 --checks-end
 * verdict: complete
 * finding: bad-shift 1
 * paths: 1
 *
 * run: -DCASE=2
 * verdict: complete
 * finding: overflow 1
 * finding: assertion 1
 *
 * run: -DCASE=2 --strategy bfs
 * verdict: complete
 * finding: overflow 1
 * finding: assertion 1
 *
 * run: -DCASE=2 --checks-end
 * verdict: complete
 * finding: overflow 1
 * paths: 2
 *
 * run: -DCASE=3
 * verdict: complete
 * finding: overflow 1
 * paths: 13
 *
 * run: -DCASE=4
 * verdict: complete
 * finding: bad-shift 1
 * finding: assertion 1
 *
 * run: -DCASE=5
 * verdict: complete
 * finding: member-bounds 1
 * finding: assertion 1
 *
 * run: -DCASE=6
 * verdict: complete
 * finding: overflow 1
 * finding: leak 1
 * paths: 2
 *
 * run: -DCASE=7
 * verdict: complete
 * finding: division-by-zero 1
 * finding: overflow 1
 * paths: 3
 *
 * run: -DCASE=8
 * verdict: complete
 * finding: overflow 1
 * finding: assertion 1 */
#include <assert.h>
#include <heddle.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#if CASE == 8
static int shared;
static void *add(void *argument) {
    (void)argument;
    shared += 1; // BUG overflow
    return NULL;
}
#endif

int main(void) {
#if CASE == 1
    volatile int n = 31;
    unsigned x = 1 << n; // BUG bad-shift
    assert(x == 0);      // BUG assertion
#elif CASE == 2 /* the assertion fails for one input, which overflows */
    int x;
    heddle_input(x);
    int y = x + 1; // BUG overflow
    assert(y > x); // BUG assertion
#elif CASE == 3 /* eleven sums that may overflow, and a branch behind them */
    int sum = 0;
    for (int i = 0; i < 12; i++) {
        int x;
        heddle_input(x);
        sum += x; // BUG overflow
    }
    if (sum == 7)
        heddle_reach("seven");
#elif CASE == 4 /* a shift takes the low bits of its amount */
    int n;
    heddle_input(n);
    heddle_assume(n >= 30 && n < 36);
    unsigned x = 1u << n; // BUG bad-shift
    assert(x != 8);       // BUG assertion
#elif CASE == 5 /* an array inside of an object */
    struct {
        int a[2];
        int b;
    } s = {{1, 2}, 3};
    unsigned n;
    heddle_input(n);
    heddle_assume(n < 3);
    int x = s.a[n]; // BUG member-bounds
    assert(x != 3); // BUG assertion
#elif CASE == 6
    short n;
    heddle_input(n);
    char *p = malloc(8); // BUG leak
    int x = INT_MAX - 10;
    x += n; // BUG overflow
    p[0] = (char)x;
    p = NULL;
#elif CASE == 7 /* what has no result ends the execution */
    int a, b;
    heddle_input(a);
    heddle_input(b);
    int x = a / b; // BUG division-by-zero // BUG overflow
    heddle_reach("behind");
    return x & 0;
#elif CASE == 8 /* in a thread */
    pthread_t t;
    heddle_input(shared);
    int before = shared;
    pthread_create(&t, NULL, add, NULL);
    pthread_join(t, NULL);
    assert(shared > before); // BUG assertion
#endif
    return 0;
}
