/* Sends what it reads from standard input to the server; its environment says how often. */
#include "node.h"

static int total; /* not that of the server */

int main(int argc, char **argv) {
    struct addrinfo *a = resolve(argv[1], SOCK_STREAM);
    int s = socket(a->ai_family, SOCK_STREAM, 0);
    const char *times = getenv("TIMES");
    char text[32];
    (void)argc;
    ssize_t n = read(0, text, sizeof text);
    if (!times || n < 0 || connect(s, a->ai_addr, a->ai_addrlen) != 0)
        heddle_assert(!"no server");
    for (int i = 0; i < atoi(times); i++)
        total += (int)write(s, text, (size_t)n);
    heddle_assert(total == atoi(times) * n && read(0, text, sizeof text) == 0);
    freeaddrinfo(a);
    close(s);
    return 0;
}
