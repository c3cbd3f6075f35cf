/* A client of the store: it stores a number, and if that was confirmed it must find it later,
 * whichever of the two servers is there by then.
 *
 *     client SERVER SERVER
 *
 * A request without an answer is repeated, at the other server. */
#include "store.h"

#include <assert.h>
#include <unistd.h>

enum {
    PATIENCE = 150, /* milliseconds that an answer may take */
    TRIES = 4,
    LATER = 400, /* when it asks: by then the backup has taken over, if it must */
    KEY = 2,
    NUMBER = 42,
};

static int fd;
static struct sockaddr_in server[2];

/* Does the answer come, in time? */
static int hear(const struct message *question, enum kind wanted, struct message *answer) {
    int64_t deadline = now() + PATIENCE;
    struct sockaddr_in from;
    while (udp_receive(fd, &from, answer, sizeof *answer, left_until(deadline)))
        if (answer->request == question->request) {
            if (answer->kind == (int32_t)wanted)
                return 1;
            if (answer->kind == ELSEWHERE)
                return 0;
        }
    return 0;
}

static int ask(struct message question, enum kind wanted, struct message *answer) {
    for (int i = 0; i < TRIES; i++) {
        udp_send(fd, &server[i % 2], &question, sizeof question);
        if (hear(&question, wanted, answer))
            return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    struct message answer;
    if (argc < 3)
        return 2;
    fd = udp_open(PORT);
    server[0] = udp_address(argv[1], PORT);
    server[1] = udp_address(argv[2], PORT);
    if (!ask((struct message){PUT, 0, KEY, NUMBER, 1}, STORED, &answer))
        return 0; /* nothing was promised */
    usleep(LATER * 1000);
    if (ask((struct message){GET, 0, KEY, 0, 2}, VALUE, &answer))
        assert(answer.value == NUMBER);
    close(fd);
    return 0;
}
