/* early NUMBER: the second of two nodes connects to the first, which may not listen yet.  What came of it becomes a label (tests/nodes.sh). */
#include <arpa/inet.h>
#include <heddle.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>

int main(int argc, char **argv) {
    int me = argc > 1 ? atoi(argv[1]) : 0, s = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(7000)};
    struct timeval limit = {.tv_sec = 10};
    if (me == 0) {
        bind(s, (struct sockaddr *)&at, sizeof at);
        listen(s, 1);
        setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        accept(s, NULL, NULL);
        return 0;
    }
    at.sin_addr.s_addr = inet_addr("10.0.0.1");
    heddle_reach(connect(s, (struct sockaddr *)&at, sizeof at) == 0 ? "in time" : "too early");
    return 0;
}
