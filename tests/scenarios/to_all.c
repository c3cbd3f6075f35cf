/* Who is bound to the address of all hears what is sent there, and who is bound to its own address
 * does not: as Linux has it. */
#include <arpa/inet.h>
#include <assert.h>
#include <heddle.h>
#include <string.h>
#include <sys/socket.h>

int main(int argc, char **argv) {
    int s = socket(AF_INET, SOCK_DGRAM, 0), yes = 1;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(7000)};
    struct timeval limit = {1, 0};
    char byte = 1;
    (void)argc;
    inet_aton(argv[1], &at.sin_addr);
    assert(bind(s, (struct sockaddr *)&at, sizeof at) == 0);
    if (strcmp(argv[2], "tell") == 0) {
        inet_aton("10.255.255.255", &at.sin_addr);
        setsockopt(s, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes);
        assert(sendto(s, &byte, 1, 0, (struct sockaddr *)&at, sizeof at) == 1);
        return 0;
    }
    setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    heddle_reach(recv(s, &byte, 1, 0) == 1 ? argv[2] : "nothing");
    return 0;
}
