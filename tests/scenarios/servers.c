/* A server of streams in four ways, and its clients, for tests/systems.sh:
 *
 *     servers one N        one client after the other, N of them
 *     servers threads N    a thread for each
 *     servers forks N      a process for each
 *     servers polls N      epoll
 *     servers client       ask node 1 twice about an input: is it more than 100? */
#include <arpa/inet.h>
#include <heddle.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sockaddr_in address = {.sin_family = AF_INET};

static int answer(int client) {
    unsigned char x;
    if (recv(client, &x, 1, 0) != 1)
        return 0;
    if (x > 100)
        x = 1;
    else
        x = 0;
    return send(client, &x, 1, MSG_NOSIGNAL) == 1;
}

static void serve(int client) {
    while (answer(client))
        ;
    close(client);
}

static void *serve_in_thread(void *client) {
    serve((int)(long)client);
    return NULL;
}

static void begin_thread(int client) {
    pthread_t thread;
    pthread_create(&thread, NULL, serve_in_thread, (void *)(long)client);
    pthread_detach(thread);
}

static void begin_process(int listener, int client) {
    if (fork() == 0) {
        close(listener);
        serve(client);
        _exit(0);
    }
    close(client);
}

static void watch(int list, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    epoll_ctl(list, EPOLL_CTL_ADD, fd, &event);
}

static void poll_for(int listener, int n) {
    struct epoll_event event;
    int list = epoll_create1(0);
    watch(list, listener);
    while (n > 0 && epoll_wait(list, &event, 1, -1) == 1)
        if (event.data.fd == listener)
            watch(list, accept(listener, NULL, NULL));
        else if (!answer(event.data.fd)) {
            close(event.data.fd);
            n--;
        }
}

static int be_client(int fd) {
    unsigned char x, y = 0;
    heddle_input(x);
    address.sin_addr.s_addr = htonl(0x0a000001);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        heddle_reach("a: 0");
        return 1;
    }
    for (int i = 0; i < 2; i++, x++)
        if (send(fd, &x, 1, MSG_NOSIGNAL) != 1 || recv(fd, &y, 1, 0) != 1) {
            heddle_reach("a: 1");
            return 2;
        }
    if (y)
        heddle_reach("a: 2");
    else
        heddle_reach("a: 3");
    return 0;
}

static void accept_all(int listener, const char *how, int n) {
    for (int i = 0; i < n; i++) {
        int client = accept(listener, NULL, NULL);
        if (strcmp(how, "threads") == 0)
            begin_thread(client);
        else if (strcmp(how, "forks") == 0)
            begin_process(listener, client);
        else
            serve(client);
    }
}

int main(int argc, char **argv) {
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    address.sin_port = htons(9000);
    if (argc < 3)
        return be_client(fd);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    bind(fd, (struct sockaddr *)&address, sizeof address);
    listen(fd, 5);
    if (strcmp(argv[1], "polls") == 0)
        poll_for(fd, atoi(argv[2]));
    else
        accept_all(fd, argv[1], atoi(argv[2]));
    while (strcmp(argv[1], "forks") == 0 && wait(NULL) > 0)
        ;
    if (strcmp(argv[1], "threads") == 0)
        pthread_exit(NULL);
    return 0;
}
