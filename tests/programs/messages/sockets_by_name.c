/* A server with a thread for each connection, and clients that find it by name, whatever the
 * address family: as textbooks write it.
 *
 * run:
 * verdict: complete
 *
 * run: -DRACE
 * verdict: complete
 * finding: data-race
 * finding: assertion */
#define _GNU_SOURCE
#include <assert.h>
#include <netdb.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PORT    "23490"
#define CLIENTS 2

static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void count(int n) {
#ifdef RACE
    int before = total; // BUG data-race
    total = before + n; // BUG data-race
    (void)lock;
#else
    pthread_mutex_lock(&lock);
    total += n;
    pthread_mutex_unlock(&lock);
#endif
}

static void *serve(void *argument) {
    int fd = (int)(long)argument;
    char bytes[100];
    ssize_t n;
    while ((n = recv(fd, bytes, sizeof bytes, 0)) > 0) {
        count((int)n);
        for (ssize_t sent = 0, k; sent < n; sent += k)
            if ((k = send(fd, bytes + sent, (size_t)(n - sent), MSG_NOSIGNAL)) < 0)
                break;
    }
    close(fd);
    return NULL;
}

static int open_server(void) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *list, *a;
    int fd = -1, yes = 1;
    assert(getaddrinfo(NULL, PORT, &hints, &list) == 0);
    for (a = list; a; a = a->ai_next) {
        fd = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
        if (fd < 0)
            continue;
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        if (bind(fd, a->ai_addr, a->ai_addrlen) == 0)
            break;
        close(fd);
    }
    freeaddrinfo(list);
    assert(a && listen(fd, 10) == 0);
    return fd;
}

static void client(int number) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list, *a;
    int fd = -1, got = 0;
    assert(getaddrinfo("localhost", PORT, &hints, &list) == 0);
    for (a = list; a; a = a->ai_next) {
        fd = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
        if (connect(fd, a->ai_addr, a->ai_addrlen) == 0)
            break;
        close(fd);
    }
    freeaddrinfo(list);
    assert(a);
    char sent[2] = {'a', (char)('0' + number)}, answer[2];
    assert(send(fd, sent, sizeof sent, 0) == sizeof sent);
    for (ssize_t n; got < 2; got += (int)n) {
        n = recv(fd, answer + got, (size_t)(2 - got), 0);
        assert(n > 0);
    }
    assert(memcmp(sent, answer, sizeof sent) == 0);
    close(fd);
    _exit(0);
}

int main(void) {
    int listener = open_server(), status;
    pthread_t threads[CLIENTS];
    for (int i = 0; i < CLIENTS; i++)
        if (fork() == 0) {
            close(listener);
            client(i);
        }
    for (int i = 0; i < CLIENTS; i++) {
        struct sockaddr_storage from;
        socklen_t n = sizeof from;
        int fd = accept(listener, (struct sockaddr *)&from, &n);
        assert(fd >= 0);
        assert(pthread_create(&threads[i], NULL, serve, (void *)(long)fd) == 0);
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < CLIENTS; i++) {
        wait(&status);
        assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    assert(total == 2 * CLIENTS); // BUG assertion
    close(listener);
    return 0;
}
