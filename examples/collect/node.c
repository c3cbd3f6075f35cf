/* Collection of readings over several hops: sensors measure, every node passes on what it gets to the
 * next one on the way to the sink, and the sink adds up.
 *
 *     node HOP READINGS          the name of the next node, its own if it is the sink
 *
 * A reading goes from hop to hop with a number of its origin, and each hop acknowledges it.  What is
 * not acknowledged in time is sent again, a few times.  Nodes keep counters of what went through
 * them, as operators of such networks want them: measured, passed on, given up, counted.
 *
 * A lost reading is sent again, and so is one whose acknowledgement was lost.  The second one is not
 * new.  -DFIXED: a node remembers the last number of each origin, acknowledges what it knows already,
 * and neither counts it nor passes it on.  Without it the reading is counted twice.
 *
 * Links keep the order and a hop sends one reading at a time, so that the last number is enough. */
#include "../udp.h"

#include <sys/time.h>
#ifdef __HEDDLE__
#include <heddle.h>
#endif

enum {
    PORT = 7600,
    ORIGINS = 32,       /* most nodes */
    QUEUE = 16,         /* most readings that wait for their turn */
    PATIENCE = 50,      /* milliseconds until a reading is sent again */
    ATTEMPTS = 3,       /* so often it is sent at most */
    IDLE_TIME = 500,    /* milliseconds without a message, and the sink is done */
};

enum kind { READING, ACKNOWLEDGEMENT };

struct packet {
    uint8_t kind;
    uint8_t hops;    /* that it has gone */
    uint16_t origin; /* last byte of its address */
    uint16_t number; /* of its origin, from 1 */
    uint16_t value;
};

static int fd;
static struct sockaddr_in next_hop;
static int is_sink;

/* What the operator sees. */
static int measured, passed_on, given_up, counted, sum;

/* ---- what was seen already ---- */

static uint16_t last_number[ORIGINS];

static int is_known(const struct packet *p) {
#ifdef FIXED
    return p->number <= last_number[p->origin % ORIGINS];
#else
    (void)p;
    return 0;
#endif
}

static void remember(const struct packet *p) {
    last_number[p->origin % ORIGINS] = p->number;
}

/* ---- what waits to be sent ---- */

static struct packet queue[QUEUE];
static int n_queued;
static int attempts; /* of the first */
static long deadline;

static long now(void) {
    struct timeval t;
    gettimeofday(&t, NULL);
    return t.tv_sec * 1000 + t.tv_usec / 1000;
}

static void send_first(void) {
    queue[0].hops++;
    udp_send(fd, &next_hop, &queue[0], sizeof queue[0]);
    attempts++;
    deadline = now() + PATIENCE;
}

static void drop_first(void) {
    memmove(queue, queue + 1, (size_t)--n_queued * sizeof *queue);
    attempts = 0;
    if (n_queued)
        send_first();
}

static void enqueue(const struct packet *p) {
    if (n_queued == QUEUE) {
        given_up++;
        return;
    }
    queue[n_queued++] = *p;
    if (n_queued == 1)
        send_first();
}

/* Nobody answered. */
static void try_again(void) {
    if (attempts < ATTEMPTS) {
        send_first();
        return;
    }
    given_up++;
    drop_first();
}

/* ---- messages ---- */

static void acknowledge(const struct packet *p, const struct sockaddr_in *to) {
    struct packet answer = *p;
    answer.kind = ACKNOWLEDGEMENT;
    udp_send(fd, to, &answer, sizeof answer);
}

static void take_reading(const struct packet *p, const struct sockaddr_in *from) {
    int is_new = !is_known(p);
    acknowledge(p, from);
    if (!is_new)
        return;
    remember(p);
    if (is_sink) {
        counted++;
        sum += p->value;
    } else {
        passed_on++;
        enqueue(p);
    }
}

/* Late acknowledgements are of readings that are not first any more. */
static void take_acknowledgement(const struct packet *p) {
    if (n_queued && p->origin == queue[0].origin && p->number == queue[0].number)
        drop_first();
}

static void take(const struct packet *p, const struct sockaddr_in *from) {
    if (p->kind == READING)
        take_reading(p, from);
    else
        take_acknowledgement(p);
}

/* ---- a node ---- */

static void measure(int readings, uint16_t origin) {
    for (int i = 1; i <= readings; i++) {
        struct packet p = {READING, 0, origin, (uint16_t)i, (uint16_t)(10 * i)};
        measured++;
        enqueue(&p);
    }
}

/* Time until something is to be done, or enough without a message. */
static int time_to_wait(void) {
    long left = deadline - now();
    return !n_queued ? IDLE_TIME : left > 0 ? (int)left : 0;
}

static void serve(void) {
    struct packet p;
    struct sockaddr_in from;
    for (;;) {
        if (udp_receive(fd, &from, &p, sizeof p, time_to_wait()))
            take(&p, &from);
        else if (n_queued)
            try_again();
        else
            return;
    }
}

static uint16_t own_number(const char *name) {
    struct sockaddr_in here = udp_address(name, PORT);
    return (uint16_t)(ntohl(here.sin_addr.s_addr) & 255);
}

static void tell_counters(void) {
#ifdef __HEDDLE__
    heddle_export("measured", &measured, sizeof measured);
    heddle_export("given_up", &given_up, sizeof given_up);
    heddle_export("counted", &counted, sizeof counted);
#endif
}

int main(int argc, char **argv) {
    if (argc < 4)
        return 2;
    tell_counters();
    fd = udp_open(PORT);
    is_sink = strcmp(argv[1], argv[2]) == 0;
    next_hop = udp_address(argv[2], PORT);
    measure(atoi(argv[3]), own_number(argv[1]));
    serve();
    printf("%s: measured %d, passed on %d, given up %d, counted %d\n", argv[1], measured, passed_on,
           given_up, counted);
    return 0;
}
