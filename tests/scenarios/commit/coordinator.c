/* The coordinator of a two-phase commit.
 *
 *     coordinator PARTICIPANT...
 *
 * It asks all participants whether they can commit, decides, and tells them until each has
 * confirmed.  A question without an answer is repeated once, and then taken for a no; the decision
 * is repeated as long as somebody has not confirmed it, up to a limit.  -DTRIES=1: nothing is
 * repeated. */
#include "commit.h"

#ifndef TRIES
#define TRIES 2
#endif
enum { MAX_PARTICIPANTS = 8, PATIENCE = 100 /* milliseconds */, MAX_QUESTIONS = TRIES };
enum { MAX_DECISIONS = TRIES > 1 ? 4 : 1 }; /* somebody who never answers is dead */

static int fd, n_participants;
static struct sockaddr_in participant[MAX_PARTICIPANTS];

static int number_of(const struct sockaddr_in *address) {
    for (int i = 0; i < n_participants; i++)
        if (participant[i].sin_addr.s_addr == address->sin_addr.s_addr)
            return i;
    return -1;
}

/* Tells all of `whom`, and takes those out that answer in time.  The answer that is no `wanted`, if
 * there is one. */
static enum kind ask(enum kind what, unsigned *whom, enum kind wanted) {
    struct message question = {what, 1}, answer;
    struct sockaddr_in from;
    enum kind other = wanted;
    for (int i = 0; i < n_participants; i++)
        if (*whom >> i & 1)
            udp_send(fd, &participant[i], &question, sizeof question);
    while (*whom && udp_receive(fd, &from, &answer, sizeof answer, PATIENCE)) {
        int i = number_of(&from);
        if (i < 0 || (answer.kind != wanted && answer.kind != NO))
            continue; /* a late answer to another question */
        *whom &= ~(1u << i);
        if (answer.kind == NO)
            other = NO;
    }
    return other;
}

static enum kind decide(unsigned all) {
    unsigned left = all;
    for (int i = 0; i < MAX_QUESTIONS && left; i++)
        if (ask(PREPARE, &left, YES) == NO)
            return ABORT;
    return left ? ABORT : COMMIT;
}

int main(int argc, char **argv) {
    fd = udp_open(PORT);
    n_participants = argc - 1 < MAX_PARTICIPANTS ? argc - 1 : MAX_PARTICIPANTS;
    for (int i = 0; i < n_participants; i++)
        participant[i] = udp_address(argv[1 + i], PORT);
    unsigned all = (1u << n_participants) - 1, left = all;
    enum kind decision = decide(all);
    for (int i = 0; i < MAX_DECISIONS && left; i++)
        ask(decision, &left, DONE);
    return 0;
}
