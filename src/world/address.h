/* address.h -- addresses of sockets, as programs write them and as people read them.
 *
 * A1. The bytes of an Internet address are those of IPv6; an IPv4 address is the mapped one
 *     (::ffff:1.2.3.4), so that both are compared alike.  `family` says how it was written. */
#ifndef HD_WORLD_ADDRESS_H
#define HD_WORLD_ADDRESS_H
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#define HD_IP_SIZE  16
#define HD_MAX_PATH 108
/* "eth0", as if_nametoindex numbers it; "lo" is 1. */
#define HD_INTERFACE_OF_NODES 2

typedef struct hd_address {
    uint16_t family;           /* AF_UNSPEC: none */
    uint16_t port;             /* in the order of this machine */
    uint8_t ip[HD_IP_SIZE];    /* of netlink: the number of the socket, and groups */
    uint8_t group[HD_IP_SIZE]; /* it is there because of this group, or address of all; zeros: by
                                  itself */
    uint16_t n_path; /* UNIX domain; 0 = without a name; an abstract one begins with a zero byte */
    char path[HD_MAX_PATH];
} hd_address;
/* All of its bytes mean something, so that equal ones have equal hashes. */
_Static_assert(sizeof(hd_address) == 3 * sizeof(uint16_t) + 2 * HD_IP_SIZE + HD_MAX_PATH,
               "no padding");

/* From the n bytes of a sockaddr; answers 0 or an error number as bind and connect would. */
int hd_address_read(const void *bytes, uint32_t n, int family, hd_address *out);
/* Into a sockaddr; its length.  `family` AF_INET6 makes mapped addresses of IPv4 ones. */
uint32_t hd_address_write(const hd_address *a, int family, struct sockaddr_storage *out);
/* "10.0.0.1:7000", "[::1]:7000", "/tmp/x", "@abstract". */
void hd_address_print(const hd_address *a, hd_text *out);
/* A number like "10.0.0.1" or "fe80::1"; false if it is none. */
bool hd_ip_parse(const char *text, uint8_t ip[HD_IP_SIZE]);
/* As inet_ntop prints it. */
void hd_ip_print(const uint8_t ip[HD_IP_SIZE], hd_text *out);
bool hd_ip_is_v4(const uint8_t ip[HD_IP_SIZE]);
bool hd_ip_is_any(const uint8_t ip[HD_IP_SIZE]);
bool hd_ip_is_loopback(const uint8_t ip[HD_IP_SIZE]);
bool hd_ip_is_broadcast(const uint8_t ip[HD_IP_SIZE]);
/* 224.0.0.0/4, ff00::/8 */
bool hd_ip_is_group(const uint8_t ip[HD_IP_SIZE]);
/* fe80::/64: of one interface, and so are groups that no router passes on (ff02::/16). */
bool hd_ip_is_link_local(const uint8_t ip[HD_IP_SIZE]);
bool hd_ip_is_same(const uint8_t a[HD_IP_SIZE], const uint8_t b[HD_IP_SIZE]);
/* 127.0.0.1 or ::1; 0.0.0.0 or ::. */
hd_address hd_address_loopback(int family, uint16_t port);
hd_address hd_address_any(int family, uint16_t port);
/* Of netlink: the socket that is meant, 0 = the system. */
uint32_t hd_netlink_id(const hd_address *a);
bool hd_address_is_same(const hd_address *a, const hd_address *b);
/* Does a node have the address because of a group, or of what is for all? */
bool hd_address_is_of_group(const hd_address *a);
#endif
