/* A node that does what its arguments say, for tests/systems.sh: scripted NUMBER WORD...
 *
 *     i     x is an input          m     x = x % 4            c     is x > 100?
 *     sK    send x to node K       r     receive into x, for 5 ms at most
 *     fK    the same, and must not wait: was there room?
 *     R     receive into x         e     is x == y?           y     y = x
 *     zN    sleep N ms             a     assert(x != 77)      t     what time is it?
 *
 *     g     leave the next word out unless x > 100      k     leave it out if x > 100
 *     o     leave it out unless the last decision was yes     u     unless it was no
 *     p     assert that something was received                x     x = 0        w     x = x + 1
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

static int send_to(int node, int flags) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(7000)};
    to.sin_addr.s_addr = htonl(0x0a000001 + (unsigned)node);
    return sendto(sock, &x, 1, flags, (struct sockaddr *)&to, sizeof to) == 1;
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
    case 'o':
        is_left_out = !(status & 1);
        break;
    case 'u':
        is_left_out = status & 1;
        break;
    case 'x':
        x = 0;
        break;
    case 'w':
        x++;
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
        send_to(atoi(word + 1), 0);
        break;
    case 'f':
        decide(send_to(atoi(word + 1), MSG_DONTWAIT));
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
    bind(sock, (struct sockaddr *)&me, sizeof me);
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
