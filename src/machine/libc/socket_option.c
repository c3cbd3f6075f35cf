/* Options of sockets: a table.  Most change nothing here, because what they tune is not modelled;
 * their values are kept and answered as Linux does. */
#include "machine/libc/libc_ipc.h"
#include "machine/tasks/library.h"

#include <errno.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#define SECOND UINT64_C(1000000000)

/* level, option, value before it is set; buffers answer twice what was asked for */
#define PLAIN(X)                                                                                   \
    X(SOL_SOCKET, SO_REUSEADDR, 0)                                                                 \
    X(SOL_SOCKET, SO_REUSEPORT, 0)                                                                 \
    X(SOL_SOCKET, SO_KEEPALIVE, 0)                                                                 \
    X(SOL_SOCKET, SO_BROADCAST, 0)                                                                 \
    X(SOL_SOCKET, SO_OOBINLINE, 0)                                                                 \
    X(SOL_SOCKET, SO_DONTROUTE, 0)                                                                 \
    X(SOL_SOCKET, SO_RCVBUF, 212992)                                                               \
    X(SOL_SOCKET, SO_SNDBUF, 212992)                                                               \
    X(SOL_SOCKET, SO_RCVLOWAT, 1)                                                                  \
    X(SOL_SOCKET, SO_PRIORITY, 0)                                                                  \
    X(SOL_SOCKET, SO_PASSCRED, 0)                                                                  \
    X(IPPROTO_TCP, TCP_NODELAY, 0)                                                                 \
    X(IPPROTO_TCP, TCP_CORK, 0)                                                                    \
    X(IPPROTO_TCP, TCP_KEEPIDLE, 7200)                                                             \
    X(IPPROTO_TCP, TCP_KEEPINTVL, 75)                                                              \
    X(IPPROTO_TCP, TCP_KEEPCNT, 9)                                                                 \
    X(IPPROTO_TCP, TCP_QUICKACK, 1)                                                                \
    X(IPPROTO_TCP, TCP_USER_TIMEOUT, 0)                                                            \
    X(IPPROTO_TCP, TCP_DEFER_ACCEPT, 0)                                                            \
    X(IPPROTO_IP, IP_TOS, 0)                                                                       \
    X(IPPROTO_IP, IP_TTL, 64)                                                                      \
    X(IPPROTO_IP, IP_MULTICAST_TTL, 1)                                                             \
    X(IPPROTO_IP, IP_MULTICAST_LOOP, 1)                                                            \
    X(IPPROTO_IP, IP_PKTINFO, 0)                                                                   \
    X(IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_WANT)                                               \
    X(IPPROTO_IP, IP_RECVERR, 0)                                                                   \
    X(IPPROTO_IP, IP_MULTICAST_ALL, 1)                                                             \
    X(IPPROTO_IPV6, IPV6_V6ONLY, 0)                                                                \
    X(IPPROTO_IPV6, IPV6_RECVPKTINFO, 0)                                                           \
    X(IPPROTO_IPV6, IPV6_RECVERR, 0)                                                               \
    X(IPPROTO_IPV6, IPV6_UNICAST_HOPS, 64)                                                         \
    X(IPPROTO_IPV6, IPV6_TCLASS, 0)                                                                \
    X(IPPROTO_IPV6, IPV6_MULTICAST_HOPS, 1)                                                        \
    X(IPPROTO_IPV6, IPV6_MULTICAST_LOOP, 1)

static const struct plain {
    int level, option, first;
} plain[] = {
#define X(level, option, first) {level, option, first},
    PLAIN(X)
#undef X
};
#define N_PLAIN (sizeof plain / sizeof *plain)
_Static_assert(N_PLAIN <= HD_N_PLAIN_OPTIONS, "a socket has room for all of them");

static int find_plain(int level, int option) {
    for (unsigned i = 0; i < N_PLAIN; i++)
        if (plain[i].level == level && plain[i].option == option)
            return (int)i;
    return -1;
}

/* Names that people look for when they are refused. */
static const char *name_of(int level, int option) {
    static const struct {
        int level, option;
        const char *name;
    } names[] = {{SOL_SOCKET, SO_PEERCRED, "SO_PEERCRED"},
                 {SOL_SOCKET, SO_TIMESTAMP, "SO_TIMESTAMP"},
                 {SOL_SOCKET, SO_BUSY_POLL, "SO_BUSY_POLL"},
                 {SOL_SOCKET, SO_ATTACH_FILTER, "SO_ATTACH_FILTER"},
                 {SOL_SOCKET, SO_ZEROCOPY, "SO_ZEROCOPY"},
                 {IPPROTO_TCP, TCP_INFO, "TCP_INFO"},
                 {IPPROTO_TCP, TCP_MAXSEG, "TCP_MAXSEG"},
                 {IPPROTO_TCP, TCP_FASTOPEN, "TCP_FASTOPEN"},
                 {IPPROTO_TCP, TCP_CONGESTION, "TCP_CONGESTION"},
                 {IPPROTO_IP, IP_MULTICAST_ALL, "IP_MULTICAST_ALL for a socket of IPv6"},
                 {IPPROTO_IP, IP_ADD_SOURCE_MEMBERSHIP, "IP_ADD_SOURCE_MEMBERSHIP"},
                 {IPPROTO_IP, IP_PKTINFO, "IP_PKTINFO for a socket of IPv6"},
                 {IPPROTO_IP, IP_RECVTTL, "IP_RECVTTL"},
                 {IPPROTO_IPV6, IPV6_RECVHOPLIMIT, "IPV6_RECVHOPLIMIT"}};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].level == level && names[i].option == option)
            return names[i].name;
    return NULL;
}

static _Noreturn void refuse(hd_machine *m, const char *function, int level, int option) {
    const char *name = name_of(level, option);
    if (name)
        hd_ipc_refuse(m, "%s of %s, which is not modelled (executions end there)", function, name);
    hd_ipc_refuse(m, "%s of option %d of level %d, which is not modelled (executions end there)",
                  function, option, level);
}

/* ---- setting ---- */

/* Waits of others that have begun, or look at it when they begin, are not ordered with this. */
static int set_timeout(hd_machine *m, hd_file *f, int option, const void *value, unsigned length) {
    HD_ASSERT(option == SO_RCVTIMEO || option == SO_SNDTIMEO);
    struct timeval t;
    if (length < sizeof t)
        return hd_ipc_fail(m, EINVAL);
    hd_library_get(m, &t, value, sizeof t);
    if (t.tv_usec < 0 || t.tv_usec >= 1000000)
        return hd_ipc_fail(m, EDOM);
    uint64_t ns = t.tv_sec < 0 ? 0 : SECOND * (uint64_t)t.tv_sec + 1000 * (uint64_t)t.tv_usec;
    hd_ipc_note_change(m, f, HD_USE_RECEIVE);
    hd_socket *s = f->socket;
    *(option == SO_RCVTIMEO ? &s->receive_timeout : &s->send_timeout) = ns;
    return 0;
}

static int set_linger(hd_machine *m, hd_socket *s, const void *value, unsigned length) {
    struct linger l;
    if (length < sizeof l)
        return hd_ipc_fail(m, EINVAL);
    hd_library_get(m, &l, value, sizeof l);
    s->linger = l.l_onoff ? l.l_linger : -1;
    s->has_linger = l.l_onoff != 0;
    return 0;
}

/* All that comes from other nodes comes by the one interface that there is; an empty name is none.
 */
static int set_device(hd_machine *m, const hd_socket *s, const void *value, unsigned length) {
    char name[IFNAMSIZ] = "";
    hd_library_get(m, name, value, length < sizeof name ? length : sizeof name - 1);
    if (name[0] && strcmp(name, "lo") != 0 && (strcmp(name, "eth0") != 0 || !s->host))
        return hd_ipc_fail(m, ENODEV);
    if (name[0])
        hd_bound_call(m, "a socket of one interface (SO_BINDTODEVICE) hears the other one, too");
    return 0;
}

static int adjusted(int option, int value) {
    if (option == SO_RCVBUF || option == SO_SNDBUF) {
        int twice = value > INT32_MAX / 4 ? INT32_MAX / 2 : 2 * value;
        int least = option == SO_RCVBUF ? 2304 : 4608;
        return twice < least ? least : twice > 425984 ? 425984 : twice;
    }
    return value;
}

static bool is_flag(int level, int option) {
    return (level == SOL_SOCKET && option != SO_RCVBUF && option != SO_SNDBUF &&
            option != SO_RCVLOWAT && option != SO_PRIORITY) ||
           (level == IPPROTO_TCP && (option == TCP_NODELAY || option == TCP_CORK)) ||
           (level == IPPROTO_IP &&
            (option == IP_MULTICAST_LOOP || option == IP_PKTINFO || option == IP_RECVERR)) ||
           (level == IPPROTO_IPV6 &&
            (option == IPV6_V6ONLY || option == IPV6_RECVPKTINFO || option == IPV6_RECVERR));
}

/* Options of IPv4 that have few values, from 0 to the highest; -1 for the others. */
static int most_of(int level, int option) {
    return level != IPPROTO_IP          ? -1
           : option == IP_MTU_DISCOVER  ? IP_PMTUDISC_OMIT
           : option == IP_MULTICAST_ALL ? 1
                                        : -1;
}

static bool is_of_groups(int level, int option) {
    return level == IPPROTO_IP && (option == IP_MULTICAST_TTL || option == IP_MULTICAST_LOOP);
}

/* Is its value only answered again, as it was given? */
static bool option_is_kept(int level, int option) {
    return level == IPPROTO_IPV6 ? false
           : level != SOL_SOCKET ? !is_of_groups(level, option) && most_of(level, option) < 0
                                 : option != SO_RCVBUF && option != SO_SNDBUF;
}

/* What leaves for groups, and how far.  -1 is what it was first. */
static int set_group_option(hd_machine *m, hd_socket *s, int option, int *number) {
    if (s->domain != AF_INET)
        return hd_ipc_fail(m, s->domain == AF_UNIX ? EOPNOTSUPP : ENOPROTOOPT);
    if (option == IP_MULTICAST_TTL && s->type == SOCK_STREAM)
        return hd_ipc_fail(m, EINVAL);
    if (option == IP_MULTICAST_TTL && (*number < -1 || *number > 255))
        return hd_ipc_fail(m, EINVAL);
    *number = *number == -1 ? 1 : *number;
    *(option == IP_MULTICAST_TTL ? &s->stays_on_its_host : &s->hears_not_itself) = *number == 0;
    return 0;
}

/* The limits of Linux; -1 is what it was first. */
static int set_v6_option(hd_machine *m, hd_socket *s, int option, int first, int *number) {
    HD_ASSERT(s->domain == AF_INET6);
    bool is_flag = option == IPV6_V6ONLY || option == IPV6_RECVPKTINFO || option == IPV6_RECVERR;
    bool is_loop = option == IPV6_MULTICAST_LOOP, is_hops = option == IPV6_MULTICAST_HOPS;
    if (option == IPV6_V6ONLY && s->is_bound)
        return hd_ipc_fail(m, EINVAL);
    if (!is_flag && (*number < (is_loop ? 0 : -1) || *number > (is_loop ? 1 : 255)))
        return hd_ipc_fail(m, EINVAL);
    *number = *number == -1 ? first : *number;
    if (option == IPV6_TCLASS && s->type == SOCK_STREAM)
        *number &= ~3; /* which tell of congestion */
    if (is_hops)
        s->stays_on_its_host = *number == 0;
    if (is_loop)
        s->hears_not_itself = *number == 0;
    if (option == IPV6_V6ONLY)
        s->is_v6_only = *number;
    return 0;
}

/* One byte is enough for what is about groups of IPv4, and for some others of it. */
static size_t size_of_option(int level, int option, unsigned length) {
    bool may_be_short = is_of_groups(level, option) || most_of(level, option) >= 0 ||
                        (level == IPPROTO_IP && (option == IP_PKTINFO || option == IP_RECVERR));
    return may_be_short && length && length < sizeof(int) ? 1 : sizeof(int);
}

static int set_plain(hd_machine *m, hd_socket *s, int i, const void *value, unsigned length) {
    HD_ASSERT(i >= 0 && (size_t)i < N_PLAIN);
    int level = plain[i].level, option = plain[i].option, number;
    size_t size = size_of_option(level, option, length);
    if (level == IPPROTO_IPV6 && option == IPV6_MULTICAST_HOPS && s->type == SOCK_STREAM)
        return hd_ipc_fail(m, ENOPROTOOPT);
    if (length < size)
        return hd_ipc_fail(m, EINVAL);
    if (level == IPPROTO_TCP && (s->domain == AF_UNIX || s->type != SOCK_STREAM))
        return hd_ipc_fail(m, s->domain == AF_UNIX ? EOPNOTSUPP : ENOPROTOOPT);
    hd_number given = hd_library_number(m, value, size);
    bool is_kept = !is_flag(level, option) && option_is_kept(level, option);
    number = is_flag(level, option) ? hd_library_is_set(m, given)
             : is_kept              ? (int)given.value
                                    : (int)hd_library_bits(m, given, UINT32_MAX);
    s->option_shadows[i] = is_kept ? given.e : HD_NONE;
    if (level == SOL_SOCKET && (option == SO_REUSEADDR || option == SO_REUSEPORT))
        s->is_reusable = number;
    number = level == SOL_SOCKET ? adjusted(option, number) : number;
    if (most_of(level, option) >= 0 && (number < 0 || number > most_of(level, option)))
        return hd_ipc_fail(m, EINVAL);
    if (is_of_groups(level, option) && set_group_option(m, s, option, &number) != 0)
        return -1;
    if (level == IPPROTO_IPV6 && set_v6_option(m, s, option, plain[i].first, &number) != 0)
        return -1;
    if ((level == IPPROTO_IP && option == IP_PKTINFO) ||
        (level == IPPROTO_IPV6 && option == IPV6_RECVPKTINFO))
        s->tells_target = number;
    if (level == SOL_SOCKET && option == SO_BROADCAST)
        s->may_broadcast = number != 0;
    s->options[i] = number - plain[i].first; /* zero is what it was first */
    return 0;
}

/* Options of the Internet are for its sockets, those of IPv6 for sockets of that. */
static bool has_level(const hd_socket *s, int level) {
    return level == SOL_SOCKET || (s->domain != AF_UNIX && level != IPPROTO_IPV6) ||
           (s->domain == AF_INET6 && level == IPPROTO_IPV6);
}

/* How answers are told, which is as it always was. */
static int set_netlink(hd_machine *m, int option) {
    if (option == NETLINK_ADD_MEMBERSHIP)
        hd_bound_call(m, "nobody is told by netlink when routes change");
    return option >= NETLINK_ADD_MEMBERSHIP && option <= NETLINK_GET_STRICT_CHK
               ? 0
               : hd_ipc_fail(m, ENOPROTOOPT);
}

int hd_libc_setsockopt(int descriptor, int level, int option, const void *value, unsigned length) {
    hd_machine *m = hd_ipc_enter();
    hd_file *f;
    hd_socket *s = hd_ipc_socket(m, descriptor, &f);
    if (!s)
        return -1;
    hd_ipc_state_event(m, f, true);
    if (s->asks_system && level == SOL_NETLINK)
        return set_netlink(m, option);
    if (!has_level(s, level))
        return hd_ipc_fail(m, s->domain == AF_UNIX ? EOPNOTSUPP : ENOPROTOOPT);
    if (level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO))
        return set_timeout(m, f, option, value, length);
    if (level == SOL_SOCKET && option == SO_LINGER)
        return set_linger(m, s, value, length);
    if (level == SOL_SOCKET && option == SO_BINDTODEVICE)
        return set_device(m, s, value, length);
    if (level == IPPROTO_IP && (option == IP_ADD_MEMBERSHIP || option == IP_DROP_MEMBERSHIP))
        return hd_group_change(m, f, option == IP_ADD_MEMBERSHIP, value, length);
    if (level == IPPROTO_IP && option == IP_MULTICAST_IF)
        return hd_group_interface(m, s, value, length);
    if (level == IPPROTO_IPV6 && (option == IPV6_JOIN_GROUP || option == IPV6_LEAVE_GROUP))
        return hd_group_change_v6(m, f, option == IPV6_JOIN_GROUP, value, length);
    if (level == IPPROTO_IPV6 && option == IPV6_MULTICAST_IF)
        return hd_group_interface_v6(m, s, value, length);
    if (level == IPPROTO_IP && (option == IP_PKTINFO || option == IP_MULTICAST_ALL) &&
        s->domain == AF_INET6)
        refuse(m, "setsockopt", level, option);
    int i = find_plain(level, option);
    if (i < 0)
        refuse(m, "setsockopt", level, option);
    return set_plain(m, s, i, value, length);
}

/* ---- getting ---- */

static unsigned give(hd_machine *m, void *out, unsigned *length, const void *value, unsigned n) {
    unsigned room;
    hd_library_get(m, &room, length, sizeof room);
    unsigned size = room < n ? room : n;
    hd_ipc_store_plain(m, out, value, size);
    hd_ipc_store_plain(m, length, &size, sizeof size);
    return size;
}

static int answer(hd_machine *m, void *out, unsigned *length, const void *value, unsigned n) {
    give(m, out, length, value, n);
    return 0;
}

/* A part of one is given out concretely, if the program has room for no more. */
static int answer_number(hd_machine *m, void *out, unsigned *length, int number, hd_expr e) {
    unsigned size = give(m, out, length, &number, sizeof number);
    if (e && size == sizeof number)
        hd_store_words(m, (uint64_t)out, sizeof number, e);
    else if (e)
        hd_approximate_call(m, "part of an option of a socket that depends on inputs");
    return 0;
}

static int answer_timeout(hd_machine *m, uint64_t ns, void *out, unsigned *length) {
    struct timeval t = {(time_t)(ns / SECOND), (suseconds_t)(ns % SECOND / 1000)};
    return answer(m, out, length, &t, sizeof t);
}

/* An error may have come with a reset: what is asked for depends on what has arrived. */
static int take_error(hd_machine *m, hd_file *f, hd_socket *s) {
    if (hd_socket_is_connected_kind(s) && s->state != HD_SOCKET_LISTENING && s->other)
        hd_ipc_peek(m, s->in, f, 0);
    int error = s->error;
    s->error = 0;
    if (hd_socket_is_under_way(s))
        return error;
    if (s->state == HD_SOCKET_NEW)
        s->is_connecting = false;
    return error;
}

static bool find_number(hd_machine *m, hd_file *f, hd_socket *s, int level, int option, int *out,
                        hd_expr *e) {
    int i = find_plain(level, option);
    if (level == IPPROTO_IP && option == IP_MULTICAST_ALL && s->domain == AF_INET6)
        return false; /* which begins otherwise there */
    if (i >= 0) {
        *out = plain[i].first + s->options[i];
        *e = s->option_shadows[i];
        return true;
    }
    if (level != SOL_SOCKET)
        return false;
    switch (option) {
    case SO_ERROR:
        *out = take_error(m, f, s);
        return true;
    case SO_TYPE:
        *out = s->made_as ? s->made_as : s->type;
        return true;
    case SO_DOMAIN:
        *out = hd_socket_family(s);
        return true;
    case SO_PROTOCOL:
        *out = s->domain == AF_UNIX ? 0 : s->type == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP;
        return true;
    case SO_ACCEPTCONN:
        *out = s->state == HD_SOCKET_LISTENING;
        return true;
    default:
        return false;
    }
}

int hd_libc_getsockopt(int descriptor, int level, int option, void *value, unsigned *length) {
    hd_machine *m = hd_ipc_enter();
    hd_file *f;
    hd_socket *s = hd_ipc_socket(m, descriptor, &f);
    int number;
    if (!s)
        return -1;
    if (level != SOL_SOCKET || option != SO_ERROR) /* which looks itself at what comes */
        hd_ipc_state_event(m, f, false);
    if (!has_level(s, level))
        return hd_ipc_fail(m, EOPNOTSUPP);
    hd_expr e = HD_NONE;
    if (find_number(m, f, s, level, option, &number, &e))
        return answer_number(m, value, length, number, e);
    if (level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO))
        return answer_timeout(m, option == SO_RCVTIMEO ? s->receive_timeout : s->send_timeout,
                              value, length);
    if (level == SOL_SOCKET && option == SO_LINGER) {
        struct linger l = {s->has_linger, s->has_linger ? s->linger : 0};
        return answer(m, value, length, &l, sizeof l);
    }
    bool is_interface = (level == IPPROTO_IP && option == IP_MULTICAST_IF) ||
                        (level == IPPROTO_IPV6 && option == IPV6_MULTICAST_IF);
    if (is_interface && (level == IPPROTO_IPV6) == (s->domain == AF_INET6))
        return answer(m, value, length, &s->group_interface, sizeof s->group_interface);
    refuse(m, "getsockopt", level, option);
}
