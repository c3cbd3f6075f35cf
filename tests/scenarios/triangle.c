/* a sends to b, then to c, which sends to b: can the second message be there before the first? */
#include "node.h"

static void say(int s, const char *host, char c) {
    struct addrinfo *a = resolve(host, SOCK_DGRAM);
    sendto(s, &c, 1, 0, a->ai_addr, a->ai_addrlen);
    freeaddrinfo(a);
}

static char hear(int s) {
    char c = 0;
    recv(s, &c, 1, 0);
    return c;
}

int main(int argc, char **argv) {
    int s = open_at(argv[1], SOCK_DGRAM);
    (void)argc;
    if (strcmp(argv[1], "a") == 0) {
        say(s, "b", 'x');
        say(s, "c", 'y');
    } else if (strcmp(argv[1], "c") == 0) {
        hear(s);
        say(s, "b", 'z');
    } else {
        heddle_reach(hear(s) == 'x' ? "in order" : "overtaken");
        hear(s);
    }
    close(s);
    return 0;
}
