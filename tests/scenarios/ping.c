/* Questions and answers over UDP, one after the other: "ask HOST" or "answer HOST". */
#include <assert.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>

enum { N = 50 };

static struct addrinfo *find(const char *host, int flags) {
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM, .ai_flags = flags}, *found;
    assert(getaddrinfo(host, "5000", &hints, &found) == 0);
    return found;
}

static void tell(int s, const struct addrinfo *to, int n) {
    assert(sendto(s, &n, sizeof n, 0, to->ai_addr, to->ai_addrlen) == sizeof n);
}

static void hear(int s, int expected) {
    int n;
    assert(recv(s, &n, sizeof n, 0) == sizeof n && n == expected);
}

int main(int argc, char **argv) {
    assert(argc == 3);
    struct addrinfo *me = find(NULL, AI_PASSIVE), *other = find(argv[2], 0);
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    assert(bind(s, me->ai_addr, me->ai_addrlen) == 0);
    for (int i = 0; i < N; i++)
        if (strcmp(argv[1], "ask") == 0) {
            tell(s, other, i);
            hear(s, i);
        } else {
            hear(s, i);
            tell(s, other, i);
        }
    freeaddrinfo(me);
    freeaddrinfo(other);
    return 0;
}
