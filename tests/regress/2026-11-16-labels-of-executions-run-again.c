/* An execution that is run again, because it showed who reads a pipe, counted its labels twice.
 *
 * run:
 * verdict: complete
 * executions: 1
 * label: read 1 */
#include <heddle.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    char c;
    if (pipe(ends) != 0)
        return 1;
    if (fork() == 0) {
        if (read(ends[0], &c, 1) == 1)
            heddle_reach("read");
        _exit(0);
    }
    return write(ends[1], "x", 1) != 1 || wait(NULL) < 0;
}
