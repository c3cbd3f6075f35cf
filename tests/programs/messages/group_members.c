/* A group of one host: what is sent to it before somebody has joined, or after they have left, is
 * not heard.
 *
 * run:
 * verdict: complete
 * label: heard
 * label: missed
 *
 * run: --por none
 * verdict: complete
 * label: heard
 * label: missed
 *
 * run: -DLEAVES
 * verdict: complete
 * label: heard
 * label: missed
 *
 * run: -DLEAVES --por none
 * verdict: complete
 * label: heard
 * label: missed */
#include <arpa/inet.h>
#include <heddle.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sockaddr_in place(const char *ip) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(6000)};
    inet_pton(AF_INET, ip, &a.sin_addr);
    return a;
}

static void change(int s, int how) {
    struct ip_mreq r = {0};
    inet_pton(AF_INET, "224.1.2.3", &r.imr_multiaddr);
    inet_pton(AF_INET, "127.0.0.1", &r.imr_interface);
    if (setsockopt(s, IPPROTO_IP, how, &r, sizeof r) != 0)
        _exit(1);
}

int main(void) {
    struct sockaddr_in any = place("0.0.0.0"), group = place("224.1.2.3");
    struct in_addr out = {htonl(INADDR_LOOPBACK)};
    int s = socket(AF_INET, SOCK_DGRAM, 0), done[2];
    char c;
    if (bind(s, (struct sockaddr *)&any, sizeof any) || pipe(done))
        return 1;
#ifdef LEAVES
    change(s, IP_ADD_MEMBERSHIP);
#endif
    if (fork() == 0) {
        int t = socket(AF_INET, SOCK_DGRAM, 0);
        setsockopt(t, IPPROTO_IP, IP_MULTICAST_IF, &out, sizeof out);
        sendto(t, "x", 1, 0, (struct sockaddr *)&group, sizeof group);
        write(done[1], "y", 1);
        _exit(0);
    }
#ifdef LEAVES
    change(s, IP_DROP_MEMBERSHIP);
#else
    change(s, IP_ADD_MEMBERSHIP);
#endif
    read(done[0], &c, 1);
    heddle_reach(recv(s, &c, 1, MSG_DONTWAIT) == 1 ? "heard" : "missed");
    wait(NULL);
    return 0;
}
