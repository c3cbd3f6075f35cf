/* What is not modelled ends the execution with one sentence, and nothing reaches the real network.
 *
 * run: -DOUTSIDE_TCP
 * verdict: incomplete
 * reason: connect to 192.0.2.7:9, which is outside the scenario
 *
 * run: -DOUTSIDE_UDP
 * verdict: incomplete
 * reason: message to 192.0.2.7:9, which is outside the scenario
 *
 * run: -DOPTION
 * verdict: incomplete
 * reason: setsockopt of IP_ADD_SOURCE_MEMBERSHIP, which is not modelled
 *
 * run: -DFAMILY
 * verdict: incomplete
 * reason: socket of address family 5, which is not modelled
 *
 * run: -DURGENT
 * verdict: incomplete
 * reason: MSG_OOB, which is not modelled */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <sys/socket.h>

int main(void) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(9)};
    int s = socket(AF_INET, SOCK_STREAM, 0), u = socket(AF_INET, SOCK_DGRAM, 0), pair[2];
    a.sin_addr.s_addr = inet_addr("192.0.2.7");
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
#if defined OUTSIDE_TCP
    connect(s, (struct sockaddr *)&a, sizeof a);
#elif defined OUTSIDE_UDP
    sendto(u, "x", 1, 0, (struct sockaddr *)&a, sizeof a);
#elif defined OPTION
    setsockopt(u, IPPROTO_IP, IP_ADD_SOURCE_MEMBERSHIP, &(struct ip_mreq_source){0},
               sizeof(struct ip_mreq_source));
#elif defined FAMILY
    socket(AF_APPLETALK, SOCK_DGRAM, 0);
#else
    send(pair[0], "x", 1, MSG_OOB);
#endif
    (void)s, (void)u;
    assert(0); /* never reached */
}
