/* Names, addresses as text, eventfd, and descriptors that are passed along.
 *
 * run:
 * verdict: complete
 * paths: 1 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static void addresses(void) {
    struct in_addr a;
    struct in6_addr b;
    char text[INET6_ADDRSTRLEN];
    assert(inet_pton(AF_INET, "10.1.2.3", &a) == 1 && a.s_addr == htonl(0x0a010203));
    assert(inet_pton(AF_INET, "10.1.2", &a) == 0);
    assert(inet_pton(AF_INET6, "fe80::1", &b) == 1 && b.s6_addr[0] == 0xfe && b.s6_addr[15] == 1);
    assert(inet_pton(99, "1", &a) == -1 && errno == EAFNOSUPPORT);
    assert(inet_ntop(AF_INET, &a, text, sizeof text) == text && strcmp(text, "10.1.2.3") == 0);
    assert(!inet_ntop(AF_INET, &a, text, 5) && errno == ENOSPC);
    assert(inet_aton("1.2.3.4", &a) == 1 && strcmp(inet_ntoa(a), "1.2.3.4") == 0);
    assert(inet_addr("255.0.0.1") == htonl(0xff000001) && inet_addr("nonsense") == INADDR_NONE);
}

static void names(void) {
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *list;
    char host[64], service[16];
    assert(getaddrinfo("127.0.0.1", "8080", &hints, &list) == 0);
    assert(list && !list->ai_next && list->ai_family == AF_INET && list->ai_protocol == IPPROTO_TCP);
    const struct sockaddr_in *in = (const struct sockaddr_in *)list->ai_addr;
    assert(ntohs(in->sin_port) == 8080 && in->sin_addr.s_addr == htonl(INADDR_LOOPBACK));
    assert(getnameinfo(list->ai_addr, list->ai_addrlen, host, sizeof host, service, sizeof service,
                       NI_NUMERICHOST | NI_NUMERICSERV) == 0);
    assert(strcmp(host, "127.0.0.1") == 0 && strcmp(service, "8080") == 0);
    freeaddrinfo(list);
    assert(getaddrinfo("localhost", "80", &hints, &list) == 0);
    in = (const struct sockaddr_in *)list->ai_addr;
    assert(in->sin_addr.s_addr == htonl(INADDR_LOOPBACK));
    freeaddrinfo(list);
    hints.ai_flags = AI_PASSIVE;
    assert(getaddrinfo(NULL, "9000", &hints, &list) == 0);
    in = (const struct sockaddr_in *)list->ai_addr;
    assert(in->sin_addr.s_addr == htonl(INADDR_ANY) && ntohs(in->sin_port) == 9000);
    freeaddrinfo(list);
    hints.ai_flags = AI_NUMERICHOST;
    assert(getaddrinfo("localhost", "80", &hints, &list) == EAI_NONAME);
    assert(strlen(gai_strerror(EAI_NONAME)) > 0);
    assert(gethostname(host, sizeof host) == 0);
}

static void events(void) {
    int e = eventfd(2, EFD_NONBLOCK), s = eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK);
    uint64_t value = 3;
    assert(write(e, &value, sizeof value) == sizeof value);
    assert(read(e, &value, sizeof value) == sizeof value && value == 5);
    assert(read(e, &value, sizeof value) == -1 && errno == EAGAIN);
    assert(read(e, &value, 4) == -1 && errno == EINVAL);
    assert(eventfd_write(s, 2) == 0);
    assert(eventfd_read(s, &value) == 0 && value == 1 && eventfd_read(s, &value) == 0 && value == 1);
    assert(eventfd_read(s, &value) == -1 && errno == EAGAIN);
    value = UINT64_MAX;
    assert(write(e, &value, sizeof value) == -1 && errno == EINVAL);
    value = UINT64_MAX - 1;
    assert(write(e, &value, sizeof value) == sizeof value);
    value = 1;
    assert(write(e, &value, sizeof value) == -1 && errno == EAGAIN);
    close(e);
    close(s);
}

static void rights(void) {
    int ends[2], p[2], got;
    char c = 'r', space[CMSG_SPACE(sizeof(int))];
    struct iovec piece = {&c, 1};
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 && pipe(p) == 0);
    memset(space, 0, sizeof space);
    struct msghdr m = {.msg_iov = &piece,
                       .msg_iovlen = 1,
                       .msg_control = space,
                       .msg_controllen = sizeof space};
    struct cmsghdr *h = CMSG_FIRSTHDR(&m);
    h->cmsg_level = SOL_SOCKET;
    h->cmsg_type = SCM_RIGHTS;
    h->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(h), &p[1], sizeof(int));
    assert(sendmsg(ends[0], &m, 0) == 1);
    close(p[1]);
    memset(space, 0, sizeof space);
    m.msg_controllen = sizeof space;
    assert(recvmsg(ends[1], &m, 0) == 1);
    h = CMSG_FIRSTHDR(&m);
    assert(h && h->cmsg_type == SCM_RIGHTS && h->cmsg_len == CMSG_LEN(sizeof(int)));
    memcpy(&got, CMSG_DATA(h), sizeof got);
    assert(write(got, "q", 1) == 1 && read(p[0], &c, 1) == 1 && c == 'q');
    close(got);
    assert(read(p[0], &c, 1) == 0);
}

int main(void) {
    addresses();
    names();
    events();
    rights();
    return 0;
}
