/* A transfer with a sliding window (go-back-N) over UDP.
 *
 *     transfer send RECEIVER      sends the numbers 100, 101, ...; goes back to the first that was
 *                                 not confirmed if nothing comes for a while
 *     transfer receive            confirms what it has so far
 *
 * Packets have a sequence number modulo SEQUENCES.  With a window of W packets on a link that keeps
 * the order W + 1 sequence numbers are enough.  If a packet may be overtaken they are not: an old one
 * that comes late has the number of a new one, and is taken for that.
 *
 * -DSEQUENCES=3 (default) is enough for WINDOW = 2 as long as nothing is overtaken.  -DSEQUENCES=8 is
 * enough for all that is sent here. */
#include "../udp.h"

#include <assert.h>

#ifndef SEQUENCES
#define SEQUENCES 3
#endif
enum { PORT = 7400, WINDOW = 2, PACKETS = 4, FIRST = 100, PATIENCE = 100, LAST_PATIENCE = 1000, ROUNDS = 6 };

struct packet {
    int32_t sequence, value;
};
struct confirmation {
    int32_t next; /* the sequence number that is expected */
};

static int fd;

/* ---- sending ---- */

static void send_window(const struct sockaddr_in *to, int first, int end) {
    for (int i = first; i < end; i++) {
        struct packet p = {i % SEQUENCES, FIRST + i};
        udp_send(fd, to, &p, sizeof p);
    }
}

/* How many packets of those from `base` on a confirmation is about. */
static int confirmed(int base, int next) {
    int n = (next - base % SEQUENCES + SEQUENCES) % SEQUENCES;
    return n <= WINDOW ? n : 0;
}

static void send_all(const char *receiver) {
    struct sockaddr_in to = udp_address(receiver, PORT), from;
    struct confirmation c;
    int base = 0, sent = 0;
    for (int round = 0; base < PACKETS && round < ROUNDS; round++) {
        int end = base + WINDOW < PACKETS ? base + WINDOW : PACKETS;
        send_window(&to, sent, end);
        sent = end;
        if (udp_receive(fd, &from, &c, sizeof c, PATIENCE))
            base += confirmed(base, c.next);
        else
            sent = base; /* again */
    }
}

/* ---- receiving ---- */

static void receive_all(void) {
    struct sockaddr_in from;
    struct packet p;
    int n = 0;
    while (udp_receive(fd, &from, &p, sizeof p, LAST_PATIENCE)) {
        if (n < PACKETS && p.sequence == n % SEQUENCES) {
            assert(p.value == FIRST + n);
            n++;
        }
        struct confirmation c = {n % SEQUENCES};
        udp_send(fd, &from, &c, sizeof c);
    }
}

int main(int argc, char **argv) {
    fd = udp_open(PORT);
    if (argc > 2 && strcmp(argv[1], "send") == 0)
        send_all(argv[2]);
    else
        receive_all();
    return 0;
}
