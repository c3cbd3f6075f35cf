/* Two datagrams from one node to another: can the second overtake the first? */
#include "node.h"

int main(int argc, char **argv) {
    int s = open_at(argv[1], SOCK_DGRAM);
    char c[2] = "xy", first = 0;
    (void)argc;
    if (strcmp(argv[1], "sender") == 0) {
        struct addrinfo *a = resolve("receiver", SOCK_DGRAM);
        sendto(s, &c[0], 1, 0, a->ai_addr, a->ai_addrlen);
        sendto(s, &c[1], 1, 0, a->ai_addr, a->ai_addrlen);
        freeaddrinfo(a);
    } else {
        recv(s, &first, 1, 0);
        recv(s, &c[1], 1, 0);
        heddle_reach(first == 'x' ? "in order" : "overtaken");
    }
    close(s);
    return 0;
}
