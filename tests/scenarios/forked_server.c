/* A server that forks: its child answers what comes, the other waits for it.  When the node dies,
 * both do; when it starts again, there are two again (tests/faults.sh).  Run as forked_server, and
 * as forked_server client. */
#include <arpa/inet.h>
#include <heddle.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sockaddr_in server = {.sin_family = AF_INET};

static int open_socket(int is_server) {
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    server.sin_port = htons(700);
    if (is_server && bind(s, (struct sockaddr *)&server, sizeof server))
        heddle_reach("the port is taken");
    return s;
}

static void serve(int s) {
    struct sockaddr_in from;
    socklen_t n = sizeof from;
    char byte;
    for (;;)
        if (recvfrom(s, &byte, 1, 0, (struct sockaddr *)&from, &n) == 1)
            sendto(s, &byte, 1, 0, (struct sockaddr *)&from, n);
}

static void ask(int s) {
    char byte = 0, label[32];
    int n_answers = 0;
    struct pollfd p = {s, POLLIN, 0};
    memcpy(&server.sin_addr, gethostbyname("server")->h_addr_list[0], 4);
    for (int i = 0; i < 3; i++) {
        sendto(s, &byte, 1, 0, (struct sockaddr *)&server, sizeof server);
        if (poll(&p, 1, 100) == 1)
            n_answers += recv(s, &byte, 1, 0) == 1;
    }
    snprintf(label, sizeof label, "answers: %d", n_answers);
    heddle_reach(label);
}

int main(int argc, char **argv) {
    (void)argv;
    int s = open_socket(argc == 1);
    if (argc > 1)
        ask(s);
    else if (fork() == 0)
        serve(s);
    else if (wait(NULL) > 0)
        heddle_reach("its child died alone");
    return 0;
}
