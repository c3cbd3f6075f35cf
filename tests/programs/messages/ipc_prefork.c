/* Workers that were forked before and accept from one listener; each serves one connection.  Which
 * worker gets which client is open.
 *
 * -DBUG: worker i is sure that its client is number i.
 *
 * run: -- 21120
 * verdict: complete
 *
 * run: -DBUG -- 21120
 * verdict: complete
 * finding: assertion */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 2 };
static struct sockaddr_in address;

static void work(int listener, char worker) {
    char client;
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    close(listener);
    ssize_t n = read(fd, &client, 1);
    assert(n == 1 && client >= 0 && client < WORKERS);
#ifdef BUG
    assert(client == worker); // BUG assertion
#endif
    n = write(fd, &worker, 1);
    assert(n == 1);
    close(fd);
    exit(0);
}

/* The worker that served client `number`. */
static int ask(char number) {
    char worker;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    int status = connect(fd, (struct sockaddr *)&address, sizeof address);
    assert(status == 0);
    ssize_t n = write(fd, &number, 1);
    assert(n == 1);
    n = read(fd, &worker, 1);
    assert(n == 1);
    close(fd);
    return worker;
}

int main(int argc, char **argv) {
    int yes = 1, status, listener = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)(argc > 1 ? atoi(argv[1]) : 21120));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listener, WORKERS) != 0) {
        perror("listen");
        return 1;
    }
    for (char i = 0; i < WORKERS; i++)
        if (fork() == 0)
            work(listener, i);
    close(listener);
    int first = ask(0), second = ask(1);
    assert(first + second == 1); /* each served one */
    for (int i = 0; i < WORKERS; i++) {
        wait(&status);
        assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    return 0;
}
