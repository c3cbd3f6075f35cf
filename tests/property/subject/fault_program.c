/* The program under test of property_faults.c: a node that does what its arguments say.
 *
 *     fault_program ME SCRIPT ORIGINAL
 *
 * ME is the number of the node; with "six" behind it all sockets are those of IPv6, between addresses of the link.
 * ORIGINAL is the script that faults have made SCRIPT of: what a node begins with, and begins again.
 * An operation is a letter and a digit, mostly a node; the table at the end says which there are.
 * What a node sees becomes a label, "1.2r=17 ".  Operations in the second and third group do what
 * those of the first do when a fault happens to them, without any fault. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define GROUP 0xef000001u /* as in fault_variants.h */
enum { PORT = 7000, NODES = 3, PLACES = 4, UNKNOWN = 99 };

static int me, place;
static char letter;
static int datagrams = -1, listener = -1, stream = -1;
static int is_six;

static void see(int what) {
    char label[32];
    snprintf(label, sizeof label, "%d.%d%c=%d", me, place, letter, what);
    heddle_reach(label);
}

/* An address of either kind. */
struct address {
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } at;
    socklen_t size;
};

/* 10.0.0.1 is fe80::a00:1 on the link; 239.0.0.1 stands for ff02::ef00:1, and 0 for any. */
static struct address address_at(unsigned ip) {
    struct address a = {.size = is_six ? sizeof a.at.six : sizeof a.at.four};
    unsigned bytes = htonl(ip);
    if (!is_six) {
        a.at.four = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = bytes};
        return a;
    }
    a.at.six = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons(PORT), .sin6_scope_id = 2};
    unsigned char *six = a.at.six.sin6_addr.s6_addr;
    memcpy(six, !ip ? "\0" : ip == GROUP ? "\xff\2" : "\xfe\x80", 2);
    memcpy(six + 12, &bytes, 4);
    return a;
}

static struct address address_of(int node) {
    return address_at(0x0a000001u + (unsigned)node);
}

static int new_socket(int type) {
    return socket(is_six ? AF_INET6 : AF_INET, type, 0);
}

/* ---- datagrams ---- */

static void send_to(int node) {
    struct address to = address_of(node);
    unsigned char byte = (unsigned char)(16 * me + place);
    sendto(datagrams, &byte, 1, 0, &to.at.any, to.size);
}

/* Nothing between two sockets is overtaken: on a way of its own. */
static void send_apart(int node) {
    int kept = datagrams;
    datagrams = new_socket(SOCK_DGRAM);
    send_to(node);
    datagrams = kept;
}

static void send_late(int node) {
    if (fork() != 0)
        return;
    usleep(3000);
    send_apart(node);
    _exit(0);
}

static void do_send(int node) {
    send_to(node);
}

/* To all in range, the sender included: by a broadcast, or as a group that all have joined. */
static void do_broadcast(int unused) {
    struct sockaddr_in all = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    unsigned char byte = (unsigned char)(16 * me + place);
    (void)unused;
    all.sin_addr.s_addr = htonl(INADDR_BROADCAST);
    sendto(datagrams, &byte, 1, 0, (struct sockaddr *)&all, sizeof all);
}

static void do_send_to_group(int unused) {
    struct address all = address_at(GROUP);
    unsigned char byte = (unsigned char)(16 * me + place);
    (void)unused;
    sendto(datagrams, &byte, 1, 0, &all.at.any, all.size);
}

static void change_group(int joins) {
    struct address group = address_at(GROUP);
    struct ip_mreq four = {.imr_multiaddr = group.at.four.sin_addr};
    struct ipv6_mreq six = {.ipv6mr_multiaddr = group.at.six.sin6_addr};
    if (is_six)
        setsockopt(datagrams, IPPROTO_IPV6, joins ? IPV6_JOIN_GROUP : IPV6_LEAVE_GROUP, &six, sizeof six);
    else
        setsockopt(datagrams, IPPROTO_IP, joins ? IP_ADD_MEMBERSHIP : IP_DROP_MEMBERSHIP, &four, sizeof four);
}

static void do_join(int unused) {
    (void)unused;
    change_group(1);
}

static void do_leave(int unused) {
    (void)unused;
    change_group(0);
}

static void do_nothing(int node) {
    (void)node;
}

static void do_send_twice(int node) {
    send_to(node);
    send_to(node);
}

/* A datagram with other bytes; also with those that it had. */
static void send_damaged(int node) {
    struct address to = address_of(node);
    unsigned char byte;
    heddle_input(byte);
    sendto(datagrams, &byte, 1, 0, &to.at.any, to.size);
}

/* What nobody sends is all the same. */
static int known(unsigned char byte) {
    for (int node = 0; node < NODES; node++)
        for (int at = 0; at < PLACES; at++)
            if (byte == 16 * node + at)
                return 16 * node + at;
    return UNKNOWN;
}

/* -1: nothing came. */
static int receive(int milliseconds) {
    struct pollfd p = {.fd = datagrams, .events = POLLIN};
    unsigned char byte;
    if (milliseconds >= 0 && poll(&p, 1, milliseconds) <= 0)
        return -1;
    return recv(datagrams, &byte, 1, 0) == 1 ? known(byte) : -2;
}

static void do_receive(int unused) {
    (void)unused;
    see(receive(-1));
}

static void do_receive_in_time(int unused) {
    (void)unused;
    see(receive(5));
}

static void do_try(int unused) {
    unsigned char byte;
    (void)unused;
    see(recv(datagrams, &byte, 1, MSG_DONTWAIT) == 1 ? known(byte) : -1);
}

static int receive_question(void) {
    int got = receive(5);
    see(got);
    return got < UNKNOWN ? got : -1;
}

static void do_echo(int unused) {
    (void)unused;
    int got = receive_question();
    if (got >= 0)
        send_to(got / 16);
}

static void do_swallow(int unused) {
    (void)unused;
    receive_question();
}

static void do_echo_apart(int unused) {
    (void)unused;
    int got = receive_question();
    if (got >= 0)
        send_apart(got / 16);
}

static void do_echo_late(int unused) {
    (void)unused;
    int got = receive_question();
    if (got >= 0)
        send_late(got / 16);
}

static void do_echo_damaged(int unused) {
    (void)unused;
    int got = receive_question();
    if (got >= 0)
        send_damaged(got / 16);
}

static void do_echo_twice(int unused) {
    (void)unused;
    int got = receive_question();
    if (got >= 0)
        do_send_twice(got / 16);
}

/* ---- inputs ---- */

static void do_perhaps(int node) {
    if (heddle_choose(0, 1))
        send_to(node);
}

static void do_perhaps_nothing(int node) {
    (void)node;
    heddle_choose(0, 1);
}

static void do_perhaps_twice(int node) {
    if (heddle_choose(0, 1))
        do_send_twice(node);
}

static void do_perhaps_damaged(int node) {
    if (heddle_choose(0, 1))
        send_damaged(node);
}

static void do_perhaps_apart(int node) {
    if (heddle_choose(0, 1))
        send_apart(node);
}

static void do_perhaps_late(int node) {
    if (heddle_choose(0, 1))
        send_late(node);
}

/* ---- sends that do not wait ---- */

static void do_send_or_not(int node) {
    struct address to = address_of(node);
    unsigned char byte = (unsigned char)(16 * me + place);
    ssize_t n = sendto(datagrams, &byte, 1, MSG_DONTWAIT, &to.at.any, to.size);
    see(n == 1 ? 1 : -errno);
}

static void do_find_no_room(int node) {
    (void)node;
    see(-EAGAIN);
}

/* ---- streams ---- */

/* What cannot be done because there is no connection is a look at nothing: nodes crash there too. */
static int is_connected(void) {
    if (stream >= 0)
        return 1;
    poll(NULL, 0, 0);
    see(-9);
    return 0;
}

static void do_connect(int node) {
    struct address to = address_of(node);
    stream = new_socket(SOCK_STREAM);
    see(connect(stream, &to.at.any, to.size) == 0 ? 0 : errno);
}

static void do_accept(int unused) {
    struct pollfd p = {.fd = listener, .events = POLLIN};
    (void)unused;
    if (poll(&p, 1, 5) > 0)
        stream = accept(listener, NULL, NULL);
    see(stream >= 0);
}

static void do_write(int unused) {
    (void)unused;
    if (is_connected())
        see(send(stream, "x", 1, MSG_NOSIGNAL) == 1 ? 1 : -errno);
}

static void do_read(int unused) {
    char bytes[4];
    (void)unused;
    if (!is_connected())
        return;
    ssize_t n = recv(stream, bytes, sizeof bytes, 0);
    see(n >= 0 ? (int)n : -errno);
}

static void do_close(int unused) {
    (void)unused;
    if (!is_connected())
        return;
    see(close(stream));
    stream = -1;
}

/* ---- a file that all nodes see ---- */

static int open_log(void) {
    return open("fault_program.log", O_CREAT | O_WRONLY | O_APPEND, 0600);
}

static void do_append(int unused) {
    (void)unused;
    int f = open_log();
    write(f, "x", 1);
    close(f);
}

static void do_measure(int unused) {
    (void)unused;
    int f = open("fault_program.log", O_RDONLY);
    see(f < 0 ? -1 : (int)lseek(f, 0, SEEK_END));
    if (f >= 0)
        close(f);
}

/* ---- crashes ---- */

/* As the explorer names it (process_explore.h). */
static void crash(void) {
    char label[16];
    snprintf(label, sizeof label, "crash:%d", me + 1);
    heddle_reach(label);
    _exit(0);
}

static void do_end(int unused) {
    (void)unused;
    crash();
}

static void do_receive_and_end(int unused) {
    (void)unused;
    receive_question();
    crash();
}

static char **arguments;
static void begin(char *script);

/* Again from the beginning, in another process. */
static void do_reboot(int unused) {
    char label[16];
    (void)unused;
    snprintf(label, sizeof label, "reboot:%d", me + 1);
    heddle_reach(label);
    close(datagrams);
    close(listener);
    close(stream);
    if (fork() != 0)
        _exit(0);
    place = 0;
    datagrams = listener = stream = -1;
    begin(arguments[3]);
    exit(0);
}

static void do_receive_and_reboot(int unused) {
    receive_question();
    do_reboot(unused);
}

static void do_open_and_end(int unused) {
    (void)unused;
    open_log();
    crash();
}

static void do_open_and_reboot(int unused) {
    close(open_log());
    do_reboot(unused);
}

static const struct {
    char letter;
    void (*run)(int argument);
} operations[] = {
    {'s', do_send},       {'r', do_receive},    {'t', do_receive_in_time}, {'n', do_try},
    {'e', do_echo},       {'i', do_perhaps},    {'c', do_connect},         {'a', do_accept},
    {'w', do_write},      {'R', do_read},       {'k', do_close},           {'f', do_append},
    {'g', do_measure},    {'x', do_nothing},    {'E', do_swallow},         {'j', do_perhaps_nothing},
    {'d', do_send_twice}, {'D', do_echo_twice}, {'I', do_perhaps_twice},   {'q', do_end},
    {'Q', do_receive_and_end}, {'o', send_apart}, {'O', do_echo_apart},
    {'P', do_perhaps_apart}, {'z', send_late}, {'Y', do_echo_late}, {'Z', do_perhaps_late},
    {'S', do_send_or_not}, {'F', do_find_no_room}, {'B', do_reboot}, {'b', do_receive_and_reboot},
    {'u', send_damaged}, {'U', do_echo_damaged}, {'V', do_perhaps_damaged},
    {'h', do_open_and_end}, {'H', do_open_and_reboot}, {'A', do_broadcast}, {'G', do_send_to_group},
    {'J', do_join}, {'L', do_leave},
};

static void run(const char *script) {
    for (; script[0]; script += 2, place++)
        for (unsigned i = 0; i < sizeof operations / sizeof *operations; i++)
            if (operations[i].letter == script[0]) {
                letter = script[0];
                operations[i].run(script[1] - '0');
            }
}

/* Who hears a group is bound to any address. */
static int bound(int type) {
    bool hears_group = type == SOCK_DGRAM && strpbrk(arguments[3], "JL");
    struct address a = hears_group ? address_at(0) : address_of(me);
    int s = new_socket(type), yes = 1;
    bind(s, &a.at.any, a.size);
    setsockopt(s, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes);
    return s;
}

static void begin(char *script) {
    if (strpbrk(arguments[3], "rtneA"))
        datagrams = bound(SOCK_DGRAM);
    else
        datagrams = new_socket(SOCK_DGRAM);
    if (strchr(arguments[3], 'L'))
        change_group(1);
    if (strchr(arguments[3], 'a')) {
        listener = bound(SOCK_STREAM);
        listen(listener, 4);
    }
    run(script);
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    me = atoi(argv[1]);
    is_six = strstr(argv[1], "six") != NULL;
    arguments = argv;
    begin(argv[2]);
    return 0;
}
