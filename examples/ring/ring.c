/* A token goes round a ring of nodes, over UDP: node 0 sends it, the others pass it on, and after
 * three rounds all of them end.  A token that was lost (its receiver was not there yet) is sent
 * again.
 *
 *     heddle run --net examples/ring/ring.yaml
 *
 * The program knows nothing of Heddle.  Three of it run on any machine as well:
 *     ring 127.0.0.3 127.0.0.1 2 & ring 127.0.0.2 127.0.0.3 1 & ring 127.0.0.1 127.0.0.2 0 */
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define PORT     "7000"
#define ROUNDS   3
#define PATIENCE 1000 /* milliseconds before a token counts as lost */
#define TRIES    4

static struct addrinfo *resolve(const char *host) {
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM}, *found;
    int failure = getaddrinfo(host, PORT, &hints, &found);
    if (failure == 0)
        return found;
    fprintf(stderr, "%s: %s\n", host, gai_strerror(failure));
    exit(2);
}

static int open_socket(const char *host) {
    struct addrinfo *own = resolve(host);
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    if (s < 0 || bind(s, own->ai_addr, own->ai_addrlen) != 0) {
        perror(host);
        exit(2);
    }
    freeaddrinfo(own);
    return s;
}

static void pass(int s, const struct addrinfo *next, int round) {
    sendto(s, &round, sizeof round, 0, next->ai_addr, next->ai_addrlen);
}

/* The round of the token that came, 0 if none came in time. */
static int take(int s, int timeout) {
    struct pollfd p = {.fd = s, .events = POLLIN};
    int round = 0;
    if (poll(&p, 1, timeout) == 1 && recv(s, &round, sizeof round, 0) != sizeof round)
        return 0;
    return round;
}

static int lead(int s, const struct addrinfo *next) {
    for (int round = 1; round <= ROUNDS; round++) {
        int tries = 0;
        do {
            if (tries++ == TRIES)
                return 1;
            pass(s, next, round);
        } while (take(s, PATIENCE) != round);
    }
    return 0;
}

static int follow(int s, const struct addrinfo *next) {
    for (int round = 0; round < ROUNDS;) {
        round = take(s, -1);
        pass(s, next, round);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: %s OWN-HOST NEXT-HOST INDEX\n", argv[0]);
        return 2;
    }
    int s = open_socket(argv[1]);
    struct addrinfo *next = resolve(argv[2]);
    int status = atoi(argv[3]) == 0 ? lead(s, next) : follow(s, next);
    freeaddrinfo(next);
    close(s);
    return status;
}
