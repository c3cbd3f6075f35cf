/* Inline assembly read memory that depends on inputs, and the run was "complete": an operand in
 * memory, an address in a register, a global behind a clobber.  What it wrote kept the expression
 * that was there before.  Barriers are no loss.
 *
 * run: -DWAY=1
 * verdict: incomplete
 * reason: inline assembly on memory that depends on inputs
 * reason-at: LOSS
 *
 * run: -DWAY=2
 * verdict: incomplete
 * reason: inline assembly on memory that depends on inputs
 *
 * run: -DWAY=3
 * verdict: incomplete
 * reason: inline assembly that may use any memory
 *
 * run: -DWAY=4
 * verdict: incomplete
 * reason: inline assembly on memory that depends on inputs
 * paths: 1
 * label: five 1
 * no-label: other
 *
 * run: -DWAY=5
 * verdict: complete
 * paths: 2
 * finding: assertion 1 */
#include <heddle.h>

static int global;

int main(void) {
    int x, y = 0;
    heddle_input(x);
    global = x;
#if WAY == 1
    __asm__ volatile("movl %1, %0" : "=r"(y) : "m"(x)); // LOSS
#elif WAY == 2
    __asm__ volatile("movl (%1), %0" : "=r"(y) : "r"(&x) : "memory");
#elif WAY == 3
    __asm__ volatile("movl $3, %0" : "=r"(y) : : "memory");
#elif WAY == 4
    __asm__ volatile("movl $5, (%0)" : : "r"(&x) : "memory");
    heddle_reach(x == 5 ? "five" : "other");
    return 0;
#else
    __asm__ volatile("" : : : "memory");
    __asm__ volatile("rep; nop" : : : "memory");
    __asm__ volatile("mfence\n\tpause" : "+m"(global) : : "memory");
    y = global;
#endif
    heddle_assert(y != 77); // BUG assertion
    return 0;
}
