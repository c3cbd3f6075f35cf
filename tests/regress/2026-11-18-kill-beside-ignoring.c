/* A thread kills a child while another one begins to ignore SIGCHLD: the child may be there still,
 * be left to be waited for, or be gone.  One of the orders was left out.
 *
 * run:
 * verdict: incomplete
 * reason: a process that is killed is gone before kill() returns
 * label: runs 1
 * label: left 1
 * label: gone 1 */
#include <heddle.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int child, d[2];

static void *end_it(void *unused) {
    kill(child, SIGKILL);
    return unused;
}

int main(void) {
    char c;
    pthread_t t;
    pipe(d);
    child = fork();
    if (child == 0)
        _exit(read(d[0], &c, 1) > 0);
    pthread_create(&t, NULL, end_it, NULL);
    signal(SIGCHLD, SIG_IGN);
    int answer = waitpid(child, NULL, WNOHANG);
    heddle_reach(answer < 0 ? "gone" : answer ? "left" : "runs");
    pthread_join(t, NULL);
    return 0;
}
