/* send, recv and their kin: arguments to messages, messages to results. */
#include "machine/libc/libc_ipc.h"
#include "machine/tasks/library.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>

#define SENDING (MSG_NOSIGNAL | MSG_DONTWAIT | MSG_MORE | MSG_EOR | MSG_CONFIRM | MSG_DONTROUTE)
#define RECEIVING                                                                                  \
    (MSG_DONTWAIT | MSG_PEEK | MSG_WAITALL | MSG_TRUNC | MSG_CMSG_CLOEXEC | MSG_NOSIGNAL)
#define MAX_FILES 253

static void check_flags(hd_machine *m, const char *function, int flags, int known) {
    if (flags & MSG_OOB)
        hd_ipc_refuse(m, "call of %s with MSG_OOB, which is not modelled (executions end there)",
                      function);
    if (flags & ~known)
        hd_ipc_refuse(m, "call of %s with flags %#x, which are not modelled (executions end there)",
                      function, flags & ~known);
}

/* ---- sending ---- */

static int64_t send_to(hd_machine *m, const char *function, int descriptor, hd_ipc_message *message,
                       const void *address, unsigned length) {
    hd_file *f;
    const hd_socket *s = hd_ipc_socket(m, descriptor, &f);
    hd_address to;
    if (!s)
        return -1;
    check_flags(m, function, message->flags, SENDING);
    if (address && length) {
        int error = hd_ipc_load_address(m, address, length, hd_socket_family(s), &to);
        if (error || to.family == AF_UNSPEC)
            return hd_ipc_fail(m, error ? error : EINVAL);
        message->to = &to;
    }
    return hd_ipc_send(m, f, message);
}

int64_t hd_libc_sendto(int descriptor, const void *bytes, size_t n, int flags, const void *address,
                       unsigned length) {
    hd_machine *m = hd_ipc_enter_point();
    struct iovec piece = {(void *)bytes, n};
    hd_ipc_message message = {.pieces = &piece, .n_pieces = 1, .flags = flags};
    return send_to(m, "sendto", descriptor, &message, address, length);
}

int64_t hd_libc_send(int descriptor, const void *bytes, size_t n, int flags) {
    return hd_libc_sendto(descriptor, bytes, n, flags, NULL, 0);
}

/* The files of one control message, behind those that are there. */
static int add_files(hd_machine *m, const struct cmsghdr *c, hd_ipc_message *message) {
    uint64_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int), before = message->n_files;
    if (before + n > MAX_FILES)
        return EINVAL;
    hd_file **all = hd_arena_alloc(&hd_ipc_net(m)->arena, (before + n) * sizeof *message->files);
    for (uint64_t i = 0; i < before; i++)
        all[i] = message->files[i];
    for (uint64_t i = 0; i < n; i++) {
        int d;
        memcpy(&d, CMSG_DATA(c) + i * sizeof d, sizeof d);
        all[before + i] = hd_ipc_find(m, d);
        if (!all[before + i])
            return EBADF;
    }
    message->files = all;
    message->n_files = (uint32_t)(before + n);
    return 0;
}

/* Where a datagram is to leave: a host has one way, and one address beside loopback.  What is not
 * its own is not modelled. */
static bool is_own_way(hd_machine *m, const hd_socket *s, const struct cmsghdr *c) {
    bool is_v4 = c->cmsg_level == IPPROTO_IP;
    struct in_pktinfo four;
    struct in6_pktinfo six;
    hd_address own = hd_address_any(is_v4 ? AF_INET : AF_INET6, 0);
    uint32_t host = s->host;
    if (c->cmsg_len != CMSG_LEN(is_v4 ? sizeof four : sizeof six))
        return false;
    memcpy(&four, CMSG_DATA(c), is_v4 ? sizeof four : 0);
    memcpy(&six, CMSG_DATA(c), is_v4 ? 0 : sizeof six);
    if (is_v4)
        memcpy(own.ip + HD_IP_SIZE - sizeof four.ipi_spec_dst, &four.ipi_spec_dst,
               sizeof four.ipi_spec_dst);
    else
        memcpy(own.ip, &six.ipi6_addr, HD_IP_SIZE);
    unsigned index = is_v4 ? (unsigned)four.ipi_ifindex : six.ipi6_ifindex;
    return (index == 0 || index == (s->host ? HD_INTERFACE_OF_NODES : 1)) &&
           hd_hosts_route(&hd_ipc_net(m)->hosts, s->host, own.ip, &host) && host == s->host &&
           !hd_ip_is_loopback(own.ip);
}

static bool is_way(const hd_socket *s, const struct cmsghdr *c) {
    return s->type == SOCK_DGRAM &&
           ((s->domain == AF_INET && c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO) ||
            (s->domain == AF_INET6 && c->cmsg_level == IPPROTO_IPV6 &&
             c->cmsg_type == IPV6_PKTINFO));
}

/* Descriptors that are passed along; other control data is not modelled.  As Linux does: what says
 * that it is longer than all there is, or shorter than its own header, is wrong. */
static int load_files(hd_machine *m, const hd_socket *s, const struct msghdr *from,
                      hd_ipc_message *message) {
    uint64_t n = from->msg_control ? from->msg_controllen : 0;
    uint8_t *control = hd_arena_alloc(&hd_ipc_net(m)->arena, n + 1);
    if (n)
        hd_library_get(m, control, from->msg_control, n);
    for (uint64_t at = 0; at < n && n - at >= sizeof(struct cmsghdr);) {
        const struct cmsghdr *c = (const struct cmsghdr *)(control + at);
        if (c->cmsg_len < sizeof *c || c->cmsg_len > n - at)
            return EINVAL;
        bool has_files = c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS;
        if (!has_files && !(is_way(s, c) && is_own_way(m, s, c)))
            hd_ipc_refuse(
                m, "control message %d of level %d, which is not modelled (executions end there)",
                c->cmsg_type, c->cmsg_level);
        /* Of other sockets Linux does not even look at the numbers. */
        int error = has_files && s->domain == AF_UNIX ? add_files(m, c, message) : 0;
        if (error)
            return error;
        at += CMSG_ALIGN(c->cmsg_len);
    }
    return 0;
}

int64_t hd_libc_sendmsg(int descriptor, const struct msghdr *given, int flags) {
    hd_machine *m = hd_ipc_enter_point();
    struct msghdr from;
    hd_library_get(m, &from, given, sizeof from);
    hd_ipc_message message = {.pieces = hd_ipc_pieces(m, from.msg_iov, from.msg_iovlen),
                              .n_pieces = from.msg_iovlen,
                              .flags = flags};
    if (!message.pieces)
        return hd_ipc_fail(m, EMSGSIZE);
    const hd_socket *s = hd_ipc_socket(m, descriptor, NULL);
    if (!s)
        return -1;
    int error = load_files(m, s, &from, &message);
    if (error)
        return hd_ipc_fail(m, error);
    return send_to(m, "sendmsg", descriptor, &message, from.msg_name, from.msg_namelen);
}

/* ---- receiving ---- */

/* recvfrom on a stream leaves the address alone, but says that there is none. */
static void store_sender(hd_machine *m, const hd_socket *s, const hd_ipc_message *message,
                         void *address, unsigned *length) {
    unsigned none = 0;
    if (!address || !length)
        return;
    if (hd_socket_is_connected_kind(s) ||
        (s->domain == AF_UNIX && !s->asks_system && message->from.n_path == 0))
        hd_ipc_store_plain(m, length, &none, sizeof none);
    else
        hd_ipc_store_address(m, &message->from, hd_socket_family(s), address, length);
}

int64_t hd_libc_recvfrom(int descriptor, void *out, size_t n, int flags, void *address,
                         unsigned *length) {
    hd_machine *m = hd_ipc_enter_point();
    hd_file *f;
    const hd_socket *s = hd_ipc_socket(m, descriptor, &f);
    struct iovec piece = {out, n};
    hd_ipc_message message = {.pieces = &piece, .n_pieces = 1, .flags = flags};
    if (!s)
        return -1;
    check_flags(m, "recvfrom", flags, RECEIVING);
    int64_t got = hd_ipc_receive(m, f, &message);
    if (got >= 0)
        store_sender(m, s, &message, address, length);
    return got;
}

int64_t hd_libc_recv(int descriptor, void *out, size_t n, int flags) {
    return hd_libc_recvfrom(descriptor, out, n, flags, NULL, NULL);
}

/* As many of the files as there are numbers for: how many. */
static size_t open_files(hd_machine *m, const hd_ipc_message *message, size_t most,
                         bool closes_on_exec, struct cmsghdr *c) {
    size_t n = 0;
    for (; n < most && !hd_ipc_is_full(m); n++) {
        int d = hd_ipc_open(m, message->files[n], closes_on_exec);
        memcpy(CMSG_DATA(c) + n * sizeof d, &d, sizeof d);
        HD_ASSERT(message->files[n]->n_references);
        message->files[n]->n_references--; /* no longer under way */
    }
    return n;
}

static void store_files(hd_machine *m, const hd_ipc_message *message, struct msghdr *to, int flags,
                        int *answer) {
    size_t room = to->msg_control ? to->msg_controllen : 0;
    size_t n_room = room >= CMSG_LEN(0) ? (room - CMSG_LEN(0)) / sizeof(int) : 0;
    size_t most = message->n_files < n_room ? message->n_files : n_room, used = 0;
    struct cmsghdr *c = hd_arena_alloc(&hd_ipc_net(m)->arena, CMSG_SPACE(most * sizeof(int)));
    size_t n = open_files(m, message, most, flags & MSG_CMSG_CLOEXEC, c);
    *answer |= message->n_files > n ? MSG_CTRUNC : 0;
    if (n) {
        *c = (struct cmsghdr){CMSG_LEN(n * sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
        HD_ASSERT(room >= CMSG_LEN(n * sizeof(int)));
        used = room < CMSG_SPACE(n * sizeof(int)) ? room : CMSG_SPACE(n * sizeof(int));
        hd_ipc_store_plain(m, to->msg_control, c, used);
    }
    to->msg_controllen = used;
}

/* "lo" for what comes from the host itself, but for groups. */
static unsigned interface_of(hd_machine *m, const hd_socket *s, const hd_ipc_message *message) {
    uint32_t from = s->host;
    HD_ASSERT(s->domain != AF_UNIX);
    if (!s->host || hd_ip_is_loopback(message->sent_to.ip))
        return 1;
    hd_hosts_route(&hd_ipc_net(m)->hosts, s->host, message->from.ip, &from);
    return from == s->host && !hd_address_is_of_group(&message->sent_to) ? 1
                                                                         : HD_INTERFACE_OF_NODES;
}

/* IP_PKTINFO, IPV6_PKTINFO: which address a datagram was sent to. */
static void store_target(hd_machine *m, const hd_socket *s, const hd_ipc_message *message,
                         struct msghdr *to, int *answer) {
    struct {
        struct cmsghdr header;
        union {
            struct in_pktinfo four;
            struct in6_pktinfo six;
        } told;
    } c = {{0}, {{0}}};
    const hd_address *target = &message->sent_to;
    const uint8_t *sent_to = hd_address_is_of_group(target) ? target->group : target->ip;
    unsigned index = interface_of(m, s, message);
    bool is_v4 = s->domain == AF_INET;
    size_t size = is_v4 ? sizeof c.told.four : sizeof c.told.six;
    size_t room = to->msg_control ? to->msg_controllen : 0;
    if (is_v4) {
        c.told.four.ipi_ifindex = (int)index;
        memcpy(&c.told.four.ipi_addr, sent_to + 12, 4);
        memcpy(&c.told.four.ipi_spec_dst, target->ip + 12, 4);
    } else {
        c.told.six.ipi6_ifindex = index;
        memcpy(&c.told.six.ipi6_addr, sent_to, HD_IP_SIZE);
    }
    size_t told = room < CMSG_LEN(size) ? room : CMSG_LEN(size);
    *answer |= told < CMSG_LEN(size) ? MSG_CTRUNC : 0;
    c.header = (struct cmsghdr){told, is_v4 ? IPPROTO_IP : IPPROTO_IPV6,
                                is_v4 ? IP_PKTINFO : IPV6_PKTINFO};
    to->msg_controllen = 0;
    if (told < sizeof c.header)
        return;
    HD_ASSERT(told <= sizeof c && told <= room);
    hd_ipc_store_plain(m, to->msg_control, &c, told);
    to->msg_controllen = room < CMSG_SPACE(size) ? room : CMSG_SPACE(size);
}

int64_t hd_libc_recvmsg(int descriptor, struct msghdr *to, int flags) {
    hd_machine *m = hd_ipc_enter_point();
    hd_file *f;
    const hd_socket *s = hd_ipc_socket(m, descriptor, &f);
    if (!s)
        return -1;
    hd_ipc_check(m, to, sizeof *to, true);
    struct msghdr asked;
    hd_library_get(m, &asked, to, sizeof asked);
    hd_ipc_message message = {.pieces = hd_ipc_pieces(m, asked.msg_iov, asked.msg_iovlen),
                              .n_pieces = asked.msg_iovlen,
                              .flags = flags};
    if (!message.pieces)
        return hd_ipc_fail(m, EMSGSIZE);
    check_flags(m, "recvmsg", flags, RECEIVING);
    int64_t got = hd_ipc_receive(m, f, &message);
    if (got < 0)
        return got;
    int answer = message.flags;
    if (asked.msg_name)
        store_sender(m, s, &message, asked.msg_name, &to->msg_namelen);
    if (s->tells_target && s->type == SOCK_DGRAM)
        store_target(m, s, &message, &asked, &answer);
    else
        store_files(m, &message, &asked, flags, &answer);
    hd_ipc_store_plain(m, &to->msg_controllen, &asked.msg_controllen, sizeof asked.msg_controllen);
    hd_ipc_store_plain(m, &to->msg_flags, &answer, sizeof answer);
    return got;
}
