/* A producer and a consumer over a socketpair with flow control: the producer sends an item for
 * each credit, the consumer gives a credit back for each item.
 *
 * -DBUG: nobody gives the first credit: both wait to read.
 *
 * run:
 * verdict: complete
 *
 * run: -DBUG
 * verdict: complete
 * finding: deadlock */
#include <assert.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 4, WINDOW = 2 };

static void produce(int fd) {
    char credit;
    for (char item = 'a'; item < 'a' + ITEMS; item++) {
        ssize_t n = read(fd, &credit, 1);
        assert(n == 1);
        n = write(fd, &item, 1);
        assert(n == 1);
    }
    shutdown(fd, SHUT_WR);
    while (read(fd, &credit, 1) == 1) { /* credits that were not needed */
    }
    close(fd);
}

static void consume(int fd) {
    char item, expected = 'a';
    ssize_t n;
#ifndef BUG
    n = write(fd, "++", WINDOW);
    assert(n == WINDOW);
#endif
    while (read(fd, &item, 1) == 1) {
        assert(item == expected);
        expected++;
        n = write(fd, "+", 1);
        assert(n == 1);
    }
    assert(expected == 'a' + ITEMS);
    close(fd);
}

int main(void) {
    int ends[2], status;
    status = socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    assert(status == 0);
    pid_t pid = fork();
    assert(pid >= 0);
    if (pid == 0) {
        close(ends[0]);
        produce(ends[1]);
        exit(0);
    }
    close(ends[1]);
    consume(ends[0]);
    waitpid(pid, &status, 0);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 0;
}
