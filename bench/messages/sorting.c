/* Distributed sorting, the second subject of paper 000, section 7: a pipeline of P processes sorts
 * P-1 numbers, which are inputs.
 *
 * The left end sends all numbers to its neighbour.  Everyone in the middle keeps the smallest of
 * what comes and passes the others on; the biggest arrives at the right end.  All channels are
 * FIFO.  Main is the left end, actor 1 the right end, and the middles count down to it.
 *
 * The paper has 14, 420 and 64,636 executions without reduction for 4, 5 and 6 processes, and 7, 35
 * and 226 with it: the outcomes of the comparisons.
 *
 * run: -DP=4 --por none
 * verdict: complete
 * executions: 14
 *
 * run: -DP=5 --por none
 * verdict: complete
 * executions: 420
 *
 * run: -DP=4 --por message
 * verdict: complete
 * executions: 7
 *
 * run: -DP=5 --por message
 * verdict: complete
 * executions: 35
 *
 * run: -DP=6 --por message
 * verdict: complete
 * executions: 226
 *
 * run: -DP=4
 * verdict: complete
 * executions: 7
 *
 * run: -DP=5
 * verdict: complete
 * executions: 35
 *
 * run: -DP=6
 * verdict: complete
 * executions: 226 */
#include <heddle.h>
#ifndef P
#define P 4
#endif
enum { NUMBERS = P - 1 };

static int mine; /* each actor has its own */

/* Takes `n` numbers, keeps the smallest, and passes the others on to the actor created before. */
static void sort_one(void *n) {
    heddle_export("mine", &mine, sizeof mine);
    heddle_receive(&mine, sizeof mine);
    for (int i = 1; i < *(int *)n; i++) {
        int next;
        heddle_receive(&next, sizeof next);
        if (next >= mine) {
            heddle_send(heddle_self() - 1, &next, sizeof next);
        } else {
            heddle_send(heddle_self() - 1, &mine, sizeof mine);
            mine = next;
        }
    }
}

/* The actors were created from right to left, so they hold the numbers from the biggest on. */
static int is_sorted(void) {
    int right, left;
    heddle_exported("mine", 0, &right, sizeof right);
    for (int i = 1; heddle_exported("mine", i, &left, sizeof left); i++, right = left)
        if (left > right)
            return 0;
    return 1;
}

int main(void) {
    int number[NUMBERS];
    heddle_input(number);
    heddle_fifo(-1);
    heddle_global_assert(is_sorted);
    heddle_actor first = 0;
    for (int n = 1; n <= NUMBERS; n++)
        first = heddle_spawn(sort_one, &n, sizeof n);
    for (int i = 0; i < NUMBERS; i++)
        heddle_send(first, &number[i], sizeof number[i]);
}
