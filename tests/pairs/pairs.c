/* pairs.c -- two library calls at the same time: every call of a family against every other, by two
 * threads, or with PROCESSES by two processes.
 *
 * Inputs choose the family and the two calls.  The label of an execution names them and says what
 * both answered and what was left behind: tests/pairs.sh compares the reductions, which differ if
 * an event of a call is missing or touches something else than it says. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int d[4]; /* what the family works on */
/* NUMBERS: only the families about numbers, which are known: fewer accesses, fewer orders. */
#ifdef NUMBERS
#define D(i) (3 + (i))
#else
#define D(i) d[i]
#endif
static mqd_t q;
static FILE *stream;
static char buffer[2][64];

static int is_ready(int descriptor, int events) {
    struct pollfd p = {descriptor, (short)events, 0};
    poll(&p, 1, 0);
    return p.revents;
}
static int unread(int descriptor) {
    int n = -1;
    ioctl(descriptor, FIONREAD, &n);
    return n;
}
static int get(int descriptor) {
    char c = 0;
    long n = read(descriptor, &c, 1);
    return n == 1 ? c : (int)n;
}
static int size_of(int descriptor) {
    struct stat s;
    return fstat(descriptor, &s) < 0 ? -1 : (int)s.st_size;
}

/* ---- eventfd ---- */

static void begin_event(void) {
    d[0] = eventfd(1, EFD_NONBLOCK);
}
static int event_take(void) {
    eventfd_t v = 0;
    return eventfd_read(d[0], &v) < 0 ? -1 : (int)v;
}
static int event_add(void) {
    return eventfd_write(d[0], 2);
}
static int event_fill(void) {
    return eventfd_write(d[0], (eventfd_t)-3);
}
static int event_poll(void) {
    return is_ready(d[0], POLLIN | POLLOUT);
}

/* ---- pipes ---- */

static void begin_pipe(void) {
    pipe2(d, O_NONBLOCK);
    write(d[1], "a", 1);
}
static int pipe_read(void) {
    return get(D(0));
}
static int pipe_write(void) {
    return (int)write(D(1), "bc", 2);
}
static int pipe_ask(void) {
    return unread(D(0));
}
static int pipe_poll(void) {
    return is_ready(D(0), POLLIN);
}
static int pipe_shut(void) {
    return close(D(1));
}
static int pipe_copy(void) {
    return dup2(D(1), D(0)) < 0;
}
static int pipe_flags(void) {
    return fcntl(D(0), F_SETFL, O_NONBLOCK);
}
static int pipe_tell(void) {
    return (fcntl(D(0), F_GETFL) & O_NONBLOCK) != 0;
}
static int pipe_deafen(void) {
    return close(D(0));
}
static int pipe_name(void) {
    return dup(D(0));
}
static int pipe_mark(void) {
    return fcntl(D(0), F_SETFD, FD_CLOEXEC) < 0 ? -1 : fcntl(D(0), F_GETFD);
}

/* ---- pairs of sockets ---- */

static void begin_socket(void) {
    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, d);
    write(d[1], "a", 1);
}
static int socket_receive(void) {
    return get(d[0]);
}
static int socket_send(void) {
    return (int)send(d[1], "b", 1, MSG_NOSIGNAL);
}
static int socket_answer(void) {
    return (int)send(d[0], "c", 1, MSG_NOSIGNAL);
}
static int socket_end(void) {
    return shutdown(d[1], SHUT_WR);
}
static int socket_deafen(void) {
    return shutdown(d[0], SHUT_RD);
}
static int socket_poll(void) {
    return is_ready(d[0], POLLIN | POLLRDHUP);
}
static int socket_error(void) {
    int v = 0;
    socklen_t n = sizeof v;
    return getsockopt(d[0], SOL_SOCKET, SO_ERROR, &v, &n) < 0 ? -1 : v;
}

/* ---- names of sockets ---- */

static struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "pairs"};
#define NAME ((struct sockaddr *)&name), sizeof name
static void begin_name(void) {
    d[0] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    d[1] = socket(AF_UNIX, SOCK_STREAM, 0);
    d[2] = socket(AF_UNIX, SOCK_STREAM, 0);
}
static int name_bind(void) {
    return bind(d[0], NAME);
}
static int name_listen(void) {
    return bind(d[0], NAME) < 0 ? -1 : listen(d[0], 1);
}
static int name_take(void) {
    return bind(d[2], NAME);
}
static int name_connect(void) {
    return connect(d[1], NAME);
}
static int name_unlink(void) {
    return unlink("pairs");
}
static int name_accept(void) {
    return accept(d[0], NULL, NULL) < 0 ? -1 : 1;
}

/* ---- queues of messages ---- */

static void begin_queue(void) {
    struct mq_attr a = {.mq_maxmsg = 2, .mq_msgsize = 8};
    q = mq_open("/pairs", O_RDWR | O_CREAT | O_NONBLOCK, 0600, &a);
    mq_send(q, "a", 1, 5);
}
static int queue_receive(void) {
    char b[8] = "";
    return mq_receive(q, b, 8, NULL) < 0 ? -1 : b[0];
}
static int queue_send(void) {
    return mq_send(q, "b", 1, 5);
}
static int queue_overtake(void) {
    return mq_send(q, "c", 1, 9);
}
static int queue_ask(void) {
    struct mq_attr a;
    return mq_getattr(q, &a) < 0 ? -1 : (int)a.mq_curmsgs;
}
static int queue_wait(void) {
    struct mq_attr a = {.mq_flags = O_NONBLOCK};
    return mq_setattr(q, &a, NULL);
}
static int queue_unlink(void) {
    return mq_unlink("/pairs");
}
static int queue_open(void) {
    return mq_open("/pairs", O_RDWR) < 0 ? -1 : 1;
}

/* ---- files ---- */

static void begin_file(void) {
    d[0] = open("pairs.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
    write(d[0], "abcd", 4);
    lseek(d[0], 1, SEEK_SET);
}
static int file_read(void) {
    return get(d[0]);
}
static int file_write(void) {
    return (int)write(d[0], "XY", 2);
}
static int file_read_at(void) {
    char c = 0;
    return pread(d[0], &c, 1, 1) < 1 ? -1 : c;
}
static int file_write_at(void) {
    return (int)pwrite(d[0], "Z", 1, 1);
}
static int file_seek(void) {
    return (int)lseek(d[0], 1, SEEK_CUR);
}
static int file_cut(void) {
    return ftruncate(d[0], 1);
}
static int file_size(void) {
    return size_of(d[0]);
}
static int file_map(void) {
    const char *p = mmap(NULL, 4, PROT_READ, MAP_PRIVATE, d[0], 0);
    return p == MAP_FAILED ? -1 : p[1];
}

/* ---- names of files ---- */

static void begin_path(void) {
    mkdir("dir", 0700);
    close(open("dir/a", O_RDWR | O_CREAT, 0600));
}
static int path_create(void) {
    int f = open("dir/b", O_RDWR | O_CREAT | O_EXCL, 0600);
    return f < 0 ? -1 : close(f);
}
static int path_remove(void) {
    return unlink("dir/a");
}
static int path_rename(void) {
    return rename("dir/a", "dir/b");
}
static int path_look(void) {
    struct stat s;
    return stat("dir/b", &s) < 0 ? -1 : 1;
}
static int path_ask(void) {
    return access("dir/a", F_OK);
}
static int path_list(void) {
    DIR *all = opendir("dir");
    int n = 0;
    while (all && readdir(all))
        n++;
    return all ? closedir(all), n : -1;
}
static int path_mode(void) {
    return chmod("dir/a", 0400);
}
static int path_cut(void) {
    return truncate("dir/a", 5);
}
static int path_link(void) {
    return link("dir/a", "dir/b");
}
static int path_rmdir(void) {
    return rmdir("dir");
}

/* ---- lists of names, of one process ---- */

static DIR *names;
static void begin_names(void) {
    mkdir("names", 0700);
    close(open("names/a", O_RDWR | O_CREAT, 0600));
    names = opendir("names");
    readdir(names);
}
static int names_next(void) {
    const struct dirent *e = readdir(names);
    return e ? e->d_name[0] : -1;
}
static int names_again(void) {
    rewinddir(names);
    return 0;
}
static int names_where(void) {
    return (int)telldir(names);
}

/* ---- streams ---- */

static void begin_stream(void) {
    stream = fopen("stream.txt", "w+");
    fputs("abc", stream);
    rewind(stream);
}
static int stream_get(void) {
    return fgetc(stream);
}
static int stream_push(void) {
    return ungetc('z', stream);
}
static int stream_tell(void) {
    return (int)ftell(stream);
}
static int stream_seek(void) {
    return fseek(stream, -1, SEEK_END);
}
static int stream_end(void) {
    return feof(stream);
}
static int stream_clear(void) {
    clearerr(stream);
    return ferror(stream);
}
static int stream_again(void) {
    return freopen("stream.txt", "r", stream) ? 0 : -1;
}
static int stream_buffer(void) {
    return setvbuf(stream, NULL, _IONBF, 0);
}
static int stream_wide(void) {
    return fwide(stream, 0);
}
static int stream_try(void) {
    if (ftrylockfile(stream))
        return 9;
    funlockfile(stream);
    return 1;
}
static int stream_flush(void) {
    return fflush(NULL);
}
static int stream_read(void) {
    char b[4] = "";
    return (int)fread(b, 1, 2, stream);
}
static int stream_put(void) {
    return fseek(stream, 0, SEEK_CUR) < 0 ? -1 : fputs("XY", stream) < 0 ? -1 : fflush(stream);
}

/* ---- memory with names ---- */

static void begin_shared(void) {
    d[0] = shm_open("/pairs", O_RDWR | O_CREAT, 0600);
    ftruncate(d[0], 8);
}
static int shared_create(void) {
    return shm_open("/pairs", O_RDWR | O_CREAT | O_EXCL, 0600) < 0 ? -1 : 1;
}
static int shared_unlink(void) {
    return shm_unlink("/pairs");
}
static int shared_cut(void) {
    return ftruncate(d[0], 4);
}
static int shared_open(void) {
    return shm_open("/pairs", O_RDWR, 0600) < 0 ? -1 : 1;
}

/* ---- lists of what is waited for ---- */

static void begin_list(void) {
    struct epoll_event e = {.events = EPOLLIN};
    d[0] = epoll_create1(0);
    pipe2(d + 1, O_NONBLOCK);
    d[3] = eventfd(1, EFD_NONBLOCK);
    epoll_ctl(d[0], EPOLL_CTL_ADD, d[1], &e);
}
static int list_wait(void) {
    struct epoll_event e[2];
    return epoll_wait(d[0], e, 2, 0);
}
static int list_write(void) {
    return (int)write(d[2], "a", 1);
}
static int list_add(void) {
    struct epoll_event e = {.events = EPOLLIN};
    return epoll_ctl(d[0], EPOLL_CTL_ADD, d[3], &e);
}
static int list_remove(void) {
    return epoll_ctl(d[0], EPOLL_CTL_DEL, d[1], NULL);
}
static int list_change(void) {
    struct epoll_event e = {.events = EPOLLOUT};
    return epoll_ctl(d[0], EPOLL_CTL_MOD, d[1], &e);
}

/* ---- lists in lists ---- */

static void begin_nest(void) {
    d[0] = epoll_create1(0);
    d[1] = epoll_create1(0);
    d[2] = eventfd(0, EFD_NONBLOCK);
    struct epoll_event e = {.events = EPOLLIN};
    epoll_ctl(d[1], EPOLL_CTL_ADD, d[2], &e);
}
static int nest_add(void) {
    struct epoll_event e = {.events = EPOLLIN};
    return epoll_ctl(d[0], EPOLL_CTL_ADD, d[1], &e);
}
static int nest_back(void) {
    struct epoll_event e = {.events = EPOLLIN};
    return epoll_ctl(d[1], EPOLL_CTL_ADD, d[0], &e);
}
static int nest_raise(void) {
    return eventfd_write(d[2], 1);
}
static int nest_wait(void) {
    struct epoll_event e[2];
    return epoll_wait(d[0], e, 2, 0);
}
static int nest_poll(void) {
    return is_ready(d[1], POLLIN);
}

/* ---- numbers of descriptors, of one process ---- */

static void begin_number(void) {
    d[0] = dup(0);
    d[1] = dup(0);
}
static int number_copy(void) {
    return dup(0);
}
static int number_shut(void) {
    return close(D(0));
}
static int number_from(void) {
    return fcntl(0, F_DUPFD, D(1));
}
static int number_over(void) {
    return dup2(0, D(0));
}
static int number_mark(void) {
    return fcntl(D(0), F_SETFD, FD_CLOEXEC);
}
static int number_ask(void) {
    return fcntl(D(0), F_GETFD);
}

/* ---- connections ---- */

static struct sockaddr_in port;
#define PORT (struct sockaddr *)&port, sizeof port
static void begin_port(void) {
    port = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(77)};
    d[0] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    d[1] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    d[2] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    bind(d[0], PORT);
    listen(d[0], 1);
    connect(d[1], PORT);
}
static int port_accept(void) {
    return accept(d[0], NULL, NULL) < 0 ? -1 : 1;
}
static int port_connect(void) {
    return connect(d[2], PORT);
}
static int port_shut(void) {
    return close(d[0]);
}
static int port_poll(void) {
    return is_ready(d[0], POLLIN);
}
static int port_send(void) {
    return (int)send(d[1], "a", 1, MSG_NOSIGNAL);
}
static int port_peer(void) {
    struct sockaddr_in a;
    socklen_t n = sizeof a;
    return getpeername(d[2], (struct sockaddr *)&a, &n);
}
static int port_name(void) {
    struct sockaddr_in a = {0};
    socklen_t n = sizeof a;
    return getsockname(d[2], (struct sockaddr *)&a, &n) < 0 ? -1 : a.sin_port != 0;
}
static int port_option(void) {
    int v = 0;
    socklen_t n = sizeof v;
    return getsockopt(d[1], SOL_SOCKET, SO_REUSEADDR, &v, &n) < 0 ? -1 : v;
}
static int port_set(void) {
    int v = 1;
    return setsockopt(d[1], SOL_SOCKET, SO_REUSEADDR, &v, sizeof v);
}

/* ---- datagrams ---- */

static void begin_datagram(void) {
    socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, d);
    send(d[1], "ab", 2, 0);
}
static int datagram_send(void) {
    return (int)send(d[1], "cde", 3, MSG_NOSIGNAL);
}
static int datagram_receive(void) {
    char b[4];
    return (int)recv(d[0], b, 4, MSG_TRUNC);
}
static int datagram_peek(void) {
    char b[4];
    return (int)recv(d[0], b, 1, MSG_PEEK | MSG_TRUNC);
}
static int datagram_end(void) {
    return shutdown(d[0], SHUT_RD);
}
static int datagram_shut(void) {
    return close(d[1]);
}
static int datagram_ask(void) {
    return unread(d[0]);
}

/* ---- what files are like, and where the process is ---- */

static void begin_like(void) {
    mkdir("like", 0700);
    d[0] = open("like/a", O_RDWR | O_CREAT, 0600);
    d[1] = open("like", O_RDONLY | O_DIRECTORY);
}
static int like_mode(void) {
    return fchmod(d[0], 0640);
}
static int like_time(void) {
    struct timespec t[2] = {{5, 0}, {6, 0}};
    return futimens(d[0], t);
}
static int like_owner(void) {
    return fchown(d[0], getuid(), getgid());
}
static int like_ask(void) {
    struct stat s;
    return fstat(d[0], &s) < 0 ? -1 : (int)(s.st_mode & 0777) + (s.st_mtim.tv_sec == 6);
}
static int like_look(void) {
    struct stat s;
    return stat("like/a", &s) < 0 ? -1 : (int)(s.st_mode & 0777) + (s.st_mtim.tv_sec == 6);
}
static int like_enter(void) {
    return chdir("like");
}
static int like_find(void) {
    return access("a", F_OK);
}
static int like_mask(void) {
    return (int)umask(077);
}
static int like_make(void) {
    struct stat s;
    int f = open("b", O_RDWR | O_CREAT, 0666);
    return fstat(f, &s) < 0 ? -1 : (int)s.st_mode & 0777;
}

static int like_where(void) {
    char at[512];
    return getcwd(at, sizeof at) ? strcmp(strrchr(at, '/'), "/like") == 0 : -1;
}
static int like_go(void) {
    return fchdir(d[1]);
}

/* ---- locks of files ---- */

static struct flock lock_all(int type) {
    return (struct flock){.l_type = (short)type, .l_whence = SEEK_SET};
}
static void begin_lock(void) {
    d[0] = open("lock", O_RDWR | O_CREAT, 0600);
    d[1] = open("lock", O_RDWR);
    write(d[0], "abcd", 4);
}
static int lock_take(void) {
    return flock(d[0], LOCK_EX | LOCK_NB);
}
static int lock_share(void) {
    return flock(d[1], LOCK_SH | LOCK_NB);
}
static int lock_free(void) {
    return flock(d[0], LOCK_UN);
}
static int lock_shut(void) {
    return close(d[0]);
}
static int lock_record(void) {
    struct flock l = lock_all(F_WRLCK);
    return fcntl(d[0], F_SETLK, &l);
}
static int lock_open(void) {
    struct flock l = lock_all(F_RDLCK);
    return fcntl(d[1], F_OFD_SETLK, &l);
}
static int lock_end(void) {
    struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_END, .l_start = -1, .l_len = 1};
    return fcntl(d[0], F_OFD_SETLK, &l);
}
static int lock_cut(void) {
    return ftruncate(d[1], 1);
}
static int lock_ask(void) {
    struct flock l = lock_all(F_WRLCK);
    return fcntl(d[1], F_OFD_GETLK, &l) < 0 ? -1 : l.l_type + 8 * (int)l.l_start;
}

/* ---- timers ---- */

static void begin_timer(void) {
    struct itimerspec t = {{0, 0}, {5, 0}};
    d[0] = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    timerfd_settime(d[0], 0, &t, NULL);
}
static int timer_stop(void) {
    struct itimerspec t = {{0, 0}, {0, 0}};
    return timerfd_settime(d[0], 0, &t, NULL);
}
static int timer_again(void) {
    struct itimerspec t = {{7, 0}, {700, 0}}, old;
    return timerfd_settime(d[0], 0, &t, &old) < 0 ? -1 : old.it_value.tv_sec > 0;
}
static int timer_ask(void) {
    struct itimerspec t;
    return timerfd_gettime(d[0], &t) < 0 ? -1 : (int)t.it_interval.tv_sec + (t.it_value.tv_sec > 0);
}
static int timer_read(void) {
    uint64_t n = 0;
    return read(d[0], &n, 8) < 0 ? -1 : (int)n;
}

/* ---- children ---- */

static int child;
static void begin_child(void) {
    pipe(d);
    child = fork();
    if (child == 0) {
        close(d[1]);
        _exit(get(d[0]));
    }
}
static int child_kill(void) {
    return kill(child, SIGKILL);
}
static int child_ask(void) {
    return kill(child, 0);
}
static int child_look(void) {
    return waitpid(child, NULL, WNOHANG) > 0;
}
static int child_wake(void) {
    return (int)write(d[1], "c", 1);
}

/* ---- a child that its parent does not want to hear of ---- */

static int heir_kill(void) {
    return kill(child, SIGKILL);
}
/* Whoever ends while nobody is to hear of it leaves nothing behind: before, something is left. */
static int heir_forget(void) {
    signal(SIGCHLD, SIG_IGN);
    int answer = waitpid(child, NULL, WNOHANG);
    signal(SIGCHLD, SIG_DFL);
    return answer < 0 ? -1 : answer > 0;
}
static int heir_told(void) {
    sigset_t s, pending;
    sigemptyset(&s);
    sigaddset(&s, SIGCHLD);
    sigprocmask(SIG_BLOCK, &s, NULL);
    sigpending(&pending);
    return sigismember(&pending, SIGCHLD);
}

/* ---- signals: the first call is of the child, who sends ---- */

static pid_t receiver;
static volatile sig_atomic_t n_heard;
static void hear(int signal) {
    (void)signal;
    n_heard++;
}
static sigset_t one_signal(void) {
    sigset_t s;
    sigemptyset(&s);
    sigaddset(&s, SIGUSR1);
    return s;
}
static void begin_signal(void) {
    sigset_t s = one_signal();
    receiver = getpid();
    signal(SIGUSR1, hear);
    sigprocmask(SIG_BLOCK, &s, NULL);
}
static int signal_send(void) {
    return kill(receiver, SIGUSR1);
}
static int signal_look(void) {
    sigset_t s;
    sigpending(&s);
    return sigismember(&s, SIGUSR1);
}
static int signal_drop(void) {
    signal(SIGUSR1, SIG_IGN);
    return signal(SIGUSR1, hear) == SIG_IGN ? signal_look() : -1;
}
static int signal_open(void) {
    sigset_t s = one_signal();
    sigprocmask(SIG_UNBLOCK, &s, NULL);
    int n = n_heard;
    sigprocmask(SIG_BLOCK, &s, NULL);
    return n;
}

/* ---- a child that has ended ---- */

static void begin_gone(void) {
    pipe(d);
    child = fork();
    if (child == 0)
        _exit(7);
    close(d[1]);
    get(d[0]); /* until it has closed the other end */
}
static int gone_ask(void) {
    return kill(child, 0);
}
static int gone_look(void) {
    return waitpid(child, NULL, WNOHANG) > 0;
}
static int gone_wait(void) {
    return waitpid(child, NULL, 0) > 0 ? 1 : -1;
}

/* ---- alarms, of one process ---- */

static void set_alarm(int seconds) {
    struct itimerval t = {{0, 0}, {seconds, 0}};
    setitimer(ITIMER_REAL, &t, NULL);
}
static void begin_alarm(void) {
    signal(SIGALRM, SIG_IGN);
    set_alarm(100);
}
static int alarm_ask(void) {
    struct itimerval t;
    return getitimer(ITIMER_REAL, &t) < 0 ? -1 : t.it_value.tv_sec > 0;
}
static int alarm_stop(void) {
    set_alarm(0);
    return 0;
}
static int alarm_again(void) {
    return alarm(50) > 0;
}

/* ---- the table ---- */

typedef struct call {
    const char *name;
    int (*run)(void);
} call;
#define C(name) {#name, name}
static const struct family {
    void (*begin)(void);
    call at[14];
    int n;
} families[] = {
#ifndef NUMBERS
    {begin_event, {C(event_take), C(event_add), C(event_fill), C(event_poll)}, 4},
#endif
    {begin_pipe,
     {C(pipe_read), C(pipe_write), C(pipe_ask), C(pipe_poll), C(pipe_shut), C(pipe_copy),
      C(pipe_flags), C(pipe_deafen), C(pipe_name), C(pipe_mark), C(pipe_tell)},
     11},
#ifndef NUMBERS
    {begin_socket,
     {C(socket_receive), C(socket_send), C(socket_answer), C(socket_end), C(socket_deafen),
      C(socket_poll), C(socket_error)},
     7},
    {begin_name,
     {C(name_bind), C(name_listen), C(name_take), C(name_connect), C(name_unlink), C(name_accept)},
     6},
    {begin_queue,
     {C(queue_receive), C(queue_send), C(queue_overtake), C(queue_ask), C(queue_unlink),
      C(queue_open), C(queue_wait)},
     7},
    {begin_file,
     {C(file_read), C(file_write), C(file_read_at), C(file_write_at), C(file_seek), C(file_cut),
      C(file_size), C(file_map)},
     8},
    {begin_path,
     {C(path_create), C(path_remove), C(path_rename), C(path_look), C(path_ask), C(path_list),
      C(path_mode), C(path_link), C(path_rmdir), C(path_cut)},
     10},
    {begin_names, {C(names_next), C(names_again), C(names_where)}, 3},
    {begin_stream,
     {C(stream_get), C(stream_push), C(stream_tell), C(stream_seek), C(stream_end), C(stream_put),
      C(stream_try), C(stream_flush), C(stream_read), C(stream_clear), C(stream_again),
      C(stream_buffer), C(stream_wide)},
     13},
    {begin_shared, {C(shared_create), C(shared_unlink), C(shared_cut), C(shared_open)}, 4},
    {begin_list, {C(list_wait), C(list_write), C(list_add), C(list_remove), C(list_change)}, 5},
    {begin_nest, {C(nest_add), C(nest_back), C(nest_raise), C(nest_wait), C(nest_poll)}, 5},
#endif
    {begin_number,
     {C(number_copy), C(number_shut), C(number_from), C(number_over), C(number_mark),
      C(number_ask)},
     6},
#if !defined ALL_ORDERS && !defined NUMBERS /* couriers have too many */
    {begin_port,
     {C(port_accept), C(port_connect), C(port_shut), C(port_poll), C(port_send), C(port_peer),
      C(port_name), C(port_option), C(port_set)},
     9},
#endif
#ifndef NUMBERS
    {begin_datagram,
     {C(datagram_send), C(datagram_receive), C(datagram_peek), C(datagram_end), C(datagram_shut),
      C(datagram_ask)},
     6},
    {begin_like,
     {C(like_mode), C(like_time), C(like_ask), C(like_enter), C(like_find), C(like_mask),
      C(like_make), C(like_look), C(like_owner), C(like_where), C(like_go)},
     11},
    {begin_lock,
     {C(lock_take), C(lock_share), C(lock_free), C(lock_shut), C(lock_record), C(lock_open),
      C(lock_end), C(lock_cut), C(lock_ask)},
     9},
    {begin_timer, {C(timer_stop), C(timer_again), C(timer_ask), C(timer_read)}, 4},
    {begin_gone, {C(gone_ask), C(gone_look), C(gone_wait)}, 3},
    {begin_alarm, {C(alarm_ask), C(alarm_stop), C(alarm_again)}, 3},
    {begin_child, {C(child_kill), C(child_ask), C(child_look), C(child_wake)}, 4},
    {begin_child, {C(heir_kill), C(heir_forget), C(heir_told)}, 3},
    {begin_signal, {C(signal_send), C(signal_look), C(signal_drop), C(signal_open)}, 4},
#endif
};
#define N_FAMILIES (int)(sizeof families / sizeof *families)

static const call *chosen[2];
static int answers[2];

static int answer_of(int (*run)(void)) {
    errno = 0;
    int result = run();
    return result < 0 ? -errno : result;
}

#ifdef PROCESSES
static void run_both(void) {
    int status, child = fork();
    if (child == 0)
        _exit(answer_of(chosen[0]->run) & 255);
    answers[1] = answer_of(chosen[1]->run) & 255;
    answers[0] = waitpid(child, &status, 0) < 0 ? 99 : WEXITSTATUS(status);
}
#else
/* What other threads could see is as little as can be, so that `none` can run every order. */
static void *run_one(void *run) {
    return (void *)(long)answer_of((int (*)(void))run);
}
static void run_both(void) {
    pthread_t t[2];
    void *answer[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run_one, (void *)chosen[i]->run);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], &answer[i]);
    for (int i = 0; i < 2; i++)
        answers[i] = (int)(long)answer[i];
}
#endif

/* A number below n that an input decides, one path for each. */
static int choose(unsigned char x, int n) {
    heddle_assume(x < n);
    for (int i = 0; i < n; i++)
        if (x == i)
            return i;
    return 0;
}

int main(void) {
    unsigned char x, y, z;
    static char label[128];
    heddle_input(x);
    heddle_input(y);
    heddle_input(z);
    const struct family *f = &families[choose(x, N_FAMILIES)];
    int first = choose(y, f->n), second = choose(z, f->n);
    heddle_assume(first <= second);
    chosen[0] = &f->at[first];
    chosen[1] = &f->at[second];
    f->begin();
    run_both();
    if (child)
        kill(child, SIGKILL); /* nobody is left */
    snprintf(label, sizeof label, "%s+%s=%d,%d", chosen[0]->name, chosen[1]->name, answers[0],
             answers[1]);
    heddle_reach(label);
    return 0;
}
