/* Loops over globals that are asked about once, before they begin: elements that depend on inputs
 * before the loop, values from outside that do, stores that make elements do so while the loop runs
 * (in it, by a function it calls, through a pointer into the array), globals that are concrete again,
 * ranges that leave the array at either end, and an end that only some inputs reach.
 *
 * run: -DELEMENT
 * verdict: complete
 * paths: 16
 *
 * run: -DOUTSIDE
 * verdict: complete
 * finding: assertion
 * paths: 2
 *
 * run: -DINSIDE
 * verdict: complete
 * finding: assertion
 * paths: 2
 *
 * run: -DCALL
 * verdict: complete
 * finding: assertion
 * paths: 2
 *
 * run: -DPOINTER
 * verdict: complete
 * finding: assertion
 * paths: 2
 *
 * run: -DAGAIN
 * verdict: complete
 * paths: 1
 *
 * run: -DABOVE
 * verdict: complete
 * finding: out-of-bounds
 * paths: 6
 *
 * run: -DBELOW
 * verdict: complete
 * finding: out-of-bounds
 * paths: 1
 *
 * run: -DFOUND
 * verdict: complete
 * finding: out-of-bounds
 * paths: 17 */
#include <assert.h>
#include <heddle.h>

enum { N = 16 };
static unsigned a[N], b[N];

static void fill(void) {
    for (unsigned i = 0; i < N; i++) {
        a[i] = i;
        b[i] = 1;
    }
}

static unsigned sum(void) {
    unsigned all = 0;
    for (unsigned i = 0; i < N; i++)
        all += b[i];
    return all;
}

__attribute__((noinline)) static void put(unsigned *p, unsigned x) {
    *p = x;
}

int main(void) {
    unsigned k, x, n = 0;
    fill();
    assert(sum() == N);
    heddle_input(k);
    heddle_input(x);
    heddle_assume(x < 100);
#if defined ELEMENT
    heddle_assume(k < N);
    a[k] = 1000;
    for (unsigned i = 0; i < N; i++)
        if (a[i] == 1000)
            n += i;
    assert(n == k);
#elif defined OUTSIDE
    for (unsigned i = 0; i < N; i++)
        b[i] = a[i] + x;
    assert(sum() != 120 + N * 42);
#elif defined INSIDE
    b[3] = x;
    for (unsigned i = 3; i + 1 < N; i++)
        b[i + 1] = b[i];
    assert(sum() != 3 + 13 * 42);
#elif defined CALL
    for (unsigned i = 0; i < N; i++) {
        if (i == 5)
            put(&b[i + 1], x);
        n += b[i];
    }
    assert(n != 15 + 42);
#elif defined POINTER
    unsigned *p = b;
    for (unsigned i = 0; i < N; i++) {
        p[N - 1 - i] = i == 2 ? x : 1;
        n += b[i];
    }
    assert(n != 15 + 42);
#elif defined AGAIN
    for (unsigned i = 0; i < N; i++)
        b[i] = x;
    fill();
    assert(sum() == N);
#elif defined ABOVE
    heddle_assume(k >= N - 4 && k <= N + 1);
    for (unsigned i = 0; i < k; i++)
        n += a[i];
#elif defined BELOW
    for (int i = N - 1; i >= -1; i--)
        n += a[i];
#elif defined FOUND
    heddle_assume(k <= N);
    if (k < N)
        a[k] = 777;
    for (unsigned i = 0;; i++)
        if (a[i] == 777)
            break;
#endif
    return (int)(n & 1);
}
