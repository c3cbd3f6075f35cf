/* Who of two processes reads the only byte of standard input (--stdin) was decided by chance.
 *
 * run: --stdin 1
 * verdict: complete
 * label: parent
 * label: child
 *
 * run: --stdin 1 --por dpor
 * verdict: complete
 * label: parent
 * label: child
 *
 * run: --stdin 1 --por none
 * verdict: complete
 * label: parent
 * label: child */
#include <heddle.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    char byte;
    if (fork() == 0)
        _exit(read(0, &byte, 1) == 1);
    heddle_reach(read(0, &byte, 1) == 1 ? "parent" : "child");
    wait(NULL);
    return 0;
}
