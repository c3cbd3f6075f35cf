/* Clients that start before the server does: refused, they try again later; the server's workers
 * share its listener.
 *
 * run:
 * verdict: incomplete
 * reason: time limits pass only when nothing else can happen
 *
 * run: -DNO_RETRY
 * verdict: incomplete
 * reason: time limits pass only when nothing else can happen
 * finding: assertion */
#include <assert.h>
#include <errno.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef NO_RETRY
#define TRIES 1
#else
#define TRIES 3
#endif
static struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/tmp/heddle-retry.socket"};

static int try_to_connect(void) {
    for (int i = 0; i < TRIES; i++) {
        int s = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(s, (struct sockaddr *)&address, sizeof address) == 0)
            return s;
        assert(errno == ENOENT || errno == ECONNREFUSED);
        close(s);
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    return -1;
}

static void client(char number) {
    int s = try_to_connect();
    fd_set set;
    char c = number;
    if (s < 0)
        _exit(1);
    assert(send(s, &c, 1, 0) == 1);
    FD_ZERO(&set);
    FD_SET(s, &set);
    if (select(s + 1, &set, NULL, NULL, &(struct timeval){1, 0}) == 0)
        _exit(2);
    assert(recv(s, &c, 1, 0) == 1 && c == number + 1);
    _exit(0);
}

static void worker(int listener) {
    char c;
    int s = accept(listener, NULL, NULL);
    if (s >= 0 && recv(s, &c, 1, 0) == 1) {
        c++;
        send(s, &c, 1, MSG_NOSIGNAL);
    }
    _exit(0);
}

int main(void) {
    pid_t clients[2];
    int status;
    unlink(address.sun_path);
    for (int i = 0; i < 2; i++)
        if ((clients[i] = fork()) == 0)
            client((char)(10 * i));
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
    assert(listen(listener, 8) == 0);
    for (int i = 0; i < 2; i++)
        if (fork() == 0)
            worker(listener);
    close(listener);
    for (int i = 0; i < 2; i++) {
        assert(waitpid(clients[i], &status, 0) == clients[i]);
        assert(WIFEXITED(status) && WEXITSTATUS(status) == 0); // BUG assertion
    }
    unlink(address.sun_path);
    return 0;
}
