/* What a process changes of a file that it shares, beside the use of it by another: where the two are not ordered the run says so, at both of
 * them.
 *
 * run: --strategy dfs
 * verdict: incomplete
 * reason: O_NONBLOCK, connect or shutdown of a file that processes share is not ordered
 * reason-at: all
 *
 * run: -DALONE
 * verdict: complete
 * no-reason: is not ordered */
#define _GNU_SOURCE
#include <fcntl.h>
#include <heddle.h>
#include <mqueue.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int counter, pair[2], listener, client;
static mqd_t queue;
static struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "unordered"};
#define NAME (struct sockaddr *)&name, sizeof name

static void prepare(void) {
    struct mq_attr few = {.mq_maxmsg = 2, .mq_msgsize = 8};
    counter = eventfd(1, 0);
    queue = mq_open("/unordered", O_RDWR | O_CREAT, 0600, &few);
    mq_send(queue, "a", 1, 0);
    socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
    send(pair[1], "a", 1, 0);
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    bind(listener, NAME);
    listen(listener, 2);
    int waiting = socket(AF_UNIX, SOCK_STREAM, 0);
    connect(waiting, NAME);
    client = socket(AF_UNIX, SOCK_STREAM, 0);
}

static void use(int way) {
    char b[8];
    eventfd_t v;
    struct sockaddr_un peer;
    socklen_t n = sizeof peer;
    switch (way) {
    case 0: eventfd_read(counter, &v); break; // LOSS
    case 1: eventfd_write(counter, 2); break; // LOSS
    case 2: mq_send(queue, "b", 1, 0); break; // LOSS
    case 3: mq_receive(queue, b, 8, NULL); break; // LOSS
    case 4: accept(listener, NULL, NULL); break; // LOSS
    case 5: getpeername(client, (struct sockaddr *)&peer, &n); break; // LOSS
    case 6: shutdown(client, SHUT_RD); break; // LOSS
    case 7: recv(pair[0], b, 1, 0); break; // LOSS
    case 8: recv(pair[0], b, 1, MSG_PEEK); break; // LOSS
    }
}

static void change(int way) {
    struct timeval soon = {1, 0};
    switch (way) {
    case 0: case 1: fcntl(counter, F_SETFL, O_NONBLOCK); break; // LOSS
    case 2: case 3: fcntl(queue, F_SETFL, O_RDWR | O_NONBLOCK); break; // LOSS
    case 4: fcntl(listener, F_SETFL, O_NONBLOCK); break; // LOSS
    case 5: case 6: connect(client, NAME); break; // LOSS
    case 7: setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon); break; // LOSS
    case 8: shutdown(pair[0], SHUT_RD); break; // LOSS
    }
}

static void in_child(int way) {
    if (fork() == 0) {
        change(way);
        _exit(0);
    }
    wait(NULL);
}

int main(void) {
    int way = (int)heddle_choose(0, 8), changes_first = (int)heddle_choose(0, 1);
    prepare();
    for (int i = 0; i < 9; i++) { /* a path of its own for each */
        if (way != i)
            continue;
#ifdef ALONE
        use(i);
        change(i);
#else
        if (changes_first)
            in_child(i);
        use(i);
        if (!changes_first)
            in_child(i);
#endif
    }
    return 0;
}
