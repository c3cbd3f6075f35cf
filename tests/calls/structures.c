/* What functions fill in, to its last field, and that what lies behind it stays as it was. */
#include "calls.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <limits.h>
#include <locale.h>
#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
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
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

#define QUEUE "/heddle-calls-structures"

static unsigned char room[256];
static void *clean(void) {
    return memset(room, 0x55, sizeof room);
}

/* ---- files ---- */

static void show_stat(const char *what, int d) {
    struct stat s;
    memset(&s, 0x55, sizeof s);
    T(fstat(d, &s));
    printf("  %s: mode %o links %ld size %ld block %ld owner %d %d device %d\n", what, s.st_mode,
           (long)s.st_nlink, (long)s.st_size, (long)s.st_blksize, s.st_uid == getuid(),
           s.st_gid == getgid(), (int)s.st_rdev);
}
static void files(void) {
    int p[2], s[2];
    pipe(p);
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    show_stat("pipe", p[0]);
    show_stat("pipe", p[1]);
    show_stat("socket", s[0]);
    show_stat("eventfd", eventfd(0, 0));
    show_stat("timerfd", timerfd_create(CLOCK_MONOTONIC, 0));
    show_stat("epoll", epoll_create1(0));
    umask(022);
    shm_unlink(QUEUE);
    int f = open("file", O_RDWR | O_CREAT, 0644), m = shm_open(QUEUE, O_RDWR | O_CREAT, 0646);
    write(f, "abc", 3);
    link("file", "second");
    show_stat("file", f);
    ftruncate(m, 5000);
    show_stat("shared", m);
    show_stat("null", open("/dev/null", O_RDONLY));
    shm_unlink(QUEUE);
    show_stat("gone", m);
    T(posix_fallocate(f, 1, INT64_MAX));
    T(posix_fallocate(f, INT64_MAX, 1));
    T(posix_fallocate(f, 2, 3));
    show_stat("longer", f);
    int all[] = {p[0], p[1], s[0], eventfd(0, 0), open("/dev/null", O_RDWR), open(".", O_RDONLY),
                 99};
    for (int i = 0; i < 7; i++) {
        T(posix_fallocate(all[i], 0, 1));
        T(posix_fallocate(all[i], 0, 0));
        T(posix_fallocate(all[i], -1, 1));
    }
    T(unlink("second"));
    T(unlink("file"));
}

static void list(const char *path) {
    DIR *all = opendir(path);
    struct stat s;
    char name[600];
    T(fcntl(dirfd(all), F_GETFD));
    for (struct dirent *e; (e = readdir(all));) {
        snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        int r = lstat(name, &s);
        if (e->d_name[0] != '.') /* in whatever order: there is one of a kind */
            printf("  %zu %d %d %d\n", strlen(e->d_name), e->d_type, r == 0, s.st_ino == e->d_ino);
    }
    T(closedir(all));
}
static void names(void) {
    char longest[300] = "one/";
    T(mkdir("one", 0700));
    memset(longest + 4, 'y', 255);
    T(close(open(longest, O_CREAT | O_WRONLY, 0600)));
    list("one");
    T(unlink(longest));
    longest[4 + 255] = 'y';
    T(open(longest, O_CREAT | O_WRONLY, 0600));
    T(mkdir("one/directory", 0700));
    list("one");
    T(rmdir("one/directory"));
    T(symlink("nowhere", "one/link"));
    list("one");
    T(readlink("one/link", clean(), 64));
    show("room", room, 12);
    T(unlink("one/link"));
    char *made = getcwd(NULL, 0);
    T((long)made & 15);
    memset(room, 0x55, sizeof room);
    char *large = malloc(2 * PATH_MAX);
    memset(large, 0x55, 2 * PATH_MAX);
    T(getcwd(large, 2 * PATH_MAX) == large);
    T(large[strlen(made) + 1]);
    T((realpath("one", large), errno = 0, large[0])); /* glibc leaves an error behind */
    T(large[strlen(made) + 5]);
    T(strcmp(large + strlen(made), "/one"));
    free(large);
    free(made);
    made = realpath("one", NULL);
    T((long)made & 15);
    free(made);
    T(rmdir("one"));
}

/* ---- texts and addresses ---- */

static void texts(void) {
    struct tm when = {.tm_year = 124, .tm_mon = 1, .tm_mday = 3, .tm_wday = 6};
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(4711)};
    a.sin_addr.s_addr = htonl(0x7f000001);
    T(strftime(clean(), 64, "%Y", &when));
    show("strftime", room, 8);
    T(strftime(clean(), 4, "%Y", &when));
    TP(asctime_r(&when, clean()));
    show("asctime", room, 28);
    TP(inet_ntop(AF_INET, &a.sin_addr, clean(), 64));
    show("ntop", room, 12);
    int numbers = NI_NUMERICHOST | NI_NUMERICSERV;
    T(getnameinfo((void *)&a, sizeof a, clean(), 64, (char *)room + 64, 32, numbers));
    show("host", room, 12);
    show("port", room + 64, 8);
    T(getnameinfo((void *)&a, sizeof a, clean(), 64, NULL, 0, NI_NUMERICSERV));
    show("name", room, 12);
    T(getnameinfo((void *)&a, sizeof a, clean(), 64, NULL, 0, NI_NAMEREQD));
    show("name", room, 12);
    T(gethostname(clean(), 100));
    T(room[strlen((char *)room) + 1]);
    TP(strerror_r(ENOENT, clean(), 64));
    for (int i = 0; i < 2; i++) {
        struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *all = NULL;
        T(getaddrinfo("127.0.0.1", i ? "65536" : "", &hints, &all));
        if (all)
            T(ntohs(((struct sockaddr_in *)all->ai_addr)->sin_port));
        if (all)
            freeaddrinfo(all);
    }
}

static void show_address(socklen_t n, const struct sockaddr_un *a) {
    printf("  %u bytes", n);
    show("address", a, 12);
}
static void addresses(void) {
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "abc"}, got;
    int s = socket(AF_UNIX, SOCK_STREAM, 0), c = socket(AF_UNIX, SOCK_STREAM, 0);
    socklen_t lengths[] = {0, 1, 4, sizeof got}, n;
    T(bind(s, (void *)&name, sizeof name));
    T(listen(s, 1));
    T(connect(c, (void *)&name, sizeof name));
    for (int i = 0; i < 4; i++) {
        memset(&got, 0x55, sizeof got);
        n = lengths[i];
        T(getsockname(s, (void *)&got, &n));
        show_address(n, &got);
        memset(&got, 0x55, sizeof got);
        n = lengths[i];
        T(getpeername(c, (void *)&got, &n));
        show_address(n, &got);
    }
    memset(&got, 0x55, sizeof got);
    n = 1;
    T(accept(s, (void *)&got, &n) >= 0);
    show_address(n, &got);
    T(unlink("abc"));
}

/* ---- what comes in ---- */

static void messages(void) {
    int s[2];
    struct mq_attr sizes = {.mq_maxmsg = 2, .mq_msgsize = 16};
    mqd_t q = mq_open(QUEUE, O_RDWR | O_CREAT, 0600, &sizes);
    mq_unlink(QUEUE);
    T(mq_send(q, "abc", 3, 7));
    T(mq_receive(q, clean(), 16, (unsigned *)(room + 32)));
    show("message", room, 5);
    show("priority", room + 32, 6);
    socketpair(AF_UNIX, SOCK_DGRAM, 0, s);
    T(write(s[0], "abc", 3));
    T(recv(s[1], clean(), 2, 0));
    show("cut", room, 4);
    T(write(s[0], "abc", 3));
    T(recv(s[1], clean(), 16, MSG_PEEK));
    T(read(s[1], clean(), 16));
    show("whole", room, 5);
    int d[2], n = 0x5555;
    pipe(d);
    T(ioctl(d[0], FIONREAD, &n));
    T(n);
}

static void sets(void) {
    int p[2];
    pipe(p);
    write(p[1], "x", 1);
    fd_set all;
    struct timeval none = {0, 0};
    for (int n = 62; n < 67; n++) {
        memset(&all, 0, sizeof all);
        memset((char *)&all + 8, 0x55, 16);
        if (n > 64)
            memset((char *)&all + 8, 0, 8);
        FD_SET(p[0], &all);
        T(select(n, &all, NULL, NULL, &none));
        show("set", &all, 20);
    }
    struct pollfd one = {p[0], POLLIN, 0x7f};
    T(poll(&one, 1, 0));
    show("poll", &one, sizeof one);
    struct epoll_event want = {EPOLLIN, {.u64 = 0x123456789abcdef}}, got[2];
    int e = epoll_create1(0);
    memset(got, 0x55, sizeof got);
    T(epoll_ctl(e, EPOLL_CTL_ADD, p[0], &want));
    T(epoll_wait(e, got, 2, 0));
    show("events", got, sizeof got);
    struct sigaction before;
    memset(&before, 0x55, sizeof before);
    T(sigaction(SIGUSR1, NULL, &before));
    T(before.sa_flags);
    show("mask", &before.sa_mask, 8);
    T(signal(SIGUSR1, SIG_IGN) == SIG_DFL);
    T(sigaction(SIGUSR1, NULL, &before));
    T(before.sa_flags == SA_RESTART || before.sa_flags == (SA_RESTART | 0x04000000));
    show("mask", &before.sa_mask, 8);
    sigset_t set;
    memset(&set, 0x55, sizeof set);
    T(sigpending(&set));
    show("pending", &set, 8);
    memset(&set, 0x55, sizeof set);
    T(sigprocmask(SIG_BLOCK, NULL, &set));
    show("blocked", &set, 8);
}

/* The same edge is told once, whatever is read of it. */
static void edges(void) {
    int e = epoll_create1(0), v = eventfd(3, EFD_SEMAPHORE | EFD_NONBLOCK);
    int t = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    uint64_t n;
    struct epoll_event want = {EPOLLIN | EPOLLET, {.u64 = 1}}, got;
    struct itimerspec soon = {{0, 0}, {0, 1000000}};
    T(epoll_ctl(e, EPOLL_CTL_ADD, v, &want));
    T(epoll_wait(e, &got, 1, 0));
    T(eventfd_read(v, &n));
    T(epoll_wait(e, &got, 1, 0));
    T(eventfd_write(v, 1));
    T(epoll_wait(e, &got, 1, 0));
    T(epoll_ctl(e, EPOLL_CTL_DEL, v, NULL));
    T(epoll_ctl(e, EPOLL_CTL_ADD, t, &want));
    T(timerfd_settime(t, 0, &soon, NULL));
    T(epoll_wait(e, &got, 1, 1000));
    T(epoll_wait(e, &got, 1, 0));
    T(timerfd_settime(t, 0, &soon, NULL));
    T(epoll_wait(e, &got, 1, 1000));
    T(read(t, &n, 8));
    T(epoll_wait(e, &got, 1, 0));
    T(timerfd_settime(t, 0, &soon, NULL));
    T(epoll_wait(e, &got, 1, 1000));
}

/* Room that is made is one too, and each time that a timer expires. */
static void more_edges(void) {
    int e = epoll_create1(0), v = eventfd(0, EFD_NONBLOCK);
    int t = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    uint64_t n;
    struct epoll_event want = {EPOLLOUT | EPOLLET, {.u64 = 1}}, got;
    struct itimerspec often = {{0, 30000000}, {0, 10000000}};
    T(epoll_ctl(e, EPOLL_CTL_ADD, v, &want));
    T(epoll_wait(e, &got, 1, 0));
    T(epoll_wait(e, &got, 1, 0));
    T(eventfd_write(v, UINT64_MAX - 1));
    T(epoll_wait(e, &got, 1, 0));
    T(eventfd_read(v, &n));
    T(epoll_wait(e, &got, 1, 0));
    T(epoll_wait(e, &got, 1, 0));
    want.events = EPOLLIN | EPOLLOUT | EPOLLET;
    T(epoll_ctl(e, EPOLL_CTL_MOD, v, &want));
    T(epoll_wait(e, &got, 1, 0));
    T(got.events);
    T(eventfd_write(v, 1));
    T(epoll_wait(e, &got, 1, 0));
    T(got.events);
    T(epoll_ctl(e, EPOLL_CTL_DEL, v, NULL));
    want.events = EPOLLIN | EPOLLET;
    T(epoll_ctl(e, EPOLL_CTL_ADD, t, &want));
    T(timerfd_settime(t, 0, &often, NULL));
    for (int i = 0; i < 3; i++) {
        T(epoll_wait(e, &got, 1, 1000));
        T(read(t, &n, 8));
    }
}

/* ---- times and the rest ---- */

static void times(void) {
    struct itimerval half = {{0, 0}, {1, 500000}}, old;
    struct timespec little = {0, 1};
    T(setitimer(ITIMER_REAL, &half, NULL));
    T(nanosleep(&little, NULL));
    T(alarm(0)); /* less than a second and a half */
    memset(&old, 0x55, sizeof old);
    T(getitimer(ITIMER_REAL, &old));
    show("timer", &old, sizeof old);
    half = (struct itimerval){{3, 0}, {0, 400000}};
    T(setitimer(ITIMER_REAL, &half, &old));
    show("timer", &old, sizeof old);
    T(alarm(0)); /* a little is one second */
    struct timespec t;
    memset(&t, 0x55, sizeof t);
    T(clock_getres(CLOCK_MONOTONIC, &t));
    T(t.tv_sec);
    struct tm date;
    time_t when = 86400;
    memset(&date, 0x55, sizeof date);
    T(gmtime_r(&when, &date) == &date);
    show("date", &date, 36);
    struct timeval now;
    memset(&now, 0x55, sizeof now);
    T(gettimeofday(&now, NULL));
    T(now.tv_usec / 1000000);
}

static void locale(void) {
    const struct lconv *l = localeconv();
    const char *const all[] = {l->decimal_point,     l->thousands_sep,   l->grouping,
                               l->int_curr_symbol,   l->currency_symbol, l->mon_decimal_point,
                               l->mon_thousands_sep, l->mon_grouping,    l->positive_sign,
                               l->negative_sign};
    for (int i = 0; i < 10; i++)
        show_text("locale", all[i]);
    show("numbers", &l->int_frac_digits, 14);
}

static void children(void) {
    int status = 0x55555555, pid;
    siginfo_t info;
    struct rusage usage;
    fflush(stdout);
    if ((pid = fork()) == 0)
        _exit(0x1234);
    memset(&info, 0x55, sizeof info);
    T(waitid(P_PID, pid, &info, WEXITED));
    T(info.si_signo);
    T(info.si_errno);
    T(info.si_code);
    T(info.si_pid == pid);
    T(info.si_uid == getuid());
    T(info.si_status);
    fflush(stdout);
    if ((pid = fork()) == 0)
        _exit(0x1234);
    memset(&usage, 0x55, sizeof usage);
    T(wait4(pid, &status, 0, &usage) == pid);
    T(status);
    T(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec);
    T(usage.ru_nsignals);
}

/* ---- room for just as much as is needed ---- */

static void *last;
/* A block of n bytes, and the one before is freed. */
static void *R(size_t n) {
    free(last);
    return last = calloc(1, n);
}
static int print(char *out, size_t n, const char *format, ...) {
    va_list a;
    va_start(a, format);
    int r = n ? vsnprintf(out, n, format, a) : vsprintf(out, format, a);
    va_end(a);
    return r;
}

static void exact_texts(void) {
    struct tm when = {.tm_year = 124, .tm_mon = 1, .tm_mday = 3, .tm_wday = 6};
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(4711)};
    char *made = getcwd(NULL, 0), host[256], *second;
    a.sin_addr.s_addr = htonl(0x7f000001);
    T(strftime(R(5), 5, "%Y", &when));
    T(strftime(R(5), 5, "%Y-%m", &when));
    TP(asctime_r(&when, R(26)));
    TP(ctime_r(&(time_t){0}, R(26)));
    T(snprintf(R(7), 7, "%s", "abcdef"));
    T(snprintf(R(3), 3, "%s", "abcdef"));
    T(sprintf(R(7), "%s", "abcdef"));
    T(print(R(7), 7, "%d", 123456));
    T(print(R(7), 0, "%d", 123456));
    T(snprintf(R(1), 1, "%s", ""));
    TP(inet_ntop(AF_INET, &a.sin_addr, R(10), 10));
    T(inet_pton(AF_INET, "1.2.3.4", R(4)));
    T(inet_pton(AF_INET6, "::1", R(16)));
    T(inet_aton("1.2.3.4", R(4)));
    TP(getcwd(R(strlen(made) + 1), strlen(made) + 1));
    free(made);
    T(gethostname(host, sizeof host));
    T(gethostname(R(strlen(host) + 1), strlen(host) + 1));
    second = malloc(5);
    T(getnameinfo((void *)&a, sizeof a, R(10), 10, second, 5, NI_NUMERICHOST | NI_NUMERICSERV));
    free(second);
    T(symlink("to", "exact"));
    T(readlink("exact", R(2), 2));
    T(readlink("exact", R(2), 99));
    T(unlink("exact"));
    T((second = strcpy(R(8), "tXXXXXX"), close(mkstemp(second))));
    T(unlink(second));
    T((second = strcpy(R(8), "dXXXXXX"), mkdtemp(second) == second));
    T(rmdir(second));
}

static void exact_structures(void) {
    int *two = R(8), p[2], s[2], e = epoll_create1(0), t = timerfd_create(CLOCK_MONOTONIC, 0);
    T(pipe(two));
    T(socketpair(AF_UNIX, SOCK_STREAM, 0, R(8)));
    pipe(p);
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    write(p[1], "abcdef", 6);
    write(s[1], "abcdef", 6);
    T(fstat(p[0], R(sizeof(struct stat))));
    T(stat("/", R(sizeof(struct stat))));
    T(ioctl(p[0], FIONREAD, R(4)));
    T(poll(memcpy(R(8), &(struct pollfd){p[0], POLLIN, 0}, 8), 1, 0));
    T(select(64, R(8), NULL, NULL, &(struct timeval){0, 0}));
    T(select(0, NULL, NULL, NULL, R(16)));
    T(epoll_ctl(e, EPOLL_CTL_ADD, p[0], memcpy(R(12), &(struct epoll_event){EPOLLIN, {0}}, 12)));
    T(epoll_wait(e, R(12), 1, 0));
    T(read(p[0], R(2), 2));
    T(recv(s[0], R(2), 2, 0));
    T(recv(s[0], R(2), 2, MSG_PEEK));
    T(getsockopt(s[0], SOL_SOCKET, SO_TYPE, R(4), &(socklen_t){4}));
    T(getsockopt(s[0], SOL_SOCKET, SO_LINGER, R(8), &(socklen_t){8}));
    T(getsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, R(16), &(socklen_t){16}));
    T(getsockname(s[0], R(2), &(socklen_t){2}));
    T(timerfd_gettime(t, R(32)));
    T(timerfd_settime(t, 0, R(32), NULL));
    T(timerfd_settime(t, 0, &(struct itimerspec){0}, R(32)));
    T(getitimer(ITIMER_REAL, R(32)));
    T(setitimer(ITIMER_REAL, R(32), NULL));
    T(setitimer(ITIMER_REAL, &(struct itimerval){0}, R(32)));
    T(eventfd_read(eventfd(1, 0), R(8)));
    T(clock_gettime(CLOCK_MONOTONIC, R(16)));
    T(clock_getres(CLOCK_MONOTONIC, R(16)));
    T(gettimeofday(R(16), NULL));
    T(time(R(8)) > 0);
    T(nanosleep(R(16), NULL));
    T(clock_nanosleep(CLOCK_MONOTONIC, 0, R(16), NULL));
    TP(gmtime_r(&(time_t){0}, R(sizeof(struct tm))));
    TP(localtime_r(&(time_t){0}, R(sizeof(struct tm))));
    T(timegm(R(sizeof(struct tm))) < 0);
    T(sigaction(SIGUSR1, NULL, R(sizeof(struct sigaction))));
    T(sigprocmask(SIG_BLOCK, NULL, R(sizeof(sigset_t))));
    T(sigpending(R(sizeof(sigset_t))));
    T(posix_memalign(R(8), 16, 16));
    free(*(void **)last);
    T(utimensat(AT_FDCWD, "/none", R(32), 0));
    T(fork() == 0 ? (_exit(3), 0) : wait(R(4)) > 0);
    T(*(int *)last);
    T(fork() == 0 ? (_exit(3), 0) : waitid(P_ALL, 0, R(sizeof(siginfo_t)), WEXITED));
    T(fork() == 0 ? (_exit(3), 0) : wait4(-1, NULL, 0, R(sizeof(struct rusage))) > 0);
    struct mq_attr sizes = {.mq_maxmsg = 2, .mq_msgsize = 8};
    mqd_t q = mq_open(QUEUE, O_RDWR | O_CREAT, 0600, &sizes);
    mq_unlink(QUEUE);
    T(mq_send(q, memset(R(8), 'x', 8), 8, 0));
    T(mq_receive(q, R(8), 8, NULL));
    T(mq_getattr(q, R(sizeof sizes)));
    T(mq_setattr(q, &sizes, R(sizeof sizes)));
}

int main(void) {
    files();
    names();
    texts();
    addresses();
    messages();
    sets();
    edges();
    more_edges();
    times();
    locale();
    children();
    exact_texts();
    exact_structures();
    return 0;
}
