/* What the nodes of these scenarios have in common: sockets at port 7000 of a node's name. */
#include <heddle.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct addrinfo *resolve(const char *host, int type) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = type}, *found;
    if (getaddrinfo(host, "7000", &hints, &found) != 0)
        exit(2);
    return found;
}

static int open_at(const char *host, int type) {
    struct addrinfo *a = resolve(host, type);
    int s = socket(a->ai_family, type, 0);
    if (s < 0 || bind(s, a->ai_addr, a->ai_addrlen) != 0)
        exit(2);
    freeaddrinfo(a);
    return s;
}
