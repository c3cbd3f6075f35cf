/* An echo server that forks a process for each client; a client sends a word, closes its side, and
 * reads what comes back to the end.
 *
 * -DBUG: the server keeps its own descriptor of each connection open, so that the end of the stream
 * never reaches the client.
 *
 * run: -DCLIENTS=1 -- 21100
 * verdict: complete
 *
 * run: -DCLIENTS=2 -- 21100
 * verdict: complete
 *
 * run: -DCLIENTS=1 -DBUG -- 21100
 * verdict: complete
 * finding: deadlock */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifndef CLIENTS
#define CLIENTS 2
#endif

static struct sockaddr_in address;

static void echo(int fd) {
    char buffer[16];
    ssize_t n;
    while ((n = read(fd, buffer, sizeof buffer)) > 0)
        if (write(fd, buffer, (size_t)n) != n)
            exit(1);
    exit(n == 0 ? 0 : 1);
}

static void serve(int listener) {
    for (int i = 0; i < CLIENTS; i++) {
        int fd = accept(listener, NULL, NULL);
        assert(fd >= 0);
        pid_t pid = fork();
        assert(pid >= 0);
        if (pid == 0) {
            close(listener);
            echo(fd);
        }
#ifndef BUG
        close(fd);
#endif
    }
    close(listener);
}

static void ask(const char *word) {
    char answer[16];
    size_t have = 0;
    ssize_t n;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    int status = connect(fd, (struct sockaddr *)&address, sizeof address);
    assert(status == 0);
    n = write(fd, word, strlen(word));
    assert(n == (ssize_t)strlen(word));
    shutdown(fd, SHUT_WR);
    while ((n = read(fd, answer + have, sizeof answer - have)) > 0)
        have += (size_t)n;
    assert(n == 0 && have == strlen(word) && memcmp(answer, word, have) == 0);
    close(fd);
}

int main(int argc, char **argv) {
    static const char *const words[] = {"tea", "milk", "sugar"};
    int yes = 1, status, listener = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)(argc > 1 ? atoi(argv[1]) : 21100));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listener, CLIENTS) != 0) {
        perror("listen");
        return 1;
    }
    for (int i = 0; i < CLIENTS; i++) {
        pid_t pid = fork();
        assert(pid >= 0);
        if (pid == 0) {
            close(listener);
            ask(words[i]);
            exit(0);
        }
    }
    serve(listener);
    for (int i = 0; i < 2 * CLIENTS; i++) {
        wait(&status);
        assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    return 0;
}
