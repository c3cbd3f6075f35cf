/* A participant of a two-phase commit: it has an account.
 *
 *     participant LOG COORDINATOR BALANCE
 *
 * It votes yes if the account has enough, and then does what the coordinator says; until it is told
 * it is in doubt, keeps the amount aside, and asks if it hears nothing.  Who knows nothing of a
 * transaction did not vote for it, and may so abort it by himself (presumed abort).
 *
 * That is right as long as a participant never forgets that it voted: the vote must be in the log before
 * it is under way.  -DLAZY: it is sent first, so that the coordinator need not wait for the disk.  A
 * participant that is started again in between has voted for something that it knows nothing of, and
 * aborts what the others commit. */
#include "commit.h"

enum {
    MOST = 4,       /* transactions */
    PATIENCE = 150, /* milliseconds in doubt before it asks */
    QUERIES = 2,    /* how often it asks: then it waits for the coordinator */
};

struct transaction {
    enum status status;
    int amount, n_queries;
    int64_t deadline; /* of the next query */
};

static int fd, balance, reserved;
static struct sockaddr_in coordinator;
static struct transaction transaction[MOST];

/* What is told to whoever looks at all nodes. */
static int has_committed, has_aborted;

/* ---- the account ---- */

static void enter(struct transaction *t, enum status next) {
    if (t->status == PREPARED)
        reserved -= t->amount;
    if (next == PREPARED)
        reserved += t->amount;
    if (next == COMMITTED)
        balance -= t->amount;
    t->status = next;
    t->deadline = next == PREPARED ? now() + PATIENCE : NEVER;
    has_committed |= next == COMMITTED;
    has_aborted |= next == ABORTED;
}

static int number_of(const struct transaction *t) {
    return (int)(t - transaction);
}

static void enter_forced(struct transaction *t, enum status next) {
    log_write(next, number_of(t), t->amount);
    enter(t, next);
}

static void replay(const struct record *r) {
    if (r->transaction < 0 || r->transaction >= MOST)
        return;
    transaction[r->transaction].amount = r->amount;
    enter(&transaction[r->transaction], (enum status)r->status);
}

/* ---- messages ---- */

static void answer(const struct transaction *t, enum kind kind) {
    struct message m = {kind, number_of(t), t->amount};
    udp_send(fd, &coordinator, &m, sizeof m);
}

static void vote_yes(struct transaction *t) {
#ifdef LAZY
    answer(t, YES);
    enter_forced(t, PREPARED);
#else
    enter_forced(t, PREPARED);
    answer(t, YES);
#endif
}

static void prepare(struct transaction *t, int amount) {
    if (t->status == UNKNOWN) {
        t->amount = amount;
        if (amount <= balance - reserved) {
            vote_yes(t);
            return;
        }
        enter_forced(t, ABORTED);
    }
    answer(t, t->status == ABORTED ? NO : YES); /* the question was repeated */
}

/* A decision may come twice, and it may be about something that this node knows nothing of. */
static void obey(struct transaction *t, enum kind decision) {
    if (t->status == PREPARED)
        enter_forced(t, decision == COMMIT ? COMMITTED : ABORTED);
    else if (t->status == UNKNOWN)
        enter_forced(t, ABORTED);
    answer(t, DONE);
}

static void take(const struct message *m) {
    if (m->transaction < 0 || m->transaction >= MOST)
        return;
    struct transaction *t = &transaction[m->transaction];
    if (m->kind == PREPARE)
        prepare(t, m->amount);
    else if (m->kind == COMMIT || m->kind == ABORT)
        obey(t, (enum kind)m->kind);
}

/* ---- doubt ---- */

static int64_t next_deadline(void) {
    int64_t first = NEVER;
    for (int i = 0; i < MOST; i++)
        if (transaction[i].deadline != NEVER && (first == NEVER || transaction[i].deadline < first))
            first = transaction[i].deadline;
    return first;
}

static void ask_about(struct transaction *t) {
    answer(t, QUERY);
    t->n_queries++;
    t->deadline = t->n_queries < QUERIES ? now() + PATIENCE : NEVER;
}

static void ask_in_time(void) {
    for (int i = 0; i < MOST; i++)
        if (transaction[i].deadline != NEVER && transaction[i].deadline <= now())
            ask_about(&transaction[i]);
}

/* ---- a participant ---- */

static void serve(void) {
    for (;;) {
        struct message m;
        struct sockaddr_in from;
        if (udp_receive(fd, &from, &m, sizeof m, left_until(next_deadline())))
            take(&m);
        ask_in_time();
    }
}

int main(int argc, char **argv) {
    if (argc < 4)
        return 2;
    log_file = argv[1];
    balance = atoi(argv[3]);
    for (int i = 0; i < MOST; i++)
        transaction[i].deadline = NEVER;
#ifdef __HEDDLE__
    heddle_export("committed", &has_committed, sizeof has_committed);
    heddle_export("aborted", &has_aborted, sizeof has_aborted);
#endif
    log_read(replay);
    fd = udp_open(PORT);
    coordinator = udp_address(argv[2], PORT);
    serve();
    return 0;
}
