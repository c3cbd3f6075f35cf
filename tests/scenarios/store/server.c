/* A server of a replicated store of one number.
 *
 *     server primary BACKUP     answers clients, and sends what they store to the backup
 *     server backup             keeps it, and answers clients that ask there
 *
 * A client that was told "stored" must find its number again, also if the primary has crashed since
 * then.  So the primary must not say so before the backup has the number, and it must ask the backup
 * again if no answer comes.
 *
 * -DEARLY: it answers the client first.  Then it may crash in between, or what it sent is lost, and
 * the backup has an old number. */
#include "store.h"

enum { PATIENCE = 100, TRIES = 2 };

static int fd, value;

static int replicate(const struct sockaddr_in *backup) {
    struct message request = {REPLICATE, value}, answer;
    struct sockaddr_in from;
    for (int i = 0; i < TRIES; i++) {
        udp_send(fd, backup, &request, sizeof request);
        if (udp_receive(fd, &from, &answer, sizeof answer, PATIENCE) && answer.kind == REPLICATED)
            return 1;
    }
    return 0; /* it is better to say nothing than to promise too much */
}

static void put(const struct sockaddr_in *client, const struct sockaddr_in *backup, int new_value) {
    struct message done = {STORED, new_value};
    value = new_value;
#ifdef EARLY
    udp_send(fd, client, &done, sizeof done);
    replicate(backup);
#else
    if (replicate(backup))
        udp_send(fd, client, &done, sizeof done);
#endif
}

static void answer(const struct sockaddr_in *from, enum kind kind) {
    struct message m = {kind, value};
    udp_send(fd, from, &m, sizeof m);
}

int main(int argc, char **argv) {
    struct message m;
    struct sockaddr_in from, backup = {0};
    int is_primary = argc > 2 && strcmp(argv[1], "primary") == 0;
    fd = udp_open(PORT);
    if (is_primary)
        backup = udp_address(argv[2], PORT);
    while (udp_receive(fd, &from, &m, sizeof m, -1)) {
        if (m.kind == PUT && is_primary)
            put(&from, &backup, m.value);
        else if (m.kind == REPLICATE)
            value = m.value, answer(&from, REPLICATED);
        else if (m.kind == GET)
            answer(&from, VALUE);
    }
    return 0;
}
