/* netdb.c -- hosts, services and protocols in the one object each that the C library has for them.
 *
 * The machine knows names and numbers; what it finds becomes an object of the program, which the
 * next call overwrites.  Two threads that ask at once are a data race (dates.c); it is written as a
 * whole, so that they are one and not hundreds. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((weak))
#define NAME 256 /* bytes of the longest name that is kept */

const struct hostent *__heddle_host(const char *name);
const struct servent *__heddle_service(const char *name, const char *protocol);

static char *no_alias[1];
static struct host {
    struct hostent answer;
    char *list[2];
    char name[NAME], address[4];
} host;
static struct service {
    struct servent answer;
    char name[NAME], protocol[8];
} service;

static void copy_name(char *to, const char *from, size_t room) {
    size_t n = strnlen(from, room - 1);
    memset(to, 0, room);
    memcpy(to, from, n);
}

static _Thread_local int error_of_hosts;

WEAK int *__h_errno_location(void) {
    return &error_of_hosts;
}

WEAK struct hostent *gethostbyname(const char *name) {
    const struct hostent *found = __heddle_host(name);
    struct host next = {.list = {host.address}};
    if (!found) {
        *__h_errno_location() = HOST_NOT_FOUND;
        return NULL;
    }
    next.answer = *found;
    next.answer.h_name = host.name;
    next.answer.h_aliases = no_alias;
    next.answer.h_addr_list = host.list;
    copy_name(next.name, found->h_name, sizeof next.name);
    memcpy(next.address, found->h_addr_list[0], sizeof next.address);
    memcpy(&host, &next, sizeof host);
    return &host.answer;
}

/* Is the name that of a line of /etc/services, "name port/protocol alias ... # words"? */
static int is_service(char *line, const char *name, const char *protocol, struct servent *out) {
    char *rest = line, *word, *port;
    line[strcspn(line, "#\n")] = '\0';
    out->s_name = strtok_r(rest, " \t", &rest);
    port = out->s_name ? strtok_r(NULL, " \t/", &rest) : NULL;
    out->s_proto = port ? strtok_r(NULL, " \t", &rest) : NULL;
    if (!out->s_proto || (protocol && strcmp(out->s_proto, protocol) != 0))
        return 0;
    out->s_port = htons((unsigned short)atoi(port));
    int is_it = strcmp(out->s_name, name) == 0;
    while (!is_it && (word = strtok_r(NULL, " \t", &rest)))
        is_it = strcmp(word, name) == 0;
    return is_it;
}

/* What the machine does not know by itself. */
static const struct servent *find_service(const char *name, const char *protocol, char *line,
                                          int room, struct servent *out) {
    FILE *f = fopen("/etc/services", "re");
    const struct servent *found = NULL;
    while (f && !found && fgets(line, room, f))
        found = is_service(line, name, protocol, out) ? out : NULL;
    if (f)
        fclose(f);
    return found;
}

WEAK struct servent *getservbyname(const char *name, const char *protocol) {
    const struct servent *found = __heddle_service(name, protocol);
    struct service next = {0};
    struct servent listed = {0};
    char line[NAME];
    if (!found)
        found = find_service(name, protocol, line, sizeof line, &listed);
    if (!found)
        return NULL;
    next.answer = *found;
    next.answer.s_name = service.name;
    next.answer.s_proto = service.protocol;
    next.answer.s_aliases = no_alias;
    copy_name(next.name, found->s_name, sizeof next.name);
    copy_name(next.protocol, found->s_proto, sizeof next.protocol);
    memcpy(&service, &next, sizeof service);
    return &service.answer;
}

/* Names that an address has, where it has one: IPv4. */
WEAK struct hostent *gethostbyaddr(const void *address, socklen_t length, int family) {
    struct sockaddr_in a = {.sin_family = AF_INET};
    struct host next = {.list = {host.address}};
    if (family != AF_INET || length != sizeof a.sin_addr) {
        *__h_errno_location() = family != AF_INET ? NETDB_INTERNAL : HOST_NOT_FOUND;
        errno = family != AF_INET ? EAFNOSUPPORT : EINVAL;
        return NULL;
    }
    memcpy(&a.sin_addr, address, sizeof a.sin_addr);
    if (getnameinfo((struct sockaddr *)&a, sizeof a, next.name, sizeof next.name, NULL, 0,
                    NI_NAMEREQD) != 0) {
        *__h_errno_location() = HOST_NOT_FOUND;
        return NULL;
    }
    next.answer = (struct hostent){host.name, no_alias, AF_INET, sizeof next.address, host.list};
    memcpy(next.address, &a.sin_addr, sizeof next.address);
    memcpy(&host, &next, sizeof host);
    return &host.answer;
}

WEAK const char *hstrerror(int error) {
    static const char *const texts[] = {"Resolver Error 0 (no error)", "Unknown host",
                                        "Host name lookup failure", "Unknown server error",
                                        "No address associated with name"};
    if (error < 0)
        return "Resolver internal error";
    return (size_t)error < sizeof texts / sizeof *texts ? texts[error] : "Unknown resolver error";
}

WEAK void herror(const char *prefix) {
    int has_prefix = prefix && *prefix;
    fprintf(stderr, "%s%s%s\n", has_prefix ? prefix : "", has_prefix ? ": " : "",
            hstrerror(*__h_errno_location()));
}

/* ---- protocols: those that sockets are made with ---- */

static char *alias_of[][2] = {{"IP"},  {"ICMP"}, {"IGMP"},     {"TCP"},
                              {"UDP"}, {"IPv6"}, {"IPv6-ICMP"}};
static const struct protoent protocols[] = {
    {"ip", alias_of[0], IPPROTO_IP},           {"icmp", alias_of[1], IPPROTO_ICMP},
    {"igmp", alias_of[2], IPPROTO_IGMP},       {"tcp", alias_of[3], IPPROTO_TCP},
    {"udp", alias_of[4], IPPROTO_UDP},         {"ipv6", alias_of[5], IPPROTO_IPV6},
    {"ipv6-icmp", alias_of[6], IPPROTO_ICMPV6}};
#define N_PROTOCOLS (sizeof protocols / sizeof *protocols)
static struct protoent protocol;

static struct protoent *answer_protocol(const struct protoent *found) {
    memcpy(&protocol, found, sizeof protocol);
    return &protocol;
}

WEAK struct protoent *getprotobyname(const char *name) {
    for (size_t i = 0; i < N_PROTOCOLS; i++)
        if (strcmp(name, protocols[i].p_name) == 0 || strcmp(name, protocols[i].p_aliases[0]) == 0)
            return answer_protocol(&protocols[i]);
    return NULL;
}

WEAK struct protoent *getprotobynumber(int number) {
    for (size_t i = 0; i < N_PROTOCOLS; i++)
        if (protocols[i].p_proto == number)
            return answer_protocol(&protocols[i]);
    return NULL;
}
