/* The size of a variable-length array was fixed to one value: a bug that needs another one was not
 * found.
 *
 * run:
 * verdict: complete
 * paths: 5
 * finding: assertion 1 */
#include <assert.h>
#include <heddle.h>

int main(void) {
    int n;
    heddle_input(n);
    heddle_assume(n > 0 && n < 6);
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
    assert(a[n - 1] != 2); // BUG assertion
    return 0;
}
