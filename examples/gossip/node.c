/* Membership by gossip: who is there, and who is not any more.
 *
 *     node ME NODE...
 *
 * Every node has a table of all members.  Once in a round it raises its own counter and sends the table
 * to one other node, in turn.  Who gets a table takes over what is newer in it.  A member whose counter
 * has not risen for some rounds is dead; that is gossip too, so that all hear it soon.
 *
 * News about a member are ordered by its incarnation, then by what they say (dead after alive), then by the counter.
 * So nobody brings a dead member back with an old table, which is why dead comes after alive.
 *
 * But a member that was only cut off is not dead.  When the network is whole again it hears
 * what is said about it, and has to contradict: -DFIXED: it begins a new incarnation, which comes after the old one.
 * Without it, news about itself are ignored, since nobody knows better than a node itself whether
 * it lives: and after a partition that was long enough nodes stay dead to each other for ever, although every
 * message arrives. */
#include "../udp.h"

#include <time.h>
#ifdef __HEDDLE__
#include <heddle.h>
#endif

enum {
    PORT = 7800,
    MOST = 5,     /* nodes */
    ROUND = 100,  /* milliseconds */
    PATIENCE = 3, /* rounds without news until a member is dead */
    ROUNDS = 9,   /* that a node takes part in */
};

enum health { ALIVE, DEAD };

struct member {
    int16_t incarnation;
    int16_t health;
    int32_t counter;
};

struct table {
    int32_t from;
    struct member of[MOST];
};

static int fd, me, n_nodes;
static struct sockaddr_in node[MOST];
static struct table table;
static int silent_for[MOST]; /* rounds */
static int round_number;
static int members; /* that are alive, as far as this node knows */

/* ---- what is newer ---- */

static int is_newer(const struct member *a, const struct member *b) {
    if (a->incarnation != b->incarnation)
        return a->incarnation > b->incarnation;
    if (a->health != b->health)
        return a->health == DEAD;
    return a->counter > b->counter;
}

/* Somebody says that this node is dead, and it can hear that. */
static void contradict(const struct member *said) {
#ifdef FIXED
    struct member *own = &table.of[me];
    if (said->health == DEAD && said->incarnation >= own->incarnation) {
        own->incarnation = (int16_t)(said->incarnation + 1);
        own->counter++;
    }
#else
    (void)said;
#endif
}

static void count_members(void) {
    int n = 0;
    for (int i = 0; i < n_nodes; i++)
        n += table.of[i].health == ALIVE;
    members = n;
}

static void take_over(int who, const struct member *said) {
    if (who == me) {
        contradict(said);
        return;
    }
    if (!is_newer(said, &table.of[who]))
        return;
    table.of[who] = *said;
    silent_for[who] = 0;
}

static void take(const struct table *t) {
    for (int i = 0; i < n_nodes; i++)
        take_over(i, &t->of[i]);
    count_members();
}

/* ---- rounds ---- */

static void suspect(void) {
    for (int i = 0; i < n_nodes; i++)
        if (i != me && ++silent_for[i] > PATIENCE)
            table.of[i].health = DEAD;
    count_members();
}

/* The others in turn, beginning with the next; also those that are dead, who would else never hear of it. */
static int partner(void) {
    return (me + 1 + round_number % (n_nodes - 1)) % n_nodes;
}

static void begin_round(void) {
    suspect();
    table.of[me].counter++;
    udp_send(fd, &node[partner()], &table, sizeof table);
    round_number++;
}

/* ---- a node ---- */

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* What comes until then. */
static void listen_until(int64_t end) {
    struct table t;
    struct sockaddr_in from;
    for (int64_t left; (left = end - now()) > 0;)
        if (udp_receive(fd, &from, &t, sizeof t, (int)left))
            take(&t);
}

static void serve(void) {
    int64_t next = now();
    while (round_number < ROUNDS) {
        begin_round();
        next += ROUND;
        listen_until(next);
    }
}

static void find_nodes(int argc, char **argv) {
    n_nodes = argc - 2 < MOST ? argc - 2 : MOST;
    for (int i = 0; i < n_nodes; i++) {
        node[i] = udp_address(argv[2 + i], PORT);
        if (strcmp(argv[1], argv[2 + i]) == 0)
            me = i;
    }
}

int main(int argc, char **argv) {
    find_nodes(argc, argv);
    table.from = me;
    count_members();
#ifdef __HEDDLE__
    heddle_export("members", &members, sizeof members);
#endif
    fd = udp_open(PORT);
    serve();
    return 0;
}
