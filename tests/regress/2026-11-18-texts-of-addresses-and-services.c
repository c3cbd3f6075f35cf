/* Addresses that become texts and names of services that become ports are followed: each was "complete" after one path.
 *
 * run:
 * verdict: complete
 * label: ten-dot-one
 * label: port-80
 * no-label: port-0-of-a-name */
#include <arpa/inet.h>
#include <heddle.h>
#include <netdb.h>
#include <string.h>

static void print_address(void) {
    struct in_addr a;
    char text[INET_ADDRSTRLEN];
    heddle_input(a);
    if (strcmp(inet_ntop(AF_INET, &a, text, sizeof text), "10.0.0.1") == 0)
        heddle_reach("ten-dot-one");
}

static void find_service(void) {
    char name[2] = {0};
    struct addrinfo *found, numbers = {.ai_flags = AI_NUMERICSERV};
    heddle_bytes(name, 1, "name");
    char whole[] = {name[0], '0', 0};
    if (getaddrinfo("127.0.0.1", whole, &numbers, &found) != 0)
        return;
    unsigned port = ntohs(((struct sockaddr_in *)found->ai_addr)->sin_port);
    if (port == 80)
        heddle_reach("port-80");
    if (port == 0 && name[0] >= 'a')
        heddle_reach("port-0-of-a-name");
    freeaddrinfo(found);
}

int main(void) {
    if (heddle_choose(0, 1))
        print_address();
    else
        find_service();
    return 0;
}
