/* cases.c -- library functions over descriptors, processes and threads with operands that depend on
 * an input: as arguments, and in memory behind them.
 *
 * Each case maps a small number to a small number.  Without HEDDLE it prints what comes out for all
 * values of the input, on Linux; with it, an execution reaches the label of what comes out.
 * tests/operands.sh compares the two sets, case by case.  A case leaves nothing behind that another
 * value would see. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define DOMAIN       8
#define TCP_KEEPCNT_ 6 /* as in <netinet/tcp.h>, which declares too much */

/* ---- helpers ---- */

static int filled_pipe(int *p, const char *text) {
    pipe(p);
    return (int)write(p[1], text, strlen(text));
}

static int new_file(const char *text) {
    char name[] = "operands-XXXXXX";
    int f = mkstemp(name);
    unlink(name);
    write(f, text, strlen(text));
    lseek(f, 0, SEEK_SET);
    return f;
}

static int error_of(int r) {
    return r < 0 ? 40 + errno % 20 : r;
}

/* ---- pieces ---- */

static int writev_length(int x) {
    int p[2];
    char b[16];
    struct iovec v[2] = {{"abcdefgh", (size_t)x}, {"xy", 2}};
    pipe(p);
    writev(p[1], v, 2);
    return (int)read(p[0], b, 16);
}

static int writev_base(int x) {
    int p[2];
    char b[16] = "";
    char from[DOMAIN + 1] = "abcdefgh";
    struct iovec v = {from + x, 1};
    pipe(p);
    writev(p[1], &v, 1);
    read(p[0], b, 16);
    return b[0] - 'a';
}

static int readv_lengths(int x) {
    int p[2];
    char a[8] = "", b[8] = "";
    struct iovec v[2] = {{a, (size_t)x}, {b, 8 - (size_t)x}};
    filled_pipe(p, "12345678");
    readv(p[0], v, 2);
    return b[0] ? b[0] - '0' : 9;
}

static int readv_count(int x) {
    int p[2];
    char a[8];
    struct iovec v[8];
    for (int i = 0; i < 8; i++)
        v[i] = (struct iovec){a + i, 1};
    filled_pipe(p, "12345");
    return x ? (int)readv(p[0], v, x) : 0;
}

static int sendmsg_count(int x) {
    int s[2];
    char b[16];
    struct iovec v[8];
    for (int i = 0; i < 8; i++)
        v[i] = (struct iovec){"ab", 2};
    struct msghdr h = {.msg_iov = v, .msg_iovlen = (size_t)x};
    socketpair(AF_UNIX, SOCK_DGRAM, 0, s);
    sendmsg(s[0], &h, 0);
    return (int)recv(s[1], b, 16, MSG_DONTWAIT);
}

static int recvmsg_length(int x) {
    int s[2];
    char b[16];
    struct iovec v = {b, (size_t)x};
    struct msghdr h = {.msg_iov = &v, .msg_iovlen = 1};
    socketpair(AF_UNIX, SOCK_DGRAM, 0, s);
    send(s[0], "hello", 5, 0);
    int n = (int)recvmsg(s[1], &h, 0);
    return n + (h.msg_flags & MSG_TRUNC ? 20 : 0);
}

static int bytes_of_a_pipe(int x) {
    int p[2];
    char c = (char)(3 * x), back;
    pipe(p);
    write(p[1], &c, 1);
    read(p[0], &back, 1);
    return back;
}

static int read_more_than_there_is(int x) {
    int p[2];
    char b[3];
    filled_pipe(p, "ab");
    return (int)read(p[0], b, (size_t)x + 2);
}

static int unread_bytes(int x) {
    int p[2], n;
    pipe(p);
    write(p[1], "abcdefgh", (size_t)x);
    ioctl(p[0], FIONREAD, &n);
    return n;
}

/* ---- waiting for descriptors ---- */

static int poll_events(int x) {
    int p[2];
    filled_pipe(p, "a");
    struct pollfd f[2] = {{p[0], (short)x, 0}, {p[1], (short)x, 0}};
    int n = poll(f, 2, 0);
    return n * 8 + (f[0].revents & POLLIN ? 1 : 0) + (f[1].revents & POLLOUT ? 2 : 0);
}

static int poll_descriptor(int x) {
    int p[2];
    filled_pipe(p, "a");
    struct pollfd f = {x < 4 ? p[x & 1] : x < 6 ? -x : 900 + x, POLLIN, 0};
    int n = poll(&f, 1, 0);
    return n + (f.revents & POLLNVAL ? 4 : 0) + (f.revents & POLLIN ? 8 : 0);
}

static int poll_number(int x) {
    int p[2];
    filled_pipe(p, "a");
    struct pollfd f[8];
    for (int i = 0; i < 8; i++)
        f[i] = (struct pollfd){p[i & 1], POLLIN, 0};
    return poll(f, (nfds_t)x, 0);
}

static int select_bits(int x) {
    int p[2], q[2];
    filled_pipe(p, "a");
    pipe(q);
    fd_set r;
    FD_ZERO(&r);
    for (int i = 0; i < 2; i++)
        if (x >> i & 1)
            FD_SET(i ? q[0] : p[0], &r);
    struct timeval t = {0, x >> 2};
    int n = select(q[0] + 1, &r, NULL, NULL, &t);
    return n * 2 + (FD_ISSET(p[0], &r) != 0);
}

static int select_mask(int x) {
    int p[2];
    filled_pipe(p, "a");
    unsigned long r[16] = {0};
    r[0] = (unsigned long)x << p[0];
    struct timeval t = {0, 0};
    dup2(p[0], p[0] + 2);
    return error_of(select(p[0] + 3, (fd_set *)r, NULL, NULL, &t)) * 8 + (int)(r[0] >> p[0]) % 8;
}

static int epoll_events(int x) {
    int p[2], e = epoll_create1(0);
    filled_pipe(p, "a");
    struct epoll_event in = {(unsigned)x | (x & 2 ? EPOLLONESHOT : 0), {.u32 = 5}}, out[4];
    epoll_ctl(e, EPOLL_CTL_ADD, p[0], &in);
    return 4 * epoll_wait(e, out, 4, 0) + epoll_wait(e, out, 4, 0);
}

static int epoll_data(int x) {
    int p[2], e = epoll_create1(0);
    filled_pipe(p, "a");
    struct epoll_event in = {EPOLLIN, {.u64 = 7 * (unsigned)x}}, out = {0};
    epoll_ctl(e, EPOLL_CTL_ADD, p[0], &in);
    epoll_wait(e, &out, 1, 0);
    return (int)out.data.u64;
}

static int epoll_most(int x) {
    int p[2], e = epoll_create1(0);
    struct epoll_event in = {EPOLLIN, {0}}, out[8];
    filled_pipe(p, "a");
    for (int i = 0; i < 4; i++)
        epoll_ctl(e, EPOLL_CTL_ADD, dup(p[0]), &in);
    return error_of(epoll_wait(e, out, x, 0));
}

static int epoll_operation(int x) {
    int p[2], e = epoll_create1(0);
    struct epoll_event in = {EPOLLIN, {0}}, out[8];
    filled_pipe(p, "a");
    int r = error_of(epoll_ctl(e, x, p[0], &in));
    return r + epoll_wait(e, out, 8, 0);
}

/* ---- counters and clocks ---- */

static int eventfd_values(int x) {
    int e = eventfd((unsigned)x, EFD_NONBLOCK);
    eventfd_t v = (eventfd_t)(2 * x), back = 33;
    eventfd_write(e, v);
    eventfd_read(e, &back);
    return (int)back;
}

static int eventfd_bytes(int x) {
    int e = eventfd(0, EFD_NONBLOCK | (x & 4 ? EFD_SEMAPHORE : 0));
    uint64_t v = (uint64_t)(x & 3), back = 30;
    write(e, &v, 8);
    write(e, &v, 8);
    int n = error_of((int)read(e, &back, 8));
    struct pollfd f = {e, POLLIN, 0};
    return n % 10 + 10 * (int)(back % 10) / 2 + poll(&f, 1, 0);
}

static int timerfd_time(int x) {
    int t = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    struct itimerspec in = {{0, 0}, {x & 1 ? 1000 : 0, x & 2 ? 2000000000 : 0}}, out;
    int r = error_of(timerfd_settime(t, 0, &in, NULL));
    timerfd_gettime(t, &out);
    return r + 2 * (out.it_value.tv_sec > 900);
}

static int sleep_invalid(int x) {
    struct timespec t = {x & 1 ? -1 : 0, x & 2 ? 1000000000 : x & 4 ? 5 : 0};
    errno = 0;
    return error_of(nanosleep(&t, NULL));
}

static int alarm_left(int x) {
    alarm(10 * (unsigned)x);
    return (int)alarm(0);
}

static int interval_left(int x) {
    struct itimerval in = {{x, 0}, {100, x & 1 ? 2000000 : 0}}, out;
    int r = error_of(setitimer(ITIMER_REAL, &in, NULL));
    getitimer(ITIMER_REAL, &out);
    in = (struct itimerval){0};
    setitimer(ITIMER_REAL, &in, NULL);
    return r + (int)out.it_interval.tv_sec;
}

/* ---- sockets ---- */

static int option_kept(int x) {
    int s = socket(AF_INET, SOCK_STREAM, 0), v = 1 + x, back = 0;
    socklen_t n = sizeof back;
    setsockopt(s, IPPROTO_TCP, TCP_KEEPCNT_, &v, sizeof v);
    getsockopt(s, IPPROTO_TCP, TCP_KEEPCNT_, &back, &n);
    return back;
}

static int option_flag(int x) {
    int s = socket(AF_INET, SOCK_STREAM, 0), v = x & 6, back = 0;
    socklen_t n = sizeof back;
    setsockopt(s, SOL_SOCKET, SO_KEEPALIVE, &v, sizeof v);
    getsockopt(s, SOL_SOCKET, SO_KEEPALIVE, &back, &n);
    return back;
}

static int option_timeout(int x) {
    int s[2];
    struct timeval t = {x & 1 ? 0 : 3, x & 2 ? 5000000 : 10}, back;
    socklen_t n = sizeof back;
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    int r = error_of(setsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t));
    getsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, &back, &n);
    return r + (int)back.tv_sec;
}

static int option_length(int x) {
    int s = socket(AF_INET, SOCK_STREAM, 0), v = 1, back = 0;
    socklen_t n = 4;
    int r = error_of(setsockopt(s, SOL_SOCKET, SO_KEEPALIVE, &v, (socklen_t)x));
    getsockopt(s, SOL_SOCKET, SO_KEEPALIVE, &back, &n);
    return r + back;
}

static int name_length(int x) {
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in a = {.sin_family = 0};
    socklen_t n = (socklen_t)x;
    getsockname(s, (struct sockaddr *)&a, &n);
    return (int)n + a.sin_family * 16;
}

static int port(int x) {
    int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in name = {
        .sin_family = AF_INET, .sin_port = htons(36123), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    bind(a, (struct sockaddr *)&name, sizeof name);
    name.sin_port = htons((unsigned short)(36120 + x));
    return error_of(bind(b, (struct sockaddr *)&name, sizeof name));
}

static int path_of_socket(int x) {
    int a = socket(AF_UNIX, SOCK_STREAM, 0), b = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0operands3"};
    bind(a, (struct sockaddr *)&name, sizeof name);
    listen(a, 3);
    name.sun_path[9] = (char)('0' + x);
    return error_of(connect(b, (struct sockaddr *)&name, sizeof name));
}

static int shutdown_how(int x) {
    int s[2];
    char c;
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    int r = error_of(shutdown(s[0], x));
    return r + 2 * (recv(s[0], &c, 1, MSG_DONTWAIT) == 0) +
           4 * (send(s[0], "a", 1, MSG_NOSIGNAL) == 1);
}

static int receive_flags(int x) {
    int s[2];
    char b[8];
    socketpair(AF_UNIX, SOCK_DGRAM, 0, s);
    send(s[0], "hello", 5, 0);
    int n = (int)recv(s[1], b, 2, (x & 1 ? MSG_PEEK : 0) | (x & 2 ? MSG_TRUNC : 0));
    return n + 10 * (recv(s[1], b, 8, MSG_DONTWAIT) > 0);
}

static int socket_kind(int x) {
    static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET, 77};
    return error_of(socket(AF_UNIX, types[x & 3], x & 4 ? 77 : 0)) > 39;
}

/* ---- numbers of descriptors ---- */

static int dup_number(int x) {
    int f = new_file("abc");
    return error_of(dup2(f, 20 + x)) + (fcntl(22, F_GETFD) == 0 ? 20 : 0);
}

static int dup_from(int x) {
    int f = new_file("abc");
    return fcntl(f, F_DUPFD, 30 + x);
}

static int flags_of_file(int x) {
    int p[2];
    char c;
    pipe(p);
    fcntl(p[0], F_SETFL, x & 1 ? O_NONBLOCK : 0);
    fcntl(p[0], F_SETFD, x & 2 ? FD_CLOEXEC : 0);
    int flags = fcntl(p[0], F_GETFL) & O_NONBLOCK ? 1 : 0;
    return flags + 2 * fcntl(p[0], F_GETFD) + (flags ? 4 * (read(p[0], &c, 1) < 0) : 0);
}

static int pipe_flags(int x) {
    int p[2];
    int r = error_of(pipe2(p, x & 1 ? O_NONBLOCK : x & 2 ? 12345678 : 0));
    return r ? r : fcntl(p[0], F_GETFL) & O_NONBLOCK ? 1 : 0;
}

/* ---- files ---- */

static int content(int x) {
    int f = new_file("");
    unsigned char c = (unsigned char)(5 * x), back = 0;
    write(f, &c, 1);
    pread(f, &back, 1, 0);
    return back;
}

static int content_of_stream(int x) {
    FILE *s = tmpfile();
    fputc('0' + x, s);
    fputs("1 ", s);
    rewind(s);
    int n = 0;
    fscanf(s, "%d", &n);
    fclose(s);
    return n % 64;
}

static int place(int x) {
    int f = new_file("01234");
    char c = '9';
    int r = (int)lseek(f, x - 3, x & 1 ? SEEK_SET : SEEK_END);
    read(f, &c, 1);
    return (r < 0 ? 20 : r) + 2 * (c - '0');
}

static int place_of_stream(int x) {
    FILE *s = tmpfile();
    fputs("abcdefgh", s);
    int r = fseek(s, x - 2, SEEK_SET), c = r ? 'z' : fgetc(s);
    ungetc('a' + x, s);
    int d = fgetc(s);
    fclose(s);
    return c - 'a' + (d == 'c' ? 30 : 0);
}

static int bytes_read(int x) {
    int f = new_file("01234");
    char b[16];
    return (int)pread(f, b, (size_t)x, x & 1);
}

static int new_length(int x) {
    int f = new_file("01234");
    struct stat s;
    int r = error_of(ftruncate(f, x - 1));
    fstat(f, &s);
    return r + (int)s.st_size;
}

static int items_read(int x) {
    FILE *s = tmpfile();
    char b[64] = "";
    fputs("0123456789", s);
    rewind(s);
    int n = (int)fread(b, (size_t)x, 2, s);
    fclose(s);
    return n * 8 + (b[0] != 0);
}

static int line_read(int x) {
    FILE *s = tmpfile();
    char b[16] = "";
    fputs("ab\ncd", s);
    rewind(s);
    char *r = fgets(b, x, s);
    fclose(s);
    return r ? (int)strlen(b) : 20;
}

static int delimiter(int x) {
    FILE *s = tmpfile();
    char *line = NULL;
    size_t n = 0;
    fputs("abcdef", s);
    rewind(s);
    int r = (int)getdelim(&line, &n, 'a' + x, s);
    free(line);
    fclose(s);
    return r;
}

static int mode_of_file(int x) {
    int f = new_file("");
    struct stat s;
    umask((unsigned)x & 3);
    fchmod(f, 0600 | (unsigned)x);
    fstat(f, &s);
    return (int)(s.st_mode & 7) + 8 * (int)umask(022);
}

static int path(int x) {
    char name[] = "operands-0";
    mkdir("operands-5", 0700);
    name[9] = (char)('0' + x);
    int r = error_of(rmdir(name));
    rmdir("operands-5");
    return r;
}

static int opening(int x) {
    int f = open("operands-o", O_RDWR | (x & 1 ? O_CREAT : 0) | (x & 2 ? O_EXCL : 0), 0600);
    int g = x & 4 ? open("operands-o", O_RDONLY | O_CREAT | O_EXCL, 0600) : 0;
    unlink("operands-o");
    return (f < 0) + 2 * (g < 0);
}

static int access_kind(int x) {
    mkdir("operands-a", 0500);
    int r = error_of(access("operands-a", x & 4 ? 77 : F_OK));
    rmdir("operands-a");
    return r;
}

/* ---- processes ---- */

static int status_of_exit(int x) {
    int status = 0;
    if (fork() == 0)
        _exit(3 * x + 1);
    wait(&status);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 60;
}

static int status_of_waitid(int x) {
    siginfo_t info = {0};
    if (fork() == 0)
        exit(2 * x);
    waitid(P_ALL, 0, &info, WEXITED);
    return info.si_status;
}

static int killed_by(int x) {
    int status = 0, p[2];
    char c;
    pipe(p);
    pid_t child = fork();
    if (child == 0) {
        read(p[0], &c, 1);
        _exit(1);
    }
    kill(child, x < 4 ? SIGKILL : 0);
    write(p[1], "a", 1);
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

static int waited_for(int x) {
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    int r = waitpid(x & 1 ? child : 999999, &status, 0) == child;
    if (!r)
        wait(&status);
    return r;
}

static volatile int handled;
static void handle(int signal) {
    handled = signal == SIGUSR1 ? 1 : 2;
}

static int handlers(int x) {
    struct sigaction a = {.sa_handler = x & 1 ? handle : SIG_IGN}, old;
    handled = 0;
    sigaction(x & 2 ? SIGUSR2 : SIGUSR1, &a, NULL);
    sigaction(x & 2 ? SIGUSR1 : SIGUSR2, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    raise(SIGUSR1);
    raise(SIGUSR2);
    sigaction(SIGUSR1, NULL, &old);
    return handled * 2 + (old.sa_handler == SIG_IGN);
}

static int blocked(int x) {
    sigset_t set, pending;
    unsigned long bits[16] = {(unsigned long)x << (SIGUSR1 - 2)};
    memcpy(&set, bits, sizeof set);
    signal(SIGUSR1, handle);
    handled = 0;
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    sigpending(&pending);
    int r = handled * 2 + sigismember(&pending, SIGUSR1);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    return r * 2 + handled;
}

/* ---- threads ---- */

static void *give_back(void *value) {
    return (void *)(3 * (long)value);
}

static int thread_result(int x) {
    pthread_t t;
    void *out;
    pthread_create(&t, NULL, give_back, (void *)(long)x);
    pthread_join(t, &out);
    return (int)(long)out;
}

static int c11_result(void *value) {
    return 2 * (int)(long)value;
}

static int thread_result_c11(int x) {
    thrd_t t;
    int out;
    thrd_create(&t, c11_result, (void *)(long)x);
    thrd_join(t, &out);
    return out;
}

static int own_value(int x) {
    pthread_key_t key;
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, (void *)(long)(4 * x));
    int r = (int)(long)pthread_getspecific(key);
    pthread_key_delete(key);
    return r;
}

static int own_value_c11(int x) {
    tss_t key;
    tss_create(&key, NULL);
    tss_set(key, (void *)(long)x);
    int r = (int)(long)tss_get(key);
    tss_delete(key);
    return r;
}

static int semaphore_value(int x) {
    sem_t s;
    int n = 0, value;
    sem_init(&s, 0, (unsigned)x);
    while (sem_trywait(&s) == 0 && n < 3)
        n++;
    sem_getvalue(&s, &value);
    return n * 8 + value;
}

static int mutex_kind(int x) {
    pthread_mutexattr_t a;
    pthread_mutex_t m;
    int kind = 0;
    pthread_mutexattr_init(&a);
    int r = pthread_mutexattr_settype(&a, x);
    pthread_mutexattr_gettype(&a, &kind);
    pthread_mutex_init(&m, &a);
    pthread_mutex_lock(&m);
    int again = pthread_mutex_trylock(&m);
    return (r ? 30 : 0) + kind * 2 + (again == 0);
}

static int thread_attributes(int x) {
    pthread_attr_t a;
    int state = 5;
    pthread_attr_init(&a);
    int r = pthread_attr_setdetachstate(&a, x);
    pthread_attr_getdetachstate(&a, &state);
    pthread_attr_destroy(&a);
    return (r ? 10 : 0) + state;
}

static int barrier_count(int x) {
    pthread_barrier_t b;
    int r = pthread_barrier_init(&b, NULL, (unsigned)x & 1);
    return r ? 1 : pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD ? 2 : 3;
}

static int timed_lock(int x) {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    struct timespec t = {0, x & 1 ? 2000000000 : x & 2 ? -1 : 0};
    pthread_mutex_lock(&m);
    int r = pthread_mutex_timedlock(&m, &t);
    pthread_mutex_unlock(&m);
    return r == ETIMEDOUT ? 1 : r == EINVAL ? 2 : 3;
}

/* ---- message queues ---- */

static mqd_t new_queue(const struct mq_attr *a) {
    mqd_t q = mq_open("/operands", O_CREAT | O_RDWR | O_NONBLOCK, 0600, a);
    mq_unlink("/operands");
    return q;
}

static int priority(int x) {
    struct mq_attr a = {.mq_maxmsg = 4, .mq_msgsize = 8};
    mqd_t q = new_queue(&a);
    char b[8] = "";
    unsigned back;
    mq_send(q, "a", 1, 3);
    mq_send(q, "b", 1, (unsigned)x);
    mq_receive(q, b, 8, &back);
    return (int)back * 2 + (b[0] == 'b');
}

static int queue_attributes(int x) {
    struct mq_attr a = {.mq_maxmsg = x - 1, .mq_msgsize = 8};
    mqd_t q = new_queue(&a);
    if (q < 0)
        return 40;
    int n = 0;
    while (n < 5 && mq_send(q, "a", 1, 0) == 0)
        n++;
    return n;
}

#define CASES(X)                                                                                   \
    X(writev_length)                                                                               \
    X(writev_base)                                                                                 \
    X(readv_lengths) X(readv_count) X(sendmsg_count) X(recvmsg_length) X(bytes_of_a_pipe) X(       \
        read_more_than_there_is) X(unread_bytes) X(poll_events) X(poll_descriptor) X(poll_number)  \
        X(select_bits) X(select_mask) X(epoll_events) X(epoll_data) X(epoll_most)                  \
            X(epoll_operation) X(eventfd_values) X(eventfd_bytes) X(timerfd_time) X(sleep_invalid) \
                X(alarm_left) X(interval_left) X(option_kept) X(option_flag) X(option_timeout)     \
                    X(option_length) X(name_length) X(port) X(path_of_socket) X(shutdown_how)      \
                        X(receive_flags) X(socket_kind) X(dup_number) X(dup_from) X(flags_of_file) \
                            X(pipe_flags) X(content) X(content_of_stream) X(place)                 \
                                X(place_of_stream) X(bytes_read) X(new_length) X(items_read)       \
                                    X(line_read) X(delimiter) X(mode_of_file) X(path) X(opening)   \
                                        X(access_kind) X(status_of_exit) X(status_of_waitid)       \
                                            X(killed_by) X(waited_for) X(handlers) X(blocked)      \
                                                X(thread_result) X(thread_result_c11) X(own_value) \
                                                    X(own_value_c11) X(semaphore_value)            \
                                                        X(mutex_kind) X(thread_attributes)         \
                                                            X(barrier_count) X(timed_lock)         \
                                                                X(priority) X(queue_attributes)

static const struct {
    const char *name;
    int (*function)(int x);
} cases[] = {
#define X(name) {#name, name},
    CASES(X)
#undef X
};
#define N_CASES (sizeof cases / sizeof *cases)

#ifdef HEDDLE
#include <heddle.h>

/* The case with the name that is given. */
int main(int argc, char **argv) {
    unsigned char x;
    unsigned n = 0;
    static char label[] = "r00";
    while (n < N_CASES && argc > 1 && strcmp(cases[n].name, argv[1]) != 0)
        n++;
    heddle_assert(n < N_CASES);
    heddle_input(x);
    heddle_assume(x < DOMAIN);
    int r = cases[n].function(x);
    for (int i = 0; i < 100; i++)
        if (r == i) {
            label[1] = (char)('0' + i / 10);
            label[2] = (char)('0' + i % 10);
            heddle_reach(label);
            return 0;
        }
    heddle_reach("other");
    return 0;
}
#else
/* A value in a process of its own: nothing is left behind. */
static void print_one(int (*function)(int), int x) {
    fflush(stdout);
    if (fork() == 0) {
        int r = function(x);
        printf(r >= 0 && r < 100 ? " r%02d" : " other", r);
        fflush(stdout);
        _exit(0);
    }
    wait(NULL);
}

int main(void) {
    for (unsigned i = 0; i < N_CASES; i++) {
        printf("%s", cases[i].name);
        for (int x = 0; x < DOMAIN; x++)
            print_one(cases[i].function, x);
        printf("\n");
    }
    return 0;
}
#endif
