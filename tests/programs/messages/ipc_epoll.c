/* An echo server with epoll, edge-triggered: one client sends two words and waits for both.
 *
 * -DBUG: the server reads once for each event, though an edge-triggered event comes only when
 * something new arrives: if both words are there at the first event, the second is never read.
 *
 * run:
 * verdict: complete
 *
 * run: -DBUG
 * verdict: complete
 * finding: deadlock */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORD = 4 };

/* False at the end of the stream. */
static int echo(int fd) {
    for (;;) {
        char word[WORD];
        ssize_t n = read(fd, word, sizeof word);
        if (n == 0)
            return 0;
        if (n < 0) {
            assert(errno == EAGAIN);
            return 1;
        }
        ssize_t written = write(fd, word, (size_t)n);
        assert(written == n);
#ifdef BUG
        return 1;
#endif
    }
}

static void serve(int fd) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data.fd = fd};
    int epoll = epoll_create1(0);
    int status = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    assert(epoll >= 0 && status == 0);
    status = epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    assert(status == 0);
    do {
        int n = epoll_wait(epoll, &event, 1, -1);
        assert(n == 1 && event.data.fd == fd);
    } while (echo(fd));
    close(fd);
    close(epoll);
}

static void ask(int fd) {
    char answer[2 * WORD];
    size_t have = 0;
    for (int i = 0; i < 2; i++) {
        ssize_t n = write(fd, i == 0 ? "ping" : "pong", WORD);
        assert(n == WORD);
    }
    while (have < sizeof answer) {
        ssize_t n = read(fd, answer + have, sizeof answer - have);
        assert(n > 0);
        have += (size_t)n;
    }
    assert(memcmp(answer, "pingpong", have) == 0);
    close(fd);
}

int main(void) {
    int ends[2], status = socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    assert(status == 0);
    pid_t pid = fork();
    assert(pid >= 0);
    if (pid == 0) {
        close(ends[0]);
        ask(ends[1]);
        exit(0);
    }
    close(ends[1]);
    serve(ends[0]);
    waitpid(pid, &status, 0);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 0;
}
