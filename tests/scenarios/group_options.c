/* group_options NUMBER: the first of two nodes sends to a group that both have joined.  LOOP: does it hear itself?  TTL: does what it sends leave its host?
 * Who hears it becomes a label (tests/nodes.sh). */
#include <arpa/inet.h>
#include <heddle.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>

int main(int argc, char **argv) {
    int me = argc > 1 ? atoi(argv[1]) : 0, fd = socket(AF_INET, SOCK_DGRAM, 0), loop = LOOP, ttl = TTL;
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(7000)};
    struct ip_mreq r = {.imr_multiaddr.s_addr = inet_addr("239.0.0.1")};
    struct timeval limit = {.tv_sec = 10};
    char c;
    setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &r, sizeof r);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    bind(fd, (struct sockaddr *)&a, sizeof a);
    a.sin_addr = r.imr_multiaddr;
    if (me == 0) {
        setsockopt(fd, IPPROTO_IP, IP_MULTICAST_LOOP, &loop, sizeof loop);
        setsockopt(fd, IPPROTO_IP, IP_MULTICAST_TTL, &ttl, sizeof ttl);
        sendto(fd, "a", 1, 0, (struct sockaddr *)&a, sizeof a);
    }
    int heard = recv(fd, &c, 1, 0) == 1;
    heddle_reach(me ? (heard ? "1 hears" : "1 does not") : (heard ? "0 hears" : "0 does not"));
    return 0;
}
