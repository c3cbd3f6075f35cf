/* traced.h -- what each node of a leader election receives, as a label of the execution.  Included
 * before bench/messages/leader.c, examples/leader_udp/node.c or examples/leader_tcp/node.c (clang's
 * -include), so that `bench/messages/table elections` can compare their classes one by one.
 *
 * Each message carries along how many its sender had sent before.  That names it: a node receives
 * from one other node only.  How a node's comparisons come out belongs to the class as well.
 * FIRST_KIND is the value of ONE in the program, NODE its number of the node; kinds and numbers
 * that are sent over sockets, where ONE is 1, have the order of bytes of the network. */
#include <arpa/inet.h>
#include <heddle.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

enum { TRACED_NODES = 3, TRACED_MESSAGE = 8, TRACED_LENGTH = 64 };

struct envelope {
    char message[TRACED_MESSAGE];
    int number;
};

static char received[TRACED_LENGTH];
static int n_received, n_sent;
static const char *const trace_names[TRACED_NODES] = {"trace 0", "trace 1", "trace 2"};

static struct envelope traced_wrap(const void *message) {
    struct envelope e = {.number = n_sent++};
    memcpy(e.message, message, TRACED_MESSAGE);
    return e;
}

/* What a node compares the numbers of messages with. */
struct traced_state {
    int is_active, neighbour, maximum, my_number;
};

static void trace(char what) {
    received[n_received++] = what;
}

static int traced_field(const struct envelope *e, int i) {
    uint32_t value;
    memcpy(&value, e->message + (size_t)i * sizeof value, sizeof value);
    return (int)(FIRST_KIND == 1 ? ntohl(value) : value);
}

static void traced_unwrap(void *message, const struct envelope *e, struct traced_state s) {
    int kind = traced_field(e, 0) - FIRST_KIND, number = traced_field(e, 1);
    memcpy(message, e->message, TRACED_MESSAGE);
    trace("12w"[kind]);
    trace((char)('a' + e->number));
    if (kind == 1 && s.is_active)
        trace(s.neighbour <= number ? '-' : s.neighbour <= s.maximum ? '=' : '+');
    if (kind == 2 && number == s.my_number)
        trace('!');
}

static inline ssize_t traced_sendto(int fd, const void *message, int flags,
                                    const struct sockaddr *to, socklen_t size) {
    struct envelope e = traced_wrap(message);
    return sendto(fd, &e, sizeof e, flags, to, size) == sizeof e ? TRACED_MESSAGE : -1;
}

static inline ssize_t traced_recv(int fd, void *message, int flags, struct traced_state s) {
    struct envelope e;
    if (recv(fd, &e, sizeof e, flags) != sizeof e)
        return -1;
    traced_unwrap(message, &e, s);
    return TRACED_MESSAGE;
}

static inline void traced_actor_send(heddle_actor to, const void *message) {
    struct envelope e = traced_wrap(message);
    heddle_send(to, &e, sizeof e);
}

static inline void traced_actor_receive(void *message, struct traced_state s) {
    struct envelope e;
    heddle_receive(&e, sizeof e);
    traced_unwrap(message, &e, s);
}

static int has_one_leader(void);

static int traced_has_one_leader(void) {
    char label[TRACED_NODES * (TRACED_LENGTH + 1)] = "", one[TRACED_LENGTH];
    for (int i = 0; i < TRACED_NODES; i++)
        if (heddle_exported(trace_names[i], 0, one, sizeof one)) {
            strcat(label, one);
            strcat(label, "|");
        }
    int holds = has_one_leader();
    strcat(label, holds ? "elected" : "none");
    heddle_reach(label);
    return holds;
}

#define TRACED_STATE                                  ((struct traced_state){is_active, neighbour, maximum, my_number})
#define sendto(fd, message, size, flags, to, to_size) traced_sendto(fd, message, flags, to, to_size)
#define send(fd, message, size, flags)                traced_sendto(fd, message, flags, NULL, 0)
#define recv(fd, message, size, flags)                traced_recv(fd, message, flags, TRACED_STATE)
#define heddle_send(to, message, size)                traced_actor_send(to, message)
#define heddle_receive(message, size)                 traced_actor_receive(message, TRACED_STATE)
#define heddle_export(name, address, size)                                                         \
    (heddle_export(name, address, size),                                                           \
     heddle_export(trace_names[NODE], received, sizeof received))
#define heddle_global_assert(holds) heddle_global_assert(traced_has_one_leader)
