/* A server and two clients over TCP: who is accepted first is open.
 *
 * run:
 * verdict: complete
 *
 * run: -DASSUMES_ORDER
 * verdict: complete
 * finding: assertion */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sockaddr_in address;

static void client(int number) {
    char answer;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(s, (struct sockaddr *)&address, sizeof address) == 0);
    assert(write(s, &(char){(char)number}, 1) == 1);
    assert(read(s, &answer, 1) == 1 && answer == number + 10);
    assert(read(s, &answer, 1) == 0);
    close(s);
    _exit(0);
}

int main(void) {
    socklen_t n = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), first = 0;
    address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    assert(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
    assert(listen(listener, 5) == 0);
    assert(getsockname(listener, (struct sockaddr *)&address, &n) == 0);
    for (int i = 1; i <= 2; i++)
        if (fork() == 0) {
            close(listener);
            client(i);
        }
    for (int i = 0; i < 2; i++) {
        char c;
        int s = accept(listener, NULL, NULL);
        assert(s >= 0);
        assert(read(s, &c, 1) == 1 && (c == 1 || c == 2));
        if (!first)
            first = c;
        c += 10;
        assert(write(s, &c, 1) == 1);
        assert(close(s) == 0);
    }
#ifdef ASSUMES_ORDER
    assert(first == 1); // BUG assertion
#endif
    for (int i = 0; i < 2; i++)
        wait(NULL);
    return 0;
}
