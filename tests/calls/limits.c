/* No number is left for another descriptor, or one only: what says so, and what it leaves behind.
 * Copies of descriptors, and what the last of them closes. */
#include "calls.h"

#include <dirent.h>
#include <mqueue.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>

#define QUEUE "/heddle-calls-limits"

static int listener, client, pair[2];

static void prepare(void) {
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "door"};
#ifndef HEDDLE
    struct rlimit most = {1024, 1024};
    setrlimit(RLIMIT_NOFILE, &most);
#endif
    shm_unlink(QUEUE);
    mq_unlink(QUEUE);
    T(mkdir("there", 0700));
    T(listener = socket(AF_UNIX, SOCK_STREAM, 0));
    T(bind(listener, (struct sockaddr *)&name, sizeof name));
    T(listen(listener, 2));
    T(client = socket(AF_UNIX, SOCK_STREAM, 0));
    T(connect(client, (struct sockaddr *)&name, sizeof name));
    T(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair));
}

/* A file on its way. */
static void send_file(int file) {
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } u = {.head = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
    struct iovec v = {"x", 1};
    struct msghdr m = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = &u, .msg_controllen = sizeof u};
    memcpy(CMSG_DATA(&u.head), &file, sizeof file);
    T(sendmsg(pair[0], &m, 0));
}
static void receive_file(void) {
    char room[CMSG_SPACE(sizeof(int))] = "", byte = 0;
    struct iovec v = {&byte, 1};
    struct msghdr m = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    T(recvmsg(pair[1], &m, 0));
    T(byte);
    T(m.msg_controllen);
    T(m.msg_flags);
}

static void ask_all(void) {
    int p[2] = {77, 78};
    char name[] = "tXXXXXX";
    T(dup(0));
    T(dup2(0, 1 << 20));
    T(fcntl(0, F_DUPFD, 3));
    T(fcntl(0, F_DUPFD, 1023));
    T(fcntl(0, F_DUPFD, 1024));
    T(open("made", O_CREAT | O_RDWR, 0600));
    T(access("made", F_OK));
    T(creat("made", 0600));
    T(open("there", O_RDONLY));
    T(openat(AT_FDCWD, "/dev/fd/0", O_RDONLY));
    T(pipe(p));
    T(pipe2(p, O_NONBLOCK));
    T(p[0] + p[1]);
    T(socket(AF_UNIX, SOCK_STREAM, 0));
    T(socketpair(AF_UNIX, SOCK_STREAM, 0, p));
    T(p[0] + p[1]);
    T(eventfd(0, 0));
    T(timerfd_create(CLOCK_MONOTONIC, 0));
    T(epoll_create1(0));
    T(epoll_create(1));
    T(shm_open(QUEUE, O_CREAT | O_RDWR, 0600));
    T(mq_open(QUEUE, O_CREAT | O_RDWR, 0600, NULL));
    TP(fopen("made", "w"));
    TP(fopen("made", "r"));
    TP(tmpfile());
    TP(opendir("there"));
    T(mkstemp(name));
    T(mq_unlink(QUEUE));
    T(shm_unlink(QUEUE));
    T(open("", O_CREAT | O_RDWR, 0600));
    T(open("none/made", O_CREAT | O_RDWR, 0600));
    T(accept(listener, NULL, NULL));
}

static void is_next(const char *after) {
    int d = dup(0);
    printf("after %s the next is %d\n", after, d);
    close(d);
}

static void full(void) {
    int last = -1, d, p[2];
    send_file(0);
    while ((d = dup(0)) >= 0)
        last = d;
    T(last);
    ask_all();
    receive_file();
    close(last);
    is_next("all");
    T(pipe(p));
    is_next("pipe");
    T(socketpair(AF_UNIX, SOCK_DGRAM, 0, p));
    is_next("socketpair");
    TP(fopen("none/made", "w"));
    is_next("fopen");
    T(open("none", O_RDONLY));
    is_next("open");
    TP(opendir("/dev/null"));
    is_next("opendir");
    T(d = accept(listener, NULL, NULL));
    T(write(client, "hello", 5));
    show_ready(d);
    closefrom(100);
    is_next("closefrom");
    T(fcntl(99, F_GETFD));
    T(fcntl(100, F_GETFD));
    T(fcntl(101, F_GETFD));
    closefrom(50);
    T(fcntl(49, F_GETFD));
    T(fcntl(50, F_GETFD));
    T(fcntl(1023, F_GETFD));
    closefrom(2000);
    T(fcntl(49, F_GETFD));
    closefrom(client + 3);
}

/* 0 is a number like others. */
static void zero(void) {
    int p[2] = {77, 78}, c;
    char name[] = "zXXXXXX";
    FILE *f;
    DIR *all;
    T(close(0));
    T(open("there", O_RDONLY));
    T(close(0));
    T(creat("zero", 0600));
    T(close(0));
    T(mkstemp(name));
    T(unlink(name));
    T(close(0));
    TP(all = opendir("there"));
    T(dirfd(all));
    T(closedir(all));
    TP(f = fopen("zero", "r+"));
    T(fileno(f));
    T(fputs("text", f) >= 0);
    T(fclose(f));
    TP(f = tmpfile());
    T(fileno(f));
    T(fclose(f));
    T(pipe(p));
    T(p[0]);
    T(write(p[1], "ab", 2));
    show_ready(0);
    T(close(p[1]));
    T(close(0));
    T(socketpair(AF_UNIX, SOCK_STREAM, 0, p));
    T(p[0]);
    T(close(p[1]));
    T(close(0));
    T(eventfd(0, 0));
    T(close(0));
    T(timerfd_create(CLOCK_MONOTONIC, 0));
    T(close(0));
    T(epoll_create1(0));
    T(close(0));
    T(socket(AF_UNIX, SOCK_STREAM, 0));
    T(close(0));
    T(shm_open(QUEUE, O_CREAT | O_RDWR, 0600));
    T(shm_unlink(QUEUE));
    T(close(0));
    T(mq_open(QUEUE, O_CREAT | O_RDWR, 0600, NULL));
    T(mq_send(0, "a", 1, 0));
    T(mq_unlink(QUEUE));
    T(mq_close(0));
    T(dup(1));
    T(close(0));
    T(c = fcntl(1, F_DUPFD, 0));
    T(close(0));
    struct sockaddr_un door = {.sun_family = AF_UNIX, .sun_path = "door"};
    T(c = socket(AF_UNIX, SOCK_STREAM, 0)); /* is 0 */
    T(c = dup(0));
    T(close(0));
    T(connect(c, (struct sockaddr *)&door, sizeof door));
    T(accept(listener, NULL, NULL));
    T(write(c, "x", 1));
    show_ready(0);
    T(close(c));
    T(open("/dev/null", O_RDONLY));
}

/* Each way to copy, and who is the last. */
static int copy(int way, int d) {
    return way == 0   ? dup(d)
           : way == 1 ? fcntl(d, F_DUPFD, 60)
           : way == 2 ? dup2(d, 61)
                      : dup3(d, 62, 0);
}
static void copies(void) {
    for (int way = 0; way < 4; way++) {
        int p[2], d, e;
        char b[8];
        T(pipe2(p, O_NONBLOCK));
        T(d = copy(way, p[1]));
        T(close(d)); /* not the last */
        T(write(p[1], "ab", 2));
        T(read(p[0], b, 8));
        T(read(p[0], b, 8));
        T(d = copy(way, p[1]));
        T(close(p[1]));
        T(write(d, "c", 1));
        T(read(p[0], b, 8));
        T(e = copy(way, d));
        T(close(d));
        if (e != d)
            T(close(e));
        T(read(p[0], b, 8)); /* nobody writes any more */
        T(close(p[0]));
    }
}

int main(void) {
    prepare();
    full();
    zero();
    copies();
    return 0;
}
