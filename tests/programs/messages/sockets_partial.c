/* Reads of a stream may get less than was sent: who does not count falls over it.
 *
 * run: --partial-io -DCAREFUL
 * verdict: complete
 *
 * run: -DCARELESS
 * verdict: complete
 * paths: 1
 *
 * run: --partial-io -DCARELESS
 * verdict: complete
 * finding: assertion
 *
 * run: -DTWO_PIECES
 * verdict: complete
 * finding: assertion */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void read_all(int s, char *out, size_t n) {
    while (n) {
        ssize_t got = read(s, out, n);
        assert(got > 0);
        out += got;
        n -= (size_t)got;
    }
}

int main(void) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof a;
    char text[4] = "";
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, (struct sockaddr *)&a, sizeof a) == 0 && listen(listener, 1) == 0);
    assert(getsockname(listener, (struct sockaddr *)&a, &n) == 0);
    if (fork() == 0) {
        int s = socket(AF_INET, SOCK_STREAM, 0);
        assert(connect(s, (struct sockaddr *)&a, sizeof a) == 0);
#ifdef TWO_PIECES
        assert(write(s, "ab", 2) == 2 && write(s, "cd", 2) == 2);
#else
        assert(write(s, "abcd", 4) == 4);
#endif
        _exit(0);
    }
    int s = accept(listener, NULL, NULL);
#ifdef CAREFUL
    read_all(s, text, 4);
#else
    (void)read_all;
    assert(read(s, text, 4) > 0);
#endif
    assert(memcmp(text, "abcd", 4) == 0); // BUG assertion
    return 0;
}
