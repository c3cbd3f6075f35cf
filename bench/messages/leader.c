/* Leader election in a unidirectional ring (Dolev, Klawe, Rodeh), the first subject of paper 000,
 * section 7.  N nodes with different ids; the ids are inputs.
 *
 * Node i passes messages to node i+1.  Main is node 0, and node i is actor N-i: so the next of
 * actor a is actor a-1, who exists when a is created and sends its first message.
 *
 * With FIFO channels exactly one node is elected.  The table of the paper has 387 and 9 executions
 * for three nodes and 22 for four; an id that equals another is a rejected execution and counts:
 * 6 paths of 64 schedules each and 3 rejected, 16 paths and 6 rejected.  -DNON_FIFO lets messages
 * overtake each other, and then it may happen that nobody is elected: in 969 of 1,350 classes, or
 * 42 of 132 with -DPOSITIVE, if no id is negative.  (A node that hears of its second neighbour
 * first compares with 0.)  Those 132 are the classes of examples/leader_udp, too.
 *
 * run: -DN=3 --por none
 * verdict: complete
 * executions: 387
 * rejected: 3
 *
 * run: -DN=3 --por message
 * verdict: complete
 * executions: 9
 * paths: 6
 * rejected: 3
 *
 * run: -DN=3
 * verdict: complete
 * executions: 9
 * paths: 6
 * rejected: 3
 *
 * run: -DN=4 --por message
 * verdict: complete
 * executions: 22
 * paths: 16
 * rejected: 6
 *
 * run: -DN=4
 * verdict: complete
 * executions: 22
 * paths: 16
 * rejected: 6
 *
 * run: -DN=3 -DNON_FIFO --por none
 * verdict: complete
 * executions: 48783
 * paths: 1350
 * rejected: 3
 * finding: assertion
 *
 * run: -DN=3 -DNON_FIFO --por message
 * verdict: complete
 * paths: 1350
 * rejected: 3
 * finding: assertion
 *
 * run: -DN=3 -DNON_FIFO
 * verdict: complete
 * paths: 1350
 * rejected: 3
 * finding: assertion
 *
 * run: -DN=3 -DNON_FIFO -DPOSITIVE --por none
 * verdict: complete
 * executions: 2337
 * paths: 132
 * rejected: 6
 * finding: assertion
 *
 * run: -DN=3 -DNON_FIFO -DPOSITIVE --por message
 * verdict: complete
 * executions: 1532
 * paths: 132
 * rejected: 6
 * finding: assertion
 *
 * run: -DN=3 -DNON_FIFO -DPOSITIVE
 * verdict: complete
 * paths: 132
 * rejected: 6
 * finding: assertion */
#include <heddle.h>
#include <stdbool.h>
#ifndef N
#define N 3
#endif

enum kind { ONE, TWO, WINNER };

struct message {
    enum kind kind;
    int number;
};

/* Each actor has its own copy of these. */
static int self, my_number, maximum, neighbour;
static bool is_active = true, knows_winner;
static int times_leader;

static void send_next(enum kind kind, int number) {
    struct message m = {kind, number};
    heddle_send((self + N - 1) % N, &m, sizeof m);
}

static void on_one(int number) {
    if (!is_active) {
        send_next(ONE, number);
    } else if (number != maximum) {
        send_next(TWO, number);
        neighbour = number;
    } else {
        knows_winner = true;
        send_next(WINNER, number);
    }
}

static void on_two(int number) {
    if (!is_active) {
        send_next(TWO, number);
    } else if (neighbour > number && neighbour > maximum) {
        maximum = neighbour;
        send_next(ONE, neighbour);
    } else {
        is_active = false;
    }
}

static void on_winner(int number) {
    if (number == my_number)
        times_leader++;
    if (!knows_winner)
        send_next(WINNER, number);
}

static void node(void *id) {
    self = heddle_self();
    my_number = maximum = *(int *)id;
    heddle_export("leader", &times_leader, sizeof times_leader);
#ifdef NON_FIFO
    heddle_may_idle(); /* what is wrong then is that there is no leader */
#endif
    send_next(ONE, my_number);
    for (;;) {
        struct message m;
        heddle_receive(&m, sizeof m);
        if (m.kind == ONE) {
            on_one(m.number);
        } else if (m.kind == TWO) {
            on_two(m.number);
        } else {
            on_winner(m.number);
            return;
        }
    }
}

static int has_one_leader(void) { // BUG assertion
    int leaders = 0, times;
    for (int i = 0; heddle_exported("leader", i, &times, sizeof times); i++)
        leaders += times;
    return leaders == 1;
}

int main(void) {
    int id[N];
    heddle_input(id);
#ifdef POSITIVE
    for (int i = 0; i < N; i++)
        if (id[i] < 0)
            heddle_assume(0);
#endif
    for (int a = 0; a < N; a++)
        for (int b = a + 1; b < N; b++)
            if (id[a] == id[b])
                heddle_assume(0); /* a branch, as in the paper: counted as rejected */
#ifndef NON_FIFO
    heddle_fifo(-1);
#endif
    heddle_global_assert(has_one_leader);
    for (int i = N - 1; i > 0; i--)
        heddle_spawn(node, &id[i], sizeof id[i]);
    node(&id[0]);
}
