/* The coordinator of a two-phase commit: money goes from some accounts to others, everywhere or
 * nowhere.
 *
 *     coordinator LOG PARTICIPANT...
 *
 * First it asks all participants whether they can commit.  A question without an answer is repeated,
 * and then taken for a no.  Then it decides, writes that down, and tells the participants until each has
 * confirmed it.  One that is in doubt, because it voted and was told nothing, may ask at any time.
 *
 * Presumed abort: a transaction that the log does not know as committed is aborted.  So a coordinator
 * that is started again before it decided tells everybody to abort, and one that had decided tells
 * its decision once more. */
#include "commit.h"

enum {
    MOST = 8,
    PATIENCE = 100, /* milliseconds that an answer may take */
    QUESTIONS = 2,  /* how often it asks for a vote */
    TELLINGS = 3,   /* and how often it tells a decision: who never answers is dead */
    TRANSACTION = 1,
    AMOUNT = 10,
};

static int fd, n_participants;
static struct sockaddr_in participant[MOST];

static enum status status = UNKNOWN; /* of the transaction */
static unsigned n_late;              /* answers that nobody waited for any more */

static void replay(const struct record *r) {
    if (r->transaction == TRANSACTION)
        status = (enum status)r->status;
}

static void enter(enum status next) {
    log_write(next, TRANSACTION, AMOUNT);
    status = next;
}

/* ---- messages ---- */

static int number_of(const struct sockaddr_in *address) {
    for (int i = 0; i < n_participants; i++)
        if (participant[i].sin_addr.s_addr == address->sin_addr.s_addr)
            return i;
    return -1;
}

static void tell(int i, enum kind kind) {
    struct message m = {kind, TRANSACTION, AMOUNT};
    udp_send(fd, &participant[i], &m, sizeof m);
}

static void tell_all(unsigned whom, enum kind kind) {
    for (int i = 0; i < n_participants; i++)
        if (whom >> i & 1)
            tell(i, kind);
}

static enum kind decision(void) {
    return status == COMMITTED ? COMMIT : ABORT;
}

/* Somebody is in doubt.  As long as nothing is decided there is nothing to say. */
static void answer_query(int i) {
    if (status == COMMITTED || status == ABORTED || status == UNKNOWN)
        tell(i, decision());
}

/* ---- rounds ---- */

/* One answer of those in `whom`, until `deadline`; its sender is taken out.  Returns its kind, or 0 if the
 * time is over. */
static enum kind hear(unsigned *whom, enum kind yes, enum kind no, int64_t deadline) {
    struct message m;
    struct sockaddr_in from;
    while (udp_receive(fd, &from, &m, sizeof m, left_until(deadline))) {
        int i = number_of(&from);
        if (i < 0 || m.transaction != TRANSACTION)
            continue;
        if (m.kind == QUERY) {
            answer_query(i);
        } else if ((*whom >> i & 1) && (m.kind == (int32_t)yes || m.kind == (int32_t)no)) {
            *whom &= ~(1u << i);
            return (enum kind)m.kind;
        } else
            n_late++;
    }
    return 0;
}

/* Have all of them voted yes? */
static int ask(unsigned *whom) {
    int64_t deadline = now() + PATIENCE;
    enum kind vote;
    tell_all(*whom, PREPARE);
    while (*whom && (vote = hear(whom, YES, NO, deadline)))
        if (vote == NO)
            return 0;
    return 1;
}

static void decide(void) {
    unsigned whom = (1u << n_participants) - 1;
    int may_commit = 1;
    for (int i = 0; i < QUESTIONS && whom && may_commit; i++)
        may_commit = ask(&whom);
    enter(may_commit && !whom ? COMMITTED : ABORTED);
}

static void spread_decision(void) {
    unsigned whom = (1u << n_participants) - 1;
    for (int i = 0; i < TELLINGS && whom; i++) {
        int64_t deadline = now() + PATIENCE;
        tell_all(whom, decision());
        while (whom && hear(&whom, DONE, DONE, deadline))
            continue;
    }
    if (!whom)
        log_write(ENDED, TRANSACTION, AMOUNT); /* nobody will ask */
}

/* ---- a coordinator ---- */

static void recover(void) {
    log_read(replay);
    if (status == BEGUN)
        enter(ABORTED); /* whatever they voted */
}

static void run_transaction(void) {
    if (status == UNKNOWN) {
        enter(BEGUN);
        decide();
    }
    if (status == COMMITTED || status == ABORTED)
        spread_decision();
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    log_file = argv[1];
    fd = udp_open(PORT);
    n_participants = argc - 2 < MOST ? argc - 2 : MOST;
    for (int i = 0; i < n_participants; i++)
        participant[i] = udp_address(argv[2 + i], PORT);
    recover();
    run_transaction();
    close(fd);
    return 0;
}
