/* Symbolic values travel in messages: the calculator branches on what the client got as input, and
 * the client on what comes back.
 *
 * Nine paths: '+', '-' and '/' with an answer that is zero or not, the addition of 13, which is
 * refused, the division by zero, and any other operation.
 *
 * run:
 * verdict: complete
 * paths: 9
 * label: by-zero 1
 * label: zero 3
 * label: bad 3
 *
 * run: -DBUG
 * verdict: complete
 * finding: division-by-zero 1 */
#include <assert.h>
#include <heddle.h>

struct request {
    char operation;
    unsigned a, b;
};

struct answer {
    int is_good;
    unsigned value;
};

static struct answer calculate(const struct request *r) {
    if (r->operation == '+')
        return r->b == 13 ? (struct answer){0, 0} : (struct answer){1, r->a + r->b};
    if (r->operation == '-')
        return (struct answer){1, r->a - r->b};
    if (r->operation != '/')
        return (struct answer){0, 0};
#ifndef BUG
    if (r->b == 0) {
        heddle_reach("by-zero");
        return (struct answer){0, 0};
    }
#endif
    return (struct answer){1, r->a / r->b}; // BUG division-by-zero
}

static void calculator(void *unused) {
    (void)unused;
    struct request r;
    heddle_receive(&r, sizeof r);
    struct answer a = calculate(&r);
    heddle_send(heddle_sender(), &a, sizeof a);
}

int main(void) {
    struct request r;
    heddle_input(r);
    heddle_send(heddle_spawn(calculator, 0, 0), &r, sizeof r);
    struct answer a;
    heddle_receive(&a, sizeof a);
    if (!a.is_good)
        heddle_reach("bad");
    else if (a.value == 0)
        heddle_reach("zero");
}
