/* Names and addresses of hosts: a short list that is searched from front to back. */
#include "world/hosts.h"

#include "base/panic.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

static hd_host_name *find_ip(const hd_hosts *h, const uint8_t ip[HD_IP_SIZE]) {
    for (size_t i = 0; i < h->names.n; i++)
        if (hd_ip_is_same(h->names.at[i].ip, ip))
            return &h->names.at[i];
    return NULL;
}

bool hd_hosts_add(hd_hosts *h, const char *name, const char *address) {
    hd_host_name entry = {0};
    if (!hd_ip_parse(address, entry.ip))
        return false;
    const hd_host_name *same = find_ip(h, entry.ip);
    entry.host = same ? same->host : 0;
    entry.name = strdup(name);
    if (!entry.name)
        hd_out_of_memory();
    hd_vec_push(&h->names, entry);
    return true;
}

const hd_host_name *hd_hosts_find(const hd_hosts *h, const char *name) {
    static const hd_host_name localhost = {
        .name = "localhost", .ip = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1}};
    for (size_t i = 0; i < h->names.n; i++)
        if (strcasecmp(h->names.at[i].name, name) == 0)
            return &h->names.at[i];
    return strcasecmp(name, "localhost") == 0 ? &localhost : NULL;
}

/* All names of one address, and all addresses of one name, are one host. */
static void give_host(hd_hosts *h, const hd_host_name *of, uint32_t host) {
    hd_host_name like = *of;
    for (size_t i = 0; i < h->names.n; i++) {
        hd_host_name *n = &h->names.at[i];
        if (hd_ip_is_same(n->ip, like.ip) || strcasecmp(n->name, like.name) == 0)
            n->host = host;
    }
}

bool hd_hosts_place(hd_hosts *h, uint32_t process, const char *name) {
    const hd_host_name *n = hd_hosts_find(h, name);
    if (!n)
        return false;
    if (n->host == 0 && !hd_ip_is_loopback(n->ip))
        give_host(h, n, ++h->n_placed);
    while (h->of_process.n <= process)
        hd_vec_push(&h->of_process, 0);
    h->of_process.at[process] = n->host;
    return true;
}

uint32_t hd_hosts_of(const hd_hosts *h, uint32_t process) {
    return process < h->of_process.n ? h->of_process.at[process] : 0;
}

const char *hd_hosts_name(const hd_hosts *h, uint32_t host) {
    for (size_t i = 0; host && i < h->names.n; i++)
        if (h->names.at[i].host == host)
            return h->names.at[i].name;
    return "localhost";
}

void hd_ip_on_link(const uint8_t ip[HD_IP_SIZE], uint8_t out[HD_IP_SIZE]) {
    static const uint8_t link[HD_IP_SIZE] = {0xfe, 0x80};
    bool is_v4 = hd_ip_is_v4(ip);
    memmove(out, ip, HD_IP_SIZE);
    if (is_v4)
        memcpy(out, link, HD_IP_SIZE - 4);
}

/* The entry of an address, also if it is the one of the link. */
static const hd_host_name *find_any(const hd_hosts *h, const uint8_t ip[HD_IP_SIZE]) {
    const hd_host_name *given = find_ip(h, ip);
    for (size_t i = 0; !given && hd_ip_is_link_local(ip) && i < h->names.n; i++) {
        uint8_t own[HD_IP_SIZE];
        hd_ip_on_link(h->names.at[i].ip, own);
        given = hd_ip_is_same(own, ip) ? &h->names.at[i] : NULL;
    }
    return given;
}

bool hd_hosts_route(const hd_hosts *h, uint32_t from, const uint8_t ip[HD_IP_SIZE],
                    uint32_t *host) {
    *host = from;
    if (hd_ip_is_any(ip) || hd_ip_is_loopback(ip))
        return true;
    const hd_host_name *n = find_any(h, ip);
    if (n)
        *host = n->host;
    return n != NULL;
}

void hd_hosts_source(const hd_hosts *h, uint32_t from, const uint8_t to[HD_IP_SIZE],
                     uint8_t ip[HD_IP_SIZE]) {
    uint32_t host;
    memcpy(ip, to, HD_IP_SIZE);
    if (hd_ip_is_any(to)) {
        hd_address loopback = hd_address_loopback(hd_ip_is_v4(to) ? AF_INET : AF_INET6, 0);
        memcpy(ip, loopback.ip, HD_IP_SIZE);
        return;
    }
    /* To an address of its own it speaks from that very address. */
    if (hd_ip_is_loopback(to) || (hd_hosts_route(h, from, to, &host) && host == from))
        return;
    bool is_on_link = hd_ip_is_link_local(to);
    for (size_t i = 0; i < h->names.n; i++) {
        const hd_host_name *n = &h->names.at[i];
        if (n->host == from && hd_ip_is_v4(n->ip) == (is_on_link || hd_ip_is_v4(to))) {
            memcpy(ip, n->ip, HD_IP_SIZE);
            if (is_on_link)
                hd_ip_on_link(n->ip, ip);
            return;
        }
    }
}

static uint32_t v4_of(const uint8_t ip[HD_IP_SIZE]) {
    uint32_t address;
    memcpy(&address, ip + HD_IP_SIZE - sizeof address, sizeof address);
    return ntohl(address);
}

bool hd_hosts_network(const hd_hosts *h, uint32_t host, uint32_t *address, uint32_t *mask) {
    size_t i = 0;
    while (i < h->names.n && (h->names.at[i].host != host || !hd_ip_is_v4(h->names.at[i].ip)))
        i++;
    if (!host || i == h->names.n)
        return false;
    *address = v4_of(h->names.at[i].ip);
    uint32_t first = *address >> 24;
    *mask = first < 128 ? 0xff000000 : first < 192 ? 0xffff0000 : 0xffffff00;
    return true;
}

bool hd_hosts_is_to_all(const hd_hosts *h, uint32_t host, const uint8_t ip[HD_IP_SIZE]) {
    uint32_t address, mask;
    if (host && hd_ip_is_broadcast(ip))
        return true;
    return hd_ip_is_v4(ip) && hd_hosts_network(h, host, &address, &mask) &&
           v4_of(ip) == (address | ~mask);
}

void hd_hosts_release(hd_hosts *h) {
    for (size_t i = 0; i < h->names.n; i++)
        free(h->names.at[i].name);
    hd_vec_release(&h->names);
    hd_vec_release(&h->of_process);
}
