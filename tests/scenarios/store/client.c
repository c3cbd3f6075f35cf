/* A client of the store: it stores a number at the primary, and asks the backup for it if that was
 * confirmed.
 *
 *     client PRIMARY BACKUP */
#include "store.h"

#include <assert.h>
#include <unistd.h>

enum { PATIENCE = 1000, NUMBER = 42, LATER = 500000 /* microseconds */ };

static int fd;

/* The value of the answer; -1 if none came. */
static int ask(const char *server, enum kind kind, int value, enum kind wanted) {
    struct message question = {kind, value}, answer;
    struct sockaddr_in to = udp_address(server, PORT), from;
    udp_send(fd, &to, &question, sizeof question);
    while (udp_receive(fd, &from, &answer, sizeof answer, PATIENCE))
        if (answer.kind == (int32_t)wanted)
            return answer.value;
    return -1;
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    fd = udp_open(PORT);
    if (ask(argv[1], PUT, NUMBER, STORED) != NUMBER)
        return 0; /* nothing was promised */
    usleep(LATER);
    int found = ask(argv[2], GET, 0, VALUE);
    assert(found == NUMBER || found == -1);
    return 0;
}
