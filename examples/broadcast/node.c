/* Reliable broadcast: if one node delivers a message all do, whoever crashes, and each once.
 *
 *     node ME NODE...          the first node of the list is a source, and sends MESSAGES messages
 *
 * A node that gets a message for the first time delivers it and passes it on to all others, so that
 * its source may crash meanwhile.  Each hop is confirmed, and a message is sent again to who has not
 * confirmed it in time, up to a limit.  When all others have confirmed it, or are given up, its entry is
 * needed no more, and another message gets it: there are as many entries as messages are under way.
 *
 * What must be kept is that it was delivered: copies come late.  Messages of one source are delivered in
 * their order, so one number for each source is enough.  -DFORGET: only entries are looked at, and
 * that they do no longer exist when all have confirmed seems to be safe, since nobody has a reason to send
 * it any more.  But a copy that the network made, or that was sent again because a confirmation
 * was late, is still under way: it is delivered once more. */
#include "../clock.h"
#include "../udp.h"

#include <assert.h>
#ifdef __HEDDLE__
#include <heddle.h>
#endif

#ifndef MESSAGES
#define MESSAGES 1
#endif

enum {
    PORT = 7300,
    MOST = 5,       /* nodes */
    ENTRIES = 4,    /* messages under way */
    PATIENCE = 100, /* milliseconds until a message is sent again */
    TRIES = 2,      /* how often, until a node counts as crashed */
    END = 1000,     /* so that an execution ends */
};

enum kind { MESSAGE = 1, CONFIRM };

struct packet {
    int32_t kind, source, number;
};

/* A message that somebody has not confirmed yet. */
struct entry {
    int is_used, source, number, n_tries;
    unsigned missing; /* nodes */
    int64_t deadline;
};

static int fd, me, n_nodes;
static struct sockaddr_in node[MOST];
static struct entry entry[ENTRIES];
static int delivered_up_to[MOST];              /* by source */
static int times_delivered[MOST][MESSAGES + 1]; /* what the application got */
static int n_delivered;

/* ---- entries ---- */

static struct entry *find(int source, int number) {
    for (int i = 0; i < ENTRIES; i++)
        if (entry[i].is_used && entry[i].source == source && entry[i].number == number)
            return &entry[i];
    return NULL;
}

static struct entry *free_entry(void) {
    for (int i = 0; i < ENTRIES; i++)
        if (!entry[i].is_used)
            return &entry[i];
    return NULL;
}

static void send_to(int to, enum kind kind, int source, int number) {
    struct packet p = {kind, source, number};
    udp_send(fd, &node[to], &p, sizeof p);
}

static void send_missing(struct entry *e) {
    e->n_tries++;
    e->deadline = now() + PATIENCE;
    for (int i = 0; i < n_nodes; i++)
        if (e->missing >> i & 1)
            send_to(i, MESSAGE, e->source, e->number);
}

static void note_confirmation(struct entry *e, int from) {
    e->missing &= ~(1u << from);
    if (!e->missing)
        e->is_used = 0;
}

/* ---- messages ---- */

static int is_known(int source, int number) {
#ifdef FORGET
    return find(source, number) != NULL;
#else
    return number <= delivered_up_to[source];
#endif
}

/* The application gets it. */
static void deliver(int source, int number) {
    times_delivered[source][number]++;
    assert(times_delivered[source][number] == 1);
    delivered_up_to[source] = number;
    n_delivered++;
}

/* To all but who has it: the one that it came from, and its source. */
static int pass_on(int source, int number, int from) {
    struct entry *e = free_entry();
    if (!e)
        return 0; /* it is not confirmed, and will come again */
    unsigned all = (1u << n_nodes) - 1, have = 1u << me | 1u << from | 1u << source;
    *e = (struct entry){1, source, number, 0, all & ~have, 0};
    send_missing(e);
    if (!e->missing)
        e->is_used = 0;
    return 1;
}

static void take_message(int source, int number, int from) {
    if (!is_known(source, number)) {
        if (number > delivered_up_to[source] + 1)
            return; /* one before it is missing: it comes again */
        if (!pass_on(source, number, from))
            return;
        deliver(source, number);
    }
    send_to(from, CONFIRM, source, number);
}

static void take(const struct packet *p, int from) {
    if (from < 0 || p->source < 0 || p->source >= n_nodes || p->number < 1 || p->number > MESSAGES)
        return;
    struct entry *e = find(p->source, p->number);
    if (p->kind == MESSAGE)
        take_message(p->source, p->number, from);
    else if (p->kind == CONFIRM && e)
        note_confirmation(e, from);
}

/* ---- time ---- */

static int64_t next_deadline(int64_t end) {
    for (int i = 0; i < ENTRIES; i++)
        if (entry[i].is_used && entry[i].deadline < end)
            end = entry[i].deadline;
    return end;
}

static void send_again(void) {
    for (int i = 0; i < ENTRIES; i++) {
        if (!entry[i].is_used || entry[i].deadline > now())
            continue;
        if (entry[i].n_tries == TRIES)
            entry[i].is_used = 0; /* who is missing has crashed */
        else
            send_missing(&entry[i]);
    }
}

/* ---- a node ---- */

static int number_of(const struct sockaddr_in *address) {
    for (int i = 0; i < n_nodes; i++)
        if (node[i].sin_addr.s_addr == address->sin_addr.s_addr)
            return i;
    return -1;
}

static void serve(int64_t end) {
    while (now() < end) {
        struct packet p;
        struct sockaddr_in from;
        if (udp_receive(fd, &from, &p, sizeof p, left_until(next_deadline(end))))
            take(&p, number_of(&from));
        send_again();
    }
}

int main(int argc, char **argv) {
    n_nodes = argc - 2 < MOST ? argc - 2 : MOST;
    for (int i = 0; i < n_nodes; i++) {
        node[i] = udp_address(argv[2 + i], PORT);
        if (strcmp(argv[1], argv[2 + i]) == 0)
            me = i;
    }
#ifdef __HEDDLE__
    heddle_export("delivered", &n_delivered, sizeof n_delivered);
#endif
    fd = udp_open(PORT);
    int64_t end = now() + END;
    for (int i = 1; me == 0 && i <= MESSAGES; i++)
        if (pass_on(me, i, me))
            deliver(me, i);
    serve(end);
    return 0;
}
