/* bank.c -- money that comes from nowhere.
 *
 * Try it:     heddle run examples/bank.c
 *
 * A transfer between two accounts checks all that one thinks of: the amount is positive, the
 * balance is sufficient, no account goes below zero.  A hundred hand-written tests would pass.
 * Heddle makes the amount and both account numbers inputs, follows every path, and finds the
 * transfer after which the bank has more money than before.  The numbers it prints can be
 * replayed (`heddle replay heddle-out N`), also under gdb.  `-DFIXED` is the repaired bank:
 * explored completely, nothing found.
 *
 * run:
 * verdict: complete
 * finding: assertion 1
 *
 * run: -DFIXED
 * verdict: complete
 * exit: 0 */
#include <heddle.h>
#include <stdbool.h>

enum { ACCOUNTS = 4 };

struct account {
    int balance; /* in cents, never negative */
};

static struct account accounts[ACCOUNTS] = {{10000}, {250}, {0}, {99999}};

static int total(void) {
    int sum = 0;
    for (int i = 0; i < ACCOUNTS; i++)
        sum += accounts[i].balance;
    return sum;
}

/* Move `amount` cents; false, and nothing moved, if that is not possible. */
static bool transfer(struct account *from, struct account *to, int amount) {
    if (amount <= 0 || amount > from->balance)
        return false;
#ifdef FIXED
    if (from == to)
        return true;
#endif
    int reduced = from->balance - amount;
    int increased = to->balance + amount;
    from->balance = reduced;
    to->balance = increased;
    return true;
}

int main(void) {
    unsigned char from, to;
    int amount;
    heddle_input(from);
    heddle_input(to);
    heddle_input(amount);
    heddle_assume(from < ACCOUNTS);
    heddle_assume(to < ACCOUNTS);

    int before = total();
    transfer(&accounts[from], &accounts[to], amount);
    heddle_assert(total() == before); // BUG assertion
    return 0;
}
