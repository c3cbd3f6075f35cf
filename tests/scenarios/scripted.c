/* A node that does what its arguments say, for tests/systems.sh: scripted NUMBER WORD...
 *
 *     i     x is an input          m     x = x % 4            c     is x > 100?
 *     sK    send x to node K       r     receive into x, for 5 ms at most
 *     fK    the same, and must not wait: was there room?
 *     R     receive into x         e     is x == y?           y     y = x
 *     zN    sleep N ms             a     assert(x != 77)      t     what time is it?
 *
 *     b     send x to all          v     send x to the group of all who hear it
 *     j     hear it no longer, or again
 *     Streams, over one connection that it has, or else the first that it accepts, for 5 ms at
 * most: CK    connect to node K      B     the same, and go on meanwhile (poll) A     accept
 * another one     S     write x      G     read into x      D     drain it: read all that there is
 *     F     write x, and must not wait: was there room?
 *     W     write no more          X     close it     L     close the listener      T     wait for
 * ever
 *
 *     g     leave the next word out unless x > 100      k     leave it out if x > 100
 *     o     leave it out unless the last decision was yes     u     unless it was no
 *     p     assert that something was received                x     x = 0        w     x = x + 1
 *
 *     q     add x to a file, and x is the first byte of it: how many are there?
 *
 *     hK    a thread sleeps 1 ms and sends x + 1 to node K, twice if x > 100      H     join all threads
 *     PK    a process that it forks sends x + 2 to node K: was x > 100? its exit status says
 *
 *     nK    its name is K: it tells the exit status in the end (heddle_reach)
 *     l     it tells what the status is now, and says nothing in the end
 *
 * Every decision changes the exit status. */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int sock;
static unsigned char x, y, status;
static char name;
static int n_received, is_left_out;

static int send_byte(int node, const unsigned char *byte, int flags) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(7000)};
    to.sin_addr.s_addr = htonl(0x0a000001 + (unsigned)node);
    return sendto(sock, byte, 1, flags, (struct sockaddr *)&to, sizeof to) == 1;
}

static int send_to(int node, int flags) {
    return send_byte(node, &x, flags);
}

static void send_to_all(unsigned ip) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(7000)};
    to.sin_addr.s_addr = htonl(ip);
    sendto(sock, &x, 1, 0, (struct sockaddr *)&to, sizeof to);
}

/* What a node wrote before it was started again is there, or is not. */
static int remember(void) {
    unsigned char all[16];
    int file = open("scripted.kept", O_RDWR | O_CREAT | O_APPEND, 0600);
    if (file < 0 || write(file, &x, 1) != 1)
        return 0;
    long n = pread(file, all, sizeof all, 0);
    x = all[0];
    close(file);
    return (int)n;
}

static void change_group(void) {
    static int is_member;
    struct ip_mreq group = {.imr_multiaddr.s_addr = htonl(0xef000001)};
    int option = is_member ? IP_DROP_MEMBERSHIP : IP_ADD_MEMBERSHIP;
    assert(setsockopt(sock, IPPROTO_IP, option, &group, sizeof group) == 0);
    is_member = !is_member;
}

static void receive(int milliseconds) {
    struct timeval limit = {.tv_usec = milliseconds * 1000};
    setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    int got = recv(sock, &x, 1, 0) == 1;
    n_received += got;
    status = (unsigned char)(status * 2 + got);
}

static void decide(int holds) {
    if (holds)
        status = (unsigned char)(status * 2 + 1);
    else
        status = (unsigned char)(status * 2);
}

/* ---- threads and processes ---- */

static struct task {
    pthread_t thread;
    int node;
    unsigned char value;
} tasks[8];
static int n_tasks, n_joined;

static void *send_later(void *argument) {
    const struct task *t = argument;
    unsigned char next = (unsigned char)(t->value + 1);
    usleep(1000);
    send_byte(t->node, &next, 0);
    if (t->value > 100)
        send_byte(t->node, &next, 0);
    return NULL;
}

static void start_thread(int node) {
    struct task *t = &tasks[n_tasks++];
    *t = (struct task){.node = node, .value = x};
    pthread_create(&t->thread, NULL, send_later, t);
}

static void join_threads(void) {
    for (; n_joined < n_tasks; n_joined++)
        pthread_join(tasks[n_joined].thread, NULL);
}

static void start_process(int node) {
    unsigned char next = (unsigned char)(x + 2);
    int end = 0;
    pid_t child = fork();
    if (child == 0) {
        send_byte(node, &next, 0);
        _exit(x > 100);
    }
    decide(waitpid(child, &end, 0) == child && WEXITSTATUS(end) == 1);
}

/* ---- streams ---- */

static int listener, stream = -1, patience = 5000;

static void limit(int fd) {
    struct timeval limit = {.tv_usec = patience};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

static void leave(void) {
    if (stream >= 0)
        close(stream);
    stream = -1;
}

static void have(int fd) {
    leave();
    stream = fd;
    decide(fd >= 0);
}

static void accept_one(void) {
    have(accept(listener, NULL, NULL));
    if (stream >= 0)
        limit(stream); /* it was that of the listener when somebody connected */
}

/* Whoever has no connection waits for one. */
static int has_stream(void) {
    if (stream < 0 && listener >= 0)
        accept_one();
    return stream >= 0;
}

static struct sockaddr_in address_of(int node) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(8000)};
    to.sin_addr.s_addr = htonl(0x0a000001 + (unsigned)node);
    return to;
}

static void connect_to(int node) {
    struct sockaddr_in to = address_of(node);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    int is_there = connect(fd, (struct sockaddr *)&to, sizeof to) == 0;
    decide(is_there || errno != ECONNREFUSED);
    have(fd);
    if (is_there)
        limit(fd);
    else
        leave();
}

static void connect_by_poll(int node) {
    struct sockaddr_in to = address_of(node);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), error = 0;
    struct pollfd p = {.fd = fd, .events = POLLOUT};
    socklen_t n = sizeof error;
    decide(connect(fd, (struct sockaddr *)&to, sizeof to) == 0 || errno == EINPROGRESS);
    decide(send(fd, &x, 1, MSG_NOSIGNAL) == 1);
    poll(&p, 1, -1);
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &n);
    decide(!error);
    have(fd);
    fcntl(fd, F_SETFL, 0);
    limit(fd);
    if (error)
        leave();
}

static void read_one(void) {
    int got = has_stream() ? (int)recv(stream, &x, 1, 0) : -2;
    decide(got == 1);
    decide(got == 0 || (got < 0 && errno == ECONNRESET));
}

static void drain(void) {
    unsigned char all[8];
    int got = has_stream() ? (int)recv(stream, all, sizeof all, 0) : 0;
    for (int i = 0; i < got; i++)
        decide(all[i] > 100);
    decide(got > 0);
}

static void write_one(int flags) {
    int sent = has_stream() ? (int)send(stream, &x, 1, MSG_NOSIGNAL | flags) : -2;
    decide(sent == 1);
    decide(sent < 0 && errno == EPIPE);
}

static void act_on_stream(const char *word) {
    switch (word[0]) {
    case 'A':
        accept_one();
        break;
    case 'B':
        connect_by_poll(atoi(word + 1));
        break;
    case 'C':
        connect_to(atoi(word + 1));
        break;
    case 'D':
        drain();
        break;
    case 'G':
        read_one();
        break;
    case 'L':
        close(listener);
        listener = -1;
        break;
    case 'S':
        write_one(0);
        break;
    case 'F':
        write_one(MSG_DONTWAIT);
        break;
    case 'T':
        patience = 0;
        limit(listener);
        break;
    case 'W':
        if (has_stream())
            shutdown(stream, SHUT_WR);
        break;
    default:
        leave();
        break;
    }
}

static void listen_for_streams(void) {
    struct sockaddr_in me = {.sin_family = AF_INET, .sin_port = htons(8000)};
    listener = socket(AF_INET, SOCK_STREAM, 0);
    bind(listener, (struct sockaddr *)&me, sizeof me);
    listen(listener, 4);
    limit(listener);
}

static void tell(void) {
    char label[16];
    snprintf(label, sizeof label, "%c: %d", name, status);
    heddle_reach(label);
}

static void act(const char *word) {
    struct timespec now;
    switch (word[0]) {
    case 'i':
        heddle_input(x);
        break;
    case 'm':
        x %= 4;
        break;
    case 'c':
        decide(x > 100);
        break;
    case 'g':
        if (x <= 100)
            is_left_out = 1;
        break;
    case 'k':
        if (x > 100)
            is_left_out = 1;
        break;
    case 'o':
        is_left_out = !(status & 1);
        break;
    case 'u':
        is_left_out = status & 1;
        break;
    case 'x':
        x = 0;
        break;
    case 'w':
        x++;
        break;
    case 'p':
        assert(n_received > 0);
        break;
    case 'e':
        decide(x == y);
        break;
    case 'y':
        y = x;
        break;
    case 's':
        send_to(atoi(word + 1), 0);
        break;
    case 'f':
        decide(send_to(atoi(word + 1), MSG_DONTWAIT));
        break;
    case 'b':
        send_to_all(INADDR_BROADCAST);
        break;
    case 'q':
        status = (unsigned char)(status * 5 + remember());
        break;
    case 'v':
        send_to_all(0xef000001);
        break;
    case 'j':
        change_group();
        break;
    case 'r':
        receive(5);
        break;
    case 'R':
        receive(0);
        break;
    case 'h':
        start_thread(atoi(word + 1));
        break;
    case 'H':
        join_threads();
        break;
    case 'P':
        start_process(atoi(word + 1));
        break;
    case 'z':
        usleep((unsigned)atoi(word + 1) * 1000);
        break;
    case 'n':
        name = word[1];
        break;
    case 'a':
        assert(x != 77);
        break;
    case 'l':
        tell();
        name = 0;
        break;
    case 'A':
    case 'B':
    case 'C':
    case 'D':
    case 'F':
    case 'G':
    case 'L':
    case 'S':
    case 'T':
    case 'W':
    case 'X':
        act_on_stream(word);
        break;
    default:
        clock_gettime(CLOCK_MONOTONIC, &now);
        decide(now.tv_nsec > 8000000);
        break;
    }
}

int main(int argc, char **argv) {
    struct sockaddr_in me = {.sin_family = AF_INET, .sin_port = htons(7000)};
    sock = socket(AF_INET, SOCK_DGRAM, 0);
    int yes = 1;
    setsockopt(sock, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes);
    bind(sock, (struct sockaddr *)&me, sizeof me);
    change_group();
    listen_for_streams();
    for (int i = 1; i < argc; i++)
        if (!is_left_out)
            act(argv[i]);
        else
            is_left_out = 0;
    join_threads();
    close(sock);
    if (name)
        tell();
    return status;
}
