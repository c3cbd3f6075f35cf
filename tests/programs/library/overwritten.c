/* What a library function writes is what it wrote, whatever was there: inputs that lay there are
 * gone, and decide about nothing any more.  One path for each function.
 *
 * run: --strategy dfs
 * verdict: complete
 * paths: 37
 * no-label: other
 * label: known 36 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <heddle.h>
#include <mqueue.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static unsigned char b[512]; /* an input, until something is written there */
static int d[2];
static volatile char letter = 'c'; /* not known to the compiler */

static int file(void) {
    int f = open("overwritten", O_RDWR | O_CREAT, 0600);
    write(f, "abcd", 4);
    lseek(f, 0, SEEK_SET);
    return f;
}
static FILE *stream(void) {
    FILE *f = fopen("overwritten", "w+");
    fputs("abcd\n", f);
    rewind(f);
    return f;
}

/* Calls that write to b: does it hold what it should?  b[511] is written by none of them. */
static int writes(int which) {
    int *number = (int *)b;
    long *word = (long *)b;
    socklen_t n = 128;
    struct stat *s = (struct stat *)b;
    struct iovec v[2] = {{b + 1, 2}, {b, 1}};
    struct msghdr m = {.msg_iov = v, .msg_iovlen = 2};
    write(d[0], "abcd", 4);
    switch (which) {
    case 0: return snprintf((char *)b, 8, "%s%c", "ab", letter) && b[0] == 'a' && b[2] == 'c' && b[3] == 0;
    case 1: return sprintf((char *)b, "%.1f%s", 1.5, "x") && b[0] == '1' && b[3] == 'x' && b[4] == 0;
    case 2: return read(d[1], b, 3) && b[0] == 'a' && b[2] == 'c';
    case 3: return recv(d[1], b, 3, 0) && b[0] == 'a' && b[2] == 'c';
    case 4: return readv(d[1], v, 2) && b[1] == 'a' && b[2] == 'b' && b[0] == 'c';
    case 5: return recvmsg(d[1], &m, 0) && b[1] == 'a' && b[2] == 'b' && b[0] == 'c';
    case 6: return read(file(), b, 3) && b[0] == 'a' && b[2] == 'c';
    case 7: return pread(file(), b, 2, 1) && b[0] == 'b' && b[1] == 'c';
    case 8: return preadv(file(), v, 2, 1) && b[1] == 'b' && b[2] == 'c' && b[0] == 'd';
    case 9: return fread(b, 1, 3, stream()) && b[0] == 'a' && b[2] == 'c';
    case 10: return fgets((char *)b, 10, stream()) && b[0] == 'a' && b[4] == '\n' && b[5] == 0;
    case 11: return pipe((int *)b) == 0 && number[0] == 5 && number[1] == 6;
    case 12: return socketpair(AF_UNIX, SOCK_STREAM, 0, number) == 0 && number[0] == 5 && number[1] == 6;
    case 13: return stat(".", s) == 0 && S_ISDIR(s->st_mode);
    case 14: return fstat(file(), s) == 0 && S_ISREG(s->st_mode) && s->st_size == 4;
    case 15: return ioctl(d[1], FIONREAD, b) == 0 && number[0] == 4;
    case 16: return getsockopt(d[1], SOL_SOCKET, SO_TYPE, b, &n) == 0 && number[0] == SOCK_STREAM && n == 4;
    case 17: return getsockname(d[1], (struct sockaddr *)b, &n) == 0 && ((struct sockaddr *)b)->sa_family == AF_UNIX;
    case 18: return getpeername(d[1], (struct sockaddr *)b, &n) == 0 && ((struct sockaddr *)b)->sa_family == AF_UNIX;
    case 19: return getcwd((char *)b, 512) && b[0] == '/';
    case 20: return symlink("target", "link") == 0 && readlink("link", (char *)b, 9) == 6 && b[0] == 't' && b[5] == 't';
    case 21: return eventfd_read(eventfd(7, 0), (eventfd_t *)b) == 0 && word[0] == 7;
    case 22: return sigemptyset((sigset_t *)b), sigprocmask(SIG_BLOCK, NULL, (sigset_t *)b) == 0 && word[0] == 0;
    case 23: return sigpending((sigset_t *)b) == 0 && word[0] == 0;
    case 24: return sigaction(SIGUSR1, NULL, (struct sigaction *)b) == 0 && word[0] == 0;
    case 25: return waitpid(fork() ?: (_exit(3), 0), number, 0) > 0 && WEXITSTATUS(number[0]) == 3;
    case 26: return timerfd_gettime(timerfd_create(CLOCK_MONOTONIC, 0), (struct itimerspec *)b) == 0 && word[2] == 0;
    case 27: return getitimer(ITIMER_REAL, (struct itimerval *)b) == 0 && word[2] == 0;
    case 28: return clock_gettime(CLOCK_MONOTONIC, (struct timespec *)b) == 0 && word[1] >= 0 && word[1] < 1000000000;
    case 29: return inet_pton(AF_INET, "1.2.3.4", b) == 1 && b[0] == 1 && b[3] == 4;
    case 30: return inet_ntop(AF_INET, "\1\2\3\4", (char *)b, 32) && b[0] == '1' && b[7] == 0;
    case 31: return strftime((char *)b, 32, "%Y", &(struct tm){.tm_year = 70}) == 4 && b[0] == '1' && b[4] == 0;
    case 32: return gmtime_r(&(time_t){0}, (struct tm *)b) && ((struct tm *)b)->tm_year == 70;
    case 33: return posix_memalign((void **)b, 16, 1) == 0 && word[0] % 16 == 0;
    case 34: return mq_getattr(mq_open("/q", O_RDWR | O_CREAT, 0600, &(struct mq_attr){0, 3, 8, 0}), (struct mq_attr *)b) == 0 && word[1] == 3;
    case 35: return dprintf(d[0], "%d", 5) == 1 && read(d[1], b, 8) == 5 && b[4] == '5';
    default: return 2;
    }
}
enum { N = 36 };

/* Where they write text: what lay there before is the same for some inputs, and must not be taken
 * for what is written. */
static const char *const texts[N] = {[0] = "abc", [1] = "1.5x", [2] = "abc", [3] = "abc", [4] = "cab",
                                     [5] = "cab", [6] = "abc", [7] = "bc", [8] = "dbc", [9] = "abc",
                                     [10] = "abcd", [19] = "/", [20] = "target", [30] = "1.2.3.4", [31] = "1970"};
static void lay_before(int which, unsigned char z) {
    for (int k = 0; texts[which] && texts[which][k]; k++)
        b[k] = (unsigned char)texts[which][k] ^ z;
}

int main(void) {
    unsigned char x, z;
    heddle_input(x);
    heddle_input(z);
    heddle_assume(x <= N && z < 2);
    heddle_bytes(b, sizeof b, "b");
    socketpair(AF_UNIX, SOCK_STREAM, 0, d);
    for (int i = 0; i < N; i++)
        if (x == i) {
            lay_before(i, z);
            heddle_reach(writes(i) == 1 ? "known" : "other");
        }
    return 0;
}
