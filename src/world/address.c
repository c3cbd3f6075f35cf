/* Addresses: reading, writing, comparing. */
#include "world/address.h"

#include "base/panic.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/un.h>

static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

static void set_v4(uint8_t ip[HD_IP_SIZE], const void *four) {
    memcpy(ip, mapped, sizeof mapped);
    memcpy(ip + sizeof mapped, four, 4);
    HD_INVARIANT(A1, memcmp(ip, mapped, sizeof mapped) == 0);
}

/* ---- as numbers ---- */

bool hd_ip_is_v4(const uint8_t ip[HD_IP_SIZE]) {
    return memcmp(ip, mapped, sizeof mapped) == 0;
}

bool hd_ip_is_any(const uint8_t ip[HD_IP_SIZE]) {
    static const uint8_t zero[HD_IP_SIZE];
    return memcmp(ip, zero, HD_IP_SIZE) == 0 || (hd_ip_is_v4(ip) && memcmp(ip + 12, zero, 4) == 0);
}

bool hd_ip_is_loopback(const uint8_t ip[HD_IP_SIZE]) {
    return (hd_ip_is_v4(ip) && ip[12] == 127) || memcmp(ip, &in6addr_loopback, HD_IP_SIZE) == 0;
}

bool hd_ip_is_broadcast(const uint8_t ip[HD_IP_SIZE]) {
    return hd_ip_is_v4(ip) && memcmp(ip + 12, "\xff\xff\xff\xff", 4) == 0;
}

bool hd_ip_is_group(const uint8_t ip[HD_IP_SIZE]) {
    return ip[0] == 0xff || (hd_ip_is_v4(ip) && (ip[12] & 0xf0) == 0xe0);
}

bool hd_ip_is_link_local(const uint8_t ip[HD_IP_SIZE]) {
    return memcmp(ip, "\xfe\x80\0\0\0\0\0\0", 8) == 0;
}

bool hd_ip_is_same(const uint8_t a[HD_IP_SIZE], const uint8_t b[HD_IP_SIZE]) {
    return memcmp(a, b, HD_IP_SIZE) == 0;
}

bool hd_ip_parse(const char *text, uint8_t ip[HD_IP_SIZE]) {
    uint8_t four[4];
    if (inet_pton(AF_INET, text, four) != 1)
        return inet_pton(AF_INET6, text, ip) == 1;
    set_v4(ip, four);
    return true;
}

void hd_ip_print(const uint8_t ip[HD_IP_SIZE], hd_text *out) {
    char text[INET6_ADDRSTRLEN] = "";
    bool is_v4 = hd_ip_is_v4(ip);
    inet_ntop(is_v4 ? AF_INET : AF_INET6, is_v4 ? ip + 12 : ip, text, sizeof text);
    hd_text_add(out, "%s", text);
}

static hd_address with_ip(int family, const void *six, const void *four, uint16_t port) {
    hd_address a = {.family = (uint16_t)family, .port = port};
    if (family == AF_INET6)
        memcpy(a.ip, six, HD_IP_SIZE);
    else
        set_v4(a.ip, four);
    return a;
}

hd_address hd_address_loopback(int family, uint16_t port) {
    return with_ip(family, &in6addr_loopback, "\x7f\0\0\1", port);
}

hd_address hd_address_any(int family, uint16_t port) {
    return with_ip(family, &in6addr_any, "\0\0\0\0", port);
}

bool hd_address_is_same(const hd_address *a, const hd_address *b) {
    if ((a->family == AF_UNIX) != (b->family == AF_UNIX))
        return false;
    if (a->family == AF_UNIX)
        return a->n_path == b->n_path && memcmp(a->path, b->path, a->n_path) == 0;
    return a->port == b->port && hd_ip_is_same(a->ip, b->ip) && hd_ip_is_same(a->group, b->group);
}

bool hd_address_is_of_group(const hd_address *a) {
    static const uint8_t none[HD_IP_SIZE];
    return !hd_ip_is_same(a->group, none);
}

/* ---- as sockaddr ---- */

/* A path ends at its first zero byte, an abstract name has any bytes. */
static int read_unix(const uint8_t *bytes, uint32_t n, hd_address *out) {
    size_t start = offsetof(struct sockaddr_un, sun_path);
    size_t length = n - start;
    if (length > HD_MAX_PATH)
        return EINVAL;
    memcpy(out->path, bytes + start, length);
    if (length && out->path[0])
        length = strnlen(out->path, length);
    out->n_path = (uint8_t)length;
    return 0;
}

static int read_v4(const uint8_t *bytes, uint32_t n, hd_address *out) {
    struct sockaddr_in in;
    if (n < sizeof in)
        return EINVAL;
    memcpy(&in, bytes, sizeof in);
    set_v4(out->ip, &in.sin_addr);
    out->port = ntohs(in.sin_port);
    return 0;
}

static int read_v6(const uint8_t *bytes, uint32_t n, hd_address *out) {
    struct sockaddr_in6 in;
    if (n < offsetof(struct sockaddr_in6, sin6_scope_id))
        return EINVAL;
    memset(&in, 0, sizeof in);
    memcpy(&in, bytes, n < sizeof in ? n : sizeof in);
    memcpy(out->ip, &in.sin6_addr, HD_IP_SIZE);
    out->port = ntohs(in.sin6_port);
    return 0;
}

static int read_netlink(const uint8_t *bytes, uint32_t n, hd_address *out) {
    struct sockaddr_nl nl;
    if (n < sizeof nl)
        return EINVAL;
    memcpy(&nl, bytes, sizeof nl);
    memcpy(out->ip, &nl.nl_pid, sizeof nl.nl_pid);
    memcpy(out->ip + sizeof nl.nl_pid, &nl.nl_groups, sizeof nl.nl_groups);
    return 0;
}

uint32_t hd_netlink_id(const hd_address *a) {
    uint32_t id;
    memcpy(&id, a->ip, sizeof id);
    return id;
}

int hd_address_read(const void *bytes, uint32_t n, int family, hd_address *out) {
    sa_family_t given;
    *out = (hd_address){0};
    if (n < sizeof given)
        return EINVAL;
    memcpy(&given, bytes, sizeof given);
    out->family = given;
    if (given == AF_UNSPEC)
        return 0;
    if (given != family)
        return family == AF_UNIX ? EINVAL : EAFNOSUPPORT;
    return given == AF_UNIX      ? read_unix(bytes, n, out)
           : given == AF_NETLINK ? read_netlink(bytes, n, out)
           : given == AF_INET6   ? read_v6(bytes, n, out)
                                 : read_v4(bytes, n, out);
}

static uint32_t write_unix(const hd_address *a, struct sockaddr_storage *out) {
    struct sockaddr_un *un = (struct sockaddr_un *)out;
    uint32_t length = offsetof(struct sockaddr_un, sun_path) + a->n_path;
    un->sun_family = AF_UNIX;
    memcpy(un->sun_path, a->path, a->n_path);
    /* A path is answered with its zero byte. */
    return length + (a->n_path && a->path[0] && a->n_path < HD_MAX_PATH);
}

uint32_t hd_address_write(const hd_address *a, int family, struct sockaddr_storage *out) {
    memset(out, 0, sizeof *out);
    if (family == AF_UNIX)
        return write_unix(a, out);
    if (family == AF_NETLINK) {
        struct sockaddr_nl *nl = (struct sockaddr_nl *)out;
        nl->nl_family = AF_NETLINK;
        memcpy(&nl->nl_pid, a->ip, sizeof nl->nl_pid);
        memcpy(&nl->nl_groups, a->ip + sizeof nl->nl_pid, sizeof nl->nl_groups);
        return sizeof *nl;
    }
    if (family == AF_INET) {
        struct sockaddr_in *in = (struct sockaddr_in *)out;
        in->sin_family = AF_INET;
        in->sin_port = htons(a->port);
        if (hd_ip_is_v4(a->ip))
            memcpy(&in->sin_addr, a->ip + 12, 4);
        return sizeof *in;
    }
    struct sockaddr_in6 *in = (struct sockaddr_in6 *)out;
    in->sin6_family = AF_INET6;
    in->sin6_port = htons(a->port);
    memcpy(&in->sin6_addr, a->ip, HD_IP_SIZE);
    in->sin6_scope_id = hd_ip_is_link_local(a->ip) ? HD_INTERFACE_OF_NODES : 0;
    return sizeof *in;
}

/* ---- for people ---- */

void hd_address_print(const hd_address *a, hd_text *out) {
    if (a->family == AF_UNIX) {
        bool is_abstract = a->n_path && !a->path[0];
        hd_text_add(out, "%s", a->n_path == 0 ? "(unnamed)" : is_abstract ? "@" : "");
        for (unsigned i = is_abstract; i < a->n_path; i++)
            hd_text_add(out, "%c", a->path[i] >= ' ' && a->path[i] <= '~' ? a->path[i] : '?');
        return;
    }
    bool is_v4 = hd_ip_is_v4(a->ip);
    hd_text_add(out, "%s", is_v4 ? "" : "[");
    hd_ip_print(a->ip, out);
    hd_text_add(out, "%s:%u", is_v4 ? "" : "]", a->port);
}
