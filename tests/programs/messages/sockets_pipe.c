/* A pipe between a parent and a child: whole messages, end of file, and what nobody reads.
 *
 * run: -DWHOLE
 * verdict: complete
 * paths: 1
 *
 * run: -DFORGOTTEN
 * verdict: complete
 * finding: deadlock
 *
 * run: -DBROKEN
 * verdict: complete
 * finding: signal
 *
 * run: -DIGNORED
 * verdict: complete */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void child(int out) {
    assert(write(out, "hello", 6) == 6);
    close(out);
    _exit(7);
}

int main(void) {
    int ends[2], status;
    char text[16];
    assert(pipe(ends) == 0);
    assert(ends[0] == 3 && ends[1] == 4);
#if defined BROKEN || defined IGNORED
#ifdef IGNORED
    signal(SIGPIPE, SIG_IGN);
#endif
    close(ends[0]);
    ssize_t n = write(ends[1], "x", 1); // BUG signal
    assert(n == -1 && errno == EPIPE);
    return 0;
#endif
    pid_t pid = fork();
    assert(pid >= 0);
    if (pid == 0) {
        close(ends[0]);
        child(ends[1]);
    }
#ifndef FORGOTTEN
    close(ends[1]);
#endif
    assert(read(ends[0], text, sizeof text) == 6);
    assert(strcmp(text, "hello") == 0);
    assert(read(ends[0], text, sizeof text) == 0); // BUG deadlock
    assert(waitpid(pid, &status, 0) == pid);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    assert(close(ends[0]) == 0);
    assert(close(ends[0]) == -1 && errno == EBADF);
    return 0;
}
