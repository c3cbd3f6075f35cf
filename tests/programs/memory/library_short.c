/* Library functions look at the memory they are given: each call gets a block that is one byte too
 * short for what it reads or writes.
 *
 * run: --strategy dfs
 * finding: out-of-bounds 111 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <heddle.h>
#include <locale.h>
#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A block of n - 1 bytes, for something of n. */
static void *S(size_t n) {
    return calloc(1, n - 1);
}
static char *unended(char *three) {
    return memcpy(three, "abc", 3);
}

static void *named(void *address) {
    *(sa_family_t *)address = AF_INET;
    return address;
}

static int p[2], s[2], u, e, t;
static mqd_t q;
static char block[1024];
#define b ((void *)block)

static int full(void) {
    write(p[1], "abcdef", 6);
    return p[0];
}
static int full_socket(void) {
    write(s[1], "abcdef", 6);
    return s[0];
}
static int file(void) {
    int f = open("short.txt", O_RDWR | O_CREAT, 0600);
    write(f, "abcdef", 6);
    return f;
}
static int waiting(void) {
    struct epoll_event want = {.events = EPOLLIN};
    epoll_ctl(e, EPOLL_CTL_ADD, full(), &want);
    return e;
}
static mqd_t queued(void) {
    mq_send(q, "abcdefgh", 8, 0);
    return q;
}
static void *ended(void *out) {
    if (fork() == 0)
        _exit(0);
    return out;
}
static void begin(void) {
    struct mq_attr a = {.mq_maxmsg = 2, .mq_msgsize = 8};
    pipe(p);
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    u = socket(AF_UNIX, SOCK_STREAM, 0);
    e = epoll_create1(0);
    t = timerfd_create(CLOCK_MONOTONIC, 0);
    q = mq_open("/short", O_RDWR | O_CREAT, 0600, &a);
}

int main(void) {
    unsigned char x;
    heddle_input(x);
    begin();
    switch (x) {
    case 0:
        pipe(S(8)); // BUG out-of-bounds
        break;
    case 1:
        pipe2(S(8), 0); // BUG out-of-bounds
        break;
    case 2:
        socketpair(AF_UNIX, SOCK_STREAM, 0, S(8)); // BUG out-of-bounds
        break;
    case 3:
        read(full(), S(4), 4); // BUG out-of-bounds
        break;
    case 4:
        write(p[1], S(4), 4); // BUG out-of-bounds
        break;
    case 5:
        readv(full(), &(struct iovec){S(4), 4}, 1); // BUG out-of-bounds
        break;
    case 6:
        writev(p[1], &(struct iovec){S(4), 4}, 1); // BUG out-of-bounds
        break;
    case 7:
        readv(full(), S(sizeof(struct iovec)), 1); // BUG out-of-bounds
        break;
    case 8:
        writev(p[1], S(sizeof(struct iovec)), 1); // BUG out-of-bounds
        break;
    case 9:
        pread(file(), S(4), 4, 0); // BUG out-of-bounds
        break;
    case 10:
        pwrite(file(), S(4), 4, 0); // BUG out-of-bounds
        break;
    case 11:
        fstat(file(), S(sizeof(struct stat))); // BUG out-of-bounds
        break;
    case 12:
        stat("/", S(sizeof(struct stat))); // BUG out-of-bounds
        break;
    case 13:
        lstat("/", S(sizeof(struct stat))); // BUG out-of-bounds
        break;
    case 14:
        ioctl(p[0], FIONREAD, S(4)); // BUG out-of-bounds
        break;
    case 15:
        ioctl(p[0], FIONBIO, S(4)); // BUG out-of-bounds
        break;
    case 16:
        send(s[0], S(4), 4, 0); // BUG out-of-bounds
        break;
    case 17:
        recv(full_socket(), S(4), 4, 0); // BUG out-of-bounds
        break;
    case 18:
        sendmsg(s[0], S(sizeof(struct msghdr)), 0); // BUG out-of-bounds
        break;
    case 19:
        recvmsg(full_socket(), S(sizeof(struct msghdr)), 0); // BUG out-of-bounds
        break;
    case 20:
        bind(u, S(sizeof(struct sockaddr_un)), sizeof(struct sockaddr_un)); // BUG out-of-bounds
        break;
    case 21:
        connect(u, S(sizeof(struct sockaddr_un)), sizeof(struct sockaddr_un)); // BUG out-of-bounds
        break;
    case 22:
        getsockname(u, S(2), &(socklen_t){2}); // BUG out-of-bounds
        break;
    case 23:
        getsockname(u, (void *)b, S(4)); // BUG out-of-bounds
        break;
    case 24:
        getsockopt(u, SOL_SOCKET, SO_TYPE, S(4), &(socklen_t){4}); // BUG out-of-bounds
        break;
    case 25:
        getsockopt(u, SOL_SOCKET, SO_TYPE, b, S(4)); // BUG out-of-bounds
        break;
    case 26:
        getsockopt(u, SOL_SOCKET, SO_LINGER, S(8), &(socklen_t){8}); // BUG out-of-bounds
        break;
    case 27:
        setsockopt(u, SOL_SOCKET, SO_KEEPALIVE, S(4), 4); // BUG out-of-bounds
        break;
    case 28:
        setsockopt(u, SOL_SOCKET, SO_LINGER, S(8), 8); // BUG out-of-bounds
        break;
    case 29:
        setsockopt(u, SOL_SOCKET, SO_RCVTIMEO, S(16), 16); // BUG out-of-bounds
        break;
    case 30:
        poll(S(8), 1, 0); // BUG out-of-bounds
        break;
    case 31:
        ppoll(b, 0, S(16), NULL); // BUG out-of-bounds
        break;
    case 32:
        select(64, S(8), NULL, NULL, &(struct timeval){0, 0}); // BUG out-of-bounds
        break;
    case 33:
        select(0, NULL, NULL, NULL, S(16)); // BUG out-of-bounds
        break;
    case 34:
        pselect(0, NULL, NULL, NULL, S(16), NULL); // BUG out-of-bounds
        break;
    case 35:
        epoll_ctl(e, EPOLL_CTL_ADD, p[0], S(12)); // BUG out-of-bounds
        break;
    case 36:
        epoll_wait(waiting(), S(12), 1, 0); // BUG out-of-bounds
        break;
    case 37:
        eventfd_read(eventfd(1, 0), S(8)); // BUG out-of-bounds
        break;
    case 38:
        timerfd_settime(t, 0, S(32), NULL); // BUG out-of-bounds
        break;
    case 39:
        timerfd_settime(t, 0, &(struct itimerspec){0}, S(32)); // BUG out-of-bounds
        break;
    case 40:
        timerfd_gettime(t, S(32)); // BUG out-of-bounds
        break;
    case 41:
        mq_getattr(q, S(sizeof(struct mq_attr))); // BUG out-of-bounds
        break;
    case 42:
        mq_setattr(q, S(sizeof(struct mq_attr)), NULL); // BUG out-of-bounds
        break;
    case 43:
        mq_setattr(q, &(struct mq_attr){0}, S(sizeof(struct mq_attr))); // BUG out-of-bounds
        break;
    case 44:
        mq_send(q, S(4), 4, 0); // BUG out-of-bounds
        break;
    case 45:
        mq_receive(queued(), S(8), 8, NULL); // BUG out-of-bounds
        break;
    case 46:
        mq_receive(queued(), b, 8, S(4)); // BUG out-of-bounds
        break;
    case 47:
        mq_timedsend(q, b, 1, 0, S(16)); // BUG out-of-bounds
        break;
    case 48:
        mq_timedreceive(queued(), b, 8, NULL, S(16)); // BUG out-of-bounds
        break;
    case 49:
        time(S(8)); // BUG out-of-bounds
        break;
    case 50:
        gettimeofday(S(16), NULL); // BUG out-of-bounds
        break;
    case 51:
        clock_gettime(CLOCK_REALTIME, S(16)); // BUG out-of-bounds
        break;
    case 52:
        nanosleep(S(16), NULL); // BUG out-of-bounds
        break;
    case 53:
        clock_nanosleep(CLOCK_REALTIME, 0, S(16), NULL); // BUG out-of-bounds
        break;
    case 54:
        gmtime_r(S(8), b); // BUG out-of-bounds
        break;
    case 55:
        gmtime_r(&(time_t){0}, S(sizeof(struct tm))); // BUG out-of-bounds
        break;
    case 56:
        localtime_r(S(8), b); // BUG out-of-bounds
        break;
    case 57:
        localtime_r(&(time_t){0}, S(sizeof(struct tm))); // BUG out-of-bounds
        break;
    case 58:
        mktime(S(sizeof(struct tm))); // BUG out-of-bounds
        break;
    case 59:
        timegm(S(sizeof(struct tm))); // BUG out-of-bounds
        break;
    case 60:
        asctime_r(S(sizeof(struct tm)), b); // BUG out-of-bounds
        break;
    case 61:
        asctime_r(&(struct tm){.tm_mday = 1}, S(25)); // BUG out-of-bounds
        break;
    case 62:
        strftime(S(5), 5, "%Y", &(struct tm){.tm_year = 100}); // BUG out-of-bounds
        break;
    case 63:
        strftime(b, 5, "%Y", S(sizeof(struct tm))); // BUG out-of-bounds
        break;
    case 64:
        sigaction(SIGUSR1, S(sizeof(struct sigaction)), NULL); // BUG out-of-bounds
        break;
    case 65:
        sigaction(SIGUSR1, NULL, S(sizeof(struct sigaction))); // BUG out-of-bounds
        break;
    case 66:
        sigprocmask(SIG_BLOCK, S(sizeof(sigset_t)), NULL); // BUG out-of-bounds
        break;
    case 67:
        sigprocmask(SIG_BLOCK, NULL, S(sizeof(sigset_t))); // BUG out-of-bounds
        break;
    case 68:
        sigpending(S(sizeof(sigset_t))); // BUG out-of-bounds
        break;
    case 69:
        setitimer(ITIMER_REAL, S(32), NULL); // BUG out-of-bounds
        break;
    case 70:
        setitimer(ITIMER_REAL, &(struct itimerval){0}, S(32)); // BUG out-of-bounds
        break;
    case 71:
        getitimer(ITIMER_REAL, S(32)); // BUG out-of-bounds
        break;
    case 72:
        wait(ended(S(4))); // BUG out-of-bounds
        break;
    case 73:
        waitpid(-1, ended(S(4)), 0); // BUG out-of-bounds
        break;
    case 74:
        waitid(P_ALL, 0, ended(S(sizeof(siginfo_t))), WEXITED); // BUG out-of-bounds
        break;
    case 75:
        wait4(-1, NULL, 0, ended(S(sizeof(struct rusage)))); // BUG out-of-bounds
        break;
    case 76:
        posix_memalign(S(8), 16, 16); // BUG out-of-bounds
        break;
    case 77:
        inet_pton(AF_INET, "1.2.3.4", S(4)); // BUG out-of-bounds
        break;
    case 78:
        inet_pton(AF_INET6, "::1", S(16)); // BUG out-of-bounds
        break;
    case 79:
        inet_ntop(AF_INET, S(4), b, 64); // BUG out-of-bounds
        break;
    case 80:
        inet_ntop(AF_INET, b, S(8), 16); // BUG out-of-bounds
        break;
    case 81:
        inet_aton("1.2.3.4", S(4)); // BUG out-of-bounds
        break;
    case 82:
        gethostname(S(3), 64); // BUG out-of-bounds
        break;
    case 83:
        getnameinfo(named(S(16)), 16, b, 64, NULL, 0, NI_NUMERICHOST); // BUG out-of-bounds
        break;
    case 84:
        getaddrinfo("1.2.3.4", NULL, NULL, S(8)); // BUG out-of-bounds
        break;
    case 85:
        getcwd(S(2), 64); // BUG out-of-bounds
        break;
    case 86:
        readlink("/proc/self/exe", S(2), 2); // BUG out-of-bounds
        break;
    case 87:
        printf("%s", unended(S(4))); // BUG out-of-bounds
        break;
    case 88:
        snprintf(S(4), 4, "abcdef"); // BUG out-of-bounds
        break;
    case 89:
        sprintf(S(4), "abc"); // BUG out-of-bounds
        break;
    case 90:
        puts(unended(S(4))); // BUG out-of-bounds
        break;
    case 91:
        fputs(unended(S(4)), stderr); // BUG out-of-bounds
        break;
    case 92:
        fwrite(S(4), 4, 1, stderr); // BUG out-of-bounds
        break;
    case 93:
        fwrite(S(4), 1, 4, stderr); // BUG out-of-bounds
        break;
    case 94:
        perror(unended(S(4))); // BUG out-of-bounds
        break;
    case 95:
        open(unended(S(4)), O_RDONLY); // BUG out-of-bounds
        break;
    case 96:
        unlink(unended(S(4))); // BUG out-of-bounds
        break;
    case 97:
        access(unended(S(4)), 0); // BUG out-of-bounds
        break;
    case 98:
        mkdir(unended(S(4)), 0); // BUG out-of-bounds
        break;
    case 99:
        rename("x", unended(S(4))); // BUG out-of-bounds
        break;
    case 100:
        mq_unlink(unended(S(4))); // BUG out-of-bounds
        break;
    case 101:
        shm_unlink(unended(S(4))); // BUG out-of-bounds
        break;
    case 102:
        fopen("/dev/null", unended(S(4))); // BUG out-of-bounds
        break;
    case 103:
        setlocale(0, unended(S(4))); // BUG out-of-bounds
        break;
    /* before it would wait for ever */
    case 104:
        poll(memset(S(8), 0, 7), 1, -1); // BUG out-of-bounds
        break;
    case 105:
        ppoll(memset(S(8), 0xff, 7), 1, NULL, NULL); // BUG out-of-bounds
        break;
    case 106:
        select(64, S(8), NULL, NULL, NULL); // BUG out-of-bounds
        break;
    case 107:
        pselect(64, NULL, S(8), NULL, NULL, NULL); // BUG out-of-bounds
        break;
    case 108:
        recvmsg(s[0], S(sizeof(struct msghdr)), 0); // BUG out-of-bounds
        break;
    case 109:
        pipe2(S(5), O_NONBLOCK); // BUG out-of-bounds
        break;
    case 110:
        readv(open("/dev/zero", O_RDONLY), &(struct iovec){S(4), 4}, 1); // BUG out-of-bounds
        break;
    }
    return 0;
}
