/* Two sockets of a host with one port, at different addresses, had the same name: what one got was
 * taken for what the other had (39 classes for 20), and the hostile build stopped (Q1).
 *
 * run:
 * verdict: complete
 * paths: 20
 * label: ---
 * label: --b
 * label: -b-
 * label: a--
 * label: a-b
 * label: ab-
 *
 * run: -DBINDS
 * verdict: complete
 * label: heard
 * label: missed
 *
 * run: -DBINDS --por none
 * verdict: complete
 * label: heard
 * label: missed
 *
 * run: -DCLOSES
 * verdict: complete
 * label: sent
 * label: refused
 *
 * run: -DCLOSES --por none
 * verdict: complete
 * label: sent
 * label: refused */
#include <arpa/inet.h>
#include <heddle.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sockaddr_in place(const char *ip) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(5000)};
    inet_pton(AF_INET, ip, &a.sin_addr);
    return a;
}

static int at(const char *ip, int type) {
    struct sockaddr_in a = place(ip);
    int s = socket(AF_INET, type, 0);
    if (bind(s, (struct sockaddr *)&a, sizeof a) != 0)
        _exit(1);
    return s;
}

static void say(const char *ip, char c) {
    struct sockaddr_in a = place(ip);
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    sendto(s, &c, 1, 0, (struct sockaddr *)&a, sizeof a);
}

static char hear(int s) {
    char c;
    return recv(s, &c, 1, MSG_DONTWAIT) == 1 ? c : '-';
}

int main(void) {
#if defined BINDS /* what is sent before that is lost */
    int a = at("127.0.0.1", SOCK_DGRAM), done[2];
    char c;
    if (pipe(done) != 0)
        return 1;
    if (fork() == 0) {
        say("127.0.0.2", 'b');
        write(done[1], "x", 1);
        _exit(0);
    }
    int b = at("127.0.0.2", SOCK_DGRAM);
    read(done[0], &c, 1);
    heddle_assert(hear(a) == '-');
    heddle_reach(hear(b) == 'b' ? "heard" : "missed");
#elif defined CLOSES
    int a = at("127.0.0.1", SOCK_STREAM), b = at("127.0.0.2", SOCK_STREAM);
    if (listen(a, 1) != 0 || listen(b, 1) != 0)
        return 1;
    if (fork() == 0) {
        struct sockaddr_in to = place("127.0.0.2");
        int s = socket(AF_INET, SOCK_STREAM, 0);
        close(a);
        close(b);
        heddle_reach(connect(s, (struct sockaddr *)&to, sizeof to) == 0 ? "sent" : "refused");
        _exit(0);
    }
    close(b);
#else
    int a = at("127.0.0.1", SOCK_DGRAM), b = at("127.0.0.2", SOCK_DGRAM);
    if (fork() == 0) {
        say("127.0.0.1", 'a');
        say("127.0.0.2", 'b');
        _exit(0);
    }
    char first = hear(a), second = hear(b);
    char text[4] = {first, second, hear(b), '\0'};
    heddle_reach(text);
#endif
    wait(NULL);
    return 0;
}
