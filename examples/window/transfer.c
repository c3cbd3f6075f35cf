/* A transfer with a sliding window and selective repeat over UDP.
 *
 *     transfer send RECEIVER TEXT      sends the text, a few bytes in a packet
 *     transfer receive TEXT            puts it together again, and compares it with what it should be
 *
 * The sender has up to WINDOW packets under way.  Each is confirmed by itself, and sent again if that does
 * not happen in time.  The receiver keeps packets that came early until those before them are there;
 * what is in order is written.  The last packet says that it is the last.
 *
 * Packets have a sequence number modulo SEQUENCES.  A receiver that has moved on cannot tell a packet
 * that is sent again, because its confirmation was lost, from a new one with the same number: there
 * must be twice as many sequence numbers as a window has packets, so that the window of the
 * receiver and that of the sender never share a number for two packets.
 *
 * -DSEQUENCES=3 (default) is one more than WINDOW = 2, which is enough for go-back-N, and too few here.
 * -DSEQUENCES=4 is right on links that keep the order. */
#include "../clock.h"
#include "../udp.h"

#include <assert.h>
#include <stddef.h>
#include <unistd.h>

#ifndef SEQUENCES
#define SEQUENCES 3
#endif

enum {
    PORT = 7400,
    WINDOW = 2,
    PIECE = 4,      /* bytes of a packet */
    MOST = 8,       /* packets of a transfer */
    PATIENCE = 100, /* milliseconds until a packet is sent again */
    TRIES = 4,      /* how often, until the other side counts as gone */
    QUIET = 1000,   /* without a packet, until the receiver gives up */
};

enum kind { DATA = 1, CONFIRM };

struct packet {
    uint8_t kind, sequence, n, is_last;
    char bytes[PIECE];
    uint32_t sum; /* of all that is before it */
};

static int fd;

/* ---- packets ---- */

/* Adler's: two sums, so that the order of bytes counts. */
static uint32_t sum_of(const struct packet *p) {
    const uint8_t *at = (const uint8_t *)p;
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < offsetof(struct packet, sum); i++) {
        a = (a + at[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static void put(const struct sockaddr_in *to, struct packet *p) {
    p->sum = sum_of(p);
    udp_send(fd, to, p, sizeof *p);
}

/* Waits until `deadline` for a packet of this kind that is whole. */
static int get(struct sockaddr_in *from, struct packet *p, enum kind kind, int64_t deadline) {
    while (udp_receive(fd, from, p, sizeof *p, left_until(deadline)))
        if (p->sum == sum_of(p) && p->kind == kind && p->n <= PIECE && p->sequence < SEQUENCES)
            return 1;
    return 0;
}

/* ---- sending ---- */

struct slot {
    int is_confirmed, n_tries;
    int64_t deadline;
};

static struct slot slot[MOST];
static const char *text;
static int n_packets, base; /* the first packet that is not confirmed */

static void send_packet(const struct sockaddr_in *to, int i) {
    size_t length = strlen(text), begin = (size_t)i * PIECE, left = length - begin;
    struct packet p = {.kind = DATA, .sequence = (uint8_t)(i % SEQUENCES)};
    p.n = (uint8_t)(left < PIECE ? left : PIECE);
    p.is_last = i == n_packets - 1;
    memcpy(p.bytes, text + begin, p.n);
    slot[i].n_tries++;
    slot[i].deadline = now() + PATIENCE;
    put(to, &p);
}

static int end_of_window(void) {
    return base + WINDOW < n_packets ? base + WINDOW : n_packets;
}

/* What is new in the window, and what was not confirmed in time.  False if the receiver is gone. */
static int send_due(const struct sockaddr_in *to) {
    for (int i = base; i < end_of_window(); i++) {
        if (slot[i].is_confirmed || (slot[i].n_tries && slot[i].deadline > now()))
            continue;
        if (slot[i].n_tries == TRIES)
            return 0;
        send_packet(to, i);
    }
    return 1;
}

static int64_t next_deadline(void) {
    int64_t first = INT64_MAX;
    for (int i = base; i < end_of_window(); i++)
        if (!slot[i].is_confirmed && slot[i].deadline < first)
            first = slot[i].deadline;
    return first;
}

/* The packet of the window that has this number. */
static void confirm(int sequence) {
    for (int i = base; i < end_of_window(); i++)
        if (i % SEQUENCES == sequence && slot[i].n_tries)
            slot[i].is_confirmed = 1;
    while (base < n_packets && slot[base].is_confirmed)
        base++;
}

static int send_all(const char *receiver) {
    struct sockaddr_in to = udp_address(receiver, PORT), from;
    struct packet p;
    n_packets = (int)((strlen(text) + PIECE - 1) / PIECE);
    if (n_packets < 1 || n_packets > MOST)
        return 2;
    while (base < n_packets && send_due(&to))
        if (get(&from, &p, CONFIRM, next_deadline()))
            confirm(p.sequence);
    return base < n_packets; /* some of it may not be there */
}

/* ---- receiving ---- */

struct piece {
    int is_there, n, is_last;
    char bytes[PIECE];
};

static struct piece early[WINDOW]; /* by packet modulo WINDOW */
static char received[MOST * PIECE + PIECE];
static int n_received, n_bytes, is_whole;

/* The packet of the receiver's window that has this number; -1 if it is one that was there. */
static int number_of(int sequence) {
    for (int i = n_received; i < n_received + WINDOW; i++)
        if (i % SEQUENCES == sequence)
            return i;
    return -1;
}

static void take_in_order(void) {
    for (struct piece *p; (p = &early[n_received % WINDOW])->is_there && !is_whole; n_received++) {
        memcpy(received + n_bytes, p->bytes, (size_t)p->n);
        n_bytes += p->n;
        is_whole = p->is_last;
        p->is_there = 0;
        /* What is written is what was sent, up to here. */
        assert(n_bytes <= (int)strlen(text) && memcmp(received, text, (size_t)n_bytes) == 0);
    }
}

static void keep(const struct packet *p) {
    int i = number_of(p->sequence);
    if (i < 0 || i >= MOST || is_whole)
        return;
    struct piece *place = &early[i % WINDOW];
    *place = (struct piece){1, p->n, p->is_last, {0}};
    memcpy(place->bytes, p->bytes, p->n);
    take_in_order();
}

static int receive_all(void) {
    struct sockaddr_in from;
    struct packet p;
    while (get(&from, &p, DATA, now() + QUIET)) {
        struct packet answer = {.kind = CONFIRM, .sequence = p.sequence};
        keep(&p);
        put(&from, &answer); /* once more, if the last answer was lost */
    }
    return !is_whole;
}

int main(int argc, char **argv) {
    fd = udp_open(PORT);
    if (argc > 3 && strcmp(argv[1], "send") == 0) {
        text = argv[3];
        send_all(argv[2]);
    } else if (argc > 2 && strcmp(argv[1], "receive") == 0) {
        text = argv[2];
        receive_all();
    }
    close(fd);
    return 0;
}
