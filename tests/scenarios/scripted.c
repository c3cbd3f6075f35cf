/* A node that does what its arguments say, for tests/systems.sh: scripted NUMBER WORD...
 *
 *     i     x is an input          m     x = x % 4            c     is x > 100?
 *     sK    send x to node K       r     receive into x, for 5 ms at most
 *     R     receive into x         e     is x == y?           y     y = x
 *     zN    sleep N ms             a     assert(x != 77)      t     what time is it?
 *
 *     b     send x to all          v     send x to the group of all who hear it
 *     j     hear it no longer, or again
 *
 *     g     leave the next word out unless x > 100      k     leave it out if x > 100
 *     p     assert that something was received
 *
 *     nK    its name is K: it tells the exit status in the end (heddle_reach)
 *     l     it tells what the status is now, and says nothing in the end
 *
 * Every decision changes the exit status. */
#include <arpa/inet.h>
#include <assert.h>
#include <heddle.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int sock;
static unsigned char x, y, status;
static char name;
static int n_received, is_left_out;

static void send_to(int node) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(7000)};
    to.sin_addr.s_addr = htonl(0x0a000001 + (unsigned)node);
    sendto(sock, &x, 1, 0, (struct sockaddr *)&to, sizeof to);
}

static void send_to_all(unsigned ip) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(7000)};
    to.sin_addr.s_addr = htonl(ip);
    sendto(sock, &x, 1, 0, (struct sockaddr *)&to, sizeof to);
}

static void change_group(void) {
    static int is_member;
    struct ip_mreq group = {.imr_multiaddr.s_addr = htonl(0xef000001)};
    int option = is_member ? IP_DROP_MEMBERSHIP : IP_ADD_MEMBERSHIP;
    assert(setsockopt(sock, IPPROTO_IP, option, &group, sizeof group) == 0);
    is_member = !is_member;
}

static void receive(int milliseconds) {
    struct timeval limit = {.tv_usec = milliseconds * 1000};
    setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    int got = recv(sock, &x, 1, 0) == 1;
    n_received += got;
    status = (unsigned char)(status * 2 + got);
}

static void decide(int holds) {
    if (holds)
        status = (unsigned char)(status * 2 + 1);
    else
        status = (unsigned char)(status * 2);
}

static void tell(void) {
    char label[16];
    snprintf(label, sizeof label, "%c: %d", name, status);
    heddle_reach(label);
}

static void act(const char *word) {
    struct timespec now;
    switch (word[0]) {
    case 'i':
        heddle_input(x);
        break;
    case 'm':
        x %= 4;
        break;
    case 'c':
        decide(x > 100);
        break;
    case 'g':
        if (x <= 100)
            is_left_out = 1;
        break;
    case 'k':
        if (x > 100)
            is_left_out = 1;
        break;
    case 'p':
        assert(n_received > 0);
        break;
    case 'e':
        decide(x == y);
        break;
    case 'y':
        y = x;
        break;
    case 's':
        send_to(atoi(word + 1));
        break;
    case 'b':
        send_to_all(INADDR_BROADCAST);
        break;
    case 'v':
        send_to_all(0xef000001);
        break;
    case 'j':
        change_group();
        break;
    case 'r':
        receive(5);
        break;
    case 'R':
        receive(0);
        break;
    case 'z':
        usleep((unsigned)atoi(word + 1) * 1000);
        break;
    case 'n':
        name = word[1];
        break;
    case 'a':
        assert(x != 77);
        break;
    case 'l':
        tell();
        name = 0;
        break;
    default:
        clock_gettime(CLOCK_MONOTONIC, &now);
        decide(now.tv_nsec > 8000000);
        break;
    }
}

int main(int argc, char **argv) {
    struct sockaddr_in me = {.sin_family = AF_INET, .sin_port = htons(7000)};
    sock = socket(AF_INET, SOCK_DGRAM, 0);
    int yes = 1;
    setsockopt(sock, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes);
    bind(sock, (struct sockaddr *)&me, sizeof me);
    change_group();
    for (int i = 1; i < argc; i++)
        if (!is_left_out)
            act(argv[i]);
        else
            is_left_out = 0;
    close(sock);
    if (name)
        tell();
    return status;
}
