/* The program under test of property_processes.c: processes that do what its arguments say.
 *
 *     process_program CHANNELS SCRIPT...
 *
 * Each letter of CHANNELS makes two descriptors, kept in two slots: slots 0 and 1 are those of the
 * first channel, 2 and 3 of the second, and so on.  SCRIPT 0 is what main does, the others are for
 * processes that are forked.  An operation is a letter and two digits, mostly slots; the table at
 * the end says which there are.  What an operation sees becomes a label: the labels that
 * an execution reaches say what all of its processes saw, and whether they came to their ends.
 * Nothing here depends on Heddle, so that the same program runs natively (process_native.c). */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pipe2 */
#endif
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/sysinfo.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_PROCESSES = 6, N_SLOTS = 10, DUPLICATE = 6, ACCEPTED = 7, RECEIVED = 8, NO_PROCESS = 9 };

static const char *channels;
static char **scripts;
static int n_scripts;
static int slot[N_SLOTS];         /* descriptors, -1 = none */
static int pid_of[MAX_PROCESSES]; /* of the children of this process */
static int known[MAX_PROCESSES];  /* the same, and of what was forked before it */
static int me;                    /* which script */
static int place;                 /* in it */
static int result;                /* of the last operation, -1 = it failed */
static char bytes[8];             /* what was read last */
static int parent;                /* the pid of the process that forked this one */
static volatile int n_handled;    /* signals */
static int handler_slot = -1;     /* descriptor that handlers write to */
static sigjmp_buf away[2];  /* the next operation: with the set of this one, or the handler's */
static volatile int n_told; /* ends of children, by SIGCHLD */
static int minds_children;  /* what its handler does: do_children */
static int
    is_minded[MAX_PROCESSES]; /* ... since before the child was made, if it does not return */

/* ---- Labels ---------------------------------------------------------------------------------- */

static char label[64];
static int length;

static void put(char c) {
    if (length < (int)sizeof label - 1)
        label[length++] = c;
}

static void put_number(int n) {
    char digits[12];
    int k = 0;
    if (n < 0)
        put('-');
    unsigned rest = n < 0 ? -(unsigned)n : (unsigned)n;
    do
        digits[k++] = (char)('0' + rest % 10);
    while (rest /= 10);
    while (k > 0)
        put(digits[--k]);
}

/* "1.2r3=", what process 1 sees in its operation 2. */
static void begin_label(void) {
    length = 0;
    put_number(me);
    put('.');
    put_number(place / 3);
    for (int k = 0; k < 3; k++)
        put(scripts[me][place + k]);
    put('=');
}

static void end_label(void) {
    label[length] = '\0';
    heddle_reach(label);
}

/* A number, or what went wrong. */
static void tell(int value) {
    int number = errno;
    result = value;
    begin_label();
    if (value < 0)
        put('e');
    put_number(value < 0 ? number : value);
    end_label();
}

static void tell_bytes(int n) {
    if (n <= 0) {
        tell(n);
        return;
    }
    result = n;
    begin_label();
    for (int k = 0; k < n; k++)
        put(bytes[k]);
    end_label();
}

/* ---- Channels -------------------------------------------------------------------------------- */

static struct sockaddr_in loopback(void) {
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
}

/* An abstract name of one listener of this program. */
static socklen_t unix_name(struct sockaddr_un *name, int channel, int of) {
    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
    char *at = name->sun_path + 1;
    for (int n = of; n > 0; n /= 10)
        *at++ = (char)('0' + n % 10);
    *at++ = (char)('a' + channel);
    return (socklen_t)(at - (char *)name);
}

static int bound_socket(int type) {
    struct sockaddr_in at = loopback();
    int s = socket(AF_INET, type, 0);
    return s >= 0 && bind(s, (struct sockaddr *)&at, sizeof at) == 0 ? s : -1;
}

static int connect_to(int s, int other) {
    struct sockaddr_storage at = {0};
    socklen_t size = sizeof at;
    if (getsockname(other, (struct sockaddr *)&at, &size) != 0)
        return -1;
    return connect(s, (struct sockaddr *)&at, size);
}

/* The same port, at another address of the host. */
static int bind_beside(int s, int other) {
    struct sockaddr_in at = {0};
    socklen_t size = sizeof at;
    if (getsockname(other, (struct sockaddr *)&at, &size) != 0)
        return -1;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1);
    return bind(s, (struct sockaddr *)&at, sizeof at);
}

static int make_udp(int ends[2]) {
    ends[0] = bound_socket(SOCK_DGRAM);
    ends[1] = socket(AF_INET, SOCK_DGRAM, 0);
    if (bind_beside(ends[1], ends[0]) != 0)
        return -1;
    return connect_to(ends[0], ends[1]) | connect_to(ends[1], ends[0]);
}

/* A socket that may come to listen, and one that may be connected to it. */
static int make_tcp_sockets(int ends[2]) {
    ends[0] = bound_socket(SOCK_STREAM);
    ends[1] = socket(AF_INET, SOCK_STREAM, 0);
    return ends[0] < 0 || ends[1] < 0;
}

static int make_tcp_listener(int ends[2]) {
    make_tcp_sockets(ends);
    return listen(ends[0], 4);
}

static int make_tcp(int ends[2]) {
    int listener;
    if (make_tcp_listener(ends) != 0 || connect_to(ends[1], ends[0]) != 0)
        return -1;
    listener = ends[0];
    ends[0] = accept(listener, NULL, NULL);
    return close(listener);
}

static int make_unix_listener(int ends[2], int channel) {
    struct sockaddr_un name;
    socklen_t size = unix_name(&name, channel, getpid());
    ends[0] = socket(AF_UNIX, SOCK_STREAM, 0);
    ends[1] = socket(AF_UNIX, SOCK_STREAM, 0);
    return bind(ends[0], (struct sockaddr *)&name, size) | listen(ends[0], 4);
}

static int make_state_channel(char kind, int channel);
static char kind_of(int a);

static int make_channel(char kind, int channel) {
    int *ends = &slot[2 * channel];
    switch (kind) {
    case 'p':
        return pipe(ends);
    case 'P':
        return pipe2(ends, O_NONBLOCK);
    case 's':
        return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    case 'S':
        return socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends);
    case 'd':
        return socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
    case 'q':
        return socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends);
    case 'U':
        return make_udp(ends);
    case 'C':
        return make_tcp(ends);
    case 'T':
        return make_tcp_listener(ends);
    case 'B':
        return make_tcp_sockets(ends);
    case 'N':
        return make_unix_listener(ends, channel);
    default:
        return make_state_channel(kind, channel);
    }
}

/* ---- Operations: a and b are the two digits ----------------------------------------------------
 */

static void do_write(int a, int b) {
    char text[4];
    for (int k = 0; k < b; k++)
        text[k] = (char)('a' + (me * 7 + place / 3 + 3 * k) % 26);
    tell((int)write(slot[a], text, (size_t)b));
}

/* What reading a message queue gives is for people. */
static void do_read(int a, int b) {
    if (kind_of(a) == 'm')
        return;
    tell_bytes((int)read(slot[a], bytes, (size_t)b));
}

static void do_receive(int a, int b) {
    tell_bytes((int)recv(slot[a], bytes, 4,
                         b == 0   ? MSG_DONTWAIT
                         : b == 1 ? MSG_PEEK
                                  : MSG_WAITALL));
}

static void do_close(int a, int b) {
    (void)b;
    tell(close(slot[a]));
    slot[a] = -1;
}

static void do_duplicate(int a, int b) {
    (void)b;
    slot[DUPLICATE] = dup(slot[a]);
    tell(slot[DUPLICATE] < 0 ? -1 : 0);
}

static void do_replace(int a, int b) {
    tell(dup2(slot[a], slot[b]) < 0 ? -1 : 0);
}

static void do_shutdown(int a, int b) {
    tell(shutdown(slot[a], b == 0 ? SHUT_RD : b == 1 ? SHUT_WR : SHUT_RDWR));
}

static void do_non_blocking(int a, int b) {
    tell(fcntl(slot[a], F_SETFL, b ? O_NONBLOCK : 0));
}

/* b: 0 to read, 1 to write; more: to read within a time. */
static void do_poll(int a, int b) {
    struct pollfd p = {.fd = slot[a], .events = b == 1 ? POLLOUT : POLLIN};
    int n = poll(&p, 1, b < 2 ? 0 : 3);
    tell(n < 0 ? n : p.revents);
}

/* Two at once, for ever or not at all. */
static void poll_two(int a, int b, int time) {
    struct pollfd p[2] = {{.fd = slot[a], .events = POLLIN}, {.fd = slot[b], .events = POLLIN}};
    int n = poll(p, 2, time);
    tell(n < 0 ? n : p[0].revents << 8 | p[1].revents);
}

static void do_poll_both(int a, int b) {
    poll_two(a, b, 0);
}

static void do_await_one(int a, int b) {
    poll_two(a, b, -1);
}

static void do_select(int a, int b) {
    fd_set set;
    struct timeval none = {0};
    int high = slot[a] > slot[b] ? slot[a] : slot[b];
    FD_ZERO(&set);
    if (slot[a] < 0 || slot[b] < 0)
        return;
    FD_SET(slot[a], &set);
    FD_SET(slot[b], &set);
    int n = select(high + 1, &set, NULL, NULL, &none);
    tell(n < 0 ? n : (FD_ISSET(slot[a], &set) != 0) + 2 * (FD_ISSET(slot[b], &set) != 0));
}

static void do_accept(int a, int b) {
    (void)b;
    slot[ACCEPTED] = accept(slot[a], NULL, NULL);
    tell(slot[ACCEPTED] < 0 ? -1 : 0);
}

/* Channel a / 2 has a listener.  b: with the socket of the channel, which other processes may have
 * too, or with a new one. */
static void do_connect(int a, int b) {
    if (b)
        slot[a | 1] = socket(strchr("TB", channels[a / 2]) ? AF_INET : AF_UNIX, SOCK_STREAM, 0);
    tell(connect_to(slot[a | 1], slot[a & ~1]));
}

static void do_pass(int a, int b) {
    union {
        char room[CMSG_SPACE(sizeof(int))];
        struct cmsghdr aligned;
    } control = {{0}};
    char byte = '+';
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.room,
                             .msg_controllen = sizeof control.room};
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(c), &slot[b], sizeof(int));
    tell((int)sendmsg(slot[a], &message, 0));
}

static void do_get(int a, int b) {
    union {
        char room[CMSG_SPACE(sizeof(int))];
        struct cmsghdr aligned;
    } control = {{0}};
    struct iovec data = {bytes, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.room,
                             .msg_controllen = sizeof control.room};
    (void)b;
    int n = (int)recvmsg(slot[a], &message, 0);
    struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (c && c->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(&slot[RECEIVED], CMSG_DATA(c), sizeof(int));
    tell_bytes(n);
}

static _Noreturn void run(int which);

static void do_fork(int a, int b) {
    (void)b;
    if (a >= n_scripts || a >= MAX_PROCESSES || a <= me)
        return;
    int self = getpid(), pid;
    is_minded[a] = minds_children >= 2;
    pid = fork();
    if (pid == 0) {
        parent = self; /* who has ended may have a new one */
        run(a);
    }
    known[a] = pid_of[a] = pid;
}

static int process_of(int pid) {
    for (int k = 0; k < MAX_PROCESSES; k++)
        if (pid > 0 && pid_of[k] == pid)
            return k;
    return NO_PROCESS;
}

static void tell_wait(int pid, int status) {
    if (pid <= 0) {
        tell(pid);
        return;
    }
    result = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    begin_label();
    put_number(process_of(pid));
    put(WIFEXITED(status) ? 's' : 'k');
    put_number(WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    end_label();
}

/* b: 0 waits, 1 does not; a: for this process, or for any. */
static void do_wait(int a, int b) {
    int status = 0, whom = -1;
    if (a < MAX_PROCESSES && pid_of[a] > 0)
        whom = pid_of[a];
    int pid = waitpid(whom, &status, b ? WNOHANG : 0);
    if (pid > 0 && is_minded[process_of(pid) % MAX_PROCESSES] && (minds_children == 2 || !n_told))
        heddle_reach("impossible"); /* SIGCHLD comes before waitpid() returns */
    tell_wait(pid, status);
}

#include "process_state.h"

static void do_kill(int a, int b) {
    if (a < MAX_PROCESSES && known[a] > 0)
        tell(kill(known[a], b == 0 ? SIGTERM : b == 1 ? SIGKILL : 0));
}

static void do_signal(int a, int b) {
    (void)b;
    signal(SIGPIPE, a ? SIG_IGN : SIG_DFL);
}

/* ---- Signals: digit 0 is SIGUSR1, 1 is SIGUSR2, 2 is queued
 * ------------------------------------------------
 */

static int signal_of(int a) {
    return a == 2 ? SIGRTMIN : a % 2 ? SIGUSR2 : SIGUSR1;
}

/* It has a label of its own, and shares nothing else but a number and a descriptor. */
static void handle(int signal) {
    char text[] = "0.h0=0";
    n_handled++;
    text[0] = (char)('0' + me);
    text[3] = (char)('0' + (signal == SIGUSR2) + 2 * (signal == SIGRTMIN));
    text[5] = (char)('0' + n_handled % 10);
    heddle_reach(text);
    if (handler_slot >= 0 && write(handler_slot, "!", 1) < 0)
        heddle_reach("handler cannot write");
}

/* "0.i2=q17": of whom it came, and with which value. */
static void handle_told(int signal, siginfo_t *info, void *context) {
    char text[] = "0.i0=u00";
    (void)context;
    text[0] = (char)('0' + me);
    text[3] = (char)('0' + (signal == SIGUSR2) + 2 * (signal == SIGRTMIN));
    text[5] = info->si_code == SI_QUEUE ? 'q' : info->si_code == SI_USER ? 'u' : 't';
    text[6] = (char)('0' + (info->si_pid == parent));
    text[7] = (char)('0' + (info->si_code == SI_QUEUE ? info->si_value.sival_int % 10 : 0));
    heddle_reach(text);
    handle(signal);
}

static void handle_and_end(int signal) {
    handle(signal);
    _exit(5);
}

static void handle_and_jump(int signal) {
    handle(signal);
    siglongjmp(away[0], 1);
}

static void handle_and_jump_blocked(int signal) {
    handle(signal);
    siglongjmp(away[1], 1);
}

/* b: 0 plain, 1 waits begin again, 2 blocks the other signal, 3 ignored, 4 as it was, 5 once, 6
 * ends the process, 7 jumps to the next operation, 8 too, and what is blocked there stays so, 9 is
 * told who sent it. */
static void do_action(int a, int b) {
    struct sigaction s = {.sa_flags = b == 1 ? SA_RESTART : b == 5 ? (int)SA_RESETHAND : 0};
    s.sa_handler = b == 3   ? SIG_IGN
                   : b == 4 ? SIG_DFL
                   : b == 6 ? handle_and_end
                   : b == 7 ? handle_and_jump
                   : b == 8 ? handle_and_jump_blocked
                            : handle;
    if (b == 9) {
        s.sa_flags |= SA_SIGINFO;
        s.sa_sigaction = handle_told;
    }
    sigemptyset(&s.sa_mask);
    if (b == 2)
        sigaddset(&s.sa_mask, signal_of(a + 1));
    sigaction(signal_of(a), &s, NULL);
}

/* To a child, or to the parent. */
static void do_send(int a, int b) {
    int to = a < MAX_PROCESSES ? known[a] : 0;
    if (a == 0 && me)
        to = parent;
    if (to > 0 && b == 2)
        tell(sigqueue(to, SIGRTMIN, (union sigval){.sival_int = me + 3 * place}));
    else if (to > 0)
        tell(kill(to, signal_of(b)));
}

/* To itself, which others may do meanwhile; b: 1, as a process; 2, with a value. */
static void do_raise(int a, int b) {
    if (b == 2)
        tell(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = me + 3 * place}));
    else
        tell(b ? kill(getpid(), signal_of(a)) : raise(signal_of(a)));
}

/* b: 0 blocks, 1 does not any more. */
static void do_mask(int a, int b) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal_of(a));
    tell(sigprocmask(b ? SIG_UNBLOCK : SIG_BLOCK, &set, NULL));
}

/* a: with this one blocked; 9: with none. */
static void do_suspend(int a, int b) {
    sigset_t set;
    (void)b;
    sigemptyset(&set);
    if (a != 9)
        sigaddset(&set, signal_of(a));
    tell(sigsuspend(&set));
}

static void do_pause(int a, int b) {
    (void)a, (void)b;
    tell(pause());
}

static void do_count(int a, int b) {
    (void)a, (void)b;
    tell(n_handled);
}

static void do_pending(int a, int b) {
    sigset_t set;
    (void)a, (void)b;
    sigpending(&set);
    tell(sigismember(&set, SIGUSR1) + 2 * sigismember(&set, SIGUSR2) +
         4 * sigismember(&set, SIGRTMIN));
}

static void do_handler_slot(int a, int b) {
    (void)b;
    handler_slot = slot[a];
}

/* A timer of its own, which sends a real-time signal. */
static void start_timer(int seconds) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
    struct itimerspec when = {.it_value = {seconds, 0}};
    timer_t timer;
    do_action(2, 9);
    tell(timer_create(CLOCK_MONOTONIC, &event, &timer) < 0 ||
         timer_settime(timer, 0, &when, NULL) < 0);
}

/* Rings when nothing else can happen, and has the handler of SIGUSR1; b: 1, by a timer. */
static void do_alarm(int a, int b) {
    if (b) {
        start_timer(a);
        return;
    }
    signal(SIGALRM, handle);
    tell((int)alarm((unsigned)a));
}

static void handle_child(int signal) {
    n_told++;
    if (minds_children == 2)
        handle_and_end(signal);
    handle_and_jump(signal);
}

/* a: 0 nothing is told, 1 plain, 2 ends the process, 3 jumps to the next operation. */
static void do_children(int a, int b) {
    struct sigaction s = {.sa_flags = b ? SA_RESTART : 0};
    s.sa_handler = a >= 2 ? handle_child : a ? handle : SIG_DFL;
    if (a < 2)
        memset(is_minded, 0, sizeof is_minded);
    minds_children = a;
    sigaction(SIGCHLD, &s, NULL);
}

/* ---- Questions ---------------------------------------------------------------------------------
 */

static void do_available(int a, int b) {
    int n = -1;
    (void)b;
    if (strchr("xm", kind_of(a))) /* kernels disagree on what it is */
        return;
    tell(ioctl(slot[a], FIONREAD, &n) < 0 ? -1 : n);
}

static void do_error(int a, int b) {
    int error = -1;
    socklen_t size = sizeof error;
    (void)b;
    tell(getsockopt(slot[a], SOL_SOCKET, SO_ERROR, &error, &size) < 0 ? -1 : error);
}

static void do_parent(int a, int b) {
    (void)a, (void)b;
    tell(getppid() == parent);
}

static void do_exists(int a, int b) {
    (void)b;
    int whom = a == 0 && me ? parent : a < MAX_PROCESSES ? known[a] : 0;
    if (whom > 0)
        tell(kill(whom, 0));
}

/* ---- Inputs ----------------------------------------------------------------------------------
 */

/* One of three: the next operations may depend on it. */
static void do_input(int a, int b) {
    unsigned char x;
    (void)b;
    heddle_input(x);
    result = x < 10 + a ? 0 : x == 77 ? -1 : 1;
    bytes[0] = result ? 'a' : 'b';
    tell(result < 0 ? 2 : result);
}

static void do_assume(int a, int b) {
    (void)b;
    heddle_assume(result != a);
}

/* The next operation is for some results only. */
static void do_skip(int a, int b) {
    char first = (char)(result > 0 ? bytes[0] : 0);
    if (!scripts[me][place + 3])
        return;
    if (a == 0 ? result <= 0 : a == 1 ? result > 0 : first % 2 == b % 2)
        place += 3;
}

static void do_assert(int a, int b) {
    (void)b;
    if (result == a)
        tell(result);
    switch (me) { /* places of their own: two that fail are two findings */
    case 0:
        heddle_assert(result != a);
        break;
    case 1:
        heddle_assert(result != a);
        break;
    case 2:
        heddle_assert(result != a);
        break;
    default:
        heddle_assert(result != a);
    }
}

/* ---- Globals, which each process has for itself -------------------------------------------------
 */

enum { PAGE = 1024, N_PAGES = 20 }; /* of ints */
static int pages[N_PAGES * PAGE] = {[0 ... N_PAGES * PAGE - 1] = 5};

/* Two pages; b: 0 looks, 1 writes to the first, 2 calls code that nobody knows, which may write
 * anywhere (property_processes.c lets it run). */
static void do_global(int a, int b) {
    int *page = &pages[2 * a * PAGE];
    if (b == 0)
        tell(10 * page[17] + page[PAGE + 17]);
    else if (b == 1)
        page[17] = me + 1;
    else
        tell(get_phys_pages() > 0);
}

static void do_exit(int a, int b) {
    (void)b;
    _exit(a);
}

static const struct {
    char letter;
    void (*does)(int a, int b);
} operations[] = {
    {'w', do_write},       {'r', do_read},      {'v', do_receive},   {'c', do_close},
    {'d', do_duplicate},   {'o', do_replace},   {'s', do_shutdown},  {'n', do_non_blocking},
    {'p', do_poll},        {'q', do_poll_both}, {'l', do_await_one}, {'y', do_select},
    {'a', do_accept},      {'k', do_connect},   {'m', do_pass},      {'g', do_get},
    {'f', do_fork},        {'z', do_wait},      {'x', do_kill},      {'i', do_signal},
    {'?', do_skip},        {'=', do_assert},    {'e', do_exit},      {'h', do_action},
    {'j', do_send},        {'t', do_raise},     {'b', do_mask},      {'u', do_suspend},
    {'H', do_pause},       {'S', do_count},     {'D', do_pending},   {'W', do_handler_slot},
    {'L', do_alarm},       {'Z', do_children},  {'F', do_available}, {'E', do_error},
    {'G', do_parent},      {'X', do_exists},    {'I', do_input},     {'A', do_assume},
    {'C', do_put},         {'R', do_get_out},   {'K', do_change},    {'Q', do_ask},
    {'M', do_semaphore},   {'V', do_number},    {'O', do_add},       {'+', do_add_edge},
    {'U', do_remove},      {'J', do_once},      {'P', do_epoll},     {'T', do_poll_with},
    {'Y', do_select_with}, {'B', do_print},     {'N', do_flush},     {'!', do_leave},
    {'~', do_robust},      {'*', do_global},    {'^', do_lock},      {':', do_option},
};

static void operate(const char *code) {
    for (unsigned k = 0; k < sizeof operations / sizeof *operations; k++)
        if (operations[k].letter == code[0])
            operations[k].does(code[1] - '0', code[2] - '0');
}

static _Noreturn void run(int which) {
    me = which;
    n_handled = n_told = 0;
    memset(pid_of, 0, sizeof pid_of);
    memset(is_minded, 0, sizeof is_minded);
    for (place = 0; scripts[me][place]; place += 3)
        if (!sigsetjmp(away[0], 1) && !sigsetjmp(away[1], 0))
            operate(&scripts[me][place]);
    length = 0;
    put_number(me);
    put('.');
    end_label();
    _exit(result & 7);
}

int main(int argc, char **argv) {
    channels = argv[1];
    scripts = argv + 2;
    n_scripts = argc - 2;
    for (int k = 0; k < N_SLOTS; k++)
        slot[k] = -1;
    for (int k = 0; argv[1][k] && k < 3; k++)
        if (make_channel(argv[1][k], k) != 0)
            return 100;
    run(0);
}
