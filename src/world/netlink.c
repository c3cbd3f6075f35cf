/* Requests are messages one behind the other, each a header, a struct and attributes; answers are
 * of the same shape (rtnetlink(7)).  What asks for everything (a dump) is answered by a datagram
 * with all there is and one that says so; what changes something, by its error number if it wants
 * that. */
#include "world/netlink.h"

#include "base/panic.h"
#include "world/net.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/fib_rules.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <string.h>

#define CARRIER 0x10000 /* IFF_LOWER_UP, whose header and <net/if.h> do not go together */

typedef struct asking {
    hd_net *net;
    uint32_t host, socket;
    struct nlmsghdr head;
    const uint8_t *body; /* behind the header */
    uint32_t n_body;
    hd_netlink_answer *out;
    size_t message; /* where the one that is written begins */
} asking;

void hd_netlink_answer_release(hd_netlink_answer *a) {
    hd_vec_release(&a->bytes);
    hd_vec_release(&a->cuts);
}

/* ---- writing ---- */

static void put(asking *k, const void *bytes, size_t n) {
    static const uint8_t nothing[NLMSG_ALIGNTO];
    for (size_t i = 0; i < n; i++)
        hd_vec_push(&k->out->bytes, ((const uint8_t *)bytes)[i]);
    for (size_t i = n; i % NLMSG_ALIGNTO; i++)
        hd_vec_push(&k->out->bytes, nothing[0]);
}

static void begin(asking *k, uint16_t type, uint16_t flags) {
    struct nlmsghdr h = {0, type, flags, k->head.nlmsg_seq, k->socket};
    k->message = k->out->bytes.n;
    put(k, &h, sizeof h);
}

/* Lengths are known now; they do not count what fills up to the next message. */
static void end(asking *k) {
    uint32_t n = (uint32_t)(k->out->bytes.n - k->message);
    HD_ASSERT(n >= sizeof(struct nlmsghdr) && n % NLMSG_ALIGNTO == 0);
    memcpy(k->out->bytes.at + k->message, &n, sizeof n);
}

static void put_attribute(asking *k, uint16_t type, const void *value, size_t n) {
    struct rtattr a = {(uint16_t)RTA_LENGTH(n), type};
    put(k, &a, sizeof a);
    put(k, value, n);
}

static void put_number(asking *k, uint16_t type, uint32_t value) {
    put_attribute(k, type, &value, sizeof value);
}

static void cut(asking *k) {
    hd_vec_push(&k->out->cuts, (uint32_t)k->out->bytes.n);
}

/* With the request itself behind it, if it failed. */
static void put_error(asking *k, int error) {
    struct nlmsgerr e = {-error, k->head};
    begin(k, NLMSG_ERROR, 0);
    put(k, &e, sizeof e);
    if (error)
        put(k, k->body, k->n_body);
    end(k);
    cut(k);
}

static void put_done(asking *k) {
    int none = 0;
    if (k->out->bytes.n > (k->out->cuts.n ? k->out->cuts.at[k->out->cuts.n - 1] : 0))
        cut(k);
    begin(k, NLMSG_DONE, NLM_F_MULTI);
    put(k, &none, sizeof none);
    end(k);
    cut(k);
}

/* ---- reading ---- */

/* An attribute of the request, behind a struct of that size; NULL: it has none. */
static const void *find(const uint8_t *body, uint32_t n, uint32_t skip, uint16_t type,
                        uint32_t *size) {
    uint32_t at = NLMSG_ALIGN(skip);
    struct rtattr a;
    for (; at < n && n - at >= sizeof a; at += RTA_ALIGN(a.rta_len)) {
        memcpy(&a, body + at, sizeof a);
        if (a.rta_len < sizeof a || a.rta_len > n - at)
            return NULL;
        *size = a.rta_len - (uint32_t)sizeof a;
        if ((a.rta_type & NLA_TYPE_MASK) == type)
            return body + at + sizeof a;
    }
    return NULL;
}

static uint32_t number_of(const uint8_t *body, uint32_t n, uint32_t skip, uint16_t type,
                          uint32_t otherwise) {
    uint32_t size, value;
    const void *at = find(body, n, skip, type, &size);
    if (!at || size < sizeof value)
        return otherwise;
    memcpy(&value, at, sizeof value);
    return value;
}

static bool is_dump(const asking *k) {
    return (k->head.nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
}

static uint8_t family_of(const asking *k) {
    return k->n_body ? k->body[0] : AF_UNSPEC;
}

static bool wants_family(const asking *k, int family) {
    return family_of(k) == AF_UNSPEC || family_of(k) == family;
}

/* ---- interfaces and their addresses ---- */

static bool has_interface(const asking *k, int index) {
    return index == 1 || (index == HD_INTERFACE_OF_NODES && k->host);
}

static const char *name_of(int index) {
    return index == 1 ? "lo" : "eth0";
}

/* Two bytes that no manufacturer has, and the address (machine/libc/interface.c). */
static void hardware_of(const asking *k, int index, uint8_t out[6]) {
    uint32_t address = 0, mask;
    memset(out, 0, 6);
    if (index == 1 || !hd_hosts_network(&k->net->hosts, k->host, &address, &mask))
        return;
    address = htonl(address);
    out[0] = 2;
    memcpy(out + 2, &address, sizeof address);
}

static void put_link(asking *k, int index) {
    bool is_lo = index == 1;
    struct ifinfomsg i = {.ifi_family = AF_UNSPEC,
                          .ifi_type = is_lo ? ARPHRD_LOOPBACK : ARPHRD_ETHER,
                          .ifi_index = index,
                          .ifi_flags = IFF_UP | IFF_RUNNING | CARRIER |
                                       (is_lo ? IFF_LOOPBACK : IFF_BROADCAST | IFF_MULTICAST)};
    uint8_t hardware[6], is_up = 6; /* IF_OPER_UP */
    hardware_of(k, index, hardware);
    begin(k, RTM_NEWLINK, is_dump(k) ? NLM_F_MULTI : 0);
    put(k, &i, sizeof i);
    put_attribute(k, IFLA_IFNAME, name_of(index), strlen(name_of(index)) + 1);
    put_number(k, IFLA_TXQLEN, 1000);
    put_attribute(k, IFLA_OPERSTATE, &is_up, sizeof is_up);
    put_number(k, IFLA_MTU, is_lo ? 65536 : 1500);
    put_attribute(k, IFLA_ADDRESS, hardware, sizeof hardware);
    end(k);
}

static int asked_link(const asking *k) {
    struct ifinfomsg i = {0};
    uint32_t size;
    memcpy(&i, k->body, k->n_body < sizeof i ? k->n_body : sizeof i);
    const char *name = (const char *)find(k->body, k->n_body, sizeof i, IFLA_IFNAME, &size);
    for (int index = 1; name && index <= HD_INTERFACE_OF_NODES; index++)
        if (strnlen(name, size) == strlen(name_of(index)) &&
            memcmp(name, name_of(index), strlen(name_of(index))) == 0)
            return index;
    return name ? 0 : i.ifi_index;
}

static int get_link(asking *k) {
    if (!is_dump(k)) {
        int index = asked_link(k);
        if (!has_interface(k, index))
            return ENODEV;
        put_link(k, index);
        cut(k);
        return 0;
    }
    for (int index = 1; has_interface(k, index); index++)
        put_link(k, index);
    put_done(k);
    return 0;
}

static unsigned length_of(uint32_t mask) {
    unsigned n = 0;
    for (; mask; mask <<= 1)
        n++;
    return n;
}

static void put_address_v4(asking *k, int index, uint32_t address, uint32_t mask) {
    struct ifaddrmsg a = {AF_INET, (uint8_t)length_of(mask), IFA_F_PERMANENT,
                          index == 1 ? RT_SCOPE_HOST : RT_SCOPE_UNIVERSE, (uint32_t)index};
    begin(k, RTM_NEWADDR, NLM_F_MULTI);
    put(k, &a, sizeof a);
    put_number(k, IFA_ADDRESS, htonl(address));
    put_number(k, IFA_LOCAL, htonl(address));
    if (index != 1)
        put_number(k, IFA_BROADCAST, htonl(address | ~mask));
    put_attribute(k, IFA_LABEL, name_of(index), strlen(name_of(index)) + 1);
    put_number(k, IFA_FLAGS, IFA_F_PERMANENT);
    end(k);
}

static void put_address_v6(asking *k, int index, const uint8_t ip[HD_IP_SIZE], uint8_t length) {
    struct ifaddrmsg a = {AF_INET6, length, IFA_F_PERMANENT,
                          index == 1                ? RT_SCOPE_HOST
                          : hd_ip_is_link_local(ip) ? RT_SCOPE_LINK
                                                    : RT_SCOPE_UNIVERSE,
                          (uint32_t)index};
    begin(k, RTM_NEWADDR, NLM_F_MULTI);
    put(k, &a, sizeof a);
    put_attribute(k, IFA_ADDRESS, ip, HD_IP_SIZE);
    put_number(k, IFA_FLAGS, IFA_F_PERMANENT);
    end(k);
}

static void put_addresses_v6(asking *k) {
    hd_address lo = hd_address_loopback(AF_INET6, 0);
    uint8_t ip[HD_IP_SIZE];
    put_address_v6(k, 1, lo.ip, 128);
    for (size_t i = 0; k->host && i < k->net->hosts.names.n; i++) {
        if (k->net->hosts.names.at[i].host != k->host)
            continue;
        hd_ip_on_link(k->net->hosts.names.at[i].ip, ip);
        put_address_v6(k, HD_INTERFACE_OF_NODES, ip, 64);
    }
}

static int get_address(asking *k) {
    uint32_t address, mask;
    if (!is_dump(k))
        return EOPNOTSUPP;
    if (wants_family(k, AF_INET)) {
        put_address_v4(k, 1, INADDR_LOOPBACK, 0xff000000);
        if (k->host && hd_hosts_network(&k->net->hosts, k->host, &address, &mask))
            put_address_v4(k, HD_INTERFACE_OF_NODES, address, mask);
    }
    if (wants_family(k, AF_INET6))
        put_addresses_v6(k);
    put_done(k);
    return 0;
}

/* ---- routes and rules ---- */

/* The network of the host itself. */
static void put_own_route(asking *k) {
    uint32_t address, mask;
    if (!k->host || !hd_hosts_network(&k->net->hosts, k->host, &address, &mask))
        return;
    struct rtmsg r = {.rtm_family = AF_INET,
                      .rtm_dst_len = (uint8_t)length_of(mask),
                      .rtm_table = RT_TABLE_MAIN,
                      .rtm_protocol = RTPROT_KERNEL,
                      .rtm_scope = RT_SCOPE_LINK,
                      .rtm_type = RTN_UNICAST};
    begin(k, RTM_NEWROUTE, NLM_F_MULTI);
    put(k, &r, sizeof r);
    put_number(k, RTA_TABLE, RT_TABLE_MAIN);
    put_number(k, RTA_DST, htonl(address & mask));
    put_number(k, RTA_OIF, HD_INTERFACE_OF_NODES);
    put_number(k, RTA_PREFSRC, htonl(address));
    end(k);
}

/* The three that every system begins with. */
static void put_own_rules(asking *k, int family) {
    static const struct {
        uint32_t priority, table;
    } first[] = {{0, RT_TABLE_LOCAL}, {32766, RT_TABLE_MAIN}, {32767, RT_TABLE_DEFAULT}};
    for (unsigned i = 0; i < (family == AF_INET ? 3 : 2); i++) {
        struct fib_rule_hdr r = {
            .family = (uint8_t)family, .table = (uint8_t)first[i].table, .action = FR_ACT_TO_TBL};
        begin(k, RTM_NEWRULE, NLM_F_MULTI);
        put(k, &r, sizeof r);
        put_number(k, FRA_TABLE, first[i].table);
        if (first[i].priority)
            put_number(k, FRA_PRIORITY, first[i].priority);
        end(k);
    }
}

static void put_entries(asking *k, uint16_t type) {
    for (const hd_netlink_entry *e = k->net->entries; e; e = e->next)
        if (e->host == k->host && e->type == type && wants_family(k, e->bytes[0])) {
            begin(k, type, NLM_F_MULTI);
            put(k, e->bytes, e->n);
            end(k);
        }
}

/* Where a packet would leave: by itself, or not at all. */
static int look_up(asking *k) {
    struct rtmsg r = {0};
    uint32_t size, host;
    memcpy(&r, k->body, k->n_body < sizeof r ? k->n_body : sizeof r);
    const void *to = find(k->body, k->n_body, sizeof r, RTA_DST, &size);
    if (!to || r.rtm_family != AF_INET || size != 4)
        return EOPNOTSUPP;
    hd_address a = hd_address_any(AF_INET, 0);
    memcpy(a.ip + 12, to, 4);
    if (!hd_hosts_route(&k->net->hosts, k->host, a.ip, &host))
        return ENETUNREACH;
    uint8_t own[HD_IP_SIZE];
    hd_hosts_source(&k->net->hosts, k->host, a.ip, own);
    r.rtm_dst_len = 32;
    r.rtm_table = host == k->host ? RT_TABLE_LOCAL : RT_TABLE_MAIN;
    r.rtm_type = host == k->host ? RTN_LOCAL : RTN_UNICAST;
    begin(k, RTM_NEWROUTE, 0);
    put(k, &r, sizeof r);
    put_attribute(k, RTA_DST, to, 4);
    put_number(k, RTA_OIF, host == k->host ? 1 : HD_INTERFACE_OF_NODES);
    put_attribute(k, RTA_PREFSRC, own + 12, 4);
    end(k);
    cut(k);
    return 0;
}

static int get_route(asking *k) {
    if (!is_dump(k))
        return look_up(k);
    if (wants_family(k, AF_INET))
        put_own_route(k);
    put_entries(k, RTM_NEWROUTE);
    put_done(k);
    return 0;
}

static int get_rule(asking *k) {
    if (!is_dump(k))
        return EOPNOTSUPP;
    if (wants_family(k, AF_INET))
        put_own_rules(k, AF_INET);
    if (wants_family(k, AF_INET6))
        put_own_rules(k, AF_INET6);
    put_entries(k, RTM_NEWRULE);
    put_done(k);
    return 0;
}

/* ---- adding and removing ---- */

/* Attributes by which an entry is known; both structs are as large, and begin alike. */
_Static_assert(sizeof(struct rtmsg) == sizeof(struct fib_rule_hdr), "one size for both");
#define N_HEAD ((uint32_t)sizeof(struct rtmsg))

static bool has_same(const hd_netlink_entry *e, const asking *k, uint16_t type, bool must) {
    uint32_t n = 0, m = 0;
    const void *a = find(e->bytes, e->n, N_HEAD, type, &n);
    const void *b = find(k->body, k->n_body, N_HEAD, type, &m);
    if (!b && !must)
        return true; /* it is not asked for */
    return (!a && !b) || (a && b && n == m && memcmp(a, b, n) == 0);
}

static uint32_t table_of(const uint8_t *body, uint32_t n) {
    return number_of(body, n, N_HEAD, RTA_TABLE, body[4]);
}

/* Entries are told apart by where a packet goes, in which table, and how dear; the rest must be the
 * same if `must` says so, or if it is asked for. */
static bool is_meant(const hd_netlink_entry *e, const asking *k, bool must) {
    bool is_route = e->type == RTM_NEWROUTE;
    if (e->host != k->host || e->bytes[0] != k->body[0] || e->bytes[1] != k->body[1] ||
        e->bytes[2] != k->body[2] || table_of(e->bytes, e->n) != table_of(k->body, k->n_body) ||
        !has_same(e, k, RTA_DST, true) || !has_same(e, k, RTA_SRC, true))
        return false;
    return has_same(e, k, is_route ? RTA_PRIORITY : FRA_PRIORITY, must) &&
           (must || !is_route ||
            (has_same(e, k, RTA_GATEWAY, false) && has_same(e, k, RTA_OIF, false)));
}

static hd_netlink_entry **find_entry(const asking *k, uint16_t type, bool must) {
    for (hd_netlink_entry **e = &k->net->entries; *e; e = &(*e)->next)
        if ((*e)->type == type && is_meant(*e, k, must))
            return e;
    return NULL;
}

static void fill(asking *k, hd_netlink_entry *e) {
    HD_INVARIANT(R1, k->n_body >= N_HEAD);
    e->n = k->n_body;
    e->bytes = hd_arena_alloc(&k->net->arena, k->n_body);
    memcpy(e->bytes, k->body, k->n_body);
    k->out->has_changed = true;
}

static int add(asking *k) {
    uint16_t flags = k->head.nlmsg_flags;
    if (k->n_body < N_HEAD)
        return EINVAL;
    hd_netlink_entry **there = find_entry(k, k->head.nlmsg_type, true);
    if (there && flags & NLM_F_REPLACE)
        return fill(k, *there), 0;
    if (there && !(flags & NLM_F_APPEND && k->head.nlmsg_type == RTM_NEWROUTE))
        return EEXIST;
    if (!there && !(flags & NLM_F_CREATE) && k->head.nlmsg_type == RTM_NEWROUTE)
        return ENOENT;
    hd_netlink_entry *e = hd_arena_alloc(&k->net->arena, sizeof *e), **last = &k->net->entries;
    *e = (hd_netlink_entry){.host = k->host, .type = k->head.nlmsg_type};
    while (*last)
        last = &(*last)->next;
    *last = e;
    fill(k, e);
    return 0;
}

static int take_away(asking *k) {
    bool is_route = k->head.nlmsg_type == RTM_DELROUTE;
    if (k->n_body < N_HEAD)
        return EINVAL;
    hd_netlink_entry **e = find_entry(k, is_route ? RTM_NEWROUTE : RTM_NEWRULE, false);
    if (!e)
        return is_route ? ESRCH : ENOENT;
    *e = (*e)->next;
    k->out->has_changed = true;
    return 0;
}

/* ---- all of them ---- */

static int unknown(asking *k) {
    k->out->is_unknown = true;
    return EOPNOTSUPP;
}

static const struct kind {
    uint16_t type;
    int (*answer)(asking *k);
} kinds[] = {{RTM_GETLINK, get_link},   {RTM_GETADDR, get_address}, {RTM_GETROUTE, get_route},
             {RTM_GETRULE, get_rule},   {RTM_NEWROUTE, add},        {RTM_NEWRULE, add},
             {RTM_DELROUTE, take_away}, {RTM_DELRULE, take_away}};

static int answer_one(asking *k) {
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].type == k->head.nlmsg_type)
            return kinds[i].answer(k);
    return k->head.nlmsg_type < NLMSG_MIN_TYPE ? 0 : unknown(k);
}

void hd_netlink_ask(hd_net *n, uint32_t host, uint32_t socket, const uint8_t *bytes, uint32_t size,
                    hd_netlink_answer *out) {
    asking k = {.net = n, .host = host, .socket = socket, .out = out};
    for (uint32_t at = 0; size - at >= sizeof k.head; at += NLMSG_ALIGN(k.head.nlmsg_len)) {
        memcpy(&k.head, bytes + at, sizeof k.head);
        if (k.head.nlmsg_len < sizeof k.head || k.head.nlmsg_len > size - at)
            return;
        k.body = bytes + at + sizeof k.head;
        k.n_body = k.head.nlmsg_len - (uint32_t)sizeof k.head;
        if (k.head.nlmsg_flags & NLM_F_REQUEST) {
            int error = answer_one(&k);
            if (error || (k.head.nlmsg_flags & NLM_F_ACK && !is_dump(&k)))
                put_error(&k, error);
        }
        if (NLMSG_ALIGN(k.head.nlmsg_len) >= size - at)
            return;
    }
}
