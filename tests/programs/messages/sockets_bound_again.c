/* A server that leaves its port and takes it again, as one that starts anew does.  What was sent to
 * the first socket is gone with it; what comes later is for the second one.
 *
 * Both have the same name to whoever compares events (the port), so that their items must not have
 * the same numbers.
 *
 * run:
 * verdict: complete
 * paths: 26
 * label: nothing
 * label: first
 * label: second
 * label: both */
#include <arpa/inet.h>
#include <assert.h>
#include <heddle.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sockaddr_in here = {.sin_family = AF_INET};

static int open_port(void) {
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    int status = bind(fd, (struct sockaddr *)&here, sizeof here);
    assert(status == 0);
    return fd;
}

/* What is there, if anything is. */
static int look(int fd) {
    char c = 0;
    return recv(fd, &c, 1, MSG_DONTWAIT) == 1 ? c : 0;
}

int main(void) {
    here.sin_port = htons(7000);
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fork() == 0) {
        int out = socket(AF_INET, SOCK_DGRAM, 0);
        sendto(out, "a", 1, 0, (struct sockaddr *)&here, sizeof here);
        sendto(out, "b", 1, 0, (struct sockaddr *)&here, sizeof here);
        _exit(0);
    }
    int fd = open_port(), first = look(fd);
    close(fd);
    fd = open_port();
    int second = look(fd);
    heddle_reach(first && second ? "both" : first ? "first" : second ? "second" : "nothing");
    assert(!first || first != second);
    wait(NULL);
    return 0;
}
