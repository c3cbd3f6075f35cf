/* Data collection over many hops, as in paper 004, section IV: the last node of a grid sends a
 * packet every second to the first one.  Every transmission is a broadcast, which all neighbours
 * hear; the one that is next on the route sends it on, the others count it and do nothing.
 *
 * -DFLOOD: everybody who hears a packet for the first time sends it on, to all.
 *
 *     grid INDEX COUNT HOP       HOP: name of the next node towards the sink ("node12") */
#include <arpa/inet.h>
#include <assert.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PORT    7000
#define PACKETS 10
#define SECOND  1000
#define END     ((PACKETS + 1) * SECOND) /* milliseconds */

struct packet {
    uint32_t number; /* from 1 */
    uint32_t sender, next;
};

static uint32_t self, next_hop;
static int descriptor;
static unsigned n_heard, n_forwarded, n_delivered;
static uint32_t last_delivered;

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * SECOND + t.tv_nsec / 1000000;
}

static void transmit(uint32_t number) {
    struct packet p = {number, self, next_hop};
    struct sockaddr_in all = {
        .sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(INADDR_BROADCAST)};
    if (sendto(descriptor, &p, sizeof p, 0, (struct sockaddr *)&all, sizeof all) != sizeof p)
        perror("sendto");
}

static void hear(const struct packet *p) {
    if (p->sender == self) /* one's own */
        return;
    n_heard++;
#ifdef FLOOD
    if (p->number <= last_delivered)
        return;
    last_delivered = p->number;
    transmit(p->number);
    return;
#endif
    if (p->next != self)
        return;
    if (next_hop == self) {
        assert(p->number > last_delivered); /* once each, and in order */
        last_delivered = p->number;
        n_delivered++;
        return;
    }
    n_forwarded++;
    transmit(p->number);
}

static void open_socket(void) {
    int yes = 1;
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    descriptor = socket(AF_INET, SOCK_DGRAM, 0);
    if (descriptor < 0 || setsockopt(descriptor, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes) != 0 ||
        bind(descriptor, (struct sockaddr *)&here, sizeof here) != 0) {
        perror("socket");
        exit(1);
    }
}

/* Until `end`, whatever arrives is heard. */
static void listen_until(int64_t end) {
    for (int64_t left; (left = end - now()) > 0;) {
        struct pollfd p = {.fd = descriptor, .events = POLLIN};
        struct packet packet;
        if (poll(&p, 1, (int)left) == 1 &&
            recv(descriptor, &packet, sizeof packet, 0) == sizeof packet)
            hear(&packet);
    }
}

int main(int argc, char **argv) {
    if (argc < 4)
        return 1;
    self = (uint32_t)atoi(argv[1]);
    next_hop = (uint32_t)atoi(argv[3] + strcspn(argv[3], "0123456789"));
    int64_t start = now();
    open_socket();
    for (uint32_t i = 1; self == (uint32_t)atoi(argv[2]) - 1 && i <= PACKETS; i++) {
        listen_until(start + i * SECOND);
        transmit(i);
    }
    listen_until(start + END);
    assert(n_delivered <= PACKETS && n_forwarded <= n_heard);
    close(descriptor);
    return 0;
}
