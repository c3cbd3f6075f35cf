/* O_NONBLOCK belongs to a file, not to a process.  Whether it is set before or after another process
 * reads is not explored, and was not said.
 *
 * run:
 * verdict: incomplete
 * reason: O_NONBLOCK
 *
 * run: -DALONE
 * verdict: complete */
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    char c;
    if (pipe(ends) != 0)
        return 1;
    if (fork() == 0) {
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        (void)!read(ends[0], &c, 1);
        _exit(0);
    }
    (void)!write(ends[1], "x", 1);
#ifndef ALONE
    close(ends[1]);
    (void)!read(ends[0], &c, 1);
#endif
    return 0;
}
