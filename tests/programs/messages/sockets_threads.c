/* Two threads talk over a pair of sockets, and over TCP on the loopback, in one process.
 *
 * run: -DPAIR
 * verdict: complete
 *
 * run: -DTCP
 * verdict: complete */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *echo(void *unused) {
    char text[8];
    ssize_t n = recv(ends[1], text, sizeof text, 0);
    assert(n == 5);
    for (int i = 0; i < n; i++)
        text[i] ^= 1;
    assert(send(ends[1], text, (size_t)n, 0) == n);
    return unused;
}

static void make_tcp(void) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof a;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(listener >= 0);
    assert(bind(listener, (struct sockaddr *)&a, sizeof a) == 0);
    assert(listen(listener, 5) == 0);
    assert(getsockname(listener, (struct sockaddr *)&a, &n) == 0 && n == sizeof a);
    assert(a.sin_port != 0);
    ends[0] = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
    assert(connect(ends[0], (struct sockaddr *)&a, sizeof a) == 0);
    ends[1] = accept(listener, NULL, NULL);
    assert(ends[1] > ends[0]);
    close(listener);
}

int main(void) {
    pthread_t thread;
    char text[8] = "";
#ifdef PAIR
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
#else
    make_tcp();
#endif
    pthread_create(&thread, NULL, echo, NULL);
    assert(send(ends[0], "abcd", 5, 0) == 5);
    assert(recv(ends[0], text, 5, MSG_WAITALL) == 5);
    assert(text[0] == 'a' + 1 - 2 && text[1] == 'b' + 1);
    pthread_join(thread, NULL);
    close(ends[1]);
    assert(recv(ends[0], text, sizeof text, 0) == 0);
    close(ends[0]);
    return 0;
}
