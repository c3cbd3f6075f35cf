/* What a node finds around itself: names and addresses, arguments, environment, standard input.  With
 * CHANGES: what it changes that others could see, which node states do not show (tests/nodes.sh). */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <heddle.h>
#include <mqueue.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

extern char **environ;

#ifdef CHANGES
static void change(int way) {
    int f = open("old.txt", O_RDWR);
    struct timeval times[2] = {{1, 0}, {2, 0}};
    switch (way) {
    case 0: open("new.txt", O_CREAT | O_RDWR, 0600); break; // LOSS
    case 1: open("old.txt", O_TRUNC | O_WRONLY); break; // LOSS
    case 2: mkdir("folder", 0700); break; // LOSS
    case 3: unlink("old.txt"); break; // LOSS
    case 4: rename("old.txt", "moved.txt"); break; // LOSS
    case 5: link("old.txt", "second.txt"); break; // LOSS
    case 6: symlink("old.txt", "link.txt"); break; // LOSS
    case 7: chmod("old.txt", 0600); break; // LOSS
    case 8: fchmod(f, 0600); break; // LOSS
    case 9: chown("old.txt", getuid(), getgid()); break; // LOSS
    case 10: utimes("old.txt", times); break; // LOSS
    case 11: truncate("old.txt", 1); break; // LOSS
    case 12: write(f, "x", 1); break; // LOSS
    case 13: ftruncate(f, 1); break; // LOSS
    case 14: mq_open("/new", O_CREAT | O_RDWR, 0600, NULL); break; // LOSS
    case 15: mkstemp(strdup("tXXXXXX")); break; // LOSS
    case 16: rmdir("there"); break; // LOSS
    case 17: futimens(f, NULL); break; // LOSS
    case 18: flock(f, LOCK_EX | LOCK_NB); break; // LOSS
    case 19: read(f, times, 1); break;
    case 20: stat("old.txt", &(struct stat){0}); break;
    case 21: access("there", R_OK); break;
    }
}
#endif

static const char *name_of(const char *address, int flags) {
    static char name[64];
    struct sockaddr_in a = {.sin_family = AF_INET};
    inet_pton(AF_INET, address, &a.sin_addr);
    int r = getnameinfo((struct sockaddr *)&a, sizeof a, name, sizeof name, NULL, 0, flags);
    return r == 0 ? name : r == EAI_NONAME ? "(none)" : "(failed)";
}

/* Families and addresses of a name, in the order in which they come. */
static const char *addresses_of(const char *name, int family, int flags) {
    static char all[256];
    struct addrinfo hints = {.ai_family = family, .ai_socktype = SOCK_STREAM, .ai_flags = flags}, *list;
    all[0] = '\0';
    if (getaddrinfo(name, "7", &hints, &list) != 0)
        return "(failed)";
    for (struct addrinfo *a = list; a; a = a->ai_next) {
        char one[64];
        getnameinfo(a->ai_addr, a->ai_addrlen, one, sizeof one, NULL, 0, NI_NUMERICHOST);
        strcat(strcat(all, one), " ");
    }
    freeaddrinfo(list);
    return all;
}

/* What the interface of a node says about itself; one that has an address of IPv6 says that it has none. */
static void look_at_interface(const char *me) {
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    bool has_address = strcmp(me, "gamma") != 0;
    unsigned char last = strcmp(me, "alpha") == 0 ? 7 : 1;
    struct ifreq r, all[3];
    memset(&r, 1, sizeof r);
    strcpy(r.ifr_name, "eth0");
    heddle_assert(ioctl(s, SIOCGIFINDEX, &r) == 0 && r.ifr_ifindex == 2);
    heddle_assert(ioctl(s, SIOCGIFMTU, &r) == 0 && r.ifr_mtu == 1500);
    heddle_assert(ioctl(s, SIOCGIFFLAGS, &r) == 0);
    heddle_assert(r.ifr_flags == (IFF_UP | IFF_BROADCAST | IFF_RUNNING | IFF_MULTICAST));
    heddle_assert((ioctl(s, SIOCGIFADDR, &r) == 0) == has_address);
    heddle_assert(!has_address || memcmp(r.ifr_addr.sa_data + 2, (char[]){10, 0, 0, (char)last}, 4) == 0);
    heddle_assert((ioctl(s, SIOCGIFNETMASK, &r) == 0) == has_address);
    heddle_assert(!has_address || memcmp(r.ifr_addr.sa_data + 2, "\xff\0\0\0", 4) == 0);
    heddle_assert((ioctl(s, SIOCGIFBRDADDR, &r) == 0) == has_address);
    heddle_assert(!has_address || memcmp(r.ifr_addr.sa_data + 2, "\x0a\xff\xff\xff", 4) == 0);
    memset(&r.ifr_hwaddr, 7, sizeof r.ifr_hwaddr);
    heddle_assert(ioctl(s, SIOCGIFHWADDR, &r) == 0 && r.ifr_hwaddr.sa_family == ARPHRD_ETHER);
    heddle_assert(r.ifr_hwaddr.sa_data[0] == 2 && r.ifr_hwaddr.sa_data[1] == 0 && r.ifr_hwaddr.sa_data[6] == 7);
    heddle_assert(!has_address || r.ifr_hwaddr.sa_data[5] == last);
    r.ifr_ifindex = 2;
    heddle_assert(ioctl(s, SIOCGIFNAME, &r) == 0 && strcmp(r.ifr_name, "eth0") == 0);
    r.ifr_ifindex = 3;
    heddle_assert(ioctl(s, SIOCGIFNAME, &r) < 0);
    r.ifr_ifindex = 0;
    heddle_assert(ioctl(s, SIOCGIFNAME, &r) < 0);
    struct ifconf c = {.ifc_len = sizeof all, .ifc_req = all};
    heddle_assert(ioctl(s, SIOCGIFCONF, &c) == 0 && c.ifc_len == (int)sizeof *all * (1 + has_address));
    heddle_assert(strcmp(all[0].ifr_name, "lo") == 0);
    heddle_assert(!has_address || (strcmp(all[1].ifr_name, "eth0") == 0 && all[1].ifr_addr.sa_data[5] == last));
    c.ifc_len = 2 * sizeof *all - 1;
    heddle_assert(ioctl(s, SIOCGIFCONF, &c) == 0 && c.ifc_len == (int)sizeof *all);
    c.ifc_len = 2 * sizeof *all;
    heddle_assert(ioctl(s, SIOCGIFCONF, &c) == 0 && c.ifc_len == (int)sizeof *all * (1 + has_address));
    close(s);
}

#define SAME(a, b) heddle_assert(strcmp(a, b) == 0)

static void look_around(char **argv, const char *me) {
    char host[64], line[16] = "", rest[16] = "";
    SAME(addresses_of("alpha", AF_UNSPEC, 0), "10.0.0.7 ");
    SAME(addresses_of("ALPHA", AF_INET, 0), "10.0.0.7 ");
    SAME(addresses_of("beta", AF_UNSPEC, 0), "10.0.0.1 ");
    SAME(addresses_of("gamma", AF_UNSPEC, 0), "fd00::3 ");
    SAME(addresses_of("gamma", AF_INET6, 0), "fd00::3 ");
    SAME(addresses_of("gamma", AF_INET, 0), "(failed)");
    SAME(addresses_of("alpha", AF_INET6, 0), "(failed)");
    SAME(addresses_of("alpha", AF_INET6, AI_V4MAPPED), "::ffff:10.0.0.7 ");
    SAME(addresses_of("delta", AF_UNSPEC, 0), "(failed)");
    SAME(addresses_of("alpha", AF_UNSPEC, AI_NUMERICHOST), "(failed)");
    SAME(name_of("10.0.0.7", 0), "alpha");
    SAME(name_of("10.0.0.1", NI_NAMEREQD), "beta");
    SAME(name_of("10.0.0.7", NI_NUMERICHOST), "10.0.0.7");
    SAME(name_of("10.0.0.9", 0), "10.0.0.9");
    SAME(name_of("10.0.0.9", NI_NAMEREQD), "(none)");
    SAME(name_of("127.0.0.1", NI_NAMEREQD), "localhost");
    heddle_assert(gethostname(host, sizeof host) == 0);
    SAME(host, me);
    const struct hostent *h = gethostbyname("alpha");
    heddle_assert(h && memcmp(h->h_addr_list[0], "\x0a\0\0\x07", 4) == 0);
    heddle_assert(!gethostbyname("gamma") && !gethostbyname("delta"));
    SAME(argv[0], "around");
    SAME(argv[1], me);
    SAME(argv[2], "two words");
    heddle_assert(!argv[3]);
    SAME(getenv("WHO"), me);
    SAME(getenv("LAST"), "");
    heddle_assert(!getenv("PATH") && environ[0] && environ[1] && !environ[2]);
    heddle_assert(read(0, line, 6) == 6 && memcmp(line, "first\n", 6) == 0);
    heddle_assert(fgets(rest, sizeof rest, stdin) && !fgets(line, sizeof line, stdin) && feof(stdin));
    rest[strcspn(rest, "\n")] = '\0';
    SAME(rest, me);
    heddle_assert(read(0, line, 1) == 0);
}

int main(int argc, char **argv) {
#ifdef CHANGES
    unsigned char x;
    heddle_input(x);
    for (int i = 0; argc > 1 && i < 22; i++)
        if (x == i)
            change(i);
#else
    heddle_assert(argc == 3);
    look_around(argv, argv[1]);
    look_at_interface(argv[1]);
#endif
    return 0;
}
