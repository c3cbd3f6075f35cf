/* range NAME LAST: the first node of a line broadcasts, and asks the last one for a connection.  Who
 * hears what is said by exit statuses of assertions. */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PORT 7000

static struct sockaddr_in address_of(const char *name) {
    struct addrinfo hints = {.ai_family = AF_INET}, *found;
    assert(getaddrinfo(name, "7000", &hints, &found) == 0);
    struct sockaddr_in a = *(struct sockaddr_in *)found->ai_addr;
    freeaddrinfo(found);
    return a;
}

static int heard(int fd) {
    char text[8];
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int n = 0;
    while (poll(&p, 1, 1000) == 1 && recv(fd, text, sizeof text, 0) == 5) {
        assert(memcmp(text, "hello", 5) == 0);
        n++;
    }
    return n;
}

static void shout(int fd) {
    struct sockaddr_in all = {.sin_family = AF_INET,
                              .sin_port = htons(PORT),
                              .sin_addr.s_addr = htonl(INADDR_BROADCAST)};
    int yes = 1;
    assert(sendto(fd, "hello", 5, 0, (struct sockaddr *)&all, sizeof all) == -1 && errno == EACCES);
    assert(setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes) == 0);
    assert(sendto(fd, "hello", 5, 0, (struct sockaddr *)&all, sizeof all) == 5);
}

/* The last one is out of range: a datagram is lost, a connection has no route. */
static void try_far(const char *last) {
    struct sockaddr_in far = address_of(last);
    int fd = socket(AF_INET, SOCK_DGRAM, 0), stream = socket(AF_INET, SOCK_STREAM, 0);
    assert(sendto(fd, "hello", 5, 0, (struct sockaddr *)&far, sizeof far) == 5);
    assert(connect(stream, (struct sockaddr *)&far, sizeof far) == -1 && errno == EHOSTUNREACH);
    close(fd);
    close(stream);
}

int main(int argc, char **argv) {
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    assert(argc == 3 && bind(fd, (struct sockaddr *)&here, sizeof here) == 0);
    if (strcmp(argv[1], "node0") == 0) {
        shout(fd);
        try_far(argv[2]);
    }
    int n = heard(fd);
    /* Its own is heard too, as Linux does it; beyond the neighbour nobody hears anything. */
    assert(n == 0 || strcmp(argv[1], "node0") == 0 || strcmp(argv[1], "node1") == 0);
    assert(n <= 1);
    close(fd);
    return 0;
}
