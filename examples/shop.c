/* shop.c -- one book is left, and two customers want it.
 *
 * Try it:     heddle run examples/shop.c
 *
 * Shop and customers are actors: processes that exchange messages.  A customer asks how many books
 * there are, and orders if there is one.  Between the answer and the order the other customer's
 * order may arrive.  Heddle runs each order of messages that matters once, and draws the one that
 * fails as a message sequence chart.  `-DFIXED`: a customer just orders, and the answer says
 * whether there was a book; explored completely, nothing found.
 *
 * run:
 * verdict: complete
 * executions: 6
 * finding: assertion 1
 *
 * run: -DFIXED
 * verdict: complete
 * executions: 2
 * exit: 0 */
#include <heddle.h>

enum request { ASK, ORDER };

static void shop(void *unused) {
    (void)unused;
    int books = 1;
    heddle_may_idle(); /* a shop waits for customers for ever */
    for (;;) {
        enum request wanted;
        heddle_receive(&wanted, sizeof wanted);
        int answer = books;
        if (wanted == ORDER) {
#ifdef FIXED
            if (books > 0)
#endif
                books--;
        }
        heddle_assert(books >= 0); // BUG assertion
        heddle_send(heddle_sender(), &answer, sizeof answer);
    }
}

static int ask_shop(heddle_actor at, enum request what) {
    int answer;
    heddle_send(at, &what, sizeof what);
    heddle_receive(&answer, sizeof answer);
    return answer;
}

static void customer(void *argument) {
    heddle_actor at = *(heddle_actor *)argument;
#ifdef FIXED
    ask_shop(at, ORDER);
#else
    if (ask_shop(at, ASK) > 0)
        ask_shop(at, ORDER);
#endif
}

int main(void) {
    heddle_actor at = heddle_spawn(shop, 0, 0);
    for (int i = 0; i < 2; i++)
        heddle_spawn(customer, &at, sizeof at);
    return 0;
}
