/* Routing daemons ask the system by netlink for interfaces, addresses and routes, and add routes.
 * On a Linux whose user may change nothing the first half holds as well.
 *
 * run:
 * verdict: incomplete
 * label: done 1
 * reason: routes are kept and told again, and no packet goes by them
 * reason: of netlink there is NETLINK_ROUTE alone (EPROTONOSUPPORT)
 * reason: a request of netlink that is not modelled is refused (EOPNOTSUPP) */
#include <arpa/inet.h>
#include <errno.h>
#include <heddle.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int s;
static unsigned sequence;
static char answer[8192];

static struct {
    struct nlmsghdr head;
    char body[512];
} request;

static void *begin(int type, int flags, unsigned n) {
    memset(&request, 0, sizeof request);
    request.head = (struct nlmsghdr){NLMSG_LENGTH(n), type, NLM_F_REQUEST | flags, ++sequence, 0};
    return NLMSG_DATA(&request.head);
}

static void attribute(int type, const void *value, unsigned n) {
    struct rtattr *a = (struct rtattr *)((char *)&request + NLMSG_ALIGN(request.head.nlmsg_len));
    a->rta_type = type;
    a->rta_len = RTA_LENGTH(n);
    memcpy(RTA_DATA(a), value, n);
    request.head.nlmsg_len = NLMSG_ALIGN(request.head.nlmsg_len) + RTA_ALIGN(a->rta_len);
}

static int ask(void) {
    struct sockaddr_nl system = {.nl_family = AF_NETLINK}, from;
    socklen_t n = sizeof from;
    heddle_assert(sendto(s, &request, request.head.nlmsg_len, 0, (void *)&system, sizeof system) ==
                  (int)request.head.nlmsg_len);
    int got = recvfrom(s, answer, sizeof answer, 0, (void *)&from, &n);
    heddle_assert(got > 0 && n == sizeof from && from.nl_family == AF_NETLINK && from.nl_pid == 0);
    return got;
}

/* How many of a kind there are, and whether the end is told. */
static int count(int type, int wanted) {
    int n = 0, is_done = 0, got = ask();
    while (!is_done) {
        for (struct nlmsghdr *h = (void *)answer; NLMSG_OK(h, got); h = NLMSG_NEXT(h, got)) {
            heddle_assert(h->nlmsg_seq == sequence && h->nlmsg_flags & NLM_F_MULTI);
            is_done |= h->nlmsg_type == NLMSG_DONE;
            n += h->nlmsg_type == wanted;
        }
        if (!is_done)
            got = recv(s, answer, sizeof answer, 0);
    }
    (void)type;
    return n;
}

static int count_all(int type, int wanted, int family) {
    struct rtgenmsg *g = begin(type, NLM_F_DUMP, sizeof *g);
    g->rtgen_family = family;
    return count(type, wanted);
}

static int error_of(void) {
    struct nlmsghdr *h = (void *)answer;
    int got = ask();
    heddle_assert(NLMSG_OK(h, got) && h->nlmsg_type == NLMSG_ERROR);
    return -((struct nlmsgerr *)NLMSG_DATA(h))->error;
}

static int change(int type, int flags, const char *to, const char *by) {
    struct rtmsg *r = begin(type, NLM_F_ACK | flags, sizeof *r);
    struct in_addr a;
    int index = 1;
    *r = (struct rtmsg){.rtm_family = AF_INET, .rtm_dst_len = 24, .rtm_table = RT_TABLE_MAIN,
                        .rtm_protocol = RTPROT_STATIC, .rtm_scope = RT_SCOPE_UNIVERSE, .rtm_type = RTN_UNICAST};
    inet_aton(to, &a);
    attribute(RTA_DST, &a, sizeof a);
    if (by) {
        inet_aton(by, &a);
        attribute(RTA_GATEWAY, &a, sizeof a);
        attribute(RTA_OIF, &index, sizeof index);
    }
    return error_of();
}

static void look_for_interface(void) {
    struct ifinfomsg *i = begin(RTM_GETLINK, 0, sizeof *i);
    i->ifi_index = 1;
    int got = ask(), name = 0;
    struct nlmsghdr *h = (void *)answer;
    heddle_assert(NLMSG_OK(h, got) && h->nlmsg_type == RTM_NEWLINK);
    i = NLMSG_DATA(h);
    heddle_assert(i->ifi_index == 1 && i->ifi_flags & IFF_LOOPBACK && i->ifi_flags & IFF_UP);
    int n = IFLA_PAYLOAD(h);
    for (struct rtattr *a = IFLA_RTA(i); RTA_OK(a, n); a = RTA_NEXT(a, n))
        if (a->rta_type == IFLA_IFNAME)
            name = strcmp(RTA_DATA(a), "lo") == 0;
    heddle_assert(name);
    i = begin(RTM_GETLINK, 0, sizeof *i);
    i->ifi_index = 99;
    heddle_assert(error_of() == ENODEV);
}

static void change_routes(void) {
    int before = count_all(RTM_GETROUTE, RTM_NEWROUTE, AF_INET);
    heddle_assert(change(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL, "10.7.0.0", "127.0.0.2") == 0);
    heddle_assert(change(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL, "10.7.0.0", "127.0.0.2") == EEXIST);
    heddle_assert(change(RTM_NEWROUTE, NLM_F_REPLACE, "10.7.0.0", "127.0.0.3") == 0);
    heddle_assert(change(RTM_NEWROUTE, NLM_F_REPLACE, "10.8.0.0", "127.0.0.3") == ENOENT);
    heddle_assert(count_all(RTM_GETROUTE, RTM_NEWROUTE, AF_INET) == before + 1);
    heddle_assert(change(RTM_DELROUTE, 0, "10.7.0.0", "127.0.0.2") == ESRCH);
    heddle_assert(change(RTM_DELROUTE, 0, "10.7.0.0", NULL) == 0);
    heddle_assert(change(RTM_DELROUTE, 0, "10.7.0.0", NULL) == ESRCH);
    heddle_assert(count_all(RTM_GETROUTE, RTM_NEWROUTE, AF_INET) == before);
}

int main(void) {
    struct sockaddr_nl me = {.nl_family = AF_NETLINK};
    socklen_t n = sizeof me;
    s = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    heddle_assert(s >= 0 && bind(s, (void *)&me, sizeof me) == 0);
    heddle_assert(getsockname(s, (void *)&me, &n) == 0 && n == sizeof me && me.nl_pid == (unsigned)getpid());
    int other = socket(AF_NETLINK, SOCK_DGRAM, NETLINK_ROUTE), domain = 0, type = 0;
    heddle_assert(bind(other, (void *)&me, sizeof me) == -1 && errno == EADDRINUSE);
    n = sizeof domain;
    heddle_assert(getsockopt(s, SOL_SOCKET, SO_DOMAIN, &domain, &n) == 0 && domain == AF_NETLINK);
    heddle_assert(getsockopt(s, SOL_SOCKET, SO_TYPE, &type, &n) == 0 && type == SOCK_RAW);
    struct pollfd p = {s, POLLIN, 0};
    heddle_assert(poll(&p, 1, 0) == 0);
    heddle_assert(count_all(RTM_GETLINK, RTM_NEWLINK, AF_UNSPEC) >= 1);
    heddle_assert(count_all(RTM_GETADDR, RTM_NEWADDR, AF_INET) >= 1);
    heddle_assert(count_all(RTM_GETRULE, RTM_NEWRULE, AF_INET) >= 3);
    heddle_assert(poll(&p, 1, 0) == 0);
    look_for_interface();
    change_routes();
    begin(RTM_NEWNEIGH, NLM_F_ACK, sizeof(struct ndmsg));
    heddle_assert(error_of() != 0);
    heddle_assert(socket(AF_NETLINK, SOCK_RAW, 31) == -1 && errno == EPROTONOSUPPORT);
    heddle_reach("done");
    return 0;
}
