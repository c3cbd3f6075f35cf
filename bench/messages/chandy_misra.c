/* Shortest paths from one node to all others (Chandy and Misra), the third subject of paper 000,
 * section 7.  The weights of the edges are inputs from 0 to HEAVIEST; the graphs are fixed.
 *
 * A node that learns of a shorter path tells its successors, and acknowledges the message that it
 * learned it from when all of them have acknowledged theirs.  So the source, which is main, knows
 * when it is over.  Channels are not FIFO.  The paper does not give its graphs; these counts are
 * our own, checked by brute force.  Two executions are rejected for each weight but one,
 * whose first value is 0 or 1 already.
 *
 * run: -DNODES=4 --por none
 * verdict: complete
 * executions: 29956
 * paths: 328
 * rejected: 8
 *
 * run: -DNODES=4 --por message
 * verdict: complete
 * executions: 5797
 * paths: 328
 * rejected: 8
 *
 * run: -DNODES=4
 * verdict: complete
 * paths: 328
 * rejected: 8
 *
 * run: -DNODES=5 --por message
 * verdict: complete
 * executions: 6456
 * paths: 340
 * rejected: 10
 *
 * run: -DNODES=5
 * verdict: complete
 * paths: 340
 * rejected: 10 */
#include <heddle.h>
#include <stdbool.h>
#ifndef NODES
#define NODES 4
#endif
#ifndef HEAVIEST
#define HEAVIEST 1
#endif
enum { SOURCE = 0, INFINITE = 1 << 20 };

static const struct edge {
    int from, to;
#if NODES == 4
} edges[] = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}};
#else
} edges[] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 4}};
#endif
enum { EDGES = sizeof edges / sizeof *edges };

enum kind { LENGTH, ACKNOWLEDGEMENT };

struct message {
    enum kind kind;
    int length;
};

static int weight[EDGES]; /* known to all: actors are created when it is filled */

/* Each actor has its own copy of these. */
static int predecessor = -1, n_unacknowledged;
static struct result { int distance, times_done; } result = {INFINITE, 0};

static void send_lengths(void) {
    for (int e = 0; e < EDGES; e++) {
        struct message m = {LENGTH, result.distance + weight[e]};
        if (edges[e].from != heddle_self())
            continue;
        heddle_send(edges[e].to, &m, sizeof m);
        n_unacknowledged++;
    }
}

static void acknowledge(heddle_actor to) {
    struct message m = {ACKNOWLEDGEMENT, 0};
    heddle_send(to, &m, sizeof m);
}

static void on_length(int length, heddle_actor sender) {
    if (length < result.distance) {
        if (n_unacknowledged > 0)
            acknowledge(predecessor);
        predecessor = sender;
        result.distance = length;
        send_lengths();
        if (n_unacknowledged == 0)
            acknowledge(predecessor);
    } else {
        acknowledge(sender);
    }
}

static void on_acknowledgement(void) {
    if (--n_unacknowledged > 0)
        return;
    if (heddle_self() == SOURCE)
        result.times_done++;
    else
        acknowledge(predecessor);
}

static void node(void *unused) {
    (void)unused;
    heddle_export("result", &result, sizeof result);
    heddle_may_idle(); /* only the source knows when it is over */
    if (heddle_self() == SOURCE) {
        result.distance = 0;
        send_lengths();
    }
    for (;;) {
        struct message m;
        heddle_receive(&m, sizeof m);
        if (m.kind == LENGTH)
            on_length(m.length, heddle_sender());
        else
            on_acknowledgement();
    }
}

/* The source has noticed the end once; no edge makes a path shorter, and each path is as long as
 * the one to some node before it and the edge from there: the distances are those of Bellman and
 * Ford, without computing them again. */
static int has_shortest_paths(void) {
    struct result all[NODES];
    for (int i = 0; i < NODES; i++)
        heddle_exported("result", i, &all[i], sizeof all[i]);
    bool is_reached[NODES] = {[SOURCE] = all[SOURCE].distance == 0};
    for (int e = 0; e < EDGES; e++) {
        int through = all[edges[e].from].distance + weight[e];
        if (all[edges[e].to].distance > through)
            return 0;
        is_reached[edges[e].to] |= all[edges[e].to].distance == through;
    }
    bool is_right = all[SOURCE].times_done == 1;
    for (int i = 0; i < NODES; i++)
        is_right &= is_reached[i];
    return is_right;
}

int main(void) {
    heddle_input(weight);
    for (int e = 0; e < EDGES; e++)
        heddle_assume(weight[e] >= 0 && weight[e] <= HEAVIEST);
    heddle_global_assert(has_shortest_paths);
    for (int i = 1; i < NODES; i++)
        heddle_spawn(node, 0, 0);
    node(0);
}
