/* Requests and replies over UDP: the client sends a request again if the reply does not come in
 * time. Requests are numbered: the server does not work twice, the client drops late replies.
 *
 * -DBUG: the client does not look at the number of a reply.  If the first reply was only late, the
 * second one, to the repeated request, is taken for the reply to the next request.  That needs a
 * timeout while the reply is on its way.  -DLOSSY: the first request is really lost.
 *
 * run: -- 21110
 * verdict: incomplete
 *
 * run: -DLOSSY -- 21110
 * verdict: incomplete
 *
 * run: --timeouts any -- 21110
 *
 * run: -DBUG -- 21110
 * verdict: incomplete
 *
 * run: -DBUG --timeouts any -- 21110
 * finding: assertion */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REQUESTS = 2, MAX_TRIES = 3 };
enum { STOP = 0 }; /* instead of a number */

struct packet {
    uint32_t number, value;
};

static void serve(int fd) {
    uint32_t last = 0, total = 0;
#ifdef LOSSY
    int n_to_lose = 1;
#else
    int n_to_lose = 0;
#endif
    for (;;) {
        struct packet p;
        struct sockaddr_in from;
        socklen_t size = sizeof from;
        ssize_t n = recvfrom(fd, &p, sizeof p, 0, (struct sockaddr *)&from, &size);
        assert(n == sizeof p);
        if (p.number == STOP)
            return;
        if (n_to_lose-- > 0)
            continue;
        if (p.number > last) {
            last = p.number;
            total += p.value;
        } else if (p.number < last) {
            continue; /* repeated, and answered long ago */
        }
        p.value = total;
        sendto(fd, &p, sizeof p, 0, (struct sockaddr *)&from, size);
    }
}

/* Waits for the reply to request `number`; 0 if it does not come in time. */
static int get_reply(int fd, uint32_t number, struct packet *reply) {
    for (;;) {
        ssize_t n = recv(fd, reply, sizeof *reply, 0);
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return 0;
        assert(n == sizeof *reply);
#ifdef BUG
        (void)number;
        return 1;
#else
        if (reply->number == number)
            return 1;
#endif
    }
}

/* The last try is waited for without a limit. */
static uint32_t request(int fd, uint32_t number, uint32_t value) {
    struct packet p = {number, value}, reply;
    for (int tries = 1; tries <= MAX_TRIES; tries++) {
        struct timeval patience = {0, tries < MAX_TRIES ? 100000 : 0};
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        ssize_t n = send(fd, &p, sizeof p, 0);
        assert(n == sizeof p);
        if (get_reply(fd, number, &reply))
            return reply.value;
    }
    abort();
}

int main(int argc, char **argv) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    int status, server = socket(AF_INET, SOCK_DGRAM, 0), fd = socket(AF_INET, SOCK_DGRAM, 0);
    address.sin_port = htons((uint16_t)(argc > 1 ? atoi(argv[1]) : 21110));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(server, (struct sockaddr *)&address, sizeof address) != 0) {
        perror("bind");
        return 1;
    }
    pid_t pid = fork();
    assert(pid >= 0);
    if (pid == 0) {
        close(fd);
        serve(server);
        exit(0);
    }
    close(server);
    status = connect(fd, (struct sockaddr *)&address, sizeof address);
    assert(status == 0);
    uint32_t sum = 0;
    for (uint32_t i = 1; i <= REQUESTS; i++) {
        sum += 10 * i;
        uint32_t total = request(fd, i, 10 * i);
        assert(total == sum); // BUG assertion
    }
    struct packet stop = {STOP, 0};
    send(fd, &stop, sizeof stop, 0);
    waitpid(pid, &status, 0);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 0;
}
