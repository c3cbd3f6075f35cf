/* A global assertion sees what the actors export when nobody can go on: the sum of money is kept,
 * whatever is on its way in between.  With -DLOSES a transfer that the account cannot pay arrives
 * all the same.
 *
 * run: --por none
 * verdict: complete
 * executions: 13
 * paths: 3
 *
 * run: --por message
 * verdict: complete
 * executions: 3
 * paths: 3
 *
 * run:
 * verdict: complete
 * executions: 3
 * paths: 3
 *
 * run: -DLOSES --por none
 * verdict: complete
 * executions: 90
 * paths: 7
 * finding: assertion
 *
 * run: -DLOSES --por message
 * verdict: complete
 * executions: 15
 * paths: 7
 * finding: assertion
 *
 * run: -DLOSES
 * verdict: complete
 * executions: 7
 * paths: 7
 * finding: assertion */
#include <assert.h>
#include <heddle.h>

enum { ACCOUNTS = 3, START = 10 };
static int balance = START;

struct message {
    enum { PAY, RECEIVE } kind;
    int amount;
};

static void account(void *next) {
    heddle_export("balance", &balance, sizeof balance);
    heddle_may_idle();
    for (;;) {
        struct message m;
        heddle_receive(&m, sizeof m);
        if (m.kind == RECEIVE) {
            balance += m.amount;
            continue;
        }
#ifdef LOSES
        m.kind = RECEIVE;
        heddle_send(*(int *)next, &m, sizeof m);
#endif
        if (balance < m.amount)
            continue;
        balance -= m.amount;
#ifndef LOSES
        m.kind = RECEIVE;
        heddle_send(*(int *)next, &m, sizeof m);
#endif
    }
}

static int is_kept(void) { // BUG assertion
    int sum = 0, one, n = 0;
    while (heddle_exported("balance", n, &one, sizeof one)) {
        assert(one >= 0);
        sum += one;
        n++;
    }
    int none = heddle_exported("nothing", 0, &one, sizeof one);
    return n == ACCOUNTS && sum == ACCOUNTS * START && !none;
}

int main(void) {
    heddle_global_assert(is_kept);
    for (int i = 1; i <= ACCOUNTS; i++) {
        int next = i % ACCOUNTS + 1;
        heddle_spawn(account, &next, sizeof next);
    }
    for (int i = 1; i <= ACCOUNTS; i++) {
        struct message m = {PAY, 8 * i};
        heddle_send(i, &m, sizeof m);
    }
}
