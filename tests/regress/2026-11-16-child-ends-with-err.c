/* err() and error() were run as code without source, and ended all processes of the program where
 * they should have ended one; the run counted as complete.
 *
 * run:
 * verdict: complete
 * finding: assertion
 *
 * run: -DERROR
 * verdict: complete
 * finding: assertion */
#include <assert.h>
#include <err.h>
#include <errno.h>
#include <error.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int status = 0;
    if (fork() == 0) {
        errno = ENOENT;
        warn("number %d", 1);
#ifdef ERROR
        error(0, ENOENT, "goes on");
        error(3, 0, "ends");
#else
        err(3, "ends");
#endif
    }
    wait(&status);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    assert(0); // BUG assertion
}
