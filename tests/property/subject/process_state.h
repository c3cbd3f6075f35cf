/* process_state.h -- operations of process_program.c that ask for state which others change, and
 * what changes it: counters, timers, message queues, files, lists of epoll, semaphores and numbers
 * in shared memory, streams. */
#ifndef PROCESS_STATE_H
#define PROCESS_STATE_H
#include <errno.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/timerfd.h>

static struct common {
    sem_t semaphore[2];
    atomic_int number[2];
    pthread_mutex_t robust;
} *common;

/* ---- Channels -------------------------------------------------------------------------------- */

static void make_name(char *name, const char *prefix, int channel) {
    int n = 0;
    for (; prefix[n]; n++)
        name[n] = prefix[n];
    for (int of = getpid(); of > 0; of /= 10)
        name[n++] = (char)('0' + of % 10);
    name[n++] = (char)('a' + channel);
    name[n] = '\0';
}

/* One that waits and is emptied as a whole, and one that does neither. */
static int make_counters(int ends[2]) {
    ends[0] = eventfd(0, 0);
    ends[1] = eventfd(0, EFD_NONBLOCK | EFD_SEMAPHORE);
    return ends[0] < 0 || ends[1] < 0;
}

static int make_timers(int ends[2]) {
    ends[0] = timerfd_create(CLOCK_MONOTONIC, 0);
    ends[1] = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    return ends[0] < 0 || ends[1] < 0;
}

/* One queue, to wait for and not to wait for. */
static int make_messages(int ends[2], int channel) {
    char name[40];
    struct mq_attr sizes = {.mq_maxmsg = 2, .mq_msgsize = 4};
    make_name(name, "/heddle-", channel);
    ends[0] = mq_open(name, O_CREAT | O_RDWR, 0600, &sizes);
    ends[1] = mq_open(name, O_RDWR | O_NONBLOCK);
    mq_unlink(name);
    return ends[0] < 0 || ends[1] < 0;
}

/* One file, opened twice: each has a place of its own, which the processes share. */
static int make_file(int ends[2], int channel) {
    char name[60];
    make_name(name, "/tmp/heddle-processes-", channel);
    ends[0] = open(name, O_CREAT | O_RDWR, 0600);
    ends[1] = open(name, O_RDWR | O_APPEND);
    unlink(name);
    return ends[0] < 0 || ends[1] < 0;
}

static int make_robust(void) {
    pthread_mutexattr_t how;
    pthread_mutexattr_init(&how);
    pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_settype(&how, PTHREAD_MUTEX_ERRORCHECK);
    return pthread_mutex_init(&common->robust, &how);
}

static int make_memory(void) {
    common = mmap(NULL, sizeof *common, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return common == MAP_FAILED || sem_init(&common->semaphore[0], 1, 0) != 0 ||
           sem_init(&common->semaphore[1], 1, 1) != 0 || make_robust() != 0;
}

static int make_state_channel(char kind, int channel) {
    int *ends = &slot[2 * channel];
    switch (kind) {
    case 'e':
        return make_counters(ends);
    case 'v':
        return make_timers(ends);
    case 'm':
        return make_messages(ends, channel);
    case 'f':
        return make_file(ends, channel);
    case 'x':
        return (ends[0] = epoll_create1(0)) < 0 || (ends[1] = epoll_create1(0)) < 0;
    default:
        return make_memory();
    }
}

static char kind_of(int a) {
    return a < 6 && a / 2 < (int)strlen(channels) ? channels[a / 2] : ' ';
}

/* ---- What changes state ------------------------------------------------------------------------
 */

#define FULL (UINT64_MAX - 1)

/* From 7 seconds on again and again; whether it ran before is an answer then. */
static int set_timer(int a, int seconds) {
    bool repeats = seconds >= 7;
    struct itimerspec when = {.it_value = {seconds, 0}, .it_interval = {repeats ? 1 : 0, 0}}, old;
    if (timerfd_settime(slot[a], 0, &when, repeats ? &old : NULL) < 0)
        return -1;
    return repeats && (old.it_value.tv_sec || old.it_value.tv_nsec);
}

/* Into a counter, a timer or a message queue: so much, so late, so important. */
static void do_put(int a, int b) {
    char kind = kind_of(a);
    char byte = (char)('a' + (me * 7 + place / 3) % 26);
    if (kind == 'e')
        tell(eventfd_write(slot[a], b == 9 ? FULL : (uint64_t)b));
    if (kind == 'v')
        tell(set_timer(a, b));
    if (kind == 'm')
        tell(mq_send(slot[a], &byte, 1, (unsigned)b));
}

static void do_get_out(int a, int b) {
    char kind = kind_of(a);
    uint64_t value = 0;
    (void)b;
    if (kind == 'm')
        tell_bytes((int)mq_receive(slot[a], bytes, sizeof bytes, NULL));
    if (kind == 'e' || kind == 'v')
        tell(read(slot[a], &value, sizeof value) < 0 ? -1 : value == FULL ? 99 : (int)value);
}

static int set_messages(int a, long flags) {
    struct mq_attr wanted = {.mq_flags = flags};
    return mq_setattr(slot[a], &wanted, NULL);
}

static int set_alive(int a) {
    int one = 1;
    return setsockopt(slot[a], SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
}

static int bind_anywhere(int a) {
    struct sockaddr_in at = loopback();
    return bind(slot[a], (struct sockaddr *)&at, sizeof at);
}

static void do_change(int a, int b) {
    switch (b) {
    case 0:
    case 1:
        tell(fcntl(slot[a], F_SETFL, b ? 0 : O_APPEND));
        break;
    case 2:
    case 3:
        tell(set_messages(a, b == 2 ? O_NONBLOCK : 0));
        break;
    case 4:
        tell(set_alive(a));
        break;
    case 5:
        tell(listen(slot[a], 1));
        break;
    case 6:
        tell(bind_anywhere(a));
        break;
    case 7:
        tell(ftruncate(slot[a], 1));
        break;
    default:
        tell((int)lseek(slot[a], 0, b == 8 ? SEEK_SET : SEEK_END));
    }
}

/* Bytes that overlap those of others in part; who has which is asked by F_GETLK. */
static int lock_record(int a, int b) {
    struct flock l = {.l_type = b == 6 || b == 9 ? F_RDLCK
                                : b == 7         ? F_UNLCK
                                                 : F_WRLCK,
                      .l_whence = SEEK_SET};
    l.l_start = b == 5 || b == 8 ? 0 : 1;
    l.l_len = b == 8 ? 0 : b == 7 ? 1 : 2;
    if (fcntl(slot[a], b == 9 ? F_GETLK : b == 8 ? F_SETLK : F_SETLKW, &l) < 0)
        return -1;
    return b != 9 ? 0 : l.l_type == F_UNLCK ? 9 : 10 + (int)l.l_start * 10 + (int)l.l_len;
}

/* Locks of files, waiting or not: of the open file, whose two descriptors are two owners, and of
 * the process. */
static void do_lock(int a, int b) {
    static const int whole[] = {LOCK_SH, LOCK_EX, LOCK_UN, LOCK_EX | LOCK_NB, LOCK_SH | LOCK_NB};
    tell(b < 5 ? flock(slot[a], whole[b]) : lock_record(a, b));
}

/* Options of IPv4: b, one of three that is set, to what may not be allowed; or, from 3 on, asked
 * for. */
static void do_option(int a, int b) {
    static const int options[] = {IP_MTU_DISCOVER, IP_RECVERR, IP_MULTICAST_ALL};
    int value = (me + place / 3) % 8 - 1;
    socklen_t size = sizeof value;
    if (b < 3)
        tell(setsockopt(slot[a], IPPROTO_IP, options[b % 3], &value, size));
    else
        tell(getsockopt(slot[a], IPPROTO_IP, options[b % 3], &value, &size) < 0 ? -1 : value);
}

/* ---- What asks for it --------------------------------------------------------------------------
 */

static int flags_of(int a) {
    int flags = fcntl(slot[a], F_GETFL);
    return flags < 0 ? -1 : (flags & O_NONBLOCK ? 1 : 0) + (flags & O_APPEND ? 2 : 0);
}

static int messages_of(int a) {
    struct mq_attr now;
    return mq_getattr(slot[a], &now) < 0 ? -1 : (int)now.mq_curmsgs + (now.mq_flags ? 10 : 0);
}

static int size_of(int a) {
    struct stat now;
    return fstat(slot[a], &now) < 0 ? -1 : (int)now.st_size;
}

static int option_of(int a, int option) {
    int value = -1;
    socklen_t size = sizeof value;
    return getsockopt(slot[a], SOL_SOCKET, option, &value, &size) < 0 ? -1 : value;
}

static int has_name(int a) {
    struct sockaddr_in at = {0};
    socklen_t size = sizeof at;
    return getsockname(slot[a], (struct sockaddr *)&at, &size) < 0 ? -1 : at.sin_port != 0;
}

static int has_peer(int a) {
    struct sockaddr_storage at;
    socklen_t size = sizeof at;
    return getpeername(slot[a], (struct sockaddr *)&at, &size);
}

static int has_timer(int a) {
    struct itimerspec now;
    return timerfd_gettime(slot[a], &now) < 0 ? -1 : now.it_value.tv_sec || now.it_value.tv_nsec;
}

static int interval_of(int a) {
    struct itimerspec now;
    return timerfd_gettime(slot[a], &now) < 0 ? -1 : (int)now.it_interval.tv_sec;
}

static void do_ask(int a, int b) {
    switch (b) {
    case 0:
        tell(flags_of(a));
        break;
    case 1:
        tell(messages_of(a));
        break;
    case 2:
        tell(size_of(a));
        break;
    case 3:
        tell((int)lseek(slot[a], 0, SEEK_CUR));
        break;
    case 4:
        tell(option_of(a, SO_ACCEPTCONN));
        break;
    case 5:
        tell(has_name(a));
        break;
    case 6:
        tell(has_peer(a));
        break;
    case 7:
        tell(option_of(a, SO_KEEPALIVE));
        break;
    case 8:
        tell(has_timer(a));
        break;
    default:
        tell(interval_of(a));
    }
}

/* ---- Shared memory: a is which -----------------------------------------------------------------
 */

static void do_semaphore(int a, int b) {
    sem_t *s = &common->semaphore[a % 2];
    int value = 0;
    switch (b) {
    case 0:
        tell(sem_post(s));
        break;
    case 1:
        tell(sem_wait(s));
        break;
    case 2:
        tell(sem_trywait(s));
        break;
    default:
        tell(sem_getvalue(s, &value) < 0 ? -1 : value);
    }
}

static void do_number(int a, int b) {
    atomic_int *n = &common->number[a % 2];
    if (b == 0)
        tell(atomic_load(n));
    else if (b == 1)
        atomic_store(n, 1 + me);
    else
        tell(atomic_fetch_add(n, 1));
}

/* A process may end with it: the next one is told, and may leave it like that for good. */
static void do_robust(int a, int b) {
    pthread_mutex_t *mutex = &common->robust;
    int result = b == 0   ? pthread_mutex_lock(mutex)
                 : b == 1 ? pthread_mutex_trylock(mutex)
                          : pthread_mutex_unlock(mutex);
    tell(result);
    if (result == EOWNERDEAD && a % 2)
        pthread_mutex_consistent(mutex);
}

/* ---- Lists of epoll: a is the list, b what is looked at ----------------------------------------
 */

static void change_list(int a, int b, int how, unsigned events) {
    struct epoll_event e = {.events = events, .data.u32 = (unsigned)b};
    tell(epoll_ctl(slot[a], how, slot[b], &e));
}

static void do_add(int a, int b) {
    change_list(a, b, EPOLL_CTL_ADD, EPOLLIN);
}

static void do_add_edge(int a, int b) {
    change_list(a, b, EPOLL_CTL_ADD, EPOLLIN | EPOLLET);
}

static void do_remove(int a, int b) {
    change_list(a, b, EPOLL_CTL_DEL, 0);
}

static void do_once(int a, int b) {
    change_list(a, b, EPOLL_CTL_MOD, EPOLLIN | EPOLLONESHOT);
}

static int set_of(sigset_t *set, int b) {
    sigemptyset(set);
    if (b >= 1)
        sigaddset(set, SIGUSR1);
    if (b >= 2)
        sigaddset(set, SIGUSR2);
    return 0;
}

/* b: 0 not at all, 1 for ever, more: with these signals blocked and no others. */
static void do_epoll(int a, int b) {
    struct epoll_event found[4];
    sigset_t set;
    set_of(&set, b - 2);
    int n = b < 2 ? epoll_wait(slot[a], found, 4, b ? -1 : 0)
                  : epoll_pwait(slot[a], found, 4, -1, &set);
    for (int k = 1; k < n; k++) /* Linux says no order */
        if (found[k].data.u32 < found[0].data.u32)
            found[0] = found[k];
    tell(n <= 0 ? n : n * 1000 + (int)found[0].data.u32 * 100 + (int)found[0].events);
}

/* ---- Waits that change which signals are blocked ----------------------------------------------
 */

/* b: which are blocked; 3: none, and it does not wait. */
static void do_poll_with(int a, int b) {
    struct pollfd p = {.fd = slot[a], .events = POLLIN};
    struct timespec none = {0};
    sigset_t set;
    set_of(&set, b == 3 ? 0 : b);
    int n = ppoll(&p, 1, b == 3 ? &none : NULL, &set);
    tell(n < 0 ? n : p.revents);
}

static void do_select_with(int a, int b) {
    fd_set files;
    struct timespec none = {0};
    sigset_t set;
    if (slot[a] < 0)
        return;
    FD_ZERO(&files);
    FD_SET(slot[a], &files);
    set_of(&set, b == 3 ? 0 : b);
    int n = pselect(slot[a] + 1, &files, NULL, NULL, b == 3 ? &none : NULL, &set);
    tell(n);
}

/* ---- Streams, and the end of a process ---------------------------------------------------------
 */

static FILE *stream_of[N_SLOTS];

static void do_print(int a, int b) {
    (void)b;
    if (!stream_of[a] && slot[a] >= 0)
        stream_of[a] = fdopen(slot[a], "w");
    if (stream_of[a])
        tell(fputc('A' + (me * 7 + place / 3) % 26, stream_of[a]));
}

static void do_flush(int a, int b) {
    (void)b;
    if (stream_of[a])
        tell(fflush(stream_of[a]));
}

/* With what is left in streams; 'e' leaves it out. */
static void do_leave(int a, int b) {
    (void)b;
    exit(a);
}

#endif
