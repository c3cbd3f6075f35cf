/* A record that is sent in two pieces over TCP, a header and a body, as libraries do.
 *
 * -DBUG: the receiver reads once and takes what came for the whole record.
 *
 * run: -- 21130
 * verdict: complete
 *
 * run: -DBUG -- 21130
 * verdict: complete
 * finding: assertion */
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

enum { HEADER = 4, BODY = 8 };

static size_t read_record(int fd, char record[HEADER + BODY]) {
    size_t have = 0;
#ifdef BUG
    ssize_t n = read(fd, record, HEADER + BODY);
    assert(n >= 0);
    have = (size_t)n;
#else
    ssize_t n;
    while (have < HEADER + BODY && (n = read(fd, record + have, HEADER + BODY - have)) > 0)
        have += (size_t)n;
#endif
    return have;
}

static void write_record(int fd) {
    ssize_t n = write(fd, "size", HEADER);
    assert(n == HEADER);
    n = write(fd, "contents", BODY);
    assert(n == BODY);
    shutdown(fd, SHUT_WR);
    char rest;
    n = read(fd, &rest, 1); /* until the other has read everything and closes */
    assert(n <= 0);
    close(fd);
}

int main(int argc, char **argv) {
    struct sockaddr_in a = {.sin_family = AF_INET};
    int yes = 1, status, listener = socket(AF_INET, SOCK_STREAM, 0);
    a.sin_port = htons((uint16_t)(argc > 1 ? atoi(argv[1]) : 21130));
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener, (struct sockaddr *)&a, sizeof a) != 0 || listen(listener, 1) != 0) {
        perror("listen");
        return 1;
    }
    pid_t pid = fork();
    assert(pid >= 0);
    if (pid == 0) {
        close(listener);
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        status = connect(fd, (struct sockaddr *)&a, sizeof a);
        assert(status == 0);
        write_record(fd);
        exit(0);
    }
    char record[HEADER + BODY];
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    size_t n = read_record(fd, record);
    assert(n == HEADER + BODY && memcmp(record, "sizecontents", n) == 0); // BUG assertion
    close(fd);
    close(listener);
    waitpid(pid, &status, 0);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 0;
}
