/* A worker answers until SIGTERM tells it to stop.
 *
 * -DBUG: it looks at a flag and then reads; a signal between the two is not noticed, and both wait.
 * Otherwise the handler also writes to a pipe, which is polled together with the requests.
 *
 * run:
 * verdict: complete
 *
 * run: -DBUG
 * verdict: complete
 * finding: deadlock */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t must_stop;
static int wake[2];

static void stop(int signal) {
    int saved = errno;
    (void)signal;
    must_stop = 1;
    if (write(wake[1], "", 1) != 1)
        _exit(1);
    errno = saved;
}

static int wait_for_request(int from) {
#ifndef BUG
    struct pollfd both[] = {{from, POLLIN, 0}, {wake[0], POLLIN, 0}};
    while (poll(both, 2, -1) < 0)
        assert(errno == EINTR);
    return !(both[1].revents & POLLIN);
#else
    (void)from;
    return 1;
#endif
}

static void work(int with) {
    struct sigaction action = {.sa_handler = stop};
    char c;
    sigaction(SIGTERM, &action, NULL);
    if (write(with, "r", 1) != 1)
        exit(1);
    while (!must_stop && wait_for_request(with)) {
        ssize_t n = read(with, &c, 1);
        if (n < 0) {
            assert(errno == EINTR);
            continue;
        }
        c++;
        if (n == 0 || write(with, &c, 1) != 1)
            exit(1);
    }
    exit(0);
}

int main(void) {
    int ends[2], status;
    char c = 0;
    if (pipe(wake) || socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return 1;
    int child = fork();
    if (child == 0)
        work(ends[1]);
    assert(read(ends[0], &c, 1) == 1 && c == 'r'); /* it has its handler */
    assert(write(ends[0], "a", 1) == 1 && read(ends[0], &c, 1) == 1 && c == 'b');
    assert(kill(child, SIGTERM) == 0);
    assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 0;
}
