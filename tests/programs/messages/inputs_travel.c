/* What depends on an input still does when it comes back from where it was put: every way through
 * the machine's own objects, for all 256 inputs of each.
 *
 * run:
 * verdict: complete
 * label: came-back 22
 * label: another */
#define _GNU_SOURCE
#include <fcntl.h>
#include <heddle.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

typedef unsigned char byte;

static byte through_pipe(byte x) {
    int p[2];
    byte y[3] = {1, 1, 1};
    pipe(p);
    write(p[1], (byte[]){0, x, 0}, 3);
    read(p[0], y, 2);
    return y[1];
}
static byte through_pieces(byte x) {
    int p[2];
    byte a = 3, y = 0, b[2] = {0, 0};
    pipe(p);
    writev(p[1], (struct iovec[]){{&a, 1}, {&x, 1}}, 2);
    readv(p[0], (struct iovec[]){{b, 1}, {&y, 1}}, 2);
    return y;
}
static byte through_socket(byte x) {
    int s[2];
    byte y = 0;
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    send(s[0], &x, 1, 0);
    recv(s[1], &y, 1, MSG_PEEK);
    y = 0;
    recv(s[1], &y, 1, 0);
    return y;
}
static byte through_message(byte x) {
    int s[2];
    byte y[2] = {0, 0};
    struct iovec out = {&x, 1}, in = {y, 2};
    struct msghdr o = {.msg_iov = &out, .msg_iovlen = 1}, i = {.msg_iov = &in, .msg_iovlen = 1};
    socketpair(AF_UNIX, SOCK_DGRAM, 0, s);
    sendmsg(s[0], &o, 0);
    recvmsg(s[1], &i, 0);
    return y[0];
}
static byte through_option(byte x) {
    int s = socket(AF_INET, SOCK_STREAM, 0), y = 0;
    struct linger l = {1, x}, back = {0, 0};
    socklen_t n = sizeof back;
    setsockopt(s, SOL_SOCKET, SO_LINGER, &l, sizeof l);
    getsockopt(s, SOL_SOCKET, SO_LINGER, &back, &n);
    y = back.l_linger;
    return (byte)y;
}
static byte through_number_option(byte x) {
    int s = socket(AF_INET, SOCK_STREAM, 0), in = x, y = 0;
    socklen_t n = sizeof y;
    setsockopt(s, IPPROTO_TCP, TCP_USER_TIMEOUT, &in, sizeof in);
    getsockopt(s, IPPROTO_TCP, TCP_USER_TIMEOUT, &y, &n);
    return (byte)y;
}
static mqd_t queue(void) {
    struct mq_attr a = {.mq_maxmsg = 2, .mq_msgsize = 8};
    return mq_open("/travel", O_RDWR | O_CREAT, 0600, &a);
}
static byte through_queue(byte x) {
    byte y[8] = {0};
    mq_send(queue(), (char *)&x, 1, 3);
    mq_receive(queue(), (char *)y, 8, NULL);
    return y[0];
}
static byte through_counter(byte x) {
    int e = eventfd(0, 0);
    uint64_t n = x + UINT64_C(1);
    write(e, &n, 8);
    n = 0;
    read(e, &n, 8);
    return (byte)(n - 1);
}
static byte through_two_additions(byte x) {
    int e = eventfd(0, 0);
    uint64_t n = x;
    write(e, &n, 8);
    n = 5;
    write(e, &n, 8);
    read(e, &n, 8);
    return (byte)(n - 5);
}
static byte through_list(byte x) {
    int e = epoll_create1(0), c = eventfd(1, 0);
    struct epoll_event want = {.events = EPOLLIN, .data.u64 = x}, got = {0};
    epoll_ctl(e, EPOLL_CTL_ADD, c, &want);
    epoll_wait(e, &got, 1, 0);
    return (byte)got.data.u64;
}
static int file(void) {
    return open("travel.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
}
static byte through_file(byte x) {
    int f = file();
    byte y[2] = {0, 0};
    write(f, (byte[]){9, x}, 2);
    lseek(f, 0, SEEK_SET);
    read(f, y, 2);
    return y[1];
}
static byte through_place(byte x) {
    int f = file();
    byte y = 0;
    pwrite(f, &x, 1, 7);
    pread(f, &y, 1, 7);
    return y;
}
static byte through_stream(byte x) {
    FILE *s = fdopen(file(), "r+");
    fputc(x, s);
    rewind(s);
    return (byte)fgetc(s);
}
static byte through_block(byte x) {
    FILE *s = fdopen(file(), "r+");
    byte y[3] = {0, 0, 0};
    fwrite((byte[]){1, x, 2}, 1, 3, s);
    rewind(s);
    fread(y, 1, 3, s);
    return y[1];
}
static byte through_word_in_stream(byte x) {
    FILE *s = fdopen(file(), "r+");
    uint32_t word = (uint32_t)x << 16 | 7;
    fwrite(&word, sizeof word, 1, s);
    rewind(s);
    if (fgetc(s) != 7 || fgetc(s) != 0)
        return 0;
    return (byte)fgetc(s);
}
static byte back_into_stream(byte x) {
    FILE *s = fdopen(file(), "r+");
    ungetc(x, s);
    return (byte)fgetc(s);
}
static byte through_child(byte x) {
    int status = 0;
    if (fork() == 0)
        _exit(x);
    wait(&status);
    return (byte)WEXITSTATUS(status);
}
static byte through_waitpid(byte x) {
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        exit(x);
    waitpid(child, &status, 0);
    return (byte)(status >> 8);
}
static byte through_shared(byte x) {
    byte *p = mmap(NULL, 64, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (fork() == 0) {
        p[3] = x;
        _exit(0);
    }
    wait(NULL);
    return p[3];
}
static byte through_growth(byte x) {
    byte *p = malloc(4), y;
    p[2] = x;
    p = realloc(p, 400);
    y = p[2];
    free(p);
    return y;
}
static byte through_copies(byte x) {
    byte a[4] = {0, x, 0, 0}, b[4];
    char *text, *again;
    memcpy(b, a, 4);
    memmove(b + 1, b, 3);
    text = strndup((char *)b + 2, 1);
    again = text[0] ? strdup(text) : text;
    byte y = (byte)again[0];
    if (again != text)
        free(again);
    free(text);
    return y;
}
static byte through_environment(byte x) {
    char text[3] = {'v', (char)(x ? x : 1), '\0'};
    setenv("TRAVEL", text, 1);
    byte y = (byte)getenv("TRAVEL")[1];
    return x ? y : 0;
}
static byte (*const ways[])(byte) = {
    through_pipe,    through_pieces,  through_socket, through_message,  through_option,
    through_number_option,
    through_queue,   through_counter, through_two_additions, through_list, through_file,
    through_place,   through_stream, through_word_in_stream,  through_block,  back_into_stream, through_child,
    through_waitpid, through_shared,  through_growth, through_copies,   through_environment,
};

int main(void) {
    byte x;
    long way = heddle_choose(0, sizeof ways / sizeof *ways - 1);
    heddle_input(x);
    byte y = ways[way](x);
    heddle_assert(y == x);
    if (y == 77)
        heddle_reach("came-back");
    else
        heddle_reach("another");
    return 0;
}
