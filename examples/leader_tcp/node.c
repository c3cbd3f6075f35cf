/* One node of a ring that elects a leader (Dolev, Klawe, Rodeh), as a program of its own over TCP.
 *
 *     node INDEX N ID [PORT [NEXT]]     N nodes, INDEX from 0; node i has port PORT + i (default
 *                                       22000); the next node is at host NEXT (default 127.0.0.1)
 *
 * Ends with status 0 when a leader is known, and says so if it is this node.  TCP keeps the order
 * of messages, so exactly one node is elected, whatever the ids are.  Ids need not differ: among
 * equal ones the higher index wins. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __HEDDLE__
#include <heddle.h>
#endif

enum { MAX_NODES = 16, START_DELAY = 50000 /* microseconds */, MAX_TRIES = 100 };
enum kind { ONE = 1, TWO, WINNER };

struct message {
    int32_t kind;
    int32_t number;
};

static int index_here, n_nodes;
static int to_next = -1, from_previous = -1; /* connections */
static uint16_t first_port = 22000;
static const char *next_host = "127.0.0.1";
static struct sockaddr_in next_address;
static int my_number, maximum, neighbour;
static bool is_active = true, knows_winner;
static int times_leader;

static void fail(const char *what) {
    fprintf(stderr, "node %d: %s: %s\n", index_here, what, strerror(errno));
    exit(1);
}

static struct sockaddr_in own_address(void) {
    struct sockaddr_in a;
    memset(&a, 0, sizeof a);
    a.sin_family = AF_INET;
    a.sin_port = htons((uint16_t)(first_port + index_here));
    a.sin_addr.s_addr = htonl(INADDR_ANY);
    return a;
}

static void find_next(void) {
    struct addrinfo hints, *found;
    char port[8];
    memset(&hints, 0, sizeof hints);
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_STREAM;
    snprintf(port, sizeof port, "%d", first_port + (index_here + 1) % n_nodes);
    int status = getaddrinfo(next_host, port, &hints, &found);
    if (status != 0) {
        fprintf(stderr, "node %d: %s: %s\n", index_here, next_host, gai_strerror(status));
        exit(1);
    }
    memcpy(&next_address, found->ai_addr, sizeof next_address);
    freeaddrinfo(found);
}

static int open_listener(void) {
    struct sockaddr_in a = own_address();
    int yes = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0)
        fail("socket");
    if (bind(fd, (struct sockaddr *)&a, sizeof a) != 0 || listen(fd, 1) != 0)
        fail("listen");
    return fd;
}

/* The next node may not be there yet: try again for a while. */
static int connect_next(void) {
    for (int tries = 0; tries < MAX_TRIES; tries++) {
        usleep(START_DELAY);
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (fd < 0)
            fail("socket");
        if (connect(fd, (struct sockaddr *)&next_address, sizeof next_address) == 0)
            return fd;
        close(fd);
    }
    fail("connect");
    return -1;
}

static void join_ring(void) {
    int listener = open_listener();
    to_next = connect_next();
    from_previous = accept(listener, NULL, NULL);
    if (from_previous < 0)
        fail("accept");
    close(listener);
}

static void send_next(enum kind kind, int number) {
    struct message m = {(int32_t)htonl(kind), (int32_t)htonl((uint32_t)number)};
    for (size_t at = 0; at < sizeof m;) {
        ssize_t n = send(to_next, (char *)&m + at, sizeof m - at, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            fail("send");
        at += (size_t)n;
    }
}

static struct message receive(void) {
    struct message m;
    for (size_t at = 0; at < sizeof m;) {
        ssize_t n = recv(from_previous, (char *)&m + at, sizeof m - at, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            fail("nobody was elected");
        at += (size_t)n;
    }
    m.kind = (int32_t)ntohl((uint32_t)m.kind);
    m.number = (int32_t)ntohl((uint32_t)m.number);
    return m;
}

/* ---- The algorithm ---- */

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

static void elect(void) {
    my_number = maximum;
    send_next(ONE, my_number);
    for (;;) {
        struct message m = receive();
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

#ifdef __HEDDLE__
static int has_one_leader(void) {
    int leaders = 0, times;
    for (int i = 0; heddle_exported("leader", i, &times, sizeof times); i++)
        leaders += times;
    return leaders == 1;
}
#endif

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: node INDEX N ID [PORT [NEXT]]\n");
        return 2;
    }
    index_here = atoi(argv[1]);
    n_nodes = atoi(argv[2]);
    if (argc > 4)
        first_port = (uint16_t)atoi(argv[4]);
    if (argc > 5)
        next_host = argv[5];
    if (n_nodes < 2 || n_nodes > MAX_NODES || index_here < 0 || index_here >= n_nodes) {
        fprintf(stderr, "node: there are 2 to %d nodes, from 0 on\n", MAX_NODES);
        return 2;
    }
    unsigned char id = (unsigned char)atoi(argv[3]);
#ifdef __HEDDLE__
    heddle_input(id);
    heddle_export("leader", &times_leader, sizeof times_leader);
    if (index_here == 0)
        heddle_global_assert(has_one_leader);
#endif
    maximum = id * MAX_NODES + index_here;
    find_next();
    join_ring();
    elect();
    close(to_next);
    close(from_previous);
    if (times_leader)
        printf("node %d is the leader\n", index_here);
    return 0;
}
