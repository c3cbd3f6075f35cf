/* hosts.h -- the machines of a scenario: their names, their addresses, who lives where.
 *
 * Host 0 is the one that processes live on unless they are placed elsewhere, and has every address
 * that no placed process has.  Loopback addresses are every host's own.  All other addresses are
 * outside: nothing is ever sent there, because Heddle never touches the real network.
 *
 * Whoever has an address of IPv4 has one of IPv6 beside it, as interfaces have by themselves:
 * fe80::a00:1 for 10.0.0.1. */
#ifndef HD_WORLD_HOSTS_H
#define HD_WORLD_HOSTS_H
#include "world/address.h"

#include "base/vec.h"

typedef struct hd_host_name {
    char *name;
    uint8_t ip[HD_IP_SIZE];
    uint32_t host;
} hd_host_name;
typedef struct hd_hosts {
    hd_vec(hd_host_name) names;
    hd_vec(uint32_t) of_process;
    uint32_t n_placed;
} hd_hosts;

/* `name` means this address.  False if the address is no number. */
bool hd_hosts_add(hd_hosts *h, const char *name, const char *address);
/* The process lives on the host of that name; false if there is none. */
bool hd_hosts_place(hd_hosts *h, uint32_t process, const char *name);
uint32_t hd_hosts_of(const hd_hosts *h, uint32_t process);
/* The entry of a name, or NULL. "localhost" is always known. */
const hd_host_name *hd_hosts_find(const hd_hosts *h, const char *name);
/* What a host calls itself. */
const char *hd_hosts_name(const hd_hosts *h, uint32_t host);
/* Which host is meant by `ip` on host `from`?  False: one outside. */
bool hd_hosts_route(const hd_hosts *h, uint32_t from, const uint8_t ip[HD_IP_SIZE], uint32_t *host);
/* The address that `from` has for `to`: its own in the network, or loopback. */
void hd_hosts_source(const hd_hosts *h, uint32_t from, const uint8_t to[HD_IP_SIZE],
                     uint8_t ip[HD_IP_SIZE]);
/* The address of the link that goes with one of IPv4; `ip` itself if that is one of IPv6. */
void hd_ip_on_link(const uint8_t ip[HD_IP_SIZE], uint8_t out[HD_IP_SIZE]);
/* The host's first address of IPv4, in the order of this machine, and the mask of its network,
 * which is that of the address's class.  False: it has none. */
bool hd_hosts_network(const hd_hosts *h, uint32_t host, uint32_t *address, uint32_t *mask);
/* Is `ip` the address of all in that network, or of all there are (255.255.255.255)? */
bool hd_hosts_is_to_all(const hd_hosts *h, uint32_t host, const uint8_t ip[HD_IP_SIZE]);
void hd_hosts_release(hd_hosts *h);
#endif
