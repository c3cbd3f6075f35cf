/* Names and addresses as text. */
#include "calls.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

static void look(int line, const char *node, const char *service, int family, int type, int flags,
                 int has_hints) {
    struct addrinfo hints = {.ai_family = family, .ai_socktype = type, .ai_flags = flags}, *list;
    char host[64], port[16];
    int r = getaddrinfo(node, service, has_hints ? &hints : NULL, &list);
    printf("%d getaddrinfo %s %s %d %d %x = %d\n", line, node ? node : "-", service ? service : "-",
           family, type, flags, r);
    if (r) {
        show_text("that is", gai_strerror(r));
        return;
    }
    for (struct addrinfo *a = list; a; a = a->ai_next) {
        r = getnameinfo(a->ai_addr, a->ai_addrlen, host, 64, port, 16,
                        NI_NUMERICHOST | NI_NUMERICSERV);
        printf("  %d %d %d %u %d %s %s '%s'\n", a->ai_family, a->ai_socktype, a->ai_protocol,
               a->ai_addrlen, r, host, port, a->ai_canonname ? a->ai_canonname : "-");
    }
    freeaddrinfo(list);
}
#define LOOK(...) look(__LINE__, __VA_ARGS__)

static void finding(void) {
    LOOK("127.0.0.1", "80", AF_UNSPEC, 0, 0, 0);
    LOOK("127.0.0.1", "80", AF_INET, SOCK_STREAM, 0, 1);
    LOOK("127.0.0.1", "80", AF_INET, SOCK_DGRAM, 0, 1);
    LOOK("127.0.0.1", NULL, AF_INET, SOCK_RAW, 0, 1);
    LOOK("127.0.0.1", "80", AF_INET, SOCK_RAW, 0, 1);
    LOOK("127.0.0.1", "80", AF_INET6, SOCK_STREAM, 0, 1);
    LOOK("::1", "80", AF_INET6, SOCK_STREAM, 0, 1);
    LOOK("::1", "80", AF_INET, SOCK_STREAM, 0, 1);
    LOOK("::1", "80", AF_UNSPEC, SOCK_STREAM, 0, 1);
    LOOK("10.1.2.3", "65535", AF_INET, SOCK_STREAM, AI_NUMERICHOST | AI_NUMERICSERV, 1);
    LOOK("no such", "80", AF_INET, SOCK_STREAM, AI_NUMERICHOST, 1);
    LOOK("127.0.0.1", "http", AF_INET, SOCK_STREAM, AI_NUMERICSERV, 1);
    LOOK("127.0.0.1", "no-such-service", AF_INET, SOCK_STREAM, 0, 1);
    LOOK("127.0.0.1", "80", 77, SOCK_STREAM, 0, 1);
    LOOK("127.0.0.1", "80", AF_INET, 77, 0, 1);
    LOOK(NULL, NULL, AF_INET, SOCK_STREAM, 0, 1);
    LOOK(NULL, "80", AF_INET, SOCK_STREAM, 0, 1);
    LOOK(NULL, "80", AF_INET, SOCK_STREAM, AI_PASSIVE, 1);
    LOOK(NULL, "80", AF_INET6, SOCK_STREAM, AI_PASSIVE, 1);
    LOOK(NULL, "80", AF_INET6, SOCK_STREAM, 0, 1);
    LOOK("127.0.0.1", "80", AF_INET, SOCK_STREAM, AI_CANONNAME, 1);
    LOOK("127.0.0.1", "80", AF_INET, SOCK_SEQPACKET, 0, 1);
    LOOK("localhost", "80", AF_INET, SOCK_STREAM, 0, 1);
}

static void names_of(int line, int n, int host_room, int port_room, int flags) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(8080)};
    char host[64] = "before", port[16] = "before";
    inet_pton(AF_INET, "10.1.2.3", &a.sin_addr);
    int r = getnameinfo((struct sockaddr *)&a, (socklen_t)n, host_room ? host : NULL,
                        (socklen_t)host_room, port_room ? port : NULL, (socklen_t)port_room, flags);
    printf("%d getnameinfo %d %d %d = %d '%s' '%s'\n", line, n, host_room, port_room, r, host,
           port);
}
#define NUMBERS (NI_NUMERICHOST | NI_NUMERICSERV)

static void numbers(void) {
    struct in_addr a;
    struct in6_addr b;
    char text[64];
    static const char *const v4[] = {"1.2.3.4", "255.255.255.255", "1.2.3", "1.2.3.256",
                                     "",        "0x7f.1",          "127.1", "1.2.3.4x"};
    for (unsigned i = 0; i < sizeof v4 / sizeof *v4; i++) {
        a.s_addr = 0x55555555;
        T(inet_pton(AF_INET, v4[i], &a));
        T(a.s_addr);
        a.s_addr = 0x55555555;
        T(inet_aton(v4[i], &a));
        T(a.s_addr);
        T(inet_addr(v4[i]));
        show_text("inet_ntoa", inet_ntoa(a));
    }
    T(inet_aton("1.2.3.4", &a));
    memset(&b, 0x55, 16);
    T(inet_pton(AF_INET6, "2001:db8::1", &b));
    show("b", &b, 16);
    T(inet_pton(AF_INET6, "2001:db8", &b));
    T(inet_pton(77, "1.2.3.4", &a));
    T(inet_ntop(AF_INET6, &b, text, 64) == text);
    show_text("text", text);
    T(inet_ntop(AF_INET6, &b, text, 11) == text);
    T(inet_ntop(AF_INET6, &b, text, 12) == text);
    show_text("text", text);
    T(inet_ntop(AF_INET, &a, text, 7) == text);
    T(inet_ntop(AF_INET, &a, text, 8) == text);
    show_text("text", text);
    T(inet_ntop(77, &a, text, 64) == text);
    T(htons(0x1234));
    T(ntohl(0x12345678));
}

static void databases(void) {
    struct hostent *h = gethostbyname("10.1.2.3");
    T(h != NULL);
    show_text("name", h->h_name);
    T(h->h_addrtype);
    T(h->h_length);
    show("address", h->h_addr_list[0], 4);
    TP(h->h_addr_list[1]);
    TP(h->h_aliases[0]);
    struct servent *s = getservbyname("http", "tcp");
    T(s != NULL);
    T(ntohs(s->s_port));
    show_text("name", s->s_name);
    show_text("protocol", s->s_proto);
    TP(getservbyname("no-such-service", "tcp"));
    TP(getservbyname("http", "nothing"));
    T(ntohs(getservbyname("domain", "udp")->s_port));
    show_text("protocol", getservbyname("domain", "udp")->s_proto);
    T(ntohs(getservbyname("ntp", NULL)->s_port));
    s = getservbyname("ssh", "tcp");
    T(getservbyname("http", "tcp") == s);
    show_text("the same", s->s_name);
    h = gethostbyname("10.1.2.4");
    T(gethostbyname("10.1.2.33") == h);
    show_text("the same", h->h_name);
    show("the same", h->h_addr_list[0], 4);
    struct in_addr one = {1}, two = {2};
    T(inet_ntoa(one) == inet_ntoa(two));
    char name[256] = "";
    T(gethostname(name, 256));
    T(strlen(name) > 0);
    T(gethostname(name, 1));
    T(gethostname(name, strlen(name)));
}

int main(void) {
    finding();
    names_of(__LINE__, 16, 64, 16, NUMBERS);
    names_of(__LINE__, 15, 64, 16, NUMBERS);
    names_of(__LINE__, 1, 64, 16, NUMBERS);
    names_of(__LINE__, 16, 8, 16, NUMBERS);
    names_of(__LINE__, 16, 9, 16, NUMBERS);
    names_of(__LINE__, 16, 64, 5, NUMBERS);
    names_of(__LINE__, 16, 64, 0, NUMBERS);
    names_of(__LINE__, 16, 0, 16, NUMBERS);
    numbers();
    databases();
    return 0;
}
