/* Names and addresses as text: only numbers and the names of the scenario are known. */
#include "machine/libc/libc_ipc.h"
#include "machine/tasks/library.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>

static const hd_hosts *hosts_of(hd_machine *m) {
    return &hd_ipc_net(m)->hosts;
}

/* ---- getaddrinfo ---- */

typedef struct query {
    int family, type, flags;
    uint16_t port;
    const char *name;
    hd_address found[16];
    unsigned n;
} query;

static void add_found(query *q, const uint8_t ip[HD_IP_SIZE]) {
    bool is_v4 = hd_ip_is_v4(ip);
    if (q->n == sizeof q->found / sizeof *q->found || (q->family == AF_INET && !is_v4) ||
        (q->family == AF_INET6 && is_v4 && !(q->flags & AI_V4MAPPED)))
        return;
    hd_address *a = &q->found[q->n++];
    *a = (hd_address){.family = (uint16_t)(is_v4 && q->family != AF_INET6 ? AF_INET : AF_INET6),
                      .port = q->port};
    memcpy(a->ip, ip, HD_IP_SIZE);
}

static void add_own(query *q) {
    for (int i = 0; i < 2; i++) {
        int family = i ? AF_INET : AF_INET6;
        hd_address a =
            q->flags & AI_PASSIVE ? hd_address_any(family, 0) : hd_address_loopback(family, 0);
        add_found(q, a.ip);
    }
}

static int find_addresses(hd_machine *m, query *q, const char *node) {
    uint8_t ip[HD_IP_SIZE];
    if (!node)
        add_own(q);
    else if (hd_ip_parse(node, ip))
        add_found(q, ip);
    else if (q->flags & AI_NUMERICHOST)
        return EAI_NONAME;
    else {
        const hd_hosts *h = hosts_of(m);
        if (!hd_hosts_find(h, node))
            return EAI_NONAME;
        for (size_t i = 0; i < h->names.n; i++)
            if (strcasecmp(h->names.at[i].name, node) == 0)
                add_found(q, h->names.at[i].ip);
        if (strcasecmp(node, "localhost") == 0 && !q->n)
            add_own(q);
    }
    return q->n ? 0 : node && hd_ip_parse(node, ip) ? EAI_ADDRFAMILY : EAI_NONAME;
}

static int find_port(query *q, const char *service) {
    char *end;
    if (!service)
        return 0;
    unsigned long port = strtoul(service, &end, 10);
    if (!*end) { /* none, or a number, of which glibc looks at the lower half */
        q->port = (uint16_t)port;
        return 0;
    }
    static const struct {
        const char *name;
        uint16_t port;
    } known[] = {{"http", 80}, {"https", 443}, {"ftp", 21}, {"ssh", 22}, {"domain", 53}};
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (!(q->flags & AI_NUMERICSERV) && strcmp(known[i].name, service) == 0) {
            q->port = known[i].port;
            return 0;
        }
    return q->flags & AI_NUMERICSERV ? EAI_NONAME : EAI_SERVICE;
}

/* An element and its name are blocks of the program: it may free any part of a list, and has to
 * free all of it. */
typedef struct entry {
    struct addrinfo info;
    struct sockaddr_storage address;
} entry;

/* As glibc has them; the last ones only for who asks for them.  Not all can be opened here. */
static const struct {
    int type, protocol;
    bool is_usual;
} kinds[] = {{SOCK_STREAM, IPPROTO_TCP, true},
             {SOCK_DGRAM, IPPROTO_UDP, true},
             {SOCK_RAW, 0, true},
             {SOCK_SEQPACKET, IPPROTO_SCTP, false},
             {SOCK_DCCP, IPPROTO_DCCP, false}};
#define N_KINDS (sizeof kinds / sizeof *kinds)

static bool is_wanted(const query *q, unsigned kind) {
    return q->type ? q->type == kinds[kind].type : kinds[kind].is_usual;
}

static bool is_any_wanted(const query *q) {
    for (unsigned k = 0; k < N_KINDS; k++)
        if (is_wanted(q, k))
            return true;
    return false;
}

static struct addrinfo *make_entry(hd_machine *m, const query *q, unsigned i, unsigned kind) {
    HD_ASSERT(i < q->n && kind < N_KINDS);
    const void *frame = __builtin_frame_address(0);
    entry *e = hd_heap_calloc(m->running.heap, sizeof *e, hd_caller_pc(m, frame));
    if (!e)
        return NULL;
    e->info = (struct addrinfo){.ai_family = q->found[i].family,
                                .ai_socktype = kinds[kind].type,
                                .ai_protocol = kinds[kind].protocol,
                                .ai_addr = (struct sockaddr *)&e->address,
                                .ai_flags = q->flags};
    e->info.ai_addrlen = hd_address_write(&q->found[i], q->found[i].family, &e->address);
    return &e->info;
}

static bool add_name(hd_machine *m, const query *q, struct addrinfo *first) {
    HD_ASSERT(first && !first->ai_canonname);
    if (!(q->flags & AI_CANONNAME) || !q->name)
        return true;
    size_t n = strlen(q->name) + 1;
    const void *frame = __builtin_frame_address(0);
    first->ai_canonname = hd_heap_alloc(m->running.heap, n, 16, hd_caller_pc(m, frame));
    if (first->ai_canonname)
        memcpy(first->ai_canonname, q->name, n);
    return first->ai_canonname;
}

static void free_list(hd_machine *m, struct addrinfo *list) {
    uint64_t pc = hd_caller_pc(m, __builtin_frame_address(0));
    while (list) {
        struct addrinfo info;
        hd_library_get(m, &info, list, sizeof info);
        hd_program_free(m, info.ai_canonname, pc);
        hd_program_free(m, list, pc);
        list = info.ai_next;
    }
}

static struct addrinfo *make_list(hd_machine *m, const query *q) {
    HD_ASSERT(q->n && is_any_wanted(q)); /* the first element is the list */
    struct addrinfo *first = NULL, **end = &first;
    bool is_made = true;
    for (unsigned i = 0; i < q->n && is_made; i++)
        for (unsigned k = 0; k < N_KINDS && is_made; k++) {
            if (!is_wanted(q, k))
                continue;
            is_made = (*end = make_entry(m, q, i, k));
            end = is_made ? &(*end)->ai_next : end;
        }
    if (is_made && add_name(m, q, first))
        return first;
    free_list(m, first);
    return NULL;
}

int hd_libc_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                        struct addrinfo **out) {
    hd_machine *m = hd_ipc_enter();
    query q = {0};
    if (!node && !service)
        return EAI_NONAME;
    if (node)
        q.name = node = hd_ipc_text(m, node);
    if (service)
        service = hd_ipc_text(m, service);
    if (hints) {
        struct addrinfo wanted;
        hd_library_get(m, &wanted, hints, offsetof(struct addrinfo, ai_addrlen));
        q.family = wanted.ai_family;
        q.type = wanted.ai_socktype;
        q.flags = wanted.ai_flags;
    }
    if (q.family != AF_UNSPEC && q.family != AF_INET && q.family != AF_INET6)
        return EAI_FAMILY;
    if (!is_any_wanted(&q))
        return EAI_SOCKTYPE;
    bool has_service = service && *service;
    int error = has_service && q.type == SOCK_RAW ? EAI_SERVICE : find_port(&q, service);
    if (!error)
        error = find_addresses(m, &q, node);
    if (error)
        return error;
    struct addrinfo *list = make_list(m, &q);
    if (!list)
        return EAI_MEMORY;
    hd_ipc_store_plain(m, out, &list, sizeof list);
    return 0;
}

void hd_libc_freeaddrinfo(struct addrinfo *list) {
    free_list(hd_ipc_enter(), list);
}

static char *hidden_text(hd_machine *m, const char *text) {
    return hd_heap_hide(m->running.heap, text, strlen(text) + 1);
}

const char *hd_libc_gai_strerror(int error) {
    return hidden_text(hd_ipc_enter(), gai_strerror(error));
}

/* ---- names for addresses ---- */

static int store_text(hd_machine *m, char *out, unsigned room, const char *text) {
    size_t n = strlen(text) + 1;
    if (!out || !room)
        return 0;
    if (n > room)
        return EAI_OVERFLOW;
    hd_ipc_store_plain(m, out, text, n);
    return 0;
}

static const char *known_name(hd_machine *m, const hd_address *a) {
    const hd_hosts *h = hosts_of(m);
    for (size_t i = 0; i < h->names.n; i++)
        if (hd_ip_is_same(h->names.at[i].ip, a->ip))
            return h->names.at[i].name;
    /* 127.0.0.1 and ::1; others of loopback have no name. */
    bool is_first = !a->ip[13] && !a->ip[14] && a->ip[15] == 1;
    return is_first && hd_ip_is_loopback(a->ip) ? "localhost" : NULL;
}

int hd_libc_getnameinfo(const void *address, unsigned length, char *host, unsigned host_length,
                        char *service, unsigned service_length, int flags) {
    hd_machine *m = hd_ipc_enter();
    hd_address a;
    sa_family_t family;
    if (length < sizeof family)
        return EAI_FAMILY;
    hd_library_get(m, &family, address, sizeof family);
    if ((family != AF_INET && family != AF_INET6) ||
        hd_ipc_load_address(m, address, length, family, &a) != 0)
        return EAI_FAMILY;
    const char *name = flags & NI_NUMERICHOST ? NULL : known_name(m, &a);
    hd_text number = {0};
    char text[64], port[8];
    hd_ip_print(a.ip, &number);
    snprintf(text, sizeof text, "%s", hd_text_string(&number));
    hd_text_release(&number);
    if (!name && flags & NI_NAMEREQD)
        return EAI_NONAME;
    snprintf(port, sizeof port, "%u", a.port);
    int error = store_text(m, host, host_length, name ? name : text);
    return error ? error : store_text(m, service, service_length, port);
}

/* Results of these two are copied by models/netdb.c. */
struct hostent *hd_libc_find_host(const char *name) {
    hd_machine *m = hd_ipc_enter();
    name = hd_ipc_text(m, name);
    const hd_host_name *n = hd_hosts_find(hosts_of(m), name);
    hd_host_name number = {0};
    if (!n && hd_ip_parse(name, number.ip))
        n = &number;
    if (!n || !hd_ip_is_v4(n->ip))
        return NULL;
    char *list[2] = {hd_heap_hide(m->running.heap, n->ip + 12, 4), NULL}, *none[1] = {NULL};
    struct hostent answer = {.h_name = hidden_text(m, name),
                             .h_aliases = hd_heap_hide(m->running.heap, none, sizeof none),
                             .h_addrtype = AF_INET,
                             .h_length = 4,
                             .h_addr_list = hd_heap_hide(m->running.heap, list, sizeof list)};
    return hd_heap_hide(m->running.heap, &answer, sizeof answer);
}

/* Some services that every machine knows. */
static const struct service {
    const char *name, *protocol;
    uint16_t port;
} services[] = {{"echo", "tcp", 7},    {"echo", "udp", 7},     {"discard", "tcp", 9},
                {"discard", "udp", 9}, {"daytime", "tcp", 13}, {"daytime", "udp", 13},
                {"ftp", "tcp", 21},    {"ssh", "tcp", 22},     {"telnet", "tcp", 23},
                {"smtp", "tcp", 25},   {"time", "tcp", 37},    {"time", "udp", 37},
                {"domain", "tcp", 53}, {"domain", "udp", 53},  {"tftp", "udp", 69},
                {"http", "tcp", 80},   {"pop3", "tcp", 110},   {"ntp", "udp", 123},
                {"imap2", "tcp", 143}, {"https", "tcp", 443},  {"syslog", "udp", 514}};

struct servent *hd_libc_find_service(const char *name, const char *protocol) {
    hd_machine *m = hd_ipc_enter();
    name = hd_ipc_text(m, name);
    if (protocol)
        protocol = hd_ipc_text(m, protocol);
    for (size_t i = 0; i < sizeof services / sizeof *services; i++) {
        const struct service *s = &services[i];
        if (strcmp(s->name, name) != 0 || (protocol && strcmp(s->protocol, protocol) != 0))
            continue;
        char *none = NULL;
        struct servent found = {.s_name =
                                    hd_heap_hide(m->running.heap, s->name, strlen(s->name) + 1),
                                .s_proto = hd_heap_hide(m->running.heap, s->protocol, 4),
                                .s_port = __builtin_bswap16(s->port),
                                .s_aliases = hd_heap_hide(m->running.heap, &none, sizeof none)};
        return hd_heap_hide(m->running.heap, &found, sizeof found);
    }
    return NULL;
}

/* The machine's, but for the name of the node. */
int hd_libc_uname(struct utsname *out) {
    hd_machine *m = hd_ipc_enter();
    hd_net *net = hd_ipc_net(m);
    struct utsname answer;
    uname(&answer);
    snprintf(answer.nodename, sizeof answer.nodename, "%s",
             hd_hosts_name(&net->hosts, hd_net_table(net, hd_ipc_process(m))->host));
    hd_ipc_store_plain(m, out, &answer, sizeof answer);
    return 0;
}

int hd_libc_gethostname(char *out, size_t n) {
    hd_machine *m = hd_ipc_enter();
    hd_net *net = hd_ipc_net(m);
    const char *name = hd_hosts_name(&net->hosts, hd_net_table(net, hd_ipc_process(m))->host);
    size_t length = strlen(name) + 1;
    hd_ipc_store_plain(m, out, name, length < n ? length : n);
    return length <= n ? 0 : hd_ipc_fail(m, ENAMETOOLONG);
}
