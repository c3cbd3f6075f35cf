/* Descriptors: numbers, flags, copies, pipes. */
#include "calls.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <termios.h>

static void flags_and_numbers(void) {
    int p[2], q[2];
    T(pipe(p));
    T(p[0]);
    T(p[1]);
    T(fcntl(p[0], F_GETFL));
    T(fcntl(p[1], F_GETFL));
    T(fcntl(p[0], F_GETFD));
    T(fcntl(p[0], F_SETFD, FD_CLOEXEC));
    T(fcntl(p[0], F_GETFD));
    T(fcntl(p[0], F_SETFD, 0));
    T(fcntl(p[0], F_GETFD));
    T(fcntl(p[0], F_SETFL, O_NONBLOCK | O_WRONLY | O_CREAT));
    T(fcntl(p[0], F_GETFL));
    T(fcntl(p[0], F_SETFL, 0));
    T(fcntl(p[0], F_GETFL));
    T(fcntl(p[0], F_DUPFD, 10));
    T(fcntl(10, F_GETFD));
    T(fcntl(p[0], F_DUPFD, 10));
    T(fcntl(p[0], F_DUPFD_CLOEXEC, 10));
    T(fcntl(12, F_GETFD));
    T(fcntl(p[0], F_DUPFD, -1));
    T(fcntl(p[0], F_DUPFD, 1 << 20));
    T(fcntl(99, F_GETFL));
    T(fcntl(p[0], F_GETPIPE_SZ));
    T(dup(p[0]));
    T(dup(99));
    T(dup2(p[0], 20));
    T(dup2(p[0], p[0]));
    T(dup2(99, 99));
    T(dup2(99, 20));
    T(dup2(p[0], -1));
    T(dup2(p[0], 1 << 20));
    T(dup3(p[0], 21, O_CLOEXEC));
    T(fcntl(21, F_GETFD));
    T(dup3(p[0], 22, 0));
    T(fcntl(22, F_GETFD));
    T(dup3(p[0], p[0], 0));
    T(dup3(p[0], 23, O_NONBLOCK));
    T(fcntl(10, F_SETFL, O_NONBLOCK)); /* shared by all copies */
    T(fcntl(p[0], F_GETFL));
    T(pipe2(q, O_NONBLOCK | O_CLOEXEC));
    T(fcntl(q[0], F_GETFL));
    T(fcntl(q[1], F_GETFL));
    T(fcntl(q[0], F_GETFD));
    T(fcntl(q[1], F_GETFD));
    T(pipe2(q, O_APPEND));
    T(close(99));
    T(close(-1));
}

static void copies_keep_it_open(void) {
    int p[2];
    char b[8];
    pipe(p);
    T(dup2(p[1], 40));
    T(close(p[1]));
    T(write(40, "ab", 2));
    T(fcntl(p[0], F_SETFL, O_NONBLOCK));
    T(read(p[0], b, 8));
    T(read(p[0], b, 8));
    T(dup2(40, 40));
    T(dup2(p[0], 40)); /* the last that writes */
    T(read(p[0], b, 8));
    T(close(40));
    T(close(p[0]));
    T(close(p[0]));
}

static void pieces(void) {
    int p[2];
    char a[4] = "xxx", b[8] = "yyyyyyy";
    pipe(p);
    struct iovec out[3] = {{"ab", 2}, {"", 0}, {"cdefg", 5}}, in[2] = {{a, 3}, {b, 8}};
    T(writev(p[1], out, 3));
    T(readv(p[0], in, 2));
    show("a", a, 4);
    show("b", b, 8);
    T(writev(p[1], out, -1));
    T(readv(p[0], in, -1));
    T(writev(p[1], out, 0));
    T(writev(99, out, 1));
    T(readv(99, in, 1));
    T(writev(p[0], out, 1));
    T(readv(p[1], in, 1));
    T(read(p[1], a, 1));
    T(write(p[0], a, 1));
    T(read(99, a, 1));
    T(write(99, a, 1));
    T(read(1, a, 0));
    T(write(p[1], a, 0));
    out[0].iov_len = (size_t)-1;
    T(writev(p[1], out, 3));
    in[1].iov_len = (size_t)-1;
    T(readv(p[0], in, 2));
    T(writev(1, out, 3));
}

static void questions(void) {
    int p[2], s[2], n = -1, on = 1, off = 0;
    struct termios t;
    struct winsize w;
    struct stat st;
    pipe(p);
    T(ioctl(p[0], FIONREAD, &n));
    T(n);
    T(write(p[1], "abc", 3));
    T(write(p[1], "de", 2));
    T(ioctl(p[0], FIONREAD, &n));
    T(n);
    T(ioctl(99, FIONREAD, &n));
    T(ioctl(p[0], FIONBIO, &on));
    T(fcntl(p[0], F_GETFL));
    T(ioctl(p[0], FIONBIO, &off));
    T(fcntl(p[0], F_GETFL));
    T(socketpair(AF_UNIX, SOCK_DGRAM, 0, s));
    T(ioctl(s[0], FIONREAD, &n));
    T(n);
    T(write(s[1], "abc", 3));
    T(write(s[1], "de", 2));
    T(ioctl(s[0], FIONREAD, &n));
    T(n);
    T(socketpair(AF_UNIX, SOCK_STREAM, 0, s));
    T(write(s[1], "abc", 3));
    T(write(s[1], "de", 2));
    T(ioctl(s[0], FIONREAD, &n));
    T(n);
    T(ioctl(p[0], TCGETS, &t));
    T(ioctl(p[0], TIOCGWINSZ, &w));
    T(isatty(p[0]));
    T(isatty(99));
    T(fsync(p[0]));
    T(fsync(99));
    T(fcntl(s[0], F_GETPIPE_SZ));
    T(lseek(p[0], 0, SEEK_CUR));
    T(ftruncate(p[1], 1));
    T(fstat(p[0], &st));
    T(st.st_mode & S_IFMT);
    T(fstat(s[0], &st));
    T(st.st_mode & S_IFMT);
    int others[] = {eventfd(0, 0), epoll_create1(0), timerfd_create(CLOCK_MONOTONIC, 0)};
    for (int i = 0; i < 3; i++) {
        T(fstat(others[i], &st));
        T(st.st_mode);
        T(st.st_size);
        T(close(others[i]));
    }
    T(fstat(99, &st));
    T(pread(p[0], &n, 1, 0));
    T(pwrite(p[1], &n, 1, 0));
    int r = posix_fallocate(p[1], 0, 1);
    printf("posix_fallocate %d\n", r);
}

/* What the process was started with is there, whatever it is. */
static void standard(void) {
    struct stat s;
    T(fstat(0, &s));
    T(fstat(1, &s));
    T(fstat(2, &s));
    T(s.st_nlink > 0);
}

static void many(void) {
    int n = 0, last = -1, d;
    while ((d = dup(1)) >= 0 && n < 2000)
        last = d, n++;
    printf("%d\n", n == 2000 || errno == EMFILE);
    T(close(last));
    for (d = 100; d <= last; d++)
        close(d);
}

int main(void) {
    standard();
    flags_and_numbers();
    copies_keep_it_open();
    pieces();
    questions();
    many();
    return 0;
}
