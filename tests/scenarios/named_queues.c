/* Queues of every kind, as a trace names them (tests/nodes.sh). */
#include <arpa/inet.h>
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int p[2], s[2];
    char b[8];
    struct mq_attr few = {.mq_maxmsg = 2, .mq_msgsize = 8};
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(7000)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    pipe(p);
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    mqd_t q = mq_open("/names", O_RDWR | O_CREAT, 0600, &few);
    int l = socket(AF_INET, SOCK_STREAM, 0);
    bind(l, (struct sockaddr *)&at, sizeof at);
    listen(l, 1);
    if (fork() == 0) {
        int c = socket(AF_INET, SOCK_STREAM, 0);
        write(p[1], "a", 1);
        write(s[1], "a", 1);
        read(s[1], b, 1);
        mq_send(q, "a", 1, 0);
        connect(c, (struct sockaddr *)&at, sizeof at);
        write(c, "ab", 2);
        read(c, b, 1);
        _exit(0);
    }
    read(p[0], b, 1);
    read(s[0], b, 1);
    write(s[0], "b", 1);
    mq_receive(q, b, 8, NULL);
    int a = accept(l, NULL, NULL);
    read(a, b, 2);
    write(a, "c", 1);
    assert(b[0] != 'a');
    return 0;
}
