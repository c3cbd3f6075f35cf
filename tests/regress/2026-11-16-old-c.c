/* Old C, as it is found in benchmarks, was refused: functions that nobody declared, results without
 * a type, a return without a value.
 *
 * run: -w
 * verdict: complete
 * paths: 3
 * finding: assertion 1 */
static twice(n) int n;
{
    return 2 * n;
}

static long empty(void) {
    return;
}

int main() {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n < 10);
    if (n == 9)
        empty();
    if (twice(n) == 8)
        reach_error(); // BUG assertion
    return 0;
}
