/* A message that comes when its receiver has ended, and data that a process leaves unread: warnings,
 * and findings if that is asked for.
 *
 * run:
 * verdict: complete
 * paths: 2
 *
 * run: --fail-on-orphans
 * verdict: complete
 * finding: orphan
 *
 * run: -DUNREAD
 * verdict: complete
 *
 * run: -DUNREAD --fail-on-orphans
 * verdict: complete
 * finding: orphan
 *
 * run: -DUNREAD -DCLOSED
 * verdict: complete
 *
 * run: -DUNREAD -DCLOSED --fail-on-orphans
 * verdict: complete
 * finding: orphan */
#include <heddle.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef UNREAD
int main(void) {
    int ends[2], status;
    if (pipe(ends) != 0)
        return 1;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        return write(ends[1], "hello", 5) != 5;
    }
    close(ends[1]);
#ifdef CLOSED
    waitpid(child, &status, 0);
    close(ends[0]); // BUG orphan
#else
    waitpid(child, &status, 0); // BUG orphan
#endif
    return 0;
}
#else
static void take_one(void *unused) {
    int n;
    (void)unused;
    heddle_receive(&n, sizeof n);
}

int main(void) {
    heddle_actor taker = heddle_spawn(take_one, 0, 0);
    int n = 1;
    heddle_send(taker, &n, sizeof n); // BUG orphan
    heddle_send(taker, &n, sizeof n); // BUG orphan
}
#endif
