/* heddle_error is a finding, in the order and for the input that lead to it.  The account may be
 * charged before the money that was sent first arrives.
 *
 * run:
 * verdict: complete
 * finding: error 1
 *
 * run: -DFIFO
 * verdict: complete */
#include <heddle.h>

static void account(void *unused) {
    (void)unused;
    unsigned balance = 0;
    for (int i = 0; i < 2; i++) {
        int amount;
        heddle_receive(&amount, sizeof amount);
        if (amount < 0 && balance < (unsigned)-amount)
            heddle_error("the account is overdrawn"); // BUG error
        balance += (unsigned)amount;
    }
}

int main(void) {
    int paid, charged;
    heddle_input(paid);
    heddle_assume(paid >= 0);
    heddle_input(charged);
    heddle_assume(charged >= 0 && charged <= paid);
#ifdef FIFO
    heddle_fifo(0);
#endif
    heddle_actor to = heddle_spawn(account, 0, 0);
    charged = -charged;
    heddle_send(to, &paid, sizeof paid);
    heddle_send(to, &charged, sizeof charged);
}
