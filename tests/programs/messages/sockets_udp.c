/* Datagrams of two senders arrive in any order, and are lost if nobody has bound yet.
 *
 * run: -DORDER
 * verdict: complete
 * finding: assertion
 *
 * run: -DFIFO
 * verdict: complete
 * paths: 6
 *
 * run: -DLOST
 * verdict: complete
 * finding: deadlock */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sockaddr_in address = {.sin_family = AF_INET};

static void sender(int number) {
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    for (int i = 0; i < 2; i++) {
        char c = (char)(10 * number + i);
        assert(sendto(s, &c, 1, 0, (struct sockaddr *)&address, sizeof address) == 1);
    }
    _exit(0);
}

static int take(int s) {
    char c;
    assert(recv(s, &c, 1, 0) == 1); // BUG deadlock
    return c;
}

int main(void) {
    int s = socket(AF_INET, SOCK_DGRAM, 0), last[3] = {-1, -1, -1};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(17171);
#ifdef LOST
    if (fork() == 0)
        sender(1);
    assert(bind(s, (struct sockaddr *)&address, sizeof address) == 0);
    take(s);
    return 0;
#endif
    assert(bind(s, (struct sockaddr *)&address, sizeof address) == 0);
    for (int i = 1; i <= 2; i++)
        if (fork() == 0)
            sender(i);
    for (int i = 0; i < 4; i++) {
        int c = take(s);
#ifdef ORDER
        assert(i || c == 10); // BUG assertion
#endif
        assert(c % 10 == last[c / 10] + 1); /* of one sender they keep their order */
        last[c / 10]++;
    }
    return 0;
}
