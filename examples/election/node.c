/* Election of a leader: when the one that there is crashes, the others choose another.
 *
 *     node ME NODE...
 *
 * Time is divided into terms.  The leader of a term lets the others hear from it now and then.  A node that hears
 * nothing for too long begins the next term as a candidate, votes for itself and asks the others for
 * their votes; who has more than half of all nodes leads that term.  Two candidates may take the votes from each
 * other, and then nobody leads that term: each begins another one, after a time that differs from
 * node to node.
 *
 * What must never be are two leaders of one term, because each node votes once in a term.  -DFIXED: a
 * node remembers for whom it voted.  Without it a node votes for whoever asks in a term that is
 * not over, and forgets that it is a candidate itself: two that have missed the same leader at the same
 * time elect each other.
 *
 * A node ends at a time, so that an execution ends. */
#include "../udp.h"

#include <time.h>
#ifdef __HEDDLE__
#include <heddle.h>
#endif

enum {
    PORT = 7700,
    MOST = 5,       /* nodes */
    BEAT = 100,     /* milliseconds between two signs of life */
    PATIENCE = 250, /* without one, until a node becomes a candidate */
    SPREAD = 40,    /* by so much more for the next node, if a term had no leader */
    END = 600,
    TERMS = 4, /* whose leaders are told */
    NOBODY = -1,
};

enum kind { ALIVE, ASK, VOTE };
enum role { FOLLOWER, CANDIDATE, LEADER };

struct message {
    int32_t kind, from, term;
};

static int fd, me, n_nodes;
static struct sockaddr_in node[MOST];

static enum role role;
static int term, voted_for = NOBODY, n_votes;
static int64_t deadline; /* of what it does next without a message */

/* What is told to whoever looks at all nodes: 1 if this one has led the term. */
static int led[TERMS + 1];
static int leads;

/* ---- time ---- */

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void wait_for(int milliseconds) {
    deadline = now() + milliseconds;
}

/* ---- messages ---- */

static void send_to(int to, enum kind kind) {
    struct message m = {kind, me, term};
    udp_send(fd, &node[to], &m, sizeof m);
}

static void send_to_all(enum kind kind) {
    for (int i = 0; i < n_nodes; i++)
        if (i != me)
            send_to(i, kind);
}

/* ---- roles ---- */

static void follow(void) {
    role = FOLLOWER;
    leads = 0;
    wait_for(PATIENCE);
}

/* A term that others know of: what was in the old one is over. */
static void enter_term(int number) {
    term = number;
    voted_for = NOBODY;
    n_votes = 0;
    follow();
}

static void lead(void) {
    role = LEADER;
    leads = 1;
    if (term <= TERMS)
        led[term] = 1;
    send_to_all(ALIVE);
    wait_for(BEAT);
}

static void count_vote(void) {
    n_votes++;
    if (role == CANDIDATE && n_votes > n_nodes / 2)
        lead();
}

static void stand_for_election(void) {
    int was_in_vain = role == CANDIDATE;
    enter_term(term + 1);
    role = CANDIDATE;
    voted_for = me;
    send_to_all(ASK);
    wait_for(PATIENCE + (was_in_vain ? SPREAD * me : 0));
    count_vote();
}

/* ---- what comes ---- */

static int may_vote_for(int candidate) {
#ifdef FIXED
    return voted_for == NOBODY || voted_for == candidate;
#else
    (void)candidate;
    return role != LEADER;
#endif
}

static void answer_candidate(const struct message *m) {
    if (!may_vote_for(m->from))
        return;
    voted_for = m->from;
    send_to(m->from, VOTE);
    if (role == FOLLOWER)
        wait_for(PATIENCE);
}

/* A sign of life of the leader of this term: who stood for election in it has lost. */
static void hear_leader(void) {
    if (role == CANDIDATE)
        role = FOLLOWER;
    if (role == FOLLOWER)
        wait_for(PATIENCE);
}

static void take(const struct message *m) {
    if (m->term < term)
        return;
    if (m->term > term)
        enter_term(m->term);
    if (m->kind == ASK)
        answer_candidate(m);
    else if (m->kind == ALIVE)
        hear_leader();
    else if (role == CANDIDATE)
        count_vote();
}

static void act_in_time(void) {
    if (role != LEADER) {
        stand_for_election();
        return;
    }
    send_to_all(ALIVE);
    wait_for(BEAT);
}

/* ---- a node ---- */

static void serve(int64_t end) {
    struct message m;
    struct sockaddr_in from;
    while (now() < end) {
        int64_t next = deadline < end ? deadline : end;
        int64_t left = next - now();
        if (udp_receive(fd, &from, &m, sizeof m, left > 0 ? (int)left : 0))
            take(&m);
        else if (now() >= deadline)
            act_in_time();
    }
}

static void tell(void) {
#ifdef __HEDDLE__
    static const char *const names[] = {"", "led1", "led2", "led3", "led4"};
    for (int i = 1; i <= TERMS; i++)
        heddle_export(names[i], &led[i], sizeof led[i]);
    heddle_export("leads", &leads, sizeof leads);
#endif
}

int main(int argc, char **argv) {
    n_nodes = argc - 2 < MOST ? argc - 2 : MOST;
    for (int i = 0; i < n_nodes; i++) {
        node[i] = udp_address(argv[2 + i], PORT);
        if (strcmp(argv[1], argv[2 + i]) == 0)
            me = i;
    }
    tell();
    fd = udp_open(PORT);
    int64_t end = now() + END;
    enter_term(1);
    if (me == 0) /* the first term needs no votes */
        lead();
    serve(end);
    return 0;
}
