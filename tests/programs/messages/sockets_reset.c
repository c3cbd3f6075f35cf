/* A peer that closes its connection: the first thing that is sent afterwards is answered with a
 * reset, the second kills whoever does not expect it.
 *
 * run:
 * verdict: complete
 * finding: signal
 *
 * run: -DCAREFUL
 * verdict: complete
 * paths: 5 */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef CAREFUL
#define FLAGS MSG_NOSIGNAL
#else
#define FLAGS 0
#endif

int main(void) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof a;
    char c = 'x';
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, (struct sockaddr *)&a, sizeof a) == 0 && listen(listener, 1) == 0);
    assert(getsockname(listener, (struct sockaddr *)&a, &n) == 0);
    if (fork() == 0) {
        int s = socket(AF_INET, SOCK_STREAM, 0);
        assert(connect(s, (struct sockaddr *)&a, sizeof a) == 0);
        assert(read(s, &c, 1) == 1);
        _exit(0);
    }
    int s = accept(listener, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        ssize_t sent = send(s, &c, 1, FLAGS); // BUG signal
        assert(sent == 1 || (sent == -1 && (errno == EPIPE || errno == ECONNRESET) && i > 0));
        if (sent < 0)
            break;
    }
    wait(NULL);
    return 0;
}
