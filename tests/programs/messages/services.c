/* Services that have names, and the ports that they are at.
 *
 * run:
 * verdict: complete
 * paths: 1
 * label: done 1 */
#include <arpa/inet.h>
#include <assert.h>
#include <heddle.h>
#include <netdb.h>

static int port_of(const char *service, int flags) {
    struct addrinfo hints = {.ai_flags = flags, .ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *all;
    int error = getaddrinfo("127.0.0.1", service, &hints, &all);
    if (error)
        return error;
    int port = ntohs(((struct sockaddr_in *)all->ai_addr)->sin_port);
    freeaddrinfo(all);
    return port;
}

int main(void) {
    assert(port_of("http", 0) == 80);
    assert(port_of("https", 0) == 443);
    assert(port_of("ftp", 0) == 21);
    assert(port_of("ssh", 0) == 22);
    assert(port_of("domain", 0) == 53);
    assert(port_of("none", 0) == EAI_SERVICE);
    assert(port_of("http", AI_NUMERICSERV) == EAI_NONAME);
    assert(port_of("65535", AI_NUMERICSERV) == 65535);
    assert(port_of("65536", 0) == 0); /* as in glibc */
    assert(port_of("70000", AI_NUMERICSERV) == 70000 - 65536);
    assert(port_of("", 0) == 0);
    heddle_reach("done");
    return 0;
}
