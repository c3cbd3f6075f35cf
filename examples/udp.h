/* udp.h -- datagrams between nodes that know each other by name. */
#ifndef UDP_H
#define UDP_H
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int udp_open(uint16_t port) {
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(port)};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&any, sizeof any) != 0)
        fail("bind");
    return fd;
}

static struct sockaddr_in udp_address(const char *host, uint16_t port) {
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM}, *found;
    struct sockaddr_in address;
    if (getaddrinfo(host, NULL, &hints, &found) != 0)
        fail(host);
    memcpy(&address, found->ai_addr, sizeof address);
    address.sin_port = htons(port);
    freeaddrinfo(found);
    return address;
}

static void udp_send(int fd, const struct sockaddr_in *to, const void *message, size_t n) {
    if (sendto(fd, message, n, 0, (const struct sockaddr *)to, sizeof *to) != (ssize_t)n)
        fail("sendto");
}

/* Waits so long, or for ever if that is negative; 0 if nothing came. */
static int udp_receive(int fd, struct sockaddr_in *from, void *message, size_t n, int milliseconds) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    socklen_t length = sizeof *from;
    if (milliseconds >= 0 && poll(&p, 1, milliseconds) == 0)
        return 0;
    return recvfrom(fd, message, n, 0, (struct sockaddr *)from, &length) == (ssize_t)n;
}
#endif
