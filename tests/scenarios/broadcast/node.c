/* Reliable broadcast: a node that gets a message for the first time passes it on to all others, so
 * that all have it if one has it, whoever crashes.
 *
 *     node ME NODE...          the first node of the list is the source, and sends two messages
 *
 * Passing on makes copies: a message is delivered when it comes first, and remembered.
 *
 * -DFORGET: to save memory a node forgets a message when it has come from everybody.  That is right as
 * long as the network makes no copies of its own: if one comes twice from the same node, the copy of
 * another one comes when the message is forgotten, and is delivered again. */
#include "../udp.h"

#include <assert.h>
#ifdef __HEDDLE__
#include <heddle.h>
#endif

enum { PORT = 7300, MAX_NODES = 8, MESSAGES = 2 };

static int fd, me, n_nodes;
static struct sockaddr_in node[MAX_NODES];
static int times_delivered[MESSAGES + 1];
static int is_remembered[MESSAGES + 1], n_copies[MESSAGES + 1];

/* It has come once more. */
static void note_copy(int number) {
    n_copies[number]++;
#ifdef FORGET
    if (n_copies[number] == n_nodes - 1)
        is_remembered[number] = n_copies[number] = 0;
#endif
}

static void deliver(int number) {
    times_delivered[number]++;
    is_remembered[number] = 1;
    assert(times_delivered[number] == 1);
}

static void pass_on(int number, const struct sockaddr_in *except) {
    for (int i = 0; i < n_nodes; i++)
        if (i != me && !(except && node[i].sin_addr.s_addr == except->sin_addr.s_addr))
            udp_send(fd, &node[i], &number, sizeof number);
}

static void handle(int number, const struct sockaddr_in *from) {
    if (number < 1 || number > MESSAGES)
        return;
    if (!is_remembered[number]) {
        pass_on(number, from);
        deliver(number);
    }
    if (from)
        note_copy(number);
}

int main(int argc, char **argv) {
    struct sockaddr_in from;
    int number;
    fd = udp_open(PORT);
    n_nodes = argc - 2 < MAX_NODES ? argc - 2 : MAX_NODES;
    for (int i = 0; i < n_nodes; i++) {
        node[i] = udp_address(argv[2 + i], PORT);
        if (strcmp(argv[1], argv[2 + i]) == 0)
            me = i;
    }
    for (int i = 1; me == 0 && i <= MESSAGES; i++)
        handle(i, NULL);
    while (udp_receive(fd, &from, &number, sizeof number, -1))
        handle(number, &from);
    return 0;
}
