/* The functions of the software verification competition.
 *
 * run:
 * verdict: complete
 * paths: 3
 * finding: assertion 1 */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned char c = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(x > 0);
    if (x == 1000)
        if (c == 200)
            reach_error(); // BUG assertion
    return 0;
}
