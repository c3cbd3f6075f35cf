/* The Needham-Schroeder public-key protocol (paper 002, section 7.5) with Lowe's attack.
 *
 *     A -> B: {Na, A}Kb      B -> A: {Na, Nb}Ka      A -> B: {Nb}Kb
 *
 * Initiator A and responder B are threads; main is the intruder and the network: what they send
 * comes to it, and it delivers what it has seen or builds messages of the nonces that it knows.
 * With whom A wants to talk and what the intruder does are inputs.  B must not believe that it
 * talked to A when A never wanted to talk to B.  -DFIXED is Lowe's repair: B puts its name into the
 * second message.
 *
 * run:
 * verdict: complete
 * finding: assertion
 *
 * run: -DFIXED
 * verdict: complete
 * exit: 0 */
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

enum agent { A, B, INTRUDER, N_AGENTS };                  /* and their key pairs */
enum nonce { NONCE_A, NONCE_B, NONCE_INTRUDER, N_NONCES };
enum { DELIVERIES = 3, MAX_SEEN = 4 };

struct message {
    enum agent key; /* only this agent can read or check the rest */
    int kind;       /* 1, 2 or 3: which message of the protocol */
    enum nonce first, second;
    enum agent name;
};

static struct channel { /* between the intruder and an agent */
    sem_t delivered, handled;
    struct message in, out;
    bool has_sent, is_over;
} channels[2];
static enum agent partner; /* of A */

/* ---- Honest agents ---- */

static struct message receive(enum agent self) {
    sem_wait(&channels[self].delivered);
    return channels[self].in;
}

static void send(enum agent self, struct message m) {
    channels[self].out = m;
    channels[self].has_sent = true;
}

static void wait_for_more(enum agent self) {
    sem_post(&channels[self].handled);
}

static void end(enum agent self) {
    channels[self].is_over = true;
    sem_post(&channels[self].handled);
}

static bool is_for(enum agent self, struct message m, int kind) {
    return m.key == self && m.kind == kind;
}

static void *initiator(void *unused) {
    send(A, (struct message){partner, 1, NONCE_A, 0, A});
    wait_for_more(A);
    struct message m = receive(A);
    bool good = is_for(A, m, 2) && m.first == NONCE_A;
#ifdef FIXED
    good = good && m.name == partner;
#endif
    if (good)
        send(A, (struct message){partner, 3, m.second, 0, 0});
    end(A);
    return unused;
}

static void *responder(void *unused) {
    wait_for_more(B);
    struct message m = receive(B);
    if (is_for(B, m, 1)) {
        enum agent claimed = m.name;
        send(B, (struct message){claimed, 2, m.first, NONCE_B, B});
        wait_for_more(B);
        m = receive(B);
        if (is_for(B, m, 3) && m.first == NONCE_B)
            heddle_assert(claimed != A || partner == B); // BUG assertion
    }
    end(B);
    return unused;
}

/* ---- The intruder ---- */

static struct message seen[MAX_SEEN];
static int n_seen;
static bool knows[N_NONCES] = {[NONCE_INTRUDER] = true};

static void take_from(enum agent who) {
    struct channel *c = &channels[who];
    sem_wait(&c->handled);
    if (!c->has_sent)
        return;
    c->has_sent = false;
    seen[n_seen++] = c->out;
    if (c->out.key == INTRUDER) {
        knows[c->out.first] = true;
        if (c->out.kind == 2)
            knows[c->out.second] = true;
    }
}

static enum nonce choose_nonce(void) {
    enum nonce n = (enum nonce)heddle_choose(0, N_NONCES - 1);
    heddle_assume(knows[n]);
    return n;
}

static struct message build(enum agent to, int kind) {
    struct message m = {.key = to, .kind = kind};
    m.first = choose_nonce();
    if (kind == 2)
        m.second = choose_nonce();
    if (kind != 3)
        m.name = (enum agent)heddle_choose(0, N_AGENTS - 1);
    return m;
}

static void deliver(enum agent to, int expected_kind) {
    int which = (int)heddle_choose(0, n_seen); /* n_seen: a new message */
    channels[to].in = which < n_seen ? seen[which] : build(to, expected_kind);
    sem_post(&channels[to].delivered);
    take_from(to);
}

static void intrude(void) {
    int next_kind[2] = {[A] = 2, [B] = 1};
    take_from(A);
    take_from(B);
    for (int i = 0; i < DELIVERIES; i++) {
        enum agent to = (enum agent)heddle_choose(A, B);
        heddle_assume(!channels[to].is_over);
        deliver(to, next_kind[to]);
        next_kind[to] += 2;
    }
}

int main(void) {
    pthread_t threads[2];
    partner = (enum agent)heddle_choose(B, INTRUDER);
    for (int i = 0; i < 2; i++) {
        sem_init(&channels[i].delivered, 0, 0);
        sem_init(&channels[i].handled, 0, 0);
    }
    pthread_create(&threads[A], NULL, initiator, NULL);
    pthread_create(&threads[B], NULL, responder, NULL);
    pthread_detach(threads[A]);
    pthread_detach(threads[B]);
    intrude();
    return 0;
}
