/* Figure 5 of paper 000.  The error needs the order in which x arrives before 4, and inputs with
 * x = 2y + 1; no y gives 2y + 1 = 4.
 *
 * Without reduction there are 8 executions: 3 places for p2's receive in 2 orders at p3, and 2 that
 * end in the error.  The paper's efficient algorithm has 3 and finds the error in the third: p2's
 * receive has nothing to do with p3.
 *
 * run: --por none
 * verdict: complete
 * executions: 8
 * finding: error 1
 *
 * run: --por message
 * verdict: complete
 * executions: 3
 * finding: error 1
 *
 * run: --por message --stop-at-first
 * executions: 3
 * finding: error 1
 *
 * run:
 * verdict: complete
 * executions: 3
 * finding: error 1 */
#include <heddle.h>

static void p2(void *unused) {
    (void)unused;
    unsigned z;
    heddle_receive(&z, sizeof z);
}

static void p3(void *unused) {
    (void)unused;
    unsigned u, y;
    heddle_input(y);
    heddle_receive(&u, sizeof u);
    if (u == 2 * y + 1)
        heddle_error("figure 5"); // BUG error
    heddle_receive(&u, sizeof u);
}

int main(void) {
    unsigned x, one = 1, four = 4;
    heddle_input(x);
    heddle_actor second = heddle_spawn(p2, 0, 0), third = heddle_spawn(p3, 0, 0);
    heddle_send(second, &one, sizeof one);
    heddle_send(third, &four, sizeof four);
    heddle_send(third, &x, sizeof x);
}
