/* Two processes read from one pipe: one gets the byte, the other the end of the file.  The one that
 * got the end was not turned round with the other, so that only one of the two orders was run, and
 * the run called complete.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: first
 * label: second
 *
 * run: --por dpor
 * verdict: complete
 * label: first
 * label: second
 *
 * run: --por flip
 * verdict: complete
 * label: first
 * label: second
 *
 * run: --por message
 * verdict: complete
 * label: first
 * label: second
 *
 * run: --por none
 * verdict: complete
 * paths: 2
 * label: first
 * label: second */
#include <heddle.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    char c;
    if (pipe(ends) != 0)
        return 1;
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
            close(ends[1]);
            if (read(ends[0], &c, 1) == 1)
                heddle_reach(i ? "second" : "first");
            _exit(0);
        }
    return write(ends[1], "x", 1) != 1;
}
