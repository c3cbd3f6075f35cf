/* A child that ended before its parent began to ignore SIGCHLD is still there to be waited for, as
 * on Linux; it was said to be gone.
 *
 * run:
 * verdict: complete
 * label: left 1
 * label: runs 1
 * label: gone 1 */
#include <assert.h>
#include <heddle.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int d[2], status = 0;
    char c;
    pipe(d);
    int child = fork();
    if (child == 0)
        _exit(7);
    close(d[1]);
    read(d[0], &c, 1); /* until it has closed its end, and will end or has ended */
    signal(SIGCHLD, SIG_IGN);
    int answer = waitpid(child, &status, WNOHANG);
    assert(answer <= 0 || WEXITSTATUS(status) == 7);
    heddle_reach(answer < 0 ? "gone" : answer ? "left" : "runs");
    return 0;
}
