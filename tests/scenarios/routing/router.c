/* A distance-vector router: every second it tells its neighbours what reaching every other router costs it by way of itself.
 *
 *     router [-d] [-P] [-p PIDFILE] -i ID -n ROUTERS -t SECONDS NEIGHBOUR...
 *
 * -d makes it a daemon, -p keeps a second one from starting.  It ends after -t seconds.  With -P (poisoned reverse) what was learnt
 * from a neighbour is told to it as unreachable; without, two neighbours may believe each other when a third has gone. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <net/if.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>
#ifdef __HEDDLE__
#include <heddle.h>
#endif

enum { PORT = 520, INFINITE = 16, MOST = 8, PERIOD = 1000, EXPIRES = 3500 };

struct route {
    int cost, hop; /* hop: index of the neighbour, -1: none */
    int64_t heard;
};

struct update {
    uint32_t magic, sender, n;
    uint32_t cost[MOST];
};

static struct route table[MOST];
static struct sockaddr_in neighbours[MOST];
static int n_neighbours, n_routers, self, sock, is_poisoned, cost_of_last;
static const char *pid_file;

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void die(const char *what) {
    fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
    exit(EXIT_FAILURE);
}

static void find_neighbour(const char *name) {
    struct hostent *h = gethostbyname(name);
    if (!h) {
        fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, name, hstrerror(h_errno));
        exit(EXIT_FAILURE);
    }
    struct sockaddr_in *a = &neighbours[n_neighbours++];
    a->sin_family = AF_INET;
    a->sin_port = htons(PORT);
    memcpy(&a->sin_addr, h->h_addr_list[0], sizeof a->sin_addr);
}

static int has_network(void) {
    struct if_nameindex *all = if_nameindex();
    int n = 0;
    for (struct if_nameindex *i = all; i && i->if_index; i++)
        n += strcmp(i->if_name, "lo") != 0;
    if_freenameindex(all);
    return n > 0;
}

static void write_pid(void) {
    int fd = open(pid_file, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0)
        die(pid_file);
    if (lockf(fd, F_TLOCK, 0) < 0) {
        syslog(LOG_ERR, "another router has %s", pid_file);
        exit(EXIT_FAILURE);
    }
    if (ftruncate(fd, 0) < 0 || dprintf(fd, "%ld\n", (long)getpid()) < 0 || fsync(fd) < 0)
        die(pid_file);
}

static void open_socket(void) {
    struct protoent *udp = getprotobyname("udp");
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    int on = 1;
    sock = socket(AF_INET, SOCK_DGRAM, udp ? udp->p_proto : 0);
    if (sock < 0 || setsockopt(sock, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0 ||
        bind(sock, (struct sockaddr *)&any, sizeof any) < 0)
        die("socket");
    int flags = fcntl(sock, F_GETFL);
    if (flags < 0 || fcntl(sock, F_SETFL, flags | O_NONBLOCK) < 0)
        die("fcntl");
}

static void tell(int neighbour) {
    struct update u = {.magic = htonl(0x52495031), .sender = htonl((uint32_t)self), .n = htonl((uint32_t)n_routers)};
    for (int i = 0; i < n_routers; i++) {
        int cost = table[i].cost;
        if (is_poisoned && table[i].hop == neighbour)
            cost = INFINITE;
        u.cost[i] = htonl((uint32_t)cost);
    }
    struct iovec v = {&u, sizeof u};
    struct msghdr h = {
        .msg_name = &neighbours[neighbour], .msg_namelen = sizeof neighbours[0], .msg_iov = &v, .msg_iovlen = 1};
    if (sendmsg(sock, &h, 0) < 0)
        syslog(LOG_WARNING, "sendmsg: %m");
}

static void learn(int from, const struct update *u) {
    for (int i = 0; i < n_routers; i++) {
        struct route *r = &table[i];
        int cost = (int)ntohl(u->cost[i]) + 1;
        if (cost > INFINITE)
            cost = INFINITE;
        if (i == self || (r->hop != from && cost >= r->cost))
            continue;
        r->cost = cost;
        r->hop = cost < INFINITE ? from : -1;
        r->heard = now_ms();
    }
}

static void receive(void) {
    struct update u;
    struct sockaddr_in from;
    char control[64];
    struct iovec v = {&u, sizeof u};
    struct msghdr h = {.msg_name = &from,
                       .msg_namelen = sizeof from,
                       .msg_iov = &v,
                       .msg_iovlen = 1,
                       .msg_control = control,
                       .msg_controllen = sizeof control};
    ssize_t n = recvmsg(sock, &h, 0);
    if (n != sizeof u || ntohl(u.magic) != 0x52495031 || ntohl(u.n) != (uint32_t)n_routers)
        return;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&h); c; c = CMSG_NXTHDR(&h, c))
        syslog(LOG_DEBUG, "control message %d", c->cmsg_type);
    for (int i = 0; i < n_neighbours; i++)
        if (neighbours[i].sin_addr.s_addr == from.sin_addr.s_addr)
            learn(i, &u);
}

static void expire(void) {
    for (int i = 0; i < n_routers; i++)
        if (table[i].hop >= 0 && now_ms() - table[i].heard > EXPIRES)
            table[i].cost = INFINITE, table[i].hop = -1;
}

static void run(int64_t end) {
    int64_t next = now_ms();
    while (now_ms() < end) {
        struct pollfd p = {.fd = sock, .events = POLLIN};
        int64_t left = next - now_ms();
        int ready = left > 0 ? poll(&p, 1, (int)left) : 0;
        if (ready < 0 && errno != EINTR)
            die("poll");
        if (ready > 0)
            receive();
        if (now_ms() >= next) {
            expire();
            for (int i = 0; i < n_neighbours; i++)
                tell(i);
            next += PERIOD;
        }
        cost_of_last = table[n_routers - 1].cost;
    }
}

#ifdef __HEDDLE__
/* Three in a line, of which the last may crash (with its cost, 0): it is 2 and 1 away, or for nobody to be reached. */
static int routes_agree(void) {
    int sum = 0, cost;
    for (int n = 0; heddle_exported("cost", n, &cost, sizeof cost); n++)
        sum += cost;
    return sum == 2 + 1 || sum == 2 * INFINITE;
}
#endif

int main(int argc, char **argv) {
    int c, is_daemon = 0, seconds = 10;
    while ((c = getopt(argc, argv, "dPp:i:n:t:")) != -1)
        switch (c) {
        case 'd': is_daemon = 1; break;
        case 'P': is_poisoned = 1; break;
        case 'p': pid_file = optarg; break;
        case 'i': self = (int)strtoimax(optarg, NULL, 10); break;
        case 'n': n_routers = (int)strtoimax(optarg, NULL, 10); break;
        case 't': seconds = (int)strtoimax(optarg, NULL, 10); break;
        default: return EXIT_FAILURE;
        }
    openlog(program_invocation_short_name, LOG_PID | LOG_CONS, LOG_DAEMON);
    if (is_daemon && daemon(1, 1) < 0)
        die("daemon");
    if (pid_file)
        write_pid();
    if (!has_network())
        die("no network");
    for (int i = optind; i < argc; i++)
        find_neighbour(argv[i]);
    for (int i = 0; i < n_routers; i++)
        table[i] = (struct route){.cost = i == self ? 0 : INFINITE, .hop = -1};
    cost_of_last = table[n_routers - 1].cost;
    open_socket();
#ifdef __HEDDLE__
    heddle_export("cost", &cost_of_last, sizeof cost_of_last);
    heddle_global_assert(routes_agree);
#endif
    run(now_ms() + seconds * 1000);
    close(sock);
    return EXIT_SUCCESS;
}
