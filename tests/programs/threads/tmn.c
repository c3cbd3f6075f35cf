/* The TMN key-distribution protocol (paper 002, section 7.6) with the replay attack.
 *
 *     A -> S: B, {Ka}S     S -> B: A     B -> S: A, {Kb}S     S -> A: B, Ka xor Kb
 *
 * The server is a monitor that keeps a table of sessions; A, B and the intruder (with an accomplice
 * as its partner) are threads.  The intruder sees every ciphertext and, in its own session, sends
 * its own key or any ciphertext seen so far, by input.  It must not learn Kb.  With -DFIXED the
 * server refuses a ciphertext that it has seen before.
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
#include <stdbool.h>

enum { KEY_A = 1, KEY_B = 2, KEY_INTRUDER = 4, KEY_ACCOMPLICE = 8 };
enum { HONEST, INTRUDED, N_SESSIONS, MAX_SEEN = 4 };
enum { NOT_BEGUN, BEGUN, ANSWERED };

static pthread_mutex_t server = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct session {
    int state, initiators_key, reply;
} sessions[N_SESSIONS];
static int seen[MAX_SEEN + 1], n_seen; /* keys as they went over the network, encrypted for S */

/* The server decrypts; false if it refuses. */
static bool accept_ciphertext(int key) {
#ifdef FIXED
    for (int i = 0; i < n_seen; i++)
        if (seen[i] == key)
            return false;
#endif
    seen[n_seen++] = key;
    return true;
}

static bool begin_session(struct session *s, int key) {
    pthread_mutex_lock(&server);
    bool accepted = accept_ciphertext(key);
    if (accepted) {
        s->initiators_key = key;
        s->state = BEGUN;
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&server);
    return accepted;
}

/* The partner's answer; the reply to the initiator is what the keys hide of each other. */
static bool answer_session(struct session *s, int key) {
    pthread_mutex_lock(&server);
    while (s->state != BEGUN)
        pthread_cond_wait(&changed, &server);
    bool accepted = accept_ciphertext(key);
    if (accepted) {
        s->reply = s->initiators_key ^ key;
        s->state = ANSWERED;
    }
    pthread_mutex_unlock(&server);
    return accepted;
}

static void *initiator(void *unused) {
    begin_session(&sessions[HONEST], KEY_A);
    return unused;
}

static void *responder(void *unused) {
    answer_session(&sessions[HONEST], KEY_B);
    return unused;
}

/* A ciphertext that the intruder can send: of its own key, or one that it saw. */
static int choose_ciphertext(int own) {
    pthread_mutex_lock(&server);
    int n = n_seen, which = (int)heddle_choose(0, MAX_SEEN);
    heddle_assume(which <= n && n < MAX_SEEN);
    int key = which < n ? seen[which] : own;
    pthread_mutex_unlock(&server);
    return key;
}

static void *intruder(void *unused) {
    struct session *s = &sessions[INTRUDED];
    if (begin_session(s, choose_ciphertext(KEY_INTRUDER)) &&
        answer_session(s, choose_ciphertext(KEY_ACCOMPLICE))) {
        int learnt = s->reply ^ KEY_INTRUDER;
        heddle_assert(s->initiators_key != KEY_INTRUDER || learnt != KEY_B); // BUG assertion
    }
    return unused;
}

int main(void) {
    void *(*const work[3])(void *) = {initiator, responder, intruder};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
