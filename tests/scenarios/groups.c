/* groups NUMBER: three nodes in a line, of which the first sends to two groups.  The second has
 * joined both and leaves one when something has come; the third is out of range.  Who hears what
 * becomes a label. */
#include <arpa/inet.h>
#include <assert.h>
#include <heddle.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

enum { PORT = 7000 };

static struct sockaddr_in address(const char *ip) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    inet_pton(AF_INET, ip, &a.sin_addr);
    return a;
}

static void member(int fd, int option, const char *group) {
    struct ip_mreq r = {.imr_multiaddr = address(group).sin_addr};
    int status = setsockopt(fd, IPPROTO_IP, option, &r, sizeof r);
    assert(status == 0);
}

static void send_to(int fd, const char *group, const char *text) {
    struct sockaddr_in to = address(group);
    sendto(fd, text, 1, 0, (struct sockaddr *)&to, sizeof to);
}

/* What comes within 10 ms. */
static void hear(int fd, int me, int nth) {
    struct timeval limit = {.tv_usec = 10000};
    struct sockaddr_in from;
    socklen_t size = sizeof from;
    char c = '-', label[16];
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (recvfrom(fd, &c, 1, 0, (struct sockaddr *)&from, &size) == 1)
        assert(from.sin_addr.s_addr == htonl(0x0a000001));
    snprintf(label, sizeof label, "%d.%d%c", me, nth, c);
    heddle_reach(label);
}

int main(int argc, char **argv) {
    int me = argc > 1 ? atoi(argv[1]) : 0, fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in here = address("0.0.0.0");
    member(fd, IP_ADD_MEMBERSHIP, "239.0.0.1");
    bind(fd, (struct sockaddr *)&here, sizeof here);
    member(fd, IP_ADD_MEMBERSHIP, "239.0.0.2");
    if (me == 0) {
        send_to(fd, "239.0.0.1", "a");
        send_to(fd, "239.0.0.2", "b");
    }
    hear(fd, me, 1);
    member(fd, IP_DROP_MEMBERSHIP, "239.0.0.1");
    hear(fd, me, 2);
    return 0;
}
