/* What is not modelled ends the execution there, and is said with its line: one case for each.
 *
 * run: --strategy dfs
 * verdict: incomplete
 * no-label: went-on
 * label: not-refused 1
 * reason: call of fcntl with command 1034
 * reason: call of ioctl with request 0x89f0
 * reason: pipe2 with O_DIRECT
 * reason: a file of more than
 * reason: open with O_PATH
 * reason: opening of a device or fifo of the host
 * reason: waitid for a group, or without taking
 * reason: shared memory that grows
 * reason: bytes of shared memory are too many
 * reason: mmap of a file that is written to
 * reason: mmap of more than the shared memory has
 * reason: mmap at a fixed address
 * reason: mprotect of globals and locals
 * reason: shared memory without any access
 * reason: timer of another clock than ITIMER_REAL
 * reason: socket of address family 17
 * reason: socket of type SOCK_RAW
 * reason: connect to 192.0.2.1:80, which is outside the scenario
 * reason: connect to 192.0.2.2:80, which is outside the scenario
 * reason: connect to no address, of a stream in use
 * reason: call of sendto with MSG_OOB
 * reason: call of recvfrom with MSG_OOB
 * reason: call of sendto with flags 0x4000000
 * reason: control message 2 of level 1
 * reason: setsockopt of SO_TIMESTAMP
 * reason: getsockopt of SO_TIMESTAMP
 * reason: setsockopt of option 77 of level 1
 * reason: getsockopt of option 77 of level 1
 * reason: freopen without a path
 * reason: bytes through a stream of wide characters
 * reason: popen, which starts a real program
 * reason: call of 'get_current_dir_name', which has no model */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <heddle.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

static int file(void) {
    return open("refused.txt", O_RDWR | O_CREAT, 0600);
}
static int shared(void) {
    int d = shm_open("/refused", O_RDWR | O_CREAT, 0600);
    ftruncate(d, 16);
    return d;
}
static void connect_to(const char *host, int type) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(80)};
    inet_pton(AF_INET, host, &a.sin_addr);
    connect(socket(AF_INET, type, 0), (struct sockaddr *)&a, sizeof a);
}
static void disconnect(void) {
    struct sockaddr none = {.sa_family = AF_UNSPEC};
    int l = socket(AF_INET, SOCK_STREAM, 0);
    listen(l, 1);
    connect(l, &none, sizeof none);
}
static void send_control(int to, int type) {
    union {
        struct cmsghdr head;
        char room[64];
    } u = {.head = {CMSG_LEN(12), SOL_SOCKET, type}};
    struct iovec v = {"x", 1};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = &u, .msg_controllen = CMSG_LEN(12)};
    sendmsg(to, &m, 0);
}

static const struct itimerval second = {{0, 0}, {1, 0}};

static void refuse(int n) {
    int d[2], number = 1;
    char b[8];
    socklen_t room = sizeof number;
    siginfo_t info;
    socketpair(AF_UNIX, SOCK_STREAM, 0, d);
    switch (n) {
    case 0: fcntl(d[0], F_ADD_SEALS, 1); break;
    case 1: fcntl(d[0], 1034, 1); break;
    case 2: ioctl(d[0], 0x89f0, b); break;
    case 3: pipe2(d, O_DIRECT); break;
    case 4: pwrite(file(), "x", 1, 1l << 40); break;
    case 5: ftruncate(file(), 1l << 40); break;
    case 6: open(".", O_PATH); break;
    case 7: open("/dev/tty", O_RDWR); break;
    case 8: waitid(P_PGID, 1, &info, WEXITED); break;
    case 9: waitid(P_ALL, 0, &info, WEXITED | WNOWAIT); break;
    case 10: waitid(P_ALL, 0, &info, WEXITED | WSTOPPED); break;
    case 11: ftruncate(shared(), 17); ftruncate(shared(), 1 << 20); break;
    case 12: mmap(NULL, 1ul << 44, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0); break;
    case 13: mmap(NULL, 4096, PROT_READ, MAP_SHARED, file(), 0); break;
    case 14: mmap(NULL, 1 << 20, PROT_READ, MAP_SHARED, shared(), 0); break;
    case 15: mmap(NULL, 16, PROT_READ, MAP_PRIVATE, shared(), 0); break;
    case 16: mmap(b, 16, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0); break;
    case 17: setitimer(ITIMER_VIRTUAL, &second, NULL); break;
    case 18: setitimer(ITIMER_PROF, &second, NULL); break;
    case 19: socket(AF_PACKET, SOCK_RAW, 0); break;
    case 20: socket(AF_INET, SOCK_RAW, 0); break;
    case 21: connect_to("192.0.2.1", SOCK_STREAM); break;
    case 22: send(d[0], "x", 1, MSG_OOB); break;
    case 23: recv(d[0], b, 1, MSG_OOB); break;
    case 24: send(d[0], "x", 1, MSG_ZEROCOPY); break;
    case 25: send_control(d[0], SCM_CREDENTIALS); break;
    case 26: setsockopt(d[0], SOL_SOCKET, SO_TIMESTAMP, &number, sizeof number); break;
    case 27: getsockopt(d[0], SOL_SOCKET, SO_TIMESTAMP, &number, &room); break;
    case 28: setsockopt(d[0], SOL_SOCKET, 77, &number, sizeof number); break;
    case 29: getsockopt(d[0], SOL_SOCKET, 77, &number, &room); break;
    case 30: freopen(NULL, "r", stdin); break;
    case 31: popen("true", "r"); break;
    case 32: get_current_dir_name(); break;
    case 33: connect_to("192.0.2.2", SOCK_DGRAM); break;
    case 34: mmap(NULL, 32, PROT_READ, MAP_SHARED, shared(), 4096); break;
    case 35: mprotect(&second, 0, PROT_READ); mprotect((void *)((unsigned long)&second & ~4095ul), 4096, PROT_READ); break;
    case 36: mmap(NULL, 16, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); break;
    /* Nearly the same, but known. */
    case 37: disconnect(); break;
    case 38: fwide(stdin, 1); getchar(); break;
    case 39:
        fcntl(d[0], F_SETFD, 1);
        ioctl(d[0], FIONREAD, b);
        pipe2(d, O_NONBLOCK);
        pwrite(file(), "x", 1, 4096);
        ftruncate(shared(), 16);
        mmap(NULL, 16, PROT_READ, MAP_SHARED, shared(), 0);
        mmap(NULL, 16, PROT_READ, MAP_PRIVATE, file(), 0);
        setitimer(ITIMER_REAL, &second, NULL);
        connect_to("127.0.0.1", SOCK_STREAM);
        connect_to("127.0.0.1", SOCK_DGRAM);
        heddle_reach("not-refused");
        break;
    default: break;
    }
    if (n < 39)
        heddle_reach("went-on");
}

int main(void) {
    unsigned char x;
    heddle_input(x);
    heddle_assume(x < 40);
    for (int i = 0; i < 40; i++)
        if (x == i)
            refuse(i);
    return 0;
}
